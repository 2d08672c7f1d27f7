"""The pictures of the explanations: the report's own ones of the example fabric, and drawings of what no report shows."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from roce_audit.audit import Checked, Request, check
from roce_audit.formulas import headroom
from roce_audit.policy import load
from roce_audit.report.drawing import PacketPath, PortDrawing, SiteDrawing
from roce_audit.report.html.curves import curve, shares
from roce_audit.report.html.packetpath import packet_path
from roce_audit.report.html.svg import element, label, line, picture, rect
from roce_audit.report.html.thresholds import thresholds
from roce_audit.report.html.topology import topology
from roce_audit.views.sitedrawing import site_drawing

FIXTURES = Path(__file__).parent.parent / "fixtures"


def documents() -> dict[str, str]:
    """Path below docs/ -> SVG."""
    good, bad = _site("fabric"), _site("fabric-faulty")
    leaf, shelf = _drawing(good, "leaf1:Ethernet1/1"), _drawing(good, "leaf2:Ethernet256")
    broken = _drawing(bad, "gpu4:ens12np0")
    made = {
        "map": next(topology(fabric) for fabric in good.fabrics if fabric.name == "backend"),
        "packet-path": packet_path([(path.name, path.steps) for path in shelf.paths]),
        "packet-path-broken": packet_path([(path.name, path.steps) for path in broken.paths]),
        "shares": shares(leaf.shares, leaf.share_kind),
        "curve": curve(_first(leaf).curve),  # type: ignore[arg-type]
        "thresholds": thresholds(_first(shelf).thresholds),  # type: ignore[arg-type]
        "thresholds-short": thresholds(_first(_drawing(bad, "leaf2:Ethernet256")).thresholds),  # type: ignore[arg-type]
        "path": _path(),
        "headroom": _headroom(),
        "loop": _loop(),
        "deadlock": _deadlock(),
        "verdicts": _verdicts(),
        "scope": _scope(),
    }
    return {f"pictures/{name}.svg": _standing_alone(svg) for name, svg in made.items()}


def _site(name: str) -> SiteDrawing:
    with contextlib.chdir(FIXTURES):
        checked: Checked = check(Request((name,), load(Path(name, "roce-audit.yaml"))))
    return site_drawing(checked)


def _drawing(found: SiteDrawing, port: str) -> PortDrawing:
    index = next(one.drawing for one in found.ports if one.id == port)
    assert index is not None
    return found.drawings[index]


def _first(drawing: PortDrawing) -> PacketPath:
    return drawing.paths[0]


def _standing_alone(svg: str) -> str:
    """The picture with the light colours of the report inside, on a ground of its own: it is shown as an image."""
    css = files("roce_audit.report.html").joinpath("assets", "style.css").read_text(encoding="utf-8")
    root = css[: css.index("\n}\n") + 3].replace("color-scheme: light dark;", "")
    rules = "\n".join(rule for rule in css.split("\n") if rule.startswith("svg ") and ":hover" not in rule)
    extra = "svg .ground { fill: var(--panel); } svg .pulse { fill: var(--error); } svg .mild { fill: var(--ramp); }"
    style = element("style", f"{root}{rules}\n{extra}")
    opened = svg.index(">") + 1
    head = re.sub(
        r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"',
        lambda m: f'viewBox="-12 -8 {float(m[1]) + 24:g} {float(m[2]) + 16:g}"',
        svg[:opened],
    )
    ground = element("rect", x="-12", y="-8", width="110%", height="110%", class_="ground")
    return f"{head}{style}{ground}{svg[opened:]}\n"


def _arrow(x1: float, y1: float, x2: float, y2: float, class_: str = "arrow", tip: str = "tip") -> Iterator[str]:
    yield line(x1, y1, x2, y2, class_)
    angle = math.atan2(y2 - y1, x2 - x1)
    points = [(x2, y2)] + [
        (x2 - 9 * math.cos(angle + turn), y2 - 9 * math.sin(angle + turn)) for turn in (math.pi / 7, -math.pi / 7)
    ]
    yield element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=tip)


def _box(x: float, y: float, width: float, name: str, below: str = "", class_: str = "step") -> Iterator[str]:
    yield rect(x, y, width, 46, class_, rx=6)
    yield label(x + width / 2, y + (20 if below else 28), name, anchor="middle", class_="head")
    if below:
        yield label(x + width / 2, y + 36, below, anchor="middle", class_="tick")


def _path() -> str:
    """Data from left to right, pause from right to left hop by hop, CNPs from the receiver to the sender."""
    names = (("sender", "NIC"), ("leaf", "switch"), ("spine", "switch"), ("leaf", "switch"), ("receiver", "NIC"))
    parts: list[str] = []
    for i, (name, kind) in enumerate(names):
        parts += _box(i * 150, 60, 96, name, kind)
        if i < 4:
            parts += _arrow(i * 150 + 98, 76, i * 150 + 148, 76)
            parts += _arrow(i * 150 + 148, 96, i * 150 + 98, 96, "guide", "pulse")
    parts.append(label(0, 20, "data: DSCP 26, ECN-capable; a full queue marks packets", class_="head"))
    parts.append(label(0, 40, "PFC: each hop may stop the one before it, for this priority alone", class_="quiet"))
    parts.append(line(648, 108, 648, 140, "arrow"))
    parts.append(line(648, 140, 48, 140, "arrow"))
    parts += _arrow(48, 140, 48, 110)
    parts.append(label(348, 158, "CNP: the receiver tells the sender of the marks (DSCP 48)", anchor="middle"))
    return picture(
        700,
        168,
        "Data goes from sender to receiver over leaf, spine and leaf; pauses go back hop by hop, CNPs from end to end",
        parts,
    )


def _headroom() -> str:
    """What still arrives after XOFF, at 400G over 40 m, to scale."""
    found = headroom.with_peer_response(400 * 10**9, 40, 4160, 9216)
    terms = (
        ("our own frame goes first", found.any_frame_bytes),
        ("the PFC frame", found.pfc_frame_bytes),
        ("cable, there and back", found.cable_bytes),
        ("peer's response", found.peer_response_bytes),
        ("its frame just begun", found.lossless_frame_bytes),
    )
    scale = 690 / found.total_bytes
    parts = [
        label(
            0,
            16,
            "400G, 40 m, packets of 4,160 B and 9,216 B: what still arrives after XOFF was decided",
            class_="head",
        )
    ]
    x = 0.0
    for i, (name, size) in enumerate(terms):
        parts.append(rect(x, 28, size * scale, 34, f"need-{i % 3}", rx=0))
        y = 84 + 20 * i
        parts.append(line(x + size * scale / 2, 62, x + size * scale / 2, y - 12, "guide"))
        right = x + size * scale / 2 > 420
        nanoseconds = size * 8e9 / (400 * 10**9)
        words = f"{name}: {size:,.0f} B, {nanoseconds:,.0f} ns"
        parts.append(label(x + size * scale / 2, y, words, anchor="end" if right else "start"))
        x += size * scale
    parts.append(
        label(0, 196, f"together {found.total_bytes:,} B of headroom for one priority on one port", class_="head")
    )
    return picture(700, 204, f"Headroom of {found.total_bytes:,} bytes, term by term", parts)


def _loop() -> str:
    """DCQCN: who tells whom."""
    parts: list[str] = []
    parts += _box(0, 40, 150, "sender (RP)", "cuts and raises its rate")
    parts += _box(270, 40, 150, "switch (CP)", "marks above Kmin")
    parts += _box(540, 40, 150, "receiver (NP)", "answers marks with CNPs")
    parts += _arrow(152, 56, 268, 56)
    parts += _arrow(422, 56, 538, 56)
    parts.append(label(210, 48, "data", anchor="middle", class_="tick"))
    parts.append(label(480, 48, "some marked", anchor="middle", class_="tick"))
    parts.append(line(615, 88, 615, 124, "arrow"))
    parts.append(line(615, 124, 75, 124, "arrow"))
    parts += _arrow(75, 124, 75, 90)
    parts.append(
        label(345, 118, "CNP, at most one per flow and interval; its own strict queue", anchor="middle", class_="tick")
    )
    parts.append(label(0, 16, "DCQCN closes a loop from end to end; PFC closes one on each cable", class_="head"))
    return picture(700, 136, "The switch marks, the receiver sends CNPs, the sender changes its rate", parts)


def _deadlock() -> str:
    """Three switches, each waiting for the next."""
    parts: list[str] = [label(0, 16, "each waits for room in the next: nothing moves again", class_="head")]
    places = ((270, 30), (430, 140), (110, 140))
    for (x, y), name in zip(places, ("A", "B", "C"), strict=True):
        parts += _box(x, y, 110, f"switch {name}", "buffer full", "step bad")
    parts += _arrow(382, 66, 470, 138)
    parts += _arrow(428, 172, 222, 172)
    parts += _arrow(190, 138, 268, 66)
    for x, y, text in ((446, 96, "lossless, paused"), (325, 164, "lossless, paused"), (200, 96, "lossless, paused")):
        anchor = "start" if x > 400 else "middle" if x > 300 else "end"
        parts.append(label(x, y, text, anchor=anchor, class_="bad"))
    return picture(660, 196, "Three switches in a ring, each paused by the next", parts)


def _verdicts() -> str:
    """Cells to verdicts."""
    parts: list[str] = []
    rows = (
        ("a line says it", "value", "known", "holds or fails"),
        ("the whole block is visible and does not say it", "documented default", "known", "holds or fails"),
        ("the file is a fragment", "not visible", "unknown", "unknown: one more input decides it"),
        ("a line was not understood", "not parsed", "unknown", "unknown, and input/unread-line"),
        ("a name that nobody defines", "undefined", "unknown", "input/undefined-or-unapplied"),
    )
    for i, (seen, cell, state, verdict) in enumerate(rows):
        y = 26 + i * 40
        parts.append(label(0, y + 20, seen))
        parts += _arrow(286, y + 16, 316, y + 16)
        parts.append(rect(320, y, 140, 30, f"step {state if state == 'unknown' else ''}".strip(), rx=6))
        parts.append(label(390, y + 20, cell, anchor="middle"))
        parts += _arrow(464, y + 16, 494, y + 16)
        parts.append(label(500, y + 20, verdict))
    for x, text in ((0, "what was seen"), (320, "cell"), (500, "verdict of a rule that reads it")):
        parts.append(label(x, 14, text, class_="head"))
    return picture(720, 232, "How what is seen becomes a value or a doubt, and a verdict", parts)


def _scope() -> str:
    """The ranks of evidence."""
    ranks = (
        ("policy", "policy ports:, topology roce:", "yes / no"),
        ("cabling", "the far end of the cable", "yes / no"),
        ("its configuration", "its own lossless settings; NCCL_IB_HCA", "yes / no"),
        ("similar ports", "what ports like it do", "that answer"),
        ("path", "leads to a switch of the fabric", "yes"),
        ("whole device", "one statement for all ports", "yes"),
        ("description", "oob, bmc, default route, too slow", "no"),
        ("none", "nothing says so: nothing counts as missing there", "unclear"),
    )
    parts = [label(0, 14, "the first with evidence decides", class_="head")]
    for i, (name, what, answer) in enumerate(ranks):
        y = 24 + i * 34
        state = "step unknown" if name == "none" else "step"
        parts.append(rect(0, y, 110, 26, state, rx=6))
        parts.append(label(55, y + 17, name, anchor="middle", class_="head"))
        parts.append(label(126, y + 17, what))
        parts.append(label(500, y + 17, answer, class_="quiet"))
    return picture(600, 302, "Eight ranks of evidence for whether a port carries RoCE", parts)
