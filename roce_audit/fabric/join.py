"""Join: from device readings to the world that rules judge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from roce_audit.fabric import application, contested, defaultdown, scope, twins
from roce_audit.fabric import classes as class_votes
from roce_audit.fabric import links as wiring
from roce_audit.fabric.classes import Classes
from roce_audit.fabric.counters import NO_FABRIC, Compared, of_fabric, of_seat
from roce_audit.fabric.hops import Hops
from roce_audit.fabric.links import Cable, LinkView
from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.seats import Answer, Seat, Seats
from roce_audit.fabric.words import hint_for
from roce_audit.model import Fabric, FabricCounters, Joined, Observation
from roce_audit.model.joined import Rank
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import FabricPolicy, Policy
from roce_audit.values import Cell, Place, Where, Why, absent, known, unknown

_NONE: Cell[Any] = absent()
_UNSEEN: Cell[Any] = unknown(Why.NOT_VISIBLE)


@dataclass(frozen=True, slots=True, eq=False)
class FabricView:
    """One fabric: its devices, ports, classes, and the facts that rules of scope `fabric` judge."""

    name: str
    devices: tuple[DeviceReading, ...]
    seats: tuple[Seat, ...]
    classes: Classes
    facts: Fabric
    counters: FabricCounters = NO_FABRIC


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Everything joined."""

    fabrics: tuple[FabricView, ...]
    links: tuple[LinkView, ...]
    links_one_end: int
    observations: tuple[Observation, ...]
    hops: Hops
    maintenance: frozenset[str]


def join(devices: Sequence[DeviceReading], policy: Policy, cables: Iterable[Cable], roles: Mapping[str, str]) -> World:
    """Join the readings of all devices; `roles` are device roles by name, where the topology gives them."""
    seats = Seats(devices)

    def length_of(a: Seat, b: Seat) -> Cell[float] | None:
        entry = policy.cable(_goes_by(a, roles), _goes_by(b, roles))
        return None if entry is None else known(entry.length_m, entry.at)

    wires = wiring.join(seats, cables, length_of)
    names = _fabric_names(devices, policy, wires.links)
    for seat in seats.all:
        seat.fabric = names[seat.device.name]
    scope.settle(seats.all, policy, wires.said)
    odd, odd_control = twins.odd_settings(seats.all), twins.odd_congestion_control(seats.all)
    application.settle(seats.all)
    counts = Counter((s.fabric, s.device.platform, *s.twin_key) for s in seats.all if s.answer.value)
    for seat in seats.all:
        if seat.answer.rank != "not-data":  # nothing is asked of the others
            seat.joined = _joined(seat, counts, odd.get(seat.id), odd_control.get(seat.id))
    maintenance = frozenset(d.name for d in devices if policy.in_maintenance(d.name) is not None)
    fabrics = tuple(
        _fabric(name, devices, seats.all, policy, names, maintenance) for name in dict.fromkeys(names.values())
    )
    observations = (*wires.observations, *_conflicts(seats.all), *defaultdown.observations(seats.all))
    return World(fabrics, wires.links, wires.one_end, observations, Hops(), maintenance)


def with_counters(world: World, compared: Mapping[str, Compared]) -> World:
    """The same world with what was counted between two snapshots, by device name."""
    for fabric in world.fabrics:
        for seat in fabric.seats:
            seat.counters = of_seat(seat, compared.get(seat.device.name))
    fabrics = tuple(replace(fabric, counters=of_fabric(fabric.seats)) for fabric in world.fabrics)
    return replace(world, fabrics=fabrics)


def _goes_by(seat: Seat, roles: Mapping[str, str]) -> tuple[str, ...]:
    name = seat.device.name
    role = roles.get(name, "host" if seat.is_nic else "switch")
    return (name, role, *(part for part in ("leaf", "spine", "tor") if part in name.lower() and name not in roles))


def _fabric_names(devices: Sequence[DeviceReading], policy: Policy, links: Sequence[LinkView]) -> dict[str, str]:
    def not_roce(seat: Seat) -> bool:
        entry = policy.port(seat.device.name, (seat.port.name, *seat.port.labels.aliases), seat.port.labels.description)
        return entry is not None and not entry.roce

    names = wiring.groups(devices, links, not_roce)
    for device in devices:
        given = policy.fabric(device.name)
        if given is not None:
            names[device.name] = given.name
    return names


