"""What a fabric as a whole is: its classes' code points and priorities, what its devices disagree on, what its NICs do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from roce_audit.fabric import classes as class_votes
from roce_audit.fabric import congestion, disagreement
from roce_audit.fabric.classes import Classes
from roce_audit.fabric.jobdevices import (
    devices_by_setups,
    forces_class,
    forgotten_devices,
    front_end_devices,
    has_jobs,
    has_storage,
    hosts_without_gid,
    link_local_gids,
    nics_without_gid,
    roce_v2_gids,
    routed_nics,
    strange_devices,
    unpaused_devices,
)
from roce_audit.fabric.lonesetups import is_one_setup, paused_dscps, says_pfc
from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.port import FabricPort, by_facts
from roce_audit.fabric.portconfig import hint_for
from roce_audit.fabric.tiers import Tier
from roce_audit.fabric.votes import SINGLED_OUT
from roce_audit.model import Fabric
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import FabricPolicy, Policy
from roce_audit.values import Cell, Cited, DefaultLocation, Place, Where, Why, absent, known, unknown


def is_hostless(device: DeviceReading) -> bool:
    """A job script, a setup or settings of libraries that belong to no host: no device."""
    return device.host is not None and device.host.only_environment.or_else(False)


def sets_nics_up(device: DeviceReading) -> bool:
    """A script or template that sets NICs up, as far as it could be read."""
    return device.host is not None and not device.host.nic_setups.is_absent


def fabric_facts(
    name: str,
    devices: Sequence[DeviceReading],
    ports: Sequence[FabricPort],
    found: Classes,
    policy: Policy,
    given: FabricPolicy | None,
    pause_cycle: Cell[str],
    pause_cycle_bounces: bool,
    pause_cycle_routed: bool,
) -> Fabric:
    """The facts of one fabric, each with its places."""
    carrying = [s for s in ports if s.roce.carries]
    ruled_out = {s.id for s in ports if s.roce.rank == "not_data" or (s.roce.rank == "policy" and not s.roce.carries)}
    hints = [s for s in ports if s.id not in ruled_out and hint_for(s)]
    alike = list(by_facts(carrying))
    kinds = [ports[0] for ports in alike]
    cnp, cnp_misread = _of_nics(alike, "cnp_dscp")
    mtus, mtus_misread = _of_nics(alike, "rdma_mtu_bytes")
    paces = congestion.paces(carrying)
    total = sum(found.votes.values())
    votes = [vote for vote, count in found.votes.items() if count * 5 >= total]
    first = devices[0].first
    beside_jobs = ports if has_jobs(devices) else ()  # what only rules about jobs ask for
    without_gid, with_link_local_gid = hosts_without_gid(devices, beside_jobs)
    return Fabric(
        name=known(name, first),
        devices=sum(not is_hostless(device) for device in devices),
        links=sum(s.peer is not None and bool(s.peer.roce.carries) for s in carrying) // 2,
        roce_ports=len(carrying),
        one_tier=len({id(s.tier) for s in carrying if not s.is_nic}) == 1,
        any_lossless=_any_lossless(carrying, bool(found.votes), ports, ruled_out, first),
        lossless_intended=_lossless_intended(policy, given, devices),
        lossless_priorities=_lossless_priorities(found, first, all(is_hostless(device) for device in devices)),
        lossy_priorities=_lossy_priorities(found, first),
        roce_dscps=_dscps(found),
        roce_tags=_tags(found),
        singles_dscps_out=any(0 < len(cls.dscp.or_else(frozenset())) <= SINGLED_OUT for cls in found.roce),
        largest_mtu_bytes=_largest_mtu(kinds),
        dscps_by_switches_alone=not policy.classes_of(given) and not any(port.is_nic for port in kinds),
        dcqcn_priorities=_slowing(kinds, first),
        switches_mark=congestion.switches_mark(kinds),
        switches_pause=_switches_pause(kinds),
        congestion_controls=congestion.algorithms(kinds, first),
        quickest_recovery_mbps_per_ms=congestion.quickest_recovery(paces, by_speed=False),
        quickest_recovery_percent_per_ms=congestion.quickest_recovery(paces, by_speed=True),
        hints_for_roce=known(frozenset(s.id for s in hints), *(s.reading.header for s in hints[:8])),
        priority_votes=len(votes),
        disagreed_priorities=disagreement.priorities(votes, ports, first),
        disagreed_dscps=disagreement.dscps(found, carrying, first),
        disagreed_mtus=disagreement.mtus(found, carrying, first),
        pause_cycle=pause_cycle,
        pause_cycle_bounces=pause_cycle_bounces,
        pause_cycle_routed=pause_cycle_routed,
        cnp_dscps=_together(cnp, cnp_misread),
        cnp_dscps_unmapped=_unmapped(cnp, kinds),
        mixed_releases=_mixed_releases(carrying, first),
        slowest_watchdog_ms=_slowest_watchdog(kinds),
        sprays=_sprays(kinds, first),
        rdma_mtus=_together(mtus, mtus_misread),
        strange_devices=strange_devices(devices, ports),
        devices_by_setups=devices_by_setups(ports),
        setups_say_pfc=says_pfc(devices),
        front_end_devices=front_end_devices(devices, beside_jobs),
        forgotten_devices=forgotten_devices(devices, beside_jobs),
        unpaused_devices=unpaused_devices(
            devices, beside_jobs or (ports if has_storage(devices) else ()), bool(policy.classes_of(given))
        ),
        forces_class=forces_class(devices, ports),
        roce_v2_gids=roce_v2_gids(devices, beside_jobs),
        link_local_gids=link_local_gids(devices, beside_jobs),
        nics_without_gid=nics_without_gid(devices, beside_jobs),
        hosts_without_gid=without_gid,
        hosts_with_link_local_gid=with_link_local_gid,
        routed_nics=routed_nics(beside_jobs),
        setup_dscps=paused_dscps(devices) if not found.roce else absent(),
        one_setup=is_one_setup(devices) if not found.roce else absent(),
        smallest_class_bytes=_smallest_class(kinds),
        smallest_taken_bytes=_smallest_taken(kinds),
        counted_mtu_bytes=_counted_mtu(found, kinds),
        largest_sent_bytes=_largest_sent(kinds),
    )


def _is_lossy(port: FabricPort) -> bool:
    mode = port.device.device.roce_mode
    return mode.is_known and mode.get() == "lossy"


def _lossless_intended(policy: Policy, given: FabricPolicy | None, devices: Sequence[DeviceReading]) -> Cell[bool]:
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


def _lossless_priorities(found: Classes, first: Place, files_alone: bool) -> Cell[frozenset[int]]:
    """Files that belong to no host say nothing of the fabric that they are made for: without a policy nobody knows its class."""
    if files_alone and not found.roce:
        return unknown(Why.NOT_VISIBLE)
    lossless = [cls for cls in found.roce if not (cls.lossless.is_known and not cls.lossless.get())]
    not_known = next((cls.priority for cls in lossless if not cls.priority.is_known), None)
    if not_known is not None:
        return Cell(None, not_known.why, not_known.at)
    at = dict.fromkeys(at for cls in lossless for at in cls.priority.at)
    return known(frozenset(p for cls in lossless for p in cls.priority.get()), *(at or (first,)))


def _lossy_priorities(found: Classes, first: Place) -> Cell[frozenset[int]]:
    """Those of classes that are meant to be lossy, where no lossless class has them as well."""
    sides: tuple[set[int], set[int]] = set(), set()
    places = [first]
    for cls in found.roce:
        if cls.lossless.is_known:
            sides[cls.lossless.get()].update(cls.priority.or_else(frozenset()))
            places += [at for at in cls.lossless.at if isinstance(at, Place)] if not cls.lossless.get() else []
    return known(frozenset(sides[False] - sides[True]), *places[-1:])


def _switches_pause(kinds: Iterable[FabricPort]) -> Cell[bool]:
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


def _unmapped(dscps: Collection[int], carrying: Iterable[FabricPort]) -> Cell[frozenset[int]]:
    """CNP code points that a switch port puts into the class of unmarked packets, with one such port's line for each."""
    found: dict[int, Where] = {}
    for port in carrying if dscps else ():
        table = port.reading.facts.dscp.or_else(())
        if port.is_nic or not table or not table[0].is_known:
            continue
        for dscp in dscps:
            if dscp not in found and table[dscp].is_known and table[dscp].get() == table[0].get():
                found[dscp] = port.first_line(table[dscp].at)
    return known(frozenset(found), *found.values())


