"""What of a fabric is lossless: whether anything is, what is meant to be, in which priorities, and whether its switches pause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from roce_audit.fabric.classes import decided as class_votes
from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.classes.votes import marks_of
from roce_audit.fabric.port import FabricPort
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import FabricPolicy, Policy
from roce_audit.values import Cell, Place, Why, absent, known, unknown


def any_lossless(
    carrying: Iterable[FabricPort], paused: bool, ports: Sequence[FabricPort], ruled_out: set[str], first: Place
) -> Cell[bool]:
    """Whether some port is lossless: it says so, its device says so for all, or PFC runs on a RoCE port whoever said so."""
    for port in ports:
        if port.config is not None and port.config.carries and port.roce.rank != "not_data":
            return known(True, *port.absolute(port.config.at[:1]))
    for port in carrying:
        if port.roce.rank == "device_wide" and not _is_lossy(port):
            return known(True, *port.absolute(port.roce.at[:1]))
    return known(True, first) if paused else _none_lossless(ports, ruled_out, first)


def enclosed_dscps(found: Classes, kinds: Sequence[FabricPort]) -> Cell[frozenset[int]]:
    """The DSCPs that all these ports lead to the priority of one class, by defaults as well; none where no switch is among them."""
    enclosed: set[int] = set()
    for cls in found.roce if any(not port.is_nic for port in kinds) else ():
        if cls.priority.is_known:
            led = (marks_of(port.reading.facts, min(cls.priority.get())).dscp for port in kinds)
            enclosed |= frozenset.intersection(*led)
    return known(frozenset(enclosed))


def _none_lossless(ports: Iterable[FabricPort], ruled_out: set[str], first: Place) -> Cell[bool]:
    """No port is seen to be lossless: known only where nothing that is written could make one so and is in doubt.

    Switches decide; where there are hosts alone, PFC of their RoCE NICs must have been seen. Parts of configurations, which show
    nothing, do not silence more switches that are seen as a whole.
    """
    ports = list(ports)
    if not ports:
        return unknown(Why.NOT_VISIBLE, first)  # a template that makes its ports from what stands elsewhere
    asked = [port for port in ports if port.id not in ruled_out]
    switches = [port for port in asked if not port.is_nic]
    if not switches:
        return _no_nic_pauses([port for port in asked if port.roce.carries], first)
    parts: dict[str, Cell[bool]] = {}
    for port in switches:
        not_known = _in_doubt(port)
        if not_known is None:
            continue
        doubt: Cell[bool] = unknown(
            not_known.why or Why.NOT_VISIBLE, *(port.absolute(not_known.at) or (port.reading.header,))
        )
        if not_known.why is not Why.NOT_VISIBLE or not_known.at:
            return doubt
        parts[port.device.name] = doubt
    seen_whole = {port.device.name for port in switches} - parts.keys()
    none = known(False, next(filter(None, map(_switched_off, switches)), first))
    return none if len(seen_whole) > len(parts) else next(iter(parts.values()), none)


def _switched_off(port: FabricPort) -> Place | None:
    """The line that says that PFC is off on a port; None where none says so."""
    pfc = port.reading.facts.pfc.value_or_none()
    if pfc is None or not pfc.mode.is_known or pfc.mode.get() != "off":
        return None
    return port.first_place((*pfc.mode.at, *pfc.priorities.at))


def _in_doubt(port: FabricPort) -> Cell[Any] | None:
    """What could make a switch port lossless and is not known; None where all of it is."""
    facts = port.reading.facts
    pfc, groups = facts.pfc, facts.groups
    cells: list[Cell[Any]] = [pfc, facts.queues]
    if groups.why in (Why.NOT_PARSED, Why.UNDEFINED):  # buffers that are only not visible are made at run time
        cells.append(groups)
    if pfc.is_known:
        cells += [pfc.get().mode, pfc.get().priorities]
    if facts.queues.is_known:
        cells += [queue.ecn for queue in facts.queues.get()]
    return next((cell for cell in cells if cell.is_unknown and cell.why is not Why.NO_DEFAULT), None)


def _no_nic_pauses(nics: Sequence[FabricPort], first: Place) -> Cell[bool]:
    for port in nics:
        pfc = port.reading.facts.pfc
        cell: Cell[Any] = pfc.get().priorities if pfc.is_known else pfc
        if cell.is_unknown:
            return unknown(cell.why or Why.NOT_VISIBLE, *(port.absolute(cell.at) or (port.reading.header,)))
    return known(False, next(filter(None, map(_switched_off, nics)), first))


def _is_lossy(port: FabricPort) -> bool:
    mode = port.device.device.roce_mode
    return mode.is_known and mode.get() == "lossy"


def intended(policy: Policy, given: FabricPolicy | None, devices: Sequence[DeviceReading]) -> Cell[bool]:
    """Whether a class of the fabric is meant to be lossless.

    Not where the policy calls each of its RoCE classes lossy, nor where each switch that is told a RoCE mode is told a lossy one.
    """
    lossy = [entry.lossless for entry in policy.classes_of(given) if entry.role == "roce"]
    if lossy and all(cell.is_known and not cell.get() for cell in lossy):
        return lossy[0]
    modes = [device.device.roce_mode for device in devices if device.device.roce_mode.is_known]
    if modes and all(mode.get() == "lossy" for mode in modes) and not policy.lossless.is_known:
        return known(False, *modes[0].at)
    return class_votes.lossless_intended(policy, given)


def priorities(found: Classes, first: Place, files_alone: bool) -> Cell[frozenset[int]]:
    """Files that belong to no host say nothing of the fabric that they are made for: without a policy nobody knows its class."""
    if files_alone and not found.roce:
        return unknown(Why.NOT_VISIBLE)
    lossless = [cls for cls in found.roce if not (cls.lossless.is_known and not cls.lossless.get())]
    not_known = next((cls.priority for cls in lossless if not cls.priority.is_known), None)
    if not_known is not None:
        return Cell(None, not_known.why, not_known.at)
    at = dict.fromkeys(at for cls in lossless for at in cls.priority.at)
    return known(frozenset(p for cls in lossless for p in cls.priority.get()), *(at or (first,)))


def lossy_priorities(found: Classes, first: Place) -> Cell[frozenset[int]]:
    """Those of classes that are meant to be lossy, where no lossless class has them as well."""
    sides: tuple[set[int], set[int]] = set(), set()
    places = [first]
    for cls in found.roce:
        if cls.lossless.is_known:
            sides[cls.lossless.get()].update(cls.priority.or_else(frozenset()))
            places += [at for at in cls.lossless.at if isinstance(at, Place)] if not cls.lossless.get() else []
    return known(frozenset(sides[False] - sides[True]), *places[-1:])


def switches_pause(kinds: Iterable[FabricPort]) -> Cell[bool]:
    """Whether PFC is on for some priority of some RoCE port of a switch; known not to only where it was read of each."""
    header: Place | None = None
    misread: Cell[bool] | None = None
    for port in kinds:
        if port.is_nic:
            continue
        header = header or port.reading.header
        pfc = port.reading.facts.pfc
        for cell in (pfc.get().priorities, pfc.get().operational) if pfc.is_known else (pfc,):
            if cell.is_known and cell.value:
                return known(True, *list(port.places(cell.at))[:1])
        cell = pfc.get().priorities if pfc.is_known else pfc
        if cell.is_unknown and misread is None:
            misread = unknown(cell.why or Why.NOT_VISIBLE, *port.absolute(cell.at))
    if header is None:
        return absent()
    return known(False, header) if misread is None else misread
