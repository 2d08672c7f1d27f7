"""The path of a class as a row of boxes: packet, class, queue, ECN, group, PFC. One row a class; a path over hops is several rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.report.drawing import Step
from roce_audit.report.html.svg import cut, element, label, line, picture, rect, title

Row = tuple[str, Sequence[Step]]
"""Name of the row (a class, or a port of a path over hops), and its steps."""

_HEIGHT, _PITCH = 46.0, 62.0
_NAME = 84.0
_GAP = 22.0
_LETTERS = 26


def packet_path(rows: Sequence[Row]) -> str:
    """One row under the other, equal steps in one column."""
    if not rows:
        return ""
    columns = max(len(steps) for _, steps in rows)
    widths = [max(_box_width(steps[i]) for _, steps in rows if i < len(steps)) for i in range(columns)]
    width = _NAME + sum(widths) + _GAP * columns
    described = "; ".join(f"{name}: " + ", ".join(f"{s.label} {s.words}" for s in steps) for name, steps in rows)
    parts = [part for i, row in enumerate(rows) for part in _row(row, i * _PITCH, widths)]
    return picture(width, len(rows) * _PITCH - 10, described, parts, "packet-path")


def _row(row: Row, y: float, widths: Sequence[float]) -> Iterator[str]:
    name, steps = row
    yield label(0, y + _HEIGHT / 2 + 4, cut(name, 11), class_="head")
    x = _NAME
    for i, step in enumerate(steps):
        if i:
            yield line(x - _GAP, y + _HEIGHT / 2, x - 6, y + _HEIGHT / 2, "arrow")
            tip = f"{x - 8:g},{y + _HEIGHT / 2 - 4:g} {x - 1:g},{y + _HEIGHT / 2:g} {x - 8:g},{y + _HEIGHT / 2 + 4:g}"
            yield element("polygon", points=tip, class_="tip")
        yield rect(x, y + 1, widths[i], _HEIGHT - 2, f"step {step.state}", title(f"{step.label}: {step.words}"), rx=6)
        yield label(x + 10, y + 17, step.label, class_="tick")
        yield label(x + 10, y + 35, cut(step.words, _LETTERS))
        x += widths[i] + _GAP


def _box_width(step: Step) -> float:
    return max(20 + 6.9 * min(len(step.words), _LETTERS), 20 + 6.2 * len(step.label), 64)