def _joined(
    seat: Seat, counts: Mapping[tuple[object, ...], int], odd: twins.Odd | None, control: twins.Odd | None
) -> Joined:
    answer = seat.answer
    if answer.value is None:
        carries: Cell[bool] = unknown(Why.CONFLICT if answer.rank == "conflict" else Why.NOT_VISIBLE, *answer.at)
    else:
        carries = known(answer.value, *answer.at)
    rank: Cell[Rank] = known(answer.rank, *answer.at)
    here = (seat.port.header,)
    peer = _NONE if seat.peer is None else known(seat.peer.id, seat.peer.port.header)
    twins_count = counts.get((seat.fabric, seat.device.platform, *seat.twin_key), 1) - 1 if answer.value else 0
    as_usual: twins.Odd = Cell((), None, here)
    return Joined(
        carries_roce=carries,
        rank=rank,
        facing=seat.facing if seat.facing is not None else _UNSEEN,
        peer=peer,
        length_m=seat.length if seat.length is not None else _UNSEEN,
        assumed_length_m=_assumed_length(seat),
        twins=Cell(twins_count, None, here),
        hint_against=_NONE if seat.hint is None else known(seat.hint.said, *seat.hint.at),
        odd_settings=as_usual if odd is None else odd,
        odd_congestion_control=as_usual if control is None else control,
    )


def _fabric(
    name: str,
    devices: Sequence[DeviceReading],
    seats: Sequence[Seat],
    policy: Policy,
    names: Mapping[str, str],
    maintenance: frozenset[str],
) -> FabricView:
    members = tuple(d for d in devices if names[d.name] == name)
    mine = tuple(s for s in seats if s.fabric == name)
    given = next((f for f in policy.fabrics if f.name == name), None)
    voting = [d.name for d in members if d.name not in maintenance]
    found = class_votes.settle(mine, policy, given, voting)
    return FabricView(name, members, mine, found, _fabric_facts(name, members, mine, found, policy, given))


def _fabric_facts(
    name: str,
    devices: Sequence[DeviceReading],
    seats: Sequence[Seat],
    found: Classes,
    policy: Policy,
    given: FabricPolicy | None,
) -> Fabric:
    carrying = [s for s in seats if s.answer.value]
    lossless = [s.words for s in seats if s.words is not None and s.words.value and s.answer.rank != "not-data"]
    lossless += [s.answer for s in carrying if s.answer.rank == "device-wide"]
    ruled_out = {s.id for s in seats if s.answer.rank == "not-data" or (s.answer.rank == "said" and not s.answer.value)}
    hints = [s for s in seats if s.id not in ruled_out and hint_for(s)]
    cnp, cnp_dark = _of_nics(carrying, "cnp_dscp")
    mtus, mtus_dark = _of_nics(carrying, "rdma_mtu_bytes")
    total = sum(found.camps.values())
    camps = [camp for camp, count in found.camps.items() if count * 5 >= total]
    first = devices[0].first
    return Fabric(
        name=known(name, first),
        devices=sum(not is_hostless(device) for device in devices),
        roce_ports=len(carrying),
        any_lossless=_any_lossless(lossless, bool(found.camps), seats, ruled_out, first),
        lossless_intended=class_votes.lossless_intended(policy, given),
        lossless_priorities=_lossless_priorities(found, first),
        roce_dscps=_dscps(found),
        dcqcn_priorities=_slowing(carrying, first),
        hints_for_roce=known(frozenset(s.id for s in hints), *(s.port.header for s in hints[:8])),
        priority_camps=len(camps),
        contested_priorities=contested.priorities(camps, seats, first),
        contested_dscps=contested.dscps(found, carrying, first),
        contested_mtus=contested.mtus(found, carrying, first),
        cnp_dscps=_together(cnp, cnp_dark),
        cnp_dscps_unmapped=_unmapped(cnp, carrying),
        rdma_mtus=_together(mtus, mtus_dark),
    )


def _lossless_priorities(found: Classes, first: Place) -> Cell[frozenset[int]]:
    lossless = [cls for cls in found.roce if not (cls.lossless.is_known and not cls.lossless.get())]
    dark = next((cls.priority for cls in lossless if not cls.priority.is_known), None)
    if dark is not None:
        return Cell(None, dark.why, dark.at)
    at = dict.fromkeys(at for cls in lossless for at in cls.priority.at)
    return known(frozenset(p for cls in lossless for p in cls.priority.get()), *(at or (first,)))


def _assumed_length(seat: Seat) -> Cell[float]:
    """The known length of the cable, else the one that is configured for buffer sizing."""
    configured = seat.port.facts.cable_m
    if seat.length is not None and seat.length.is_known:
        return seat.length
    return known(float(configured.get()), *configured.at) if configured.is_known else _UNSEEN


def _unmapped(dscps: Collection[int], carrying: Iterable[Seat]) -> Cell[frozenset[int]]:
    """CNP code points that a switch port puts into the class of unmarked packets, with one such port's line for each."""
    found: dict[int, Where] = {}
    for seat in carrying if dscps else ():
        table = seat.port.facts.dscp.or_else(())
        if seat.is_nic or not table or not table[0].is_known:
            continue
        for dscp in dscps:
            if table[dscp].is_known and table[dscp].get() == table[0].get():
                found.setdefault(dscp, _place(seat, table[dscp]))
    return known(frozenset(found), *found.values())