def _dscps(found: Classes) -> Cell[frozenset[int]]:
    """The code points of all RoCE classes together."""
    cells = [cls.dscp for cls in found.roce]
    not_known = next((cell for cell in cells if not cell.is_known), None)
    if not_known is not None or not cells:
        return unknown(
            Why.NOT_VISIBLE if not_known is None or not_known.is_absent else not_known.why or Why.NOT_VISIBLE
        )
    return known(frozenset().union(*(cell.get() for cell in cells)), *(at for cell in cells for at in cell.at))


def _tags(found: Classes) -> Cell[frozenset[int]]:
    """The tags of all RoCE classes together, where nothing but the tag tells any of them."""
    tags = [cls.pcp for cls in found.roce]
    if (
        not tags
        or not all(cell.is_known and cell.get() for cell in tags)
        or not all(c.dscp.is_absent for c in found.roce)
    ):
        return absent()
    return known(frozenset().union(*(cell.get() for cell in tags)), *(at for cell in tags for at in cell.at))


def _slowing(carrying: Iterable[FabricPort], first: Place) -> Cell[frozenset[int]]:
    """Priorities in which some RoCE NIC slows down when CNPs arrive, with one such NIC's line for each."""
    found: dict[int, Where] = {}
    for port in carrying:
        nic = nic_of(port)
        control = nic.dcqcn.value_or_none() if nic is not None else None
        if control is not None and control.rp_priorities.is_known:
            for priority in control.rp_priorities.get():
                if priority not in found:
                    found[priority] = port.first_line(control.rp_priorities.at)
    return known(frozenset(found), *(found.values() or (first,)))


