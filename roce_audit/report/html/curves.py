"""The ECN curve of a queue, and how a port's queues share the wire."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.report.drawing import Curve, Share
from roce_audit.report.html.svg import (
    LETTER,
    cut,
    element,
    label,
    line,
    number,
    picture,
    rect,
    short_bytes,
    ticks,
    title,
)

_WIDTH, _HEIGHT = 340.0, 200.0
_LEFT, _TOP, _PLOT_X, _PLOT_Y = 44.0, 14.0, 280.0, 144.0

_BAR_WIDTH = 760.0
_STRICT = 86.0


def curve(found: Curve) -> str:
    """Marking probability over queue length; empty where there is nothing to draw."""
    if found.kmin.value is None or found.kmax.value is None or found.kmax.value <= 0:
        return ""
    words = (
        f"ECN curve: Kmin {found.kmin.words}, Kmax {found.kmax.words}, Pmax {found.pmax.words}, marks: {found.marks}"
    )
    return picture(_WIDTH, _HEIGHT, words, _curve(found, found.kmin.value, found.kmax.value), "curve")


def _curve(found: Curve, low: float, high: float) -> Iterator[str]:
    largest = max(low, high) * 1.3
    bottom = _TOP + _PLOT_Y

    def x(value: float) -> float:
        return _LEFT + value / largest * _PLOT_X

    def y(percent: float) -> float:
        return bottom - percent / 100 * _PLOT_Y

    for percent in (0.0, 50.0, 100.0):
        yield line(_LEFT, y(percent), _LEFT + _PLOT_X, y(percent), "grid")
        yield label(_LEFT - 6, y(percent) + 4, f"{percent:g} %", anchor="end", class_="tick")
    for tick in ticks(largest, 4):
        yield line(x(tick), bottom, x(tick), bottom + 4, "axis")
        yield label(x(tick), bottom + 16, short_bytes(tick) if tick else "0", anchor="middle", class_="tick")
    yield label(_LEFT + _PLOT_X / 2, bottom + 36, "length of the egress queue", anchor="middle", class_="quiet")
    if low > high:
        yield label(_LEFT + 10, _TOP + 20, "Kmin is above Kmax", class_="bad")
        return
    pmax = found.pmax.value
    points = [(0.0, 0.0), (low, 0.0), (high, pmax if pmax is not None else 100.0), (high, 100.0), (largest, 100.0)]
    path = " ".join(f"{number(x(a))},{number(y(b))}" for a, b in points)
    state = "curve-line" if found.marks == "yes" else "curve-line off"
    yield element("polygon", points=f"{path} {number(x(largest))},{number(bottom)}", class_="curve-area")
    yield element("polyline", points=path, class_=state)
    for name, at, percent, row in (("Kmin", low, 0.0, 13), ("Kmax", high, points[2][1], 29)):
        # the words stand at the top, each on a row of its own: at the points they would lie on the line or on each other
        yield line(x(at), _TOP, x(at), y(percent), "guide")
        yield element("circle", cx=x(at), cy=y(percent), r=3.5, class_="dot")
        right = x(at) + 6 + LETTER * 14 < _LEFT + _PLOT_X
        yield label(
            x(at) + (5 if right else -5), _TOP + row, f"{name} {short_bytes(at)}", anchor="start" if right else "end"
        )
    if pmax is not None and pmax < 90:
        yield label(x(high) - 6, y(pmax) - 7, f"Pmax {pmax:g} %", anchor="end")
    if pmax is None:
        yield label(_LEFT + 10, _TOP + 52, f"Pmax {cut(found.pmax.words, 40)}: drawn as 100 %", class_="quiet")
    if found.marks != "yes":
        said = "these thresholds drop, they do not mark" if found.marks == "no" else "marking is unknown"
        yield label(_LEFT + 10, _TOP + 68, said, class_="bad" if found.marks == "no" else "quiet")


def shares(found: tuple[Share, ...], kind: str) -> str:
    """Strict queues first, then the shares of the weighted ones; empty where nobody saw any."""
    weighted = [share for share in found if share.share.value is not None]
    strict = [share for share in found if share.strict]
    if not weighted and not strict:
        return ""
    words = "Scheduling: " + ", ".join(map(_words, found)) + (f" ({kind})" if kind else "")
    rows = (len(strict) + 7) // 8
    height = rows * 34 + (62 if weighted else 6)
    return picture(_BAR_WIDTH, height, words, [*_strict(strict), *_weighted(weighted, rows * 34.0, kind)], "shares")


def _words(share: Share) -> str:
    carries = f" carries {' and '.join(share.classes)}," if share.classes else ""
    if share.strict:
        return f"queue {share.queue}{carries} strict"
    part = f"{share.share.value:.3g} %" if share.share.value is not None else share.share.words
    return f"queue {share.queue}{carries} {part}"


def _strict(found: list[Share]) -> Iterator[str]:
    for i, share in enumerate(found):
        x, y = (i % 8) * (_STRICT + 8), (i // 8) * 34.0
        names = (f"Q{share.queue} {', '.join(share.classes)} strict", f"Q{share.queue} strict")
        name = next((text for text in names if share.classes and LETTER * len(text) < _STRICT - 4), names[-1])
        yield rect(x, y + 2, _STRICT, 26, "strict" + (" carries" if share.classes else ""), title(_words(share)), rx=5)
        yield label(x + _STRICT / 2, y + 19, name, anchor="middle")


def _weighted(found: list[Share], y: float, kind: str) -> Iterator[str]:
    x = 0.0
    for share in found:
        width = (share.share.value or 0.0) / 100 * _BAR_WIDTH
        style = "share carries" if share.classes else f"share shade-{share.queue % 2}"
        yield rect(x, y + 2, width - 1.5, 30, style, title(_words(share)))
        name = f"Q{share.queue}" + (f" {', '.join(share.classes)}" if share.classes else "")
        for text, height in ((name, y + 15), (f"{share.share.value:.3g} %", y + 28)):
            if width > LETTER * len(text) + 6:
                yield label(x + width / 2, height, text, anchor="middle")
        x += width
    if found:
        written = ", ".join(f"Q{share.queue} {share.share.words}" for share in found)
        yield label(0, y + 50, cut(f"as written: {written}" + (f" ({kind})" if kind else ""), 112), class_="quiet")
