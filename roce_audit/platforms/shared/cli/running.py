"""What an answer shows of a port, held against what its configuration says: where they differ, what runs counts, and is told.

Only values that both state are compared, never defaults, and of groups and queues only those of paused priorities. Chips count in cells,
and systems in thousands or 1,024s, so sizes are one where they lie within a tenth of each other (source: unverified).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.model import Ecn, Port
from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.text.block import SHOWN, Part, block, resolve
from roce_audit.values import At, Cell, DefaultLocation, Place, absent, known

NO_LINK = "no link"
"""The statement of a port that has no link: whether PFC runs there is then no question."""
ERROR_DISABLED = "error-disabled "
"""How the statement begins of a port that the switch itself has shut; what it says of that follows."""
OUT_OF_CHANNEL = "out of channel "
"""How the statement begins of a member that its channel does not use; the switch's word for that follows."""
_BY_ITSELF = lazy(r"err(?:or)?[ -]?(?:disable|down)", re.I)
RUNS_AT = "connected "
"""How the statement begins that tells at what speed a link runs."""
_GIGA = 1_000_000_000
_PAUSE = {"link_pause_rx": "obeying 802.3x pause", "link_pause_tx": "sending 802.3x pause"}
"""Told where it runs and is configured off: what is configured on may be negotiated away."""
_OF_GROUPS = {"headroom_bytes": "headroom", "xoff_at_bytes": "XOFF threshold"}
_OF_CURVES = {"min_bytes": "lower ECN threshold", "max_bytes": "upper ECN threshold", "marks": "ECN marking"}
_ONE_IN = 10

Told = tuple[str, Place]
"""What runs otherwise, as a clause, and the line that shows it."""


def without_link(state: str) -> str:
    """The statement of a port without link, by what its switch says of it: whether the switch has shut it, as vendors call that."""
    return f"{ERROR_DISABLED}{state.strip()}" if _BY_ITSELF.search(state) else NO_LINK


def shut_port(name: str, words: str, place: Place) -> Seen:
    """What is told of a port that the switch itself has shut, with its words for that."""
    return seen("error-disabled", name, f"the switch itself has shut the port ({words})", place, words, (name,))


def runs_slower(before: int, now: int) -> str:
    """What is told of a link that runs at less than is configured, both in bit/s."""
    return f"{before / _GIGA:g}G is configured, and the link runs at {now / _GIGA:g}G"


def only_of(parts: Sequence[Part], *, shown: bool) -> tuple[Part, ...]:
    """The same parts with nothing in those that answers showed, or in all others: what is read of them is what the rest says."""
    return tuple(
        part
        if (part.kind == SHOWN) is shown
        else Part(part.role, block(part.block.path, part.block.first, (), ()), part.kind, part.name)
        for part in parts
    )


def asleep(facts: Port) -> Port:
    """The facts of a port without link: that PFC runs for no priority there says nothing."""
    if not facts.pfc.is_known or not facts.pfc.get().operational.is_known or facts.pfc.get().operational.get():
        return facts
    pfc = replace(facts.pfc.get(), operational=absent(*facts.pfc.get().operational.at))
    return replace(facts, pfc=Cell(pfc, None, facts.pfc.at))


