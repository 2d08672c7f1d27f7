"""What a fabric as a whole is: its classes' code points and priorities, what its devices disagree on, what its NICs do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from roce_audit.fabric.carrying.portconfig import hint_for
from roce_audit.fabric.classes import congestion, disagreement, lossless, mtus
from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.classes.votes import SINGLED_OUT
from roce_audit.fabric.hosts.jobdevices import (
    devices_by_setups,
    forces_class,
    forgotten_devices,
    front_end_devices,
    has_jobs,
    has_storage,
    hosts_without_gid,
    link_local_gids,
    list_without_roce,
    nics_without_gid,
    roce_v2_gids,
    routed_nics,
    strange_devices,
    unpaused_devices,
)
from roce_audit.fabric.hosts.lonesetups import asked_dscps, is_one_setup, paused_dscps, says_pfc
from roce_audit.fabric.hosts.nics import infiniband_only, nic_of
from roce_audit.fabric.port import FabricPort, by_facts
from roce_audit.fabric.similar.tiers import Tier
from roce_audit.model import Fabric
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import FabricPolicy, Policy
from roce_audit.values import Cell, Place, Where, Why, absent, known, unknown


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
    hints = [s for s in ports if s.id not in ruled_out and s.hint is None and hint_for(s)]  # not `gpu3 ipmi`
    alike = list(by_facts(carrying))
    kinds = [ports[0] for ports in alike]
    cnp, cnp_misread = _of_nics(alike, "cnp_dscp")
    nic_mtus, mtus_misread = _of_nics(alike, "rdma_mtu_bytes")
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
        any_lossless=lossless.any_lossless(carrying, bool(found.votes), ports, ruled_out, first),
        lossless_intended=lossless.intended(policy, given, devices),
        lossless_priorities=lossless.priorities(found, first, all(is_hostless(device) for device in devices)),
        lossy_priorities=lossless.lossy_priorities(found, first),
        roce_dscps=_dscps(found),
        roce_tags=_tags(found),
        singles_dscps_out=any(0 < len(cls.dscp.or_else(frozenset())) <= SINGLED_OUT for cls in found.roce),
        largest_mtu_bytes=mtus.largest_mtu(kinds),
        dscps_by_switches_alone=not policy.classes_of(given) and not any(port.is_nic for port in kinds),
        dcqcn_priorities=_slowing(kinds, first),
        switches_mark=congestion.switches_mark(kinds),
        switches_pause=lossless.switches_pause(kinds),
        congestion_controls=congestion.algorithms(kinds, first),
        quickest_recovery_mbps_per_ms=congestion.quickest_recovery(paces, by_speed=False),
        quickest_recovery_percent_per_ms=congestion.quickest_recovery(paces, by_speed=True),
        asked_dscps=asked_dscps(devices, beside_jobs),
        hints_for_roce=known(frozenset(s.id for s in hints), *(s.reading.header for s in hints[:8])),
        priority_votes=len(votes),
        disagreed_priorities=disagreement.priorities(votes, ports, first),
        disagreed_dscps=disagreement.dscps(found, carrying, first),
        enclosed_dscps=lossless.enclosed_dscps(found, kinds if beside_jobs else ()),
        disagreed_mtus=disagreement.mtus(found, carrying, first),
        pause_cycle=pause_cycle,
        pause_cycle_bounces=pause_cycle_bounces,
        pause_cycle_routed=pause_cycle_routed,
        cnp_dscps=_together(cnp, cnp_misread),
        cnp_dscps_unmapped=_unmapped(cnp, kinds),
        mixed_releases=_mixed_releases(carrying, first),
        slowest_watchdog_ms=_slowest_watchdog(kinds),
        sprays=_sprays(kinds, first),
        rdma_mtus=_together(nic_mtus, mtus_misread),
        strange_devices=strange_devices(devices, ports),
        devices_by_setups=devices_by_setups(ports),
        setups_say_pfc=says_pfc(devices),
        front_end_devices=front_end_devices(devices, beside_jobs),
        forgotten_devices=forgotten_devices(devices, beside_jobs),
        list_without_roce=list_without_roce(devices, beside_jobs),
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
        infiniband_only=infiniband_only(ports, carrying),
        setup_dscps=paused_dscps(devices) if not found.roce else absent(),
        one_setup=is_one_setup(devices) if not found.roce else absent(),
        smallest_class_bytes=mtus.smallest_class(kinds),
        smallest_taken_bytes=mtus.smallest_taken(kinds),
        counted_mtu_bytes=mtus.counted_mtu(found, kinds),
        largest_sent_bytes=mtus.largest_sent(kinds),
    )


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
