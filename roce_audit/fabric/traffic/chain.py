"""The chain of a class: whether each port passes it on protected, and if not, what must change and whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from roce_audit.fabric.classes.pathmtu import fits
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.crossings import Crossing
from roce_audit.model import Class
from roce_audit.records import dataclass
from roce_audit.values import Cell, DefaultLocation, Place

Owner = Literal["network", "host", "application"]


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the chain breaks."""

    text: str
    owner: Owner
    places: tuple[Place, ...]
    """The statements that say so; the line of the port where none does."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """What is not known of a port, so that nobody can say whether the chain holds there."""

    text: str
    places: tuple[Place, ...] = ()


Verdict = Break | Unseen


@dataclass(frozen=True, slots=True)
class Demand:
    """What a class needs on its way."""

    cls: Class | None
    """None: traffic of no class, of which nothing is demanded."""
    rdma_mtu_bytes: Cell[int]

    @property
    def lossless(self) -> bool:
        """PFC must protect it at every hop."""
        return self.cls is not None and self.cls.lossless.or_else(True)

    @property
    def priority(self) -> int | None:
        """Its priority in PFC frames, where there is one."""
        numbers = self.cls.priority.or_else(frozenset()) if self.cls is not None else frozenset()
        return next(iter(numbers)) if len(numbers) == 1 else None

    def has(self, crossing: Crossing) -> bool:
        """Whether the mark with which a packet comes to a port is one of the class."""
        if self.cls is None:
            return False
        marks = self.cls.pcp if crossing.mark.by_tag else self.cls.dscp
        return crossing.mark.value in marks.or_else(frozenset({crossing.mark.value}))


def along_wire(
    leaving: Crossing, entering: Crossing, demand: Demand, astray: bool
) -> tuple[list[Verdict], list[Verdict]]:
    """What is wrong or unknown where a packet leaves, and where it enters at the other end of the wire.

    `astray`: the break that put it into another queue is told already.
    """
    here, there = list(_size(leaving, demand)), list(_size(entering, demand))
    here += _rewriting(leaving, demand)
    if demand.lossless:
        left, entered = _protection(leaving, entering, demand, astray)
        here += left
        there += entered
    return here, there


def cnps_at(data_class: Cell[int], crossing: Crossing) -> Iterator[Verdict]:
    """What is wrong with the way of CNPs where they leave a switch; `data_class` is the class of the data they are about."""
    yield from _rewritten(crossing, "CNPs")
    facts = crossing.port.reading.facts
    number, queue = crossing.traffic_class, crossing.queue
    if not (number.is_known and queue.is_known and data_class.is_known and facts.classes.is_known):
        yield _unseen(crossing, "the queue of the CNPs", number, queue, data_class)
        return
    of_data = facts.classes.get()[data_class.get()].queue
    where = f"queue {queue.get().number}"
    if number.get() == data_class.get() or (of_data.is_known and of_data.get() == queue.get().number):
        yield _broken(crossing, f"the CNPs ({crossing.mark}) wait in {where} with the data they are about", number)
        return
    strict = queue.get().scheduling
    unmarked = facts.dscp.get()[0] if facts.dscp.is_known else None
    if (
        unmarked is not None
        and unmarked.is_known
        and unmarked.get() == number.get()
        and strict.value_or_none() != "strict"
    ):
        text = f"the CNPs ({crossing.mark}) travel in the class of unmarked traffic, {where}, without priority"
        yield _broken(crossing, text, number)


def _protection(
    leaving: Crossing, entering: Crossing, demand: Demand, astray: bool
) -> tuple[list[Verdict], list[Verdict]]:
    """Whether the pause that a full buffer sends stops the queue at the other end."""
    priority, sent, obeyed = demand.priority, entering.pauses, leaving.pauses
    entered = list(_receiver(entering, demand))
    if astray or entered or not sent.is_known or not sent.get():
        return list(_without_pause(leaving, demand)), entered
    if not obeyed.is_known:
        return [_unseen(leaving, "whether a pause stops the queue", leaving.pfc, leaving.queue, obeyed)], entered
    if sent.get() & obeyed.get():
        return [], entered
    if priority is not None and priority in obeyed.get():
        text = f"a full buffer pauses {_priorities(sent.get())}, not {priority}, which stops the queue at the other end"
        return [], [_broken(entering, text, sent)]
    return [_sender(leaving, sent.get())], entered


def _receiver(crossing: Crossing, demand: Demand) -> Iterator[Verdict]:
    """What keeps the buffer that the packet enters from pausing the sender."""
    priority, paused, on = demand.priority, crossing.pauses, crossing.pfc
    if on.is_known and (not on.get() if priority is None else priority not in on.get()):
        yield _broken(crossing, _off(priority, on.get()), on)
        return
    if not paused.is_known:
        yield _unseen(crossing, "whether a full buffer pauses the sender", on, crossing.traffic_class, paused)
        return
    group = crossing.group.value_or_none()
    if paused.get():
        if group is not None and group.lossless.is_known and not group.lossless.get():
            yield _broken(crossing, f"priority group {group.number} has no lossless buffer", group.lossless)
        return
    if not demand.has(crossing):
        return  # the break is where the mark was changed, or sent wrongly
    number = crossing.traffic_class.value
    in_group = f" and priority group {group.number}" if group is not None else ""
    text = f"{crossing.mark} enters traffic class {number}{in_group}, which no pause protects"
    protected = f"; PFC is on for {_priorities(on.get())}" if on.is_known else ""
    yield _broken(crossing, text + protected, crossing.traffic_class)


def _without_pause(crossing: Crossing, demand: Demand) -> Iterator[Verdict]:
    """A sender before a receiver that pauses nobody: its own PFC must be right all the same."""
    on, priority = crossing.pfc, demand.priority
    if on.is_known and priority is not None and priority not in on.get():
        yield _broken(crossing, _off(priority, on.get()), on)


def _sender(crossing: Crossing, sent: frozenset[int]) -> Break:
    queue = crossing.queue.value_or_none()
    name = f"queue {queue.number}" if queue is not None else "the queue"
    on = crossing.pfc.or_else(frozenset())
    if not sent & on:
        return _broken(crossing, f"{_off(min(sent), on)}, so the pause of the other end is not obeyed", crossing.pfc)
    return _broken(
        crossing, f"pause for {_priorities(sent)} does not stop {name}, where the class waits", crossing.queue
    )


def _size(crossing: Crossing, demand: Demand) -> Iterator[Verdict]:
    """Packets that a switch port drops because they are too large; NICs agree on a size that both have."""
    if crossing.port.is_nic or demand.cls is None or not demand.rdma_mtu_bytes.is_known:
        return
    needed = demand.rdma_mtu_bytes.get()
    for cell, what in ((crossing.mtu_bytes, "MTU"), (crossing.class_mtu_bytes, "MTU of the internal class")):
        if cell.is_known and fits(cell.get()) < needed:
            yield _broken(crossing, f"{what} {cell.get():,} drops RoCE packets of path MTU {needed:,}", cell)
    if crossing.mtu_bytes.is_unknown:
        yield _unseen(crossing, "the MTU", crossing.mtu_bytes)


def _rewriting(crossing: Crossing, demand: Demand) -> Iterator[Verdict]:
    new = crossing.new_dscp
    marks = demand.cls.dscp.or_else(frozenset()) if demand.cls is not None else frozenset()
    if new.is_unknown or (new.is_known and demand.has(crossing) and new.get() not in marks):
        yield from _rewritten(crossing, "packets of the class")


def _rewritten(crossing: Crossing, what: str) -> Iterator[Verdict]:
    new = crossing.new_dscp
    if new.is_known:
        yield _broken(
            crossing, f"writes DSCP {new.get()} into {what}, which the next hop knows by {crossing.mark}", new
        )
    elif new.is_unknown:
        yield _unseen(crossing, "which DSCP is written on leaving", new)


def _broken(crossing: Crossing, text: str, cell: Cell[Any]) -> Break:
    port = crossing.port
    places = places_of(port, cell) or port.places(at for at in cell.at if isinstance(at, DefaultLocation))
    return Break(text, owner_of(port), places or (port.reading.header,))


def _unseen(crossing: Crossing, what: str, *cells: Cell[Any]) -> Unseen:
    """`cells` in the order in which they are needed: the first that is unknown says why."""
    cell = next((cell for cell in cells if not cell.is_known), cells[0])
    return Unseen(f"{what}: {cell.why}", places_of(crossing.port, cell))


def places_of(port: FabricPort, cell: Cell[Any]) -> tuple[Place, ...]:
    """The lines that say a cell of the port; none for a default."""
    return tuple(
        place for place in port.places(at for at in cell.at if not isinstance(at, DefaultLocation)) if place.line > 0
    )


def owner_of(port: FabricPort) -> Owner:
    """Who sets a port up."""
    return "host" if port.is_nic else "network"


def _off(priority: int | None, on: frozenset[int]) -> str:
    what = "PFC is off" if priority is None else f"PFC is off for priority {priority}"
    return f"{what} (on for {_priorities(on)})" if on else what


def _priorities(numbers: frozenset[int]) -> str:
    return f"{'priority' if len(numbers) == 1 else 'priorities'} {', '.join(map(str, sorted(numbers)))}"