def _mixed_releases(carrying: Iterable[FabricPort], first: Place) -> Cell[frozenset[str]]:
    """The releases of tiers that have several, each with the line of one switch that runs it."""
    tiers: dict[Tier, dict[str, Where]] = {}
    first_of: dict[str, FabricPort] = {}
    for port in carrying:
        first_of.setdefault(port.device.name, port)
    for port in first_of.values():
        release = port.device.device.os_version
        if not port.is_nic and release.is_known:
            tiers.setdefault(port.tier, {}).setdefault(release.get(), next(iter(release.at), port.reading.header))
    mixed = [(name, at) for releases in tiers.values() if len(releases) > 1 for name, at in releases.items()]
    return known(frozenset(name for name, _ in mixed), *(at for _, at in mixed or [("", first)]))


def _slowest_watchdog(carrying: Iterable[FabricPort]) -> Cell[float]:
    """Detection and restoration of the slowest watchdog that acts on a RoCE port of a switch."""
    slowest: Cell[float] = absent()
    for port in carrying:
        pfc = port.reading.facts.pfc.value_or_none()
        dog = pfc.watchdog.value_or_none() if pfc is not None and not port.is_nic else None
        if dog is None or not dog.on.or_else(False) or not (dog.detect_ms.is_known and dog.restore_ms.is_known):
            continue
        lasts = dog.detect_ms.get() + dog.restore_ms.get()
        if lasts > slowest.or_else(0.0):
            slowest = known(lasts, *port.absolute((*dog.detect_ms.at, *dog.restore_ms.at)))
    return slowest


def _sprays(carrying: Iterable[FabricPort], first: Place) -> Cell[bool]:
    """Whether some switch port sprays packets; what nobody says is taken for not spraying, as every switch does by default."""
    for port in carrying:
        forwarding = port.reading.facts.forwarding.value_or_none()
        if forwarding is not None and forwarding.sprays.or_else(False):
            return known(True, *port.absolute(forwarding.sprays.at))
    return known(False, first)


