"""The fabric as drawn: boxes in tiers, links coloured by their worst finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from roce_audit.engine.findings import Severity
from roce_audit.report.drawing import Bundle, DrawnFabric
from roce_audit.report.html.svg import cut, element, label, number, picture, rect, title
from roce_audit.report.words import count
from roce_audit.report.worst import rank
from roce_audit.text.sentences import listed

ROW = 8
"""Boxes side by side in a fabric of which no link is known."""
_BOX, _GAP, _BOX_HEIGHT, _TIER = 104.0, 18.0, 44.0, 128.0
_LETTERS = 14
_MARGIN = 14.0


@dataclass(slots=True)
class _Node:
    """A box and its place."""

    names: Sequence[str]
    tier: int
    worst: Severity
    x: float = 0.0
    y: float = 0.0
    peers: set[int] = field(default_factory=set)

    @property
    def text(self) -> str:
        return self.names[0] if len(self.names) == 1 else f"{len(self.names):,} devices"

    @property
    def link(self) -> str:
        """Where a click leads."""
        if len(self.names) == 1:
            return f"#/device/{quote(self.names[0], safe='', errors='replace')}"
        return f"#/devices?q={quote(_common(self.names), safe='', errors='replace')}"


def topology(fabric: DrawnFabric) -> str:
    """The picture of a fabric."""
    nodes = [_Node(box.names, box.tier, box.worst) for box in fabric.boxes]
    for bundle in fabric.bundles:
        nodes[bundle.a].peers.add(bundle.b)
        nodes[bundle.b].peers.add(bundle.a)
    width, height = _place(nodes) if fabric.links else _grid(nodes)
    faulty = sum(bundle.worst != "none" for bundle in fabric.bundles)
    described = (
        f"Fabric {fabric.name}: {count(sum(len(box.names) for box in fabric.boxes), 'device')}, {count(fabric.links, 'link')}, "
        f"{count(faulty, 'drawn link')} with findings; the lists of devices and findings say the same in words"
    )
    bundles = sorted(fabric.bundles, key=lambda bundle: -rank(bundle.worst))
    edges = [_edge(nodes[bundle.a], nodes[bundle.b], bundle) for bundle in bundles]
    # a group, so that the links in it stay links for a screen reader
    return picture(width, height, described, [*edges, *map(_box, nodes)], "topology").replace(
        'role="img"', 'role="group"', 1
    )


def _place(nodes: Sequence[_Node]) -> tuple[float, float]:
    """Tiers from the top down, boxes near their neighbours; gives width and height of the picture."""
    tiers: dict[int, list[int]] = defaultdict(list)
    for i, node in enumerate(nodes):
        tiers[node.tier].append(i)
    width = max(len(row) for row in tiers.values()) * (_BOX + _GAP) - _GAP + 2 * _MARGIN
    order = sorted(tiers, reverse=True)
    for sweep in range(3):
        for depth, tier in enumerate(order):
            row = tiers[tier]
            if sweep:
                row.sort(key=lambda i: (_centre(nodes, nodes[i]), i))
            step = width / len(row)
            for place, i in enumerate(row):
                nodes[i].x = step * place + (step - _BOX) / 2
                nodes[i].y = _MARGIN + depth * _TIER
    level = any(nodes[k].tier == node.tier for node in nodes for k in node.peers)
    return width, 2 * _MARGIN + _BOX_HEIGHT + (len(order) - 1) * _TIER + (20 if level else 0)


def _grid(nodes: Sequence[_Node]) -> tuple[float, float]:
    """Boxes in rows, for devices of which nobody knows how they are connected."""
    pitch = _BOX_HEIGHT + _GAP
    for place, node in enumerate(nodes):
        node.x = _MARGIN + place % ROW * (_BOX + _GAP)
        node.y = _MARGIN + place // ROW * pitch
    rows = -(-len(nodes) // ROW)
    return min(len(nodes), ROW) * (_BOX + _GAP) - _GAP + 2 * _MARGIN, rows * pitch - _GAP + 2 * _MARGIN


def _centre(nodes: Sequence[_Node], node: _Node) -> float:
    peers = [nodes[i].x for i in node.peers if nodes[i].tier > node.tier] or [node.x]
    return sum(peers) / len(peers)


def _edge(a: _Node, b: _Node, bundle: Bundle) -> str:
    worst = bundle.worst
    top, low = (a, b) if a.y <= b.y else (b, a)
    x1, x2 = top.x + _BOX / 2, low.x + _BOX / 2
    y1, y2 = top.y + _BOX_HEIGHT, low.y
    path = f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
    if top.y == low.y:  # two of one tier: below them
        path = f"M{number(x1)} {number(y1)}Q{number((x1 + x2) / 2)} {number(y1 + 34)} {number(x2)} {number(y1)}"
        y2 = y1
    words = f"{top.text} to {low.text}: {count(bundle.links, 'link')}" + (
        f", worst finding: {worst}" if worst != "none" else ""
    )
    drawn = element("path", d=path, class_=f"edge {worst}", stroke_width=min(1.4 + 0.4 * (bundle.links - 1), 5))
    catch = element("path", d=path, class_="catch")
    if worst != "none":
        middle = ((x1 + x2) / 2, (y1 + y2) / 2 + (17 if top.y == low.y else 0))
        drawn += element("circle", cx=middle[0], cy=middle[1], r=9.0, class_=f"sign {worst}")
        drawn += label(middle[0], middle[1] + 4, _SIGNS[worst], anchor="middle", class_="sign-text")
        href = f"#/port/{quote(bundle.port, safe='', errors='replace')}"
        return element("a", title(words), drawn, catch, href=href, aria_label=words)
    return element("g", title(words), drawn, catch)


_SIGNS: Mapping[Severity, str] = {"error": "×", "warning": "!", "info": "i"}


def _box(node: _Node) -> str:
    words = listed(node.names, 8, spare_one=False)
    state = "no findings" if node.worst == "none" else f"worst finding: {node.worst}"
    parts = [title(f"{words}: {state}"), rect(node.x, node.y, _BOX, _BOX_HEIGHT, f"box {node.worst}", rx=7)]
    middle = node.x + _BOX / 2
    if len(node.names) == 1:
        parts.append(label(middle, node.y + 27, cut(node.text, _LETTERS), anchor="middle"))
    else:
        parts.append(label(middle, node.y + 19, node.text, anchor="middle"))
        parts.append(label(middle, node.y + 35, cut(f"{node.names[0]} …", _LETTERS), anchor="middle", class_="tick"))
    if node.worst != "none":
        parts.append(element("circle", cx=node.x + _BOX - 4, cy=node.y + 4, r=9.0, class_=f"sign {node.worst}"))
        parts.append(label(node.x + _BOX - 4, node.y + 8, _SIGNS[node.worst], anchor="middle", class_="sign-text"))
    return element("a", *parts, href=node.link, aria_label=f"{words}: {state}")


def _common(names: Sequence[str]) -> str:
    """The beginning that all names share."""
    first, last = min(names), max(names)
    same = next((i for i, letter in enumerate(first) if last[i : i + 1] != letter), len(first))
    return first[:same]