class Running:
    """One port: its facts, and what its configuration and answers alone say of it; all read from parts of the same places."""

    def __init__(self, facts: Port, written: Port, shown: Port, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.paused = _paused(facts)
        self._differing: dict[tuple[str, Place], list[str]] = {}
        """(what is configured and what runs, where it is shown) -> of what."""
        self.slower: list[Told] = list(self._slower(facts, written, shown))
        # trust is only told: the maps behind it go by what is configured
        self._of("trust", facts.trust, written.trust, shown.trust)
        words = {name: what for name, what in _PAUSE.items() if getattr(shown, name).or_else(False)}
        if shown.fec.is_known and not _is_auto(written.fec):
            words["fec"] = "FEC"
        if _is_less(shown.ip_mtu_bytes, written.ip_mtu_bytes):
            words["ip_mtu_bytes"] = "IP MTU"  # what answers show is one of several limits, the least of which counts
        changed: dict[str, Any] = self._changes(facts, written, shown, words)
        for rows, differ in (("groups", self._group), ("queues", self._queue)):
            cells = [getattr(port, rows) for port in (facts, written, shown)]
            if all(cell.is_known for cell in cells):
                found = tuple(differ(*row) for row in zip(*(cell.get() for cell in cells), strict=True))
                if any(one is not other for one, other in zip(cells[0].get(), found, strict=True)):
                    changed[rows] = Cell(found, None, cells[0].at)
        self.facts = replace(facts, **changed) if changed else facts

    @property
    def told(self) -> list[Told]:
        """What runs otherwise; what one line shows of two things alike is told once."""
        return [(f"{' and '.join(what)}: {differs}", place) for (differs, place), what in self._differing.items()]

    def _slower(self, facts: Port, written: Port, shown: Port) -> Iterator[Told]:
        """Where the link runs at less than is configured; what a breakout makes of a port is no speed that it runs at."""
        before, now = written.speed_bps, shown.speed_bps
        if before.is_known and now.is_known and now.get() < before.get() and facts.kind != known("lag"):
            place = self._place(now, shown=True, beginning=RUNS_AT)
            if place is not None and self._place(before, shown=False) is not None:
                yield runs_slower(before.get(), now.get()), place

    def _group(self, facts: Any, written: Any, shown: Any) -> Any:
        if not facts.lossless.or_else(False):
            return facts
        words = {name: f"{what} of priority group {facts.number}" for name, what in _OF_GROUPS.items()}
        changed = self._changes(facts, written, shown, words)
        return replace(facts, **changed) if changed else facts

    def _queue(self, facts: Any, written: Any, shown: Any) -> Any:
        if facts.number not in self.paused:
            return facts
        if written.share_kind.is_known and written.share_kind.value == shown.share_kind.value:
            unit = "" if written.share_kind.value == "weight" else " %"
            share = self._of(f"share of queue {facts.number}", facts.share, written.share, shown.share, unit)
            facts = facts if share is facts.share else replace(facts, share=share)
        if written.ecn.is_known and shown.ecn.is_absent:
            ecn = self._of(f"ECN of queue {facts.number}", facts.ecn, written.ecn, shown.ecn)
            return facts if ecn is facts.ecn else replace(facts, ecn=ecn)
        if not (facts.ecn.is_known and written.ecn.is_known and shown.ecn.is_known):
            return facts
        words = {name: f"{what} of queue {facts.number}" for name, what in _OF_CURVES.items()}
        changed = self._changes(facts.ecn.get(), written.ecn.get(), shown.ecn.get(), words)
        if "marks" in changed and shown.ecn.get().drops.is_known:  # a curve that marks no longer may drop instead
            changed["drops"] = shown.ecn.get().drops
        return replace(facts, ecn=Cell(replace(facts.ecn.get(), **changed), None, facts.ecn.at)) if changed else facts

    def _changes(self, facts: Any, written: Any, shown: Any, words: Mapping[str, str]) -> dict[str, Any]:
        found = {}
        for name, what in words.items():
            before = getattr(facts, name)
            cell = self._of(what, before, getattr(written, name), getattr(shown, name))
            if cell is not before:
                found[name] = cell
        return found

    def _of(self, words: str, facts: Cell[Any], before: Cell[Any], now: Cell[Any], unit: str = " B") -> Cell[Any]:
        """What runs, where it differs from what is written; else what the facts have. `unit` is that of a number."""
        if before.is_unknown or now.is_unknown or _is_one(before, now):
            return facts
        written, shown = self._place(before, shown=False), self._place(now, shown=True)
        if written is None or shown is None:
            return facts
        differs = f"{_said(before, unit)} is configured, and {_said(now, unit)} runs"
        self._differing.setdefault((differs, shown), []).append(words)
        return now

    def _place(self, cell: Cell[Any], *, shown: bool, beginning: str = "") -> Place | None:
        """The first line that states a value itself, of an answer or of the configuration; a known row states none.

        `beginning` is how the statement must begin.
        """
        stated = cell.at if cell.is_absent or not isinstance(cell.value, Ecn) else next(_inside(cell.value), ())
        for at in stated:
            if (
                isinstance(at, At)
                and not isinstance(at, DefaultLocation)
                and (self.parts[at.part].kind == SHOWN) is shown
                and self._statement(at).startswith(beginning)
            ):
                place = resolve(at, self.parts)
                return place if isinstance(place, Place) else None
        return None

    def _statement(self, at: At) -> str:
        statements = self.parts[at.part].block.texts.statements
        return statements[at.index] if 0 <= at.index < len(statements) else ""


def _inside(value: Any) -> Iterator[tuple[Any, ...]]:
    for name in _OF_CURVES:
        cell = getattr(value, name, None)
        if cell is not None and cell.at:
            yield cell.at


def _paused(facts: Port) -> frozenset[int]:
    """The queues of paused priorities: what runs in others is no question of the lossless class."""
    if not (facts.pfc.is_known and facts.pfc.get().priorities.is_known and facts.priorities.is_known):
        return frozenset()
    paused = facts.pfc.get().priorities.get()
    queues = (one.queue for one in facts.priorities.get() if one.number in paused)
    return frozenset(queue.get() for queue in queues if queue.is_known)


def _is_auto(cell: Cell[Any]) -> bool:
    return cell.is_known and bool(cell.get() == "auto")


def _is_less(now: Cell[int], before: Cell[int]) -> bool:
    return now.is_known and before.is_known and now.get() < before.get()


def _is_one(before: Cell[Any], now: Cell[Any]) -> bool:
    """Whether two values are the same but for what rounding makes of a size."""
    if before.is_absent or now.is_absent:
        return before.is_absent and now.is_absent
    one, other = before.get(), now.get()
    if type(one) is int and type(other) is int:
        return abs(one - other) * _ONE_IN <= max(abs(one), abs(other))
    return bool(one == other)


def _said(cell: Cell[Any], unit: str) -> str:
    if cell.is_absent:
        return "none"
    value = cell.get()
    if type(value) is int:
        return f"{value:,}{unit}"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "a curve" if isinstance(value, Ecn) else str(value)