def _of_nics(alike: Iterable[Sequence[FabricPort]], field: str) -> tuple[dict[int, Where], Cell[int] | None]:
    """The values that the NICs have, the rarest and smallest first, each with a place; and the first that was there and not understood.

    `alike` are ports by their facts.
    """
    values: dict[int, Where] = {}
    counts: Counter[int] = Counter()
    misread: Cell[int] | None = None
    for port, *others in alike:
        nic = nic_of(port)
        if nic is None:
            continue
        cell: Cell[int] = getattr(nic, field)
        if cell.is_known:
            if cell.get() not in values:
                values[cell.get()] = port.first_line(cell.at)
            counts[cell.get()] += 1 + len(others)
        elif cell.is_unknown and cell.at and misread is None:
            misread = unknown(cell.why or Why.NOT_PARSED, *port.absolute(cell.at))
    return {value: values[value] for value in sorted(values, key=lambda value: (counts[value], value))}, misread


def _together(values: dict[int, Where], misread: Cell[int] | None) -> Cell[frozenset[int]]:
    """All values as one set. Several are known to differ; a single one is not known to be the only one beside a misread one."""
    if misread is not None and len(values) < 2:
        return unknown(misread.why or Why.NOT_PARSED, *misread.at)
    return known(frozenset(values), *values.values())


def _largest_sent(carrying: Iterable[FabricPort]) -> Cell[int]:
    """The largest IP MTU of the NICs, with its line, where that of most is known: one host that contradicts itself hides no other."""
    nics = [port for port in carrying if port.is_nic]
    known_ones = [port for port in nics if port.reading.facts.ip_mtu_bytes.is_known]
    return _chosen_mtu(max, known_ones if len(known_ones) * 2 >= len(nics) else nics)


def _smallest_taken(carrying: Iterable[FabricPort]) -> Cell[int]:
    """The smallest IP MTU of the switch ports, with its line, where that of each is known."""
    return _chosen_mtu(min, [port for port in carrying if not port.is_nic])


def _counted_mtu(found: Classes, carrying: Iterable[FabricPort]) -> Cell[int]:
    """The path MTU of the fabric where nobody but the switch ports says one."""
    if any(nic.rdma_mtu_bytes.is_known for port in carrying if (nic := nic_of(port)) is not None):
        return absent()
    return next((cls.mtu_bytes for cls in found.roce if any(one.key == "mtu.roce" for one in found.inferred)), absent())


def _is_said(cell: Cell[int]) -> bool:
    """Whether a line says the value: a documented default says it of none."""
    return cell.is_known and any(not isinstance(at, Cited | DefaultLocation) for at in cell.at)


def _largest_mtu(carrying: Sequence[FabricPort]) -> Cell[int]:
    """The largest IP MTU of the ports; absent where there are none, one is not known, or a class has a larger one of its own and lines
    do not say that of each port."""
    sizes = [(port.reading.facts, port.reading.facts.ip_mtu_bytes) for port in carrying]
    if not all(_is_said(size) for _, size in sizes) and any(
        one.mtu_bytes.is_unknown or (one.mtu_bytes.is_known and one.mtu_bytes.get() > size.or_else(0))
        for facts, size in sizes
        for one in facts.classes.or_else(())
    ):
        return absent()
    return _chosen_mtu(max, carrying)


def _smallest_class(carrying: Iterable[FabricPort]) -> Cell[int]:
    """The smallest IP MTU of a traffic class that a switch port keeps lossless, with its line, where the class has one of its own."""
    found: list[tuple[int, Cell[int]]] = []
    for port in carrying:
        facts = port.reading.facts
        lossless = {group.number for group in facts.groups.or_else(()) if group.lossless.or_else(False)}
        for one in () if port.is_nic else facts.classes.or_else(()):
            if one.mtu_bytes.is_known and one.group.or_else(-1) in lossless:
                found.append((one.mtu_bytes.get(), known(one.mtu_bytes.get(), port.first_line(one.mtu_bytes.at))))
    return min(found, key=lambda one: one[0])[1] if found else absent()


def _chosen_mtu(choose: Callable[..., tuple[FabricPort, Cell[int]]], ports: Sequence[FabricPort]) -> Cell[int]:
    """The IP MTU that `choose` (`min`, `max`) takes from those of the ports; absent where there are none, or one is not known."""
    cells = [(port, port.reading.facts.ip_mtu_bytes) for port in ports]
    if not cells or not all(cell.is_known for _, cell in cells):
        return absent()
    port, cell = choose(cells, key=lambda one: one[1].get())
    return known(cell.get(), port.first_line(cell.at))


def _any_lossless(
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