def _dscps(found: Classes) -> Cell[frozenset[int]]:
    """The code points of all RoCE classes together."""
    cells = [cls.dscp for cls in found.roce]
    dark = next((cell for cell in cells if not cell.is_known), None)
    if dark is not None or not cells:
        return unknown(Why.NOT_VISIBLE if dark is None or dark.is_absent else dark.why or Why.NOT_VISIBLE)
    return known(frozenset().union(*(cell.get() for cell in cells)), *(at for cell in cells for at in cell.at))


def _slowing(carrying: Iterable[Seat], first: Place) -> Cell[frozenset[int]]:
    """Priorities in which some RoCE NIC slows down when CNPs arrive, with one such NIC's line for each."""
    found: dict[int, Where] = {}
    for seat in carrying:
        nic = nic_of(seat)
        control = nic.dcqcn.or_else(None) if nic is not None else None  # type: ignore[arg-type]
        if control is not None and control.rp_priorities.is_known:
            for priority in control.rp_priorities.get():
                found.setdefault(priority, next(iter(seat.places(control.rp_priorities.at)), seat.port.header))
    return known(frozenset(found), *(found.values() or (first,)))


def _of_nics(carrying: Iterable[Seat], field: str) -> tuple[dict[int, Where], Cell[int] | None]:
    """The values that the NICs have, each with a place, and the first one that was there and not understood."""
    values: dict[int, Where] = {}
    misread: Cell[int] | None = None
    for seat in carrying:
        nic = nic_of(seat)
        if nic is None:
            continue
        cell: Cell[int] = getattr(nic, field)
        if cell.is_known:
            values.setdefault(cell.get(), _place(seat, cell))
        elif cell.is_unknown and cell.at and misread is None:
            misread = unknown(cell.why or Why.NOT_PARSED, *seat.absolute(cell.at))
    return values, misread


def _together(values: dict[int, Where], misread: Cell[int] | None) -> Cell[frozenset[int]]:
    """All values as one set. Several are known to differ; a single one is not known to be the only one beside a misread one."""
    if misread is not None and len(values) < 2:
        return unknown(misread.why or Why.NOT_PARSED, *misread.at)
    return known(frozenset(values), *values.values())


def is_hostless(device: DeviceReading) -> bool:
    """A job script, a set-up or settings of libraries that belong to no host: no device."""
    return device.host is not None and device.host.only_environment.or_else(False)


def _any_lossless(
    speaking: Sequence[Answer], paused: bool, seats: Iterable[Seat], ruled_out: set[str], first: Place
) -> Cell[bool]:
    """Whether some port is lossless: it says so, its device says so for all, or PFC runs on a RoCE port whoever said so."""
    if speaking:
        return known(True, *speaking[0].at[:1])
    return known(True, first) if paused else _none_lossless(seats, ruled_out, first)


def _none_lossless(seats: Iterable[Seat], ruled_out: set[str], first: Place) -> Cell[bool]:
    """No port is seen to be lossless: known only where nothing that could make one so is in doubt."""
    for seat in seats:
        if seat.is_nic or seat.id in ruled_out:
            continue
        pfc = seat.port.facts.pfc
        cells: list[Cell[Any]] = [pfc, seat.port.facts.queues]
        groups = seat.port.facts.groups
        if groups.why in (Why.NOT_PARSED, Why.UNDEFINED):  # buffers that are only not visible are made at run time
            cells.append(groups)
        if pfc.is_known:
            cells += [pfc.get().mode, pfc.get().priorities]
        if seat.port.facts.queues.is_known:
            cells += [queue.ecn for queue in seat.port.facts.queues.get()]
        dark = next((cell for cell in cells if cell.is_unknown and cell.why is not Why.NO_DEFAULT), None)
        if dark is not None:
            return unknown(dark.why or Why.NOT_VISIBLE, *(seat.absolute(dark.at) or (seat.port.header,)))
    return known(False, first)


def _place(seat: Seat, cell: Cell[int]) -> Where:
    return next(iter(seat.places(cell.at)), seat.port.header)


def _conflicts(seats: Iterable[Seat]) -> Iterable[Observation]:
    """Ports whose own words contradict a hint: one observation per device."""
    by_device: dict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        if seat.answer.rank == "conflict":
            by_device[seat.device.name].append(seat)
    for name, members in by_device.items():
        first = members[0]
        places: list[Place] = [p for p in first.answer.at if isinstance(p, Place)] or [first.port.header]
        names = ", ".join(s.port.name for s in members[:6])
        text = f"{names}: {first.answer.said}; so nobody can say whether RoCE is meant to run there"
        yield Observation(
            "scope-conflict", f"{name}: {names}", text, known(False, places[0]), known(first.answer.said, *places)
        )
