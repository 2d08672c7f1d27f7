"""What an answer shows of a port, held against what its configuration says: where they differ, what runs counts, and is told.

Only values that both state are compared, never defaults. Chips count in cells, and systems in thousands or 1,024s, so sizes are one
where they lie within a tenth of each other (source: unverified).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.model import Port
from roce_audit.text.block import SHOWN, Part, block, resolve
from roce_audit.values import At, Cell, DefaultLocation, Place

_PLAIN = {"link_pause_rx": "obeying 802.3x pause", "link_pause_tx": "sending 802.3x pause"}
_OF_GROUPS = {"headroom_bytes": "headroom", "xoff_at_bytes": "XOFF threshold"}
_OF_CURVES = {"min_bytes": "lower ECN threshold", "max_bytes": "upper ECN threshold", "marks": "ECN marking"}
_ONE_IN = 10

Told = tuple[str, Place]
"""What runs otherwise, as a clause, and the line that shows it."""


def without_configuration(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The same parts with nothing in those that no answer showed: what is read of them is what answers show."""
    return tuple(
        part if part.kind == SHOWN else Part(part.role, block(part.block.path, part.block.first, (), ()), part.kind, part.name)
        for part in parts
    )


class Running:
    """One port, as it is configured and as answers show it; both read from parts of the same places."""

    def __init__(self, written: Port, shown: Port, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.told: list[Told] = []
        self.facts = written
        self._of("trust", written.trust, shown.trust)  # only told: the maps behind it are read by what is configured
        plain = {name: self._of(words, getattr(written, name), getattr(shown, name)) for name, words in _PLAIN.items()}
        changed: dict[str, Any] = {name: cell for name, cell in plain.items() if cell is not getattr(written, name)}
        for rows, differ in (("groups", self._group), ("queues", self._queue)):
            before, now = getattr(written, rows), getattr(shown, rows)
            if before.is_known and now.is_known:
                found = tuple(differ(one, other) for one, other in zip(before.get(), now.get(), strict=True))
                if any(one is not other for one, other in zip(before.get(), found, strict=True)):
                    changed[rows] = Cell(found, None, before.at)
        if changed:
            self.facts = replace(written, **changed)

    def _group(self, before: Any, now: Any) -> Any:
        words = {name: f"{what} of priority group {before.number}" for name, what in _OF_GROUPS.items()}
        return self._changed(before, now, words)

    def _queue(self, before: Any, now: Any) -> Any:
        curve = before.ecn
        if curve.is_known and now.ecn.is_absent:
            ecn = self._of(f"ECN of queue {before.number}", curve, now.ecn)
        elif curve.is_known and now.ecn.is_known:
            words = {name: f"{what} of queue {before.number}" for name, what in _OF_CURVES.items()}
            found = self._changed(curve.get(), now.ecn.get(), words)
            ecn = curve if found is curve.get() else Cell(found, None, curve.at)
        else:
            return before
        return before if ecn is curve else replace(before, ecn=ecn)

    def _changed(self, before: Any, now: Any, words: dict[str, str]) -> Any:
        cells = {name: self._of(what, getattr(before, name), getattr(now, name)) for name, what in words.items()}
        changed = {name: cell for name, cell in cells.items() if cell is not getattr(before, name)}
        return replace(before, **changed) if changed else before

    def _of(self, words: str, before: Cell[Any], now: Cell[Any]) -> Cell[Any]:
        """What runs, where it differs from what is written; else what was there."""
        written, shown = self._place(before, shown=False), self._place(now, shown=True)
        if written is None or shown is None or before.is_unknown or now.is_unknown or _is_one(before, now):
            return before
        self.told.append((f"{words}: {_said(before)} is configured, and {_said(now)} runs", shown))
        return now

    def _place(self, cell: Cell[Any], *, shown: bool) -> Place | None:
        """The first line that states a value itself, of an answer or of the configuration; a known row states none."""
        stated = cell.at if cell.is_absent or not _is_model(cell.value) else next(_inside(cell.value), ())
        for at in stated:
            if isinstance(at, At) and not isinstance(at, DefaultLocation) and (self.parts[at.part].kind == SHOWN) is shown:
                place = resolve(at, self.parts)
                return place if isinstance(place, Place) else None
        return None


def _inside(value: Any) -> Iterator[tuple[Any, ...]]:
    for name in _OF_CURVES:
        cell = getattr(value, name, None)
        if cell is not None and cell.at:
            yield cell.at


def _is_model(value: object) -> bool:
    return hasattr(value, "min_bytes")


def _is_one(before: Cell[Any], now: Cell[Any]) -> bool:
    """Whether two values are the same but for what rounding makes of a size."""
    if before.is_absent or now.is_absent:
        return before.is_absent and now.is_absent
    one, other = before.get(), now.get()
    if type(one) is int and type(other) is int:
        return abs(one - other) * _ONE_IN <= max(abs(one), abs(other))
    return bool(one == other)


def _said(cell: Cell[Any]) -> str:
    if cell.is_absent:
        return "none"
    value = cell.get()
    if type(value) is int:
        return f"{value:,} B"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "a curve" if _is_model(value) else str(value)
