"""Two snapshots of counters become growths: per port, per class at a port, and summed over a fabric.

A counter that grew did grow since the earlier snapshot, whatever happened in between; after a reset the growth is a lower
bound. A counter that fell was reset, or wrapped: then nothing of its port and answer is compared, and what stood still
elsewhere in that answer of the device is not taken for standing still. After a restart nothing of the device is compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from roce_audit.fabric.port import FabricPort
from roce_audit.model import Hop
from roce_audit.model.counters import (
    ClassCounters,
    Counters,
    FabricCounters,
    GroupCounters,
    PriorityCounters,
    QueueCounters,
)
from roce_audit.model.counts import Count, Counts, Uptime
from roce_audit.records import dataclass
from roce_audit.values import Cell, Why, absent, known, unknown

_FASTEST_PER_SECOND = 2_400_000_000
"""More events a second than that no port can count: 1.6 Tbit/s of the smallest frames."""
_SLACK_S = 300.0
"""Clocks and uptimes of one device may disagree by this much."""
_UNSEEN: Cell[Any] = unknown(Why.NOT_VISIBLE)
_ROWS: Mapping[str, Any] = {"priorities": PriorityCounters, "groups": GroupCounters, "queues": QueueCounters}
_TOLD = ("compared", "seconds", "sure_seconds", "hours", "since", "storms", "marked_by_switch")
_PLAIN = tuple(f.name for f in fields(Counters) if f.name not in (*_ROWS, *_TOLD))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The counters of one device at one time. `moment` is None where nothing says when; `sure` where it is no file's time.

    `by` says who tells the time: only times of one kind are subtracted.
    """

    counts: Counts
    moment: datetime | None = None
    by: str = ""
    sure: bool = False
    words: str = "the earlier snapshot"


@dataclass(frozen=True, slots=True)
class Compared:
    """Two snapshots of one device: what each counter grew by, and over which time."""

    growths: Mapping[str, Mapping[str, Cell[int]]]
    """Port, as the answers name it in lower case -> path -> growth."""
    seconds: float | None
    since: str
    restarted: bool = False
    reset_ports: int = 0
    sure: bool = False
    """Whether something else than the times of files, which copying changes, tells the time between them."""

    @property
    def is_whole(self) -> bool:
        """Whether all that both count was compared: what is not says no more than it does without an earlier snapshot."""
        return bool(self.growths) and not self.restarted and not self.reset_ports


def _counters(
    growths: Mapping[str, Cell[int]],
    compared: Cell[bool],
    seconds: Cell[float],
    sure_seconds: Cell[float],
    since: Cell[str],
) -> Counters:
    rows: dict[str, Any] = {
        row: tuple(
            cls(number, *(growths.get(f"{row}.{number}.{f.name}", _UNSEEN) for f in fields(cls)[1:]))
            for number in range(8)
        )
        for row, cls in _ROWS.items()
    }
    plain: dict[str, Any] = {name: growths.get(name, _UNSEEN) for name in _PLAIN}
    for way in ("pause_received", "pause_sent"):
        if plain[way].is_unknown:
            plain[way] = _sum([getattr(row, way) for row in rows["priorities"]])
    if plain["marked"].is_unknown:
        plain["marked"] = _at_least([row.marked for row in rows["queues"]])
    storms = growths.get("storms", _largest(path for name, path in growths.items() if name.endswith(".storms")))
    hours = known(max(1.0, seconds.get() / 3_600 if seconds.is_known else 1.0))
    times: dict[str, Any] = {"seconds": seconds, "sure_seconds": sure_seconds, "hours": hours, "since": since}
    return Counters(compared=compared, storms=storms, marked_by_switch=_UNSEEN, **times, **rows, **plain)


def _sum(cells: Sequence[Cell[int]]) -> Cell[int]:
    """The sum of growths, at the lines of those that grew; unknown where one is."""
    not_known = next((cell for cell in cells if not cell.is_known), None)
    if not_known is not None or not cells:
        return _UNSEEN if not_known is None else Cell(None, not_known.why, not_known.at)
    grown = [cell for cell in cells if cell.get()] or cells[:1]
    return known(sum(cell.get() for cell in cells), *dict.fromkeys(at for cell in grown for at in cell.at))


