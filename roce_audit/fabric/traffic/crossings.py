"""Crossings: what one port does with a packet that enters or leaves by it, each step a cell of that port's facts."""

from __future__ import annotations

from typing import Any, Literal

from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.hops import assigned, feeding, pick, step_to
from roce_audit.model import Port, PriorityGroup, Queue, TrafficClass
from roce_audit.records import dataclass
from roce_audit.values import Cell, Why, absent, known, unknown

NOBODY: Cell[frozenset[int]] = known(frozenset())


@dataclass(frozen=True, slots=True)
class Mark:
    """What a port tells the class of a packet by: its DSCP, or the priority of its tag."""

    value: int
    by_tag: bool = False

    def __str__(self) -> str:
        return f"{'PCP' if self.by_tag else 'DSCP'} {self.value}"


@dataclass(frozen=True, slots=True)
class Crossing:
    """A packet enters or leaves by a port. Places of the cells are relative to the port."""

    port: FabricPort
    entering: bool
    mark: Mark
    """The mark with which it comes to the port."""
    trust: Cell[Literal["dscp", "pcp", "both", "none", "acl"]]
    traffic_class: Cell[int]
    """Internal class; on leaving the one that it was given on entering the device."""
    queue: Cell[Queue]
    group: Cell[PriorityGroup]
    pauses: Cell[frozenset[int]]
    """Entering: priorities that are paused when its group fills. Leaving: those whose pause stops its queue."""
    pfc: Cell[frozenset[int]]
    """All priorities that the port pauses for (entering), or whose pause it obeys (leaving)."""
    mtu_bytes: Cell[int]
    """Largest IP packet of the port."""
    class_mtu_bytes: Cell[int]
    """Largest packet of the internal class, where classes have an MTU of their own."""
    new_dscp: Cell[int]
    """DSCP that is written into it on leaving; absent = its own is kept."""

    @property
    def leaves_as(self) -> Mark:
        """The mark that the next port sees."""
        return Mark(self.new_dscp.get()) if self.new_dscp.is_known else self.mark

    @property
    def rdma_mtu_bytes(self) -> Cell[int]:
        """RDMA path MTU of a NIC, bytes; absent on a switch."""
        nic = nic_of(self.port)
        return absent() if nic is None else nic.rdma_mtu_bytes


def entering(port: FabricPort, mark: Mark) -> Crossing:
    """A packet with this mark comes in from the wire."""
    facts = port.reading.facts
    number = class_of(facts, mark)
    traffic_class = pick(facts.classes, number)
    group = step_to(traffic_class, "group")
    on = _pausing(port, sending=True)
    return Crossing(
        port=port,
        entering=True,
        mark=mark,
        trust=facts.trust,
        traffic_class=number,
        queue=absent(),
        group=pick(facts.groups, group),
        pauses=feeding(facts, on, group),
        pfc=on,
        mtu_bytes=facts.ip_mtu_bytes,
        class_mtu_bytes=_class_mtu(traffic_class),
        new_dscp=absent(),
    )


def leaving(port: FabricPort, mark: Mark, number: Cell[int]) -> Crossing:
    """A packet goes out on the wire; `number` is the internal class that it was given on entering the device.

    Its places must be good outside of the port that gave it.
    """
    facts = port.reading.facts
    traffic_class = pick(facts.classes, number)
    queue = pick(facts.queues, step_to(traffic_class, "queue"))
    on = _pausing(port, sending=False)
    return Crossing(
        port=port,
        entering=False,
        mark=mark,
        trust=absent(),
        traffic_class=number,
        queue=queue,
        group=absent(),
        pauses=_stopping(facts, on, queue),
        pfc=on,
        mtu_bytes=facts.ip_mtu_bytes,
        class_mtu_bytes=_class_mtu(traffic_class),
        new_dscp=absent() if mark.by_tag else _rewritten(facts, traffic_class, mark),
    )


def class_of(facts: Port, mark: Mark) -> Cell[int]:
    """The internal class that a packet with this mark is put in."""
    table: Cell[tuple[Cell[int], ...]] = facts.pcp if mark.by_tag else facts.dscp
    if not table.is_known:
        return Cell(None, table.why, table.at)
    return table.get()[mark.value]


def _pausing(port: FabricPort, *, sending: bool) -> Cell[frozenset[int]]:
    """Priorities with PFC: those on which it was seen to run, else the configured ones; none where it is known to be off."""
    globally = port.device.device.pfc_disabled_globally
    if not port.is_nic and globally.is_known and globally.get():
        return NOBODY
    pfc = port.reading.facts.pfc
    if not pfc.is_known:
        return Cell(frozenset(), None, pfc.at) if pfc.is_absent else Cell(None, pfc.why, pfc.at)
    value = pfc.get()
    on: Cell[frozenset[int]] = value.operational if value.operational.is_known else value.priorities
    if on.is_absent or (value.mode.is_known and value.mode.get() == "off"):
        return Cell(frozenset(), None, on.at or value.mode.at)
    one_way = value.send_only if sending else value.receive_only
    if on.is_known and one_way.is_known:
        return known(on.get() | one_way.get(), *on.at, *one_way.at)
    return on


def _stopping(facts: Port, on: Cell[frozenset[int]], queue: Cell[Queue]) -> Cell[frozenset[int]]:
    """Priorities whose pause is obeyed and stops this queue."""
    number = known(queue.get().number, *queue.at) if queue.is_known else Cell(None, queue.why, queue.at)
    found = assigned(facts, on, "queue", number)
    return known(found.get(), *on.at, *found.at) if found.is_known else found


def _class_mtu(traffic_class: Cell[TrafficClass]) -> Cell[int]:
    return traffic_class.get().mtu_bytes if traffic_class.is_known else absent()


def _rewritten(facts: Port, traffic_class: Cell[TrafficClass], mark: Mark) -> Cell[int]:
    """The DSCP written on leaving, where it is another one; what nobody saw is taken as kept, as on most switches."""
    rewrites: Cell[Any] = facts.rewrites_dscp
    if not traffic_class.is_known or not rewrites.is_known or traffic_class.get().number not in rewrites.get():
        return absent() if not rewrites.is_unknown or not rewrites.at else unknown(Why.NOT_PARSED, *rewrites.at)
    new = traffic_class.get().new_dscp
    if new.is_known and new.get() == mark.value:
        return absent()
    return Cell(new.value, new.why, (*new.at, *rewrites.at))
