"""The buffer thresholds of one class at one port, to scale: where ECN marks, where PFC starts, and whether the headroom holds."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.report.drawing import Amount, BufferThresholds
from roce_audit.report.html.svg import LETTER, cut, label, line, picture, rect, short_bytes, ticks, title

WIDTH = 690.0
_LEFT = 118.0
_RIGHT = 24.0
_PLOT = WIDTH - _LEFT - _RIGHT
_BAR = 22.0
_ROW = 60.0
_SHADES = 3
"""Classes `need-0`, `need-1`, ... for the terms of a sum."""


def thresholds(found: BufferThresholds) -> str:
    """Both scales: thresholds of queue and group, then headroom configured against headroom needed; empty without numbers."""
    upper = list(_thresholds(found))
    if not upper and found.headroom.value is None and not found.needs:
        return ""
    top = 2 * _ROW + 50 if upper else 0.0
    lower = list(_headroom(found, top))
    height = top + (2 * _ROW + 52 if len(lower) > 2 else 24.0)
    return picture(WIDTH, height, _described(found), [*upper, *lower], "thresholds")


def _thresholds(found: BufferThresholds) -> Iterator[str]:
    head = found.headroom.value or 0.0
    values = [a.value for a in (found.kmin, found.kmax, found.xon) if a.value is not None]
    if found.xoff.value is not None:
        values.append(found.xoff.value + head)
    if not values or max(values) <= 0:
        return
    shown = _shown(max(values) * 1.08, found.kmax.value)
    scale = _PLOT / shown
    yield label(0, 14, "thresholds", class_="head")
    yield from _axis(shown, scale, 2 * _ROW + 22)
    y = 22.0
    yield label(0, y + 15, "egress queue")
    yield rect(_LEFT, y, _PLOT, _BAR, "track")
    yield from _marking(found, scale, y)
    y += _ROW
    yield label(0, y + 15, "ingress group")
    yield rect(_LEFT, y, _PLOT, _BAR, "track")
    if found.xoff.value is None:
        yield label(_LEFT + 8, y + 15, f"XOFF {found.xoff.words}", class_="quiet")
    else:
        at = min(found.xoff.value * scale, _PLOT)
        dynamic = " dynamic" if found.dynamic else ""
        yield rect(_LEFT, y, at, _BAR, f"fill{dynamic}", title(found.dynamic or "below XOFF"))
        yield rect(
            _LEFT + at, y, min(head * scale, _PLOT - at), _BAR, "room", title(f"headroom {found.headroom.words}")
        )
        if found.dynamic:
            yield label(_LEFT + 8, y + 15, cut(f"dynamic: {found.dynamic}", 74))
    yield from _marks([("XON", found.xon), ("XOFF", found.xoff)], scale, y)


def _shown(largest: float, kmax: float | None) -> float:
    """Where the scale ends. Next to a far larger XOFF the marking would be a hair; then XOFF lies beyond the end."""
    return 3 * kmax if kmax and largest > 6 * kmax else largest


def _marking(found: BufferThresholds, scale: float, y: float) -> Iterator[str]:
    low, high = found.kmin.value, found.kmax.value
    if low is None and high is None:
        yield label(_LEFT + 8, y + 15, f"Kmin {found.kmin.words}", class_="quiet")
        return
    if low is not None and high is not None and low <= high:
        yield rect(_LEFT + low * scale, y, (high - low) * scale, _BAR, "ramp", title("some packets are marked"))
        yield rect(_LEFT + high * scale, y, _PLOT - high * scale, _BAR, "all", title("every packet is marked"))
    yield from _marks([("Kmin", found.kmin), ("Kmax", found.kmax)], scale, y)


def _marks(pairs: list[tuple[str, Amount]], scale: float, y: float) -> Iterator[str]:
    """Ticks with their words below the bar; words that would run into each other stand one below the other."""
    known = sorted((amount.value, name) for name, amount in pairs if amount.value is not None)
    taken = 0.0
    for value, name in known:
        x = _LEFT + value * scale
        text = f"{name} {short_bytes(value)}"
        if x > _LEFT + _PLOT:  # beyond the end of the scale
            yield label(_LEFT + _PLOT, y + _BAR + 15, f"{text} →", anchor="end")
            continue
        width = LETTER * len(text)
        start = min(x + 4, _LEFT + _PLOT - width)
        lower = 13 if start < taken else 0
        yield line(x, y - 4, x, y + _BAR + 4, "mark")
        yield label(start, y + _BAR + 15 + lower, text)
        taken = start + width + 6


def _headroom(found: BufferThresholds, y: float) -> Iterator[str]:
    has, needs = found.headroom.value, sum(term.bytes for term in found.needs)
    largest = max(has or 0.0, needs)
    if largest <= 0:
        yield label(0, y + 14, "headroom", class_="head")
        yield label(_LEFT, y + 14, f"configured: {found.headroom.words}; needed: {found.basis}", class_="quiet")
        return
    scale = _PLOT / (largest * 1.08)
    yield label(0, y + 14, "headroom", class_="head")
    if found.needs:
        yield label(_LEFT, y + 14, found.basis, class_="quiet")
    yield from _axis(largest * 1.08, scale, y + 2 * _ROW + 30)
    y += 24
    yield label(0, y + 15, "configured")
    yield rect(_LEFT, y, _PLOT, _BAR, "track")
    if has is None:
        yield label(_LEFT + 8, y + 15, found.headroom.words, class_="quiet")
    else:
        yield rect(_LEFT, y, has * scale, _BAR, "room", title(found.headroom.words))
        shared = " and what the shared pool gives" if found.shared_headroom else ""
        pays = f", {found.pays}" if found.pays and not shared else ""
        yield _beside(has * scale, y, found.headroom.words + shared + pays)
    y += _ROW - 16
    yield label(0, y + 15, "needed")
    yield rect(_LEFT, y, _PLOT, _BAR, "track")
    if not found.needs:
        yield label(_LEFT + 8, y + 15, cut(found.basis, 90), class_="quiet")
        return
    x = _LEFT
    for i, term in enumerate(found.needs):
        words = f"{term.name}: {term.bytes:,.0f} B"
        yield rect(x, y, term.bytes * scale, _BAR, f"need-{i % _SHADES}", title(words), rx=0)
        x += term.bytes * scale
    if has is not None and has < needs:
        yield rect(_LEFT + has * scale, y, (needs - has) * scale, _BAR, "short", title("does not fit"), rx=0)
    yield label(
        _LEFT,
        y + _BAR + 33,
        f"= {needs:,.0f} B{_verdict(found)}",
        class_="bad" if has is not None and has < needs else "head",
    )
    x = _LEFT
    for i, term in enumerate(found.needs):
        text = f"{term.name} {term.bytes:,.0f} B"
        yield rect(x, y + _BAR + 8, 10, 10, f"need-{i % _SHADES}")
        yield label(x + 15, y + _BAR + 17, text)
        x += 34 + 6.4 * len(text)


def _verdict(found: BufferThresholds) -> str:
    has, needs = found.headroom.value, sum(term.bytes for term in found.needs)
    if has is None or not found.needs or found.shared_headroom:
        return ""
    return f": {needs - has:,.0f} B do not fit" if has < needs else f": {has - needs:,.0f} B to spare"


def _beside(width: float, y: float, text: str) -> str:
    """Words behind a bar, or in it where there is no room behind."""
    if width + 7 * len(text) + 8 < _PLOT:
        return label(_LEFT + width + 6, y + 15, text)
    return label(_LEFT + width - 6, y + 15, text, anchor="end", class_="inside")


def _axis(largest: float, scale: float, y: float) -> Iterator[str]:
    yield line(_LEFT, y, _LEFT + _PLOT, y, "axis")
    for value in ticks(largest):
        x = _LEFT + value * scale
        yield line(x, y, x, y + 4, "axis")
        yield label(x, y + 16, short_bytes(value) if value else "0", anchor="middle", class_="tick")


def _described(found: BufferThresholds) -> str:
    needs = sum(term.bytes for term in found.needs)
    need = f"needed {needs:,.0f} B" if found.needs else found.basis
    return (
        f"Buffer thresholds: Kmin {found.kmin.words}, Kmax {found.kmax.words}, XON {found.xon.words}, XOFF {found.xoff.words}"
        f"{f' ({found.dynamic})' if found.dynamic else ''}, headroom configured {found.headroom.words}, {need}{_verdict(found)}"
    )