def _at_least(cells: Sequence[Cell[int]]) -> Cell[int]:
    """The sum of what is known to have grown; none at all is known only where every one is."""
    grown = [cell for cell in cells if cell.is_known and cell.get()]
    return _sum(grown) if grown else _sum(cells)


def _largest(cells: Iterable[Cell[int]]) -> Cell[int]:
    """What is known to have grown most; with nothing grown, unknown where one is, else no growth."""
    found = list(cells)
    grown = [cell for cell in found if cell.is_known]
    best = max(grown, key=lambda cell: cell.get(), default=None)
    if best is not None and (best.get() or len(grown) == len(found)):
        return best
    return next((cell for cell in found if not cell.is_known), _UNSEEN)


NOT_COMPARED = _counters({}, known(False), _UNSEEN, _UNSEEN, _UNSEEN)
"""The counters of a port of which two snapshots were not given."""
NO_CLASS = ClassCounters(_UNSEEN, absent(), _UNSEEN, absent(), _UNSEEN, _UNSEEN, _UNSEEN)
NO_FABRIC = FabricCounters(known(False), _UNSEEN, _UNSEEN, _UNSEEN)


def compare(earlier: Snapshot, later: Snapshot) -> Compared:
    """What grew on one device. A restart, a reset, a wrap or a clear in between is unknown, never a negative number."""
    seconds = _seconds(earlier, later)
    surely = seconds if earlier.sure and later.sure else None
    swapped = surely is not None and surely < 0
    restarted = swapped or _restarted(earlier.counts.uptime, later.counts.uptime, surely)
    fell: set[tuple[str, str]] = set()
    pairs: list[tuple[str, Count, Count]] = []
    for port, counts in later.counts.by_port.items():
        before = earlier.counts.by_port.get(port, {})
        for key, count in counts.items():
            old = before.get(key, earlier.counts.nothing_else.get(count.source))
            if old is not None:
                pairs.append((port, old, count))
                if _fell(old, count):
                    fell.add((port, count.source))
    sources = {source for _, source in fell}
    found: dict[str, dict[str, list[Cell[int]]]] = defaultdict(lambda: defaultdict(list))
    for port, old, new in pairs:
        reset = restarted or (port, new.source) in fell or (new.source in sources and old.value == new.value)
        found[port][new.name].append(_growth(old, new, reset, surely))
    growths = {port: {name: _largest(cells) for name, cells in names.items()} for port, names in found.items()}
    lasting = seconds if seconds is not None and seconds > 0 else None
    return Compared(growths, lasting, earlier.words, restarted, len({port for port, _ in fell}), surely is not None)


def _seconds(earlier: Snapshot, later: Snapshot) -> float | None:
    """Time between two snapshots; None unless both have a time of the same kind."""
    if earlier.moment is None or later.moment is None or earlier.by != later.by:
        return None
    return (later.moment - earlier.moment).total_seconds()


def _restarted(earlier: Uptime | None, later: Uptime | None, seconds: float | None) -> bool:
    if earlier is None or later is None:
        return False
    slack = max(earlier.resolution_s, later.resolution_s)
    passed = later.seconds - earlier.seconds
    return passed < -slack or (seconds is not None and seconds > passed + slack + _SLACK_S)


def _fell(old: Count, new: Count) -> bool:
    return old.epoch != new.epoch or (old.value is not None and new.value is not None and new.value < old.value)


def _growth(old: Count, new: Count, reset: bool, seconds: float | None) -> Cell[int]:
    places = new.place, old.place
    if old.value is None or new.value is None:
        return unknown(Why.NOT_PARSED, *(count.place for count in (new, old) if count.value is None))
    grown = new.value - old.value
    if reset or grown < 0 or (seconds is not None and grown > max(seconds, 1.0) * _FASTEST_PER_SECOND):
        return unknown(Why.RESET, *places)
    return known(grown, *places)


