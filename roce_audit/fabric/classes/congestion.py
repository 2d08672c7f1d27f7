"""Congestion control over a fabric: whether its switches mark, which algorithms its NICs name, how fast they recover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort, by_facts
from roce_audit.values import Cell, Place, Where, Why, absent, known, unknown


def switches_mark(carrying: Iterable[FabricPort]) -> Cell[bool]:
    """Whether some queue of a RoCE port of a switch marks; known not to only where every queue was read."""
    header: Place | None = None
    misread: Cell[bool] | None = None
    for port in carrying:
        if port.is_nic:
            continue
        header = header or port.reading.header
        for cell in _marking(port):
            if cell.is_known and cell.get():
                return known(True, *list(port.places(cell.at))[:1])
            if cell.is_unknown and (misread is None or not misread.at):
                misread = unknown(cell.why or Why.NOT_VISIBLE, *port.absolute(cell.at))
    if header is None:
        return unknown(Why.NOT_VISIBLE)
    return known(False, header) if misread is None else misread


def _marking(port: FabricPort) -> Iterator[Cell[Any]]:
    """What says whether a queue marks: a curve's own word, or the cell that leaves it open."""
    queues = port.reading.facts.queues
    if not queues.is_known:
        yield queues
    for queue in queues.or_else(()):
        yield queue.ecn.get().marks if queue.ecn.is_known else queue.ecn


def algorithms(carrying: Iterable[FabricPort], first: Place) -> Cell[frozenset[str]]:
    """The algorithms that RoCE NICs name, with a line for each; what vendors call DCQCN-D and DCQCN-P is DCQCN.

    Several are known to differ; a single one is not known to be the only one beside a NIC whose answer was not understood.
    """
    found: dict[str, Where] = {}
    misread: Cell[str] | None = None
    for port in carrying:
        nic = nic_of(port)
        control = nic.dcqcn.value_or_none() if nic is not None else None
        if control is not None and control.algorithm.is_known:
            name = "dcqcn" if control.algorithm.get().startswith("dcqcn") else control.algorithm.get()
            if name not in found:
                found[name] = port.first_line(control.algorithm.at)
        elif control is not None and control.algorithm.is_unknown and control.algorithm.at and misread is None:
            misread = unknown(control.algorithm.why or Why.NOT_PARSED, *port.absolute(control.algorithm.at))
    if misread is not None and len(found) < 2:
        return unknown(misread.why or Why.NOT_PARSED, *misread.at)
    return known(frozenset(found), *(found.values() or (first,)))


def paces(carrying: Iterable[FabricPort]) -> Sequence[FabricPort]:
    """The NICs that set the pace, the first of each facts.

    One whose parameters differ from those of its like sets none: which of them is right is another question.
    """
    nics = [port for port in carrying if port.is_nic]
    usual = (port for port in nics if port.joined is None or not port.joined.odd_congestion_control.or_else(()))
    return [alike[0] for alike in by_facts(usual)]


def quickest_recovery(nics: Iterable[FabricPort], *, by_speed: bool) -> Cell[float]:
    """Greatest additive increase per rate timer, Mbit/s per ms, or as a share of the NIC's speed, percent per ms."""
    best: tuple[float, Where] | None = None
    for port in nics:
        nic, speed = nic_of(port), port.reading.facts.speed_bps
        control = nic.dcqcn.value_or_none() if nic is not None else None
        if control is None or not (control.ai_rate_mbps.is_known and control.time_reset_us.is_known):
            continue
        timer = control.time_reset_us.get()
        if timer <= 0 or (by_speed and not (speed.is_known and speed.get() > 0)):
            continue
        rate = control.ai_rate_mbps.get() * 1000 / timer
        rate = rate * 1e8 / speed.get() if by_speed else rate
        if best is None or rate > best[0]:
            best = (rate, port.first_line(control.ai_rate_mbps.at))
    return absent() if best is None else known(best[0], best[1])
