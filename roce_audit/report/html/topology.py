"""The fabric as drawn: devices in tiers, put together where they are many, links coloured by their worst finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from roce_audit.engine.findings import Severity
from roce_audit.report.drawing import DrawnDevice
from roce_audit.report.html.svg import cut, element, label, number, picture, rect, title
from roce_audit.report.prepare import natural
from roce_audit.report.words import count
from roce_audit.report.worst import Worst, rank

MOST = 20
"""Boxes of one tier; more devices than that share boxes."""
MOST_LOOSE, ROW = 64, 8
"""Boxes of a fabric of which no link is known, and how many of them stand side by side."""
_BOX, _GAP, _BOX_HEIGHT, _TIER = 104.0, 18.0, 44.0, 128.0
_LETTERS = 14
_MARGIN = 14.0


@dataclass(slots=True)
class _Node:
    """One box: a device, or several that stand together."""

    names: list[str]
    tier: int
    worst: Severity = "none"
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


def fabrics(
    devices: Sequence[DrawnDevice], links: Iterable[tuple[str, str]], device_of: Mapping[str, str], worst: Worst
) -> Iterator[tuple[str, str]]:
    """(name, picture) of each fabric. `links` are pairs of port ids, `device_of` has the device of each of these ports."""
    by_fabric: dict[str, list[DrawnDevice]] = defaultdict(list)
    for device in devices:
        by_fabric[device.fabric].append(device)
    ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
    fabric_of = {device.name: device.fabric for device in devices}
    for a, b in links:
        ends[fabric_of[device_of[a]]].append((a, b))
    for name, its in by_fabric.items():
        yield name, _fabric(name, its, ends[name], device_of, worst)


def _fabric(
    name: str,
    devices: Sequence[DrawnDevice],
    links: Sequence[tuple[str, str]],
    device_of: Mapping[str, str],
    worst: Worst,
) -> str:
    beside: dict[str, set[str]] = defaultdict(set)
    for a, b in links:
        beside[device_of[a]].add(device_of[b])
        beside[device_of[b]].add(device_of[a])
    nodes: list[_Node] = []
    for tier in sorted({device.tier for device in devices}, reverse=True):
        mine = sorted((d.name for d in devices if d.tier == tier), key=natural)
        groups = _together(mine, beside) if links else _chunks(mine, MOST_LOOSE)
        nodes += [_Node(names, tier) for names in groups]
    where = {device: i for i, node in enumerate(nodes) for device in node.names}
    for node in nodes:
        node.worst = _worst([worst.devices.get(device, "none") for device in node.names])
    bundles = _bundles(links, device_of, where, worst.places)
    for i, k in bundles:
        nodes[i].peers.add(k)
        nodes[k].peers.add(i)
    width, height = _place(nodes) if links else _grid(nodes)
    faulty = sum(1 for _, its_worst, _ in bundles.values() if its_worst != "none")
    described = (
        f"Fabric {name}: {count(len(devices), 'device')}, {count(len(links), 'link')}, "
        f"{count(faulty, 'drawn link')} with findings; the lists of devices and findings say the same in words"
    )
    edges = [_edge(nodes[i], nodes[k], bundles[(i, k)]) for i, k in sorted(bundles, key=lambda k: -rank(bundles[k][1]))]
    # a group, so that the links in it stay links for a screen reader
    return picture(width, height, described, [*edges, *map(_box, nodes)], "topology").replace(
        'role="img"', 'role="group"', 1
    )


def _together(names: list[str], beside: Mapping[str, set[str]]) -> list[list[str]]:
    """At most MOST boxes: first devices with the same neighbours share one, then neighbours in name."""
    if len(names) <= MOST:
        return [[name] for name in names]
    alike: dict[frozenset[str], list[str]] = defaultdict(list)
    for name in names:
        alike[frozenset(beside[name])].append(name)
    groups = list(alike.values())
    if len(groups) <= MOST:
        return groups
    return _chunks(names, MOST)


def _chunks(names: list[str], most: int) -> list[list[str]]:
    """Neighbours in name, in at most so many groups."""
    step = max(-(-len(names) // most), 1)
    return [names[i : i + step] for i in range(0, len(names), step)]


def _bundles(
    links: Sequence[tuple[str, str]],
    device_of: Mapping[str, str],
    where: Mapping[str, int],
    worst_of: Mapping[str, Severity],
) -> dict[tuple[int, int], tuple[int, Severity, str]]:
    found: dict[tuple[int, int], tuple[int, Severity, str]] = {}
    for a, b in links:
        i, k = sorted((where.get(device_of[a], -1), where.get(device_of[b], -1)))
        if i < 0 or i == k:
            continue
        by_id = {end: worst_of.get(end, "none") for end in (a, b, " <-> ".join(sorted((a, b))))}
        worst = _worst(list(by_id.values()))
        number_, before, port = found.get((i, k), (0, "none", a))
        guilty = next((end for end in (a, b) if by_id[end] == worst), a)
        found[(i, k)] = (number_ + 1, _worst([before, worst]), guilty if rank(worst) < rank(before) else port)
    return found


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


def _edge(a: _Node, b: _Node, bundle: tuple[int, Severity, str]) -> str:
    number_, worst, port = bundle
    top, low = (a, b) if a.y <= b.y else (b, a)
    x1, x2 = top.x + _BOX / 2, low.x + _BOX / 2
    y1, y2 = top.y + _BOX_HEIGHT, low.y
    path = f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
    if top.y == low.y:  # two of one tier: below them
        path = f"M{number(x1)} {number(y1)}Q{number((x1 + x2) / 2)} {number(y1 + 34)} {number(x2)} {number(y1)}"
        y2 = y1
    words = f"{top.text} to {low.text}: {count(number_, 'link')}" + (
        f", worst finding: {worst}" if worst != "none" else ""
    )
    drawn = element("path", d=path, class_=f"edge {worst}", stroke_width=min(1.4 + 0.4 * (number_ - 1), 5))
    catch = element("path", d=path, class_="catch")
    if worst != "none":
        middle = ((x1 + x2) / 2, (y1 + y2) / 2 + (17 if top.y == low.y else 0))
        drawn += element("circle", cx=middle[0], cy=middle[1], r=9.0, class_=f"sign {worst}")
        drawn += label(middle[0], middle[1] + 4, _SIGNS[worst], anchor="middle", class_="sign-text")
        href = f"#/port/{quote(port, safe='', errors='replace')}"
        return element("a", title(words), drawn, catch, href=href, aria_label=words)
    return element("g", title(words), drawn, catch)


_SIGNS: Mapping[Severity, str] = {"error": "×", "warning": "!", "info": "i"}


def _box(node: _Node) -> str:
    words = ", ".join(node.names[:8]) + (f" and {len(node.names) - 8:,} more" if len(node.names) > 8 else "")
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


def _worst(found: Sequence[Severity]) -> Severity:
    return min(found, key=rank, default="none")