def of_port(port: FabricPort, compared: Compared | None) -> Counters:
    """The counters of one port, under any name that its device's answers have for it."""
    if compared is None:
        return NOT_COMPARED
    growths: dict[str, Cell[int]] = {}
    for name in (port.reading.name, *port.reading.labels.aliases):
        for path, cell in compared.growths.get(name.lower(), {}).items():
            growths.setdefault(path, cell)
    if not growths:
        return NOT_COMPARED
    seconds: Cell[float] = _UNSEEN if compared.seconds is None else known(compared.seconds)
    return _counters(growths, known(True), seconds, seconds if compared.sure else _UNSEEN, known(compared.since))


def of_switches(ports: Iterable[FabricPort]) -> None:
    """Tell every port of a switch what the switch as a whole marked: where it pauses, packets wait at other ports than that one."""
    by_switch: dict[str, list[tuple[FabricPort, Counters]]] = defaultdict(list)
    for port in ports:
        if not port.is_nic:
            by_switch[port.device.name].append((port, port.counters or NOT_COMPARED))
    for those in by_switch.values():
        carrying = [
            counters.marked
            for port, counters in those
            if port.roce.rank != "not_data" and port.roce.carries is not False
        ]
        marked = _at_least(carrying)
        for port, counters in those:
            if counters is not NOT_COMPARED:
                port.counters = replace(counters, marked_by_switch=marked)


def of_class(counters: Counters, hop: Hop, is_nic: bool) -> ClassCounters:
    """The counters of one class at a port: by its priority, and on a switch by its ingress group and egress queue."""
    if counters is NOT_COMPARED:
        return NO_CLASS
    priority = _numbered(counters.priorities, hop.priority)
    queue = _numbered(counters.queues, _number(hop.queue))
    group = _numbered(counters.groups, _number(hop.group))
    packets = _of(priority, "discards") if is_nic else _first(_of(group, "drops"), counters.lossless_ingress_drops)
    in_bytes = absent() if is_nic or not (rounded := _of(group, "dropped_bytes")).is_known else rounded
    return ClassCounters(
        ingress_drops=packets if packets.is_known or not in_bytes.is_known else absent(),
        ingress_drop_bytes=in_bytes,
        egress_drops=absent() if is_nic else _first(_of(queue, "drops"), counters.lossless_egress_drops),
        egress_drop_bytes=absent() if is_nic or not (rounded := _of(queue, "dropped_bytes")).is_known else rounded,
        marked=absent() if is_nic else _of(queue, "marked"),
        pause_received=_of(priority, "pause_received"),
        pause_sent=_of(priority, "pause_sent"),
    )


def _first(of_class: Cell[int], of_lossless: Cell[int]) -> Cell[int]:
    """What was counted for the class; where nobody counts that, or nothing was lost there, what the device calls lossless."""
    if not of_lossless.is_known or (of_class.is_known and of_class.get()):
        return of_class
    return of_lossless


def _number(cell: Cell[Any]) -> Cell[int]:
    return known(cell.get().number, *cell.at) if cell.is_known else Cell(None, cell.why, cell.at)


def _numbered(rows: Sequence[Any], number: Cell[int]) -> Cell[Any]:
    if not number.is_known:
        return unknown(Why.NOT_VISIBLE if number.is_absent else number.why or Why.NOT_VISIBLE, *number.at)
    return known(rows[number.get()]) if 0 <= number.get() < len(rows) else _UNSEEN


def _of(row: Cell[Any], field: str) -> Cell[Any]:
    if not row.is_known:
        return Cell(None, row.why, row.at)
    cell: Cell[Any] = getattr(row.get(), field)
    return cell


def of_fabric(ports: Iterable[FabricPort]) -> FabricCounters:
    """Sums over the ports that carry RoCE, and those that nobody could decide, which might."""
    asked = [port for port in ports if port.roce.rank != "not_data" and port.roce.carries is not False]
    found = [port.counters or NOT_COMPARED for port in asked]
    if all(counters is NOT_COMPARED for counters in found):
        return NO_FABRIC
    nics = [counters for port, counters in zip(asked, found, strict=True) if port.is_nic]
    both = [cell for counters in found for cell in (counters.pause_received, counters.pause_sent)]
    return FabricCounters(
        compared=known(any(counters is not NOT_COMPARED for counters in nics)),
        pauses=_at_least(both),
        cnps_sent=_at_least([counters.cnps_sent for counters in nics]),
        cnps_handled=_at_least([counters.cnps_handled for counters in nics]),
    )
