"""Join: from device readings to the site that rules judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from roce_audit.fabric import headroompools
from roce_audit.fabric.cables import links as wiring
from roce_audit.fabric.cables import neighbours
from roce_audit.fabric.cables.breakouts import pfc_on_parents
from roce_audit.fabric.cables.described import Descriptions
from roce_audit.fabric.cables.links import Cable, LinkView
from roce_audit.fabric.cables.unreadends import unread_switches
from roce_audit.fabric.carrying import sameswitch, scope
from roce_audit.fabric.carrying.transit import transit_ports
from roce_audit.fabric.classes import decided as class_votes
from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.classes.nextswitch import next_lossy_dscps
from roce_audit.fabric.comparisons import compared
from roce_audit.fabric.counters import Compared, of_fabric, of_port, of_switches
from roce_audit.fabric.fabrics import by_cables_and_folders, of_hostless
from roce_audit.fabric.facts import fabric_facts
from roce_audit.fabric.hosts import application
from roce_audit.fabric.hosts.nics import ListsOfHosts
from roce_audit.fabric.joinedports import JoinedPorts
from roce_audit.fabric.lags.channels import memberships
from roce_audit.fabric.layers import layers
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.shape import positions
from roce_audit.fabric.similar import oddsettings
from roce_audit.fabric.similar.comparedports import ComparedPorts
from roce_audit.fabric.similar.tiers import tiers
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.traffic.cycles import PauseCycle, pause_cycle
from roce_audit.fabric.traffic.givenpaths import GivenPaths
from roce_audit.fabric.traffic.hops import Hops
from roce_audit.fabric.traffic.routes import Routes
from roce_audit.fabric.traffic.routingtables import RoutingTables
from roce_audit.fabric.traffic.ways import Ways
from roce_audit.fabric.vlans.leaving import leaving_by_routing
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import Policy
from roce_audit.values import Cell, known

_NO_DESIGNS: Mapping[str, str] = {}


def join(
    devices: Sequence[DeviceReading],
    policy: Policy,
    cables: Iterable[Cable],
    roles: Mapping[str, str],
    templates: Set[str] = frozenset(),
    designs: Mapping[str, str] = _NO_DESIGNS,
) -> Site:
    """Join the readings of all devices; `roles` are device roles by name, where the topology gives them.

    `templates` are names of devices of which only a template was read: their ports are compared with no others. `designs` are the
    folders of devices that lie in one of several designs: each is a fabric of its own.
    """
    ports = FabricPorts(devices)

    def length_of(a: FabricPort, b: FabricPort) -> Cell[float] | None:
        ends = (wiring.goes_by(port.device.name, roles, is_nic=port.is_nic) for port in (a, b))
        entry = policy.cable(*ends)
        return None if entry is None else known(entry.length_m, entry.at)

    hearing = neighbours.hear(devices, ports)
    said, described = (*cables, *wiring.configured(devices)), Descriptions(ports, policy.far_ends)
    wires = wiring.join(ports, said, length_of, hearing, described)
    names = _fabric_names(devices, policy, wires, designs, lambda hosts: described.naming(hosts, ports.in_use))
    tier_of = tiers(devices, names, roles)
    ports.stand(names, tier_of)
    in_use = ports.in_use
    _with_their_switches(wires.links, in_use)
    lists = ListsOfHosts()
    scope.decide(ports, policy, wires.said, lists, templates)
    data = [port for port in in_use if port.roce.rank != "not_data"]
    application.decide(in_use, lists)
    _join_ports(devices, ports, in_use, data, templates)
    maintenance = frozenset(d.name for d in devices if policy.in_maintenance(d.name) is not None)
    layer_of, hops = layers(devices, wires.links, tier_of, in_use), Hops()
    ways = Ways(
        Routes(wires.links, layer_of),
        RoutingTables(devices),
        GivenPaths(policy.given_paths),
        unread_switches(wires.unread, ports),
    )

    def cycle_in(fabric: str, found: Classes) -> PauseCycle:
        inside = [link for link in wires.links if link.a.fabric == link.b.fabric == fabric]
        lossless = [cls for cls in found.roce if cls.lossless.or_else(True)]
        return pause_cycle(lossless, inside, layer_of, hops, ways, whole=not wires.one_end)

    of_fabric: dict[str, list[FabricPort]] = defaultdict(list)
    for port in in_use:
        of_fabric[port.fabric].append(port)
    fabrics = tuple(
        _fabric(name, devices, of_fabric[name], ports, policy, names, maintenance, cycle_in)
        for name in dict.fromkeys(names.values())
    )
    comparisons = compared(devices, ports, data, fabrics, wires)
    stands = positions(devices, in_use, wires.links, layer_of, whole=not wires.one_end)
    transit = transit_ports(data, wires.links, layer_of, ways.given)
    return Site(
        fabrics,
        wires.links,
        wires.one_end,
        (*wires.observations, *comparisons.told),
        hops,
        maintenance,
        layer_of,
        stands,
        transit,
        ways,
        wires.unread,
        tuple(comparisons.crashes),
    )


def _with_their_switches(links: Sequence[LinkView], ports: Iterable[FabricPort]) -> None:
    """Put each NIC into the fabric of the switch that it leads to: a host may have a NIC for storage beside those for compute.

    A bond goes where all of its members lead.
    """
    bonds: dict[tuple[str, str], set[str]] = defaultdict(set)
    for link in links:
        for nic, switch in ((link.a, link.b), (link.b, link.a)):
            if nic.is_nic and not switch.is_nic:
                nic.fabric = switch.fabric
                bonds[nic.device.name, nic.reading.labels.lag].add(switch.fabric)
    for port in ports:
        led_to = bonds.get((port.device.name, port.reading.name), ())
        if port.is_nic and len(led_to) == 1:
            (port.fabric,) = led_to


def _join_ports(
    devices: Sequence[DeviceReading],
    ports: FabricPorts,
    in_use: Sequence[FabricPort],
    data: Sequence[FabricPort],
    templates: Set[str],
) -> None:
    """Say of each port that may carry data what others show of it; nothing is asked of the rest."""
    compared = ComparedPorts([port for port in data if port.device.name not in templates])
    vlan_mtus, vlan_mtus_elsewhere = sameswitch.vlan_mtus(ports, data)
    found: Mapping[str, Mapping[str, Cell[Any]]] = {
        "odd_settings": oddsettings.odd_settings(compared),
        "odd_congestion_control": oddsettings.odd_congestion_control(compared),
        "odd_in_channel": oddsettings.odd_in_channel(data),
        "odd_versions": oddsettings.odd_versions(compared),
        "vlan_mtu_bytes": vlan_mtus,
        "vlan_mtu_elsewhere_bytes": vlan_mtus_elsewhere,
        "vlan_left_for": leaving_by_routing(ports, data, vlan_mtus),
        "vlan_drops_roce": sameswitch.vlan_filters(ports, data),
        "subinterface_mtu_bytes": sameswitch.subinterface_mtus(ports, data),
        "next_lossy_dscps": next_lossy_dscps(data),
        "parent_pfc": pfc_on_parents(ports),
        "headroom_claimed_bytes": headroompools.claims(ports),
    }
    saved = {(d.name, p.name): p for d in devices if d.saved is not None for p in d.saved.ports}
    joined = JoinedPorts(saved, found, sameswitch.uplink_speeds(data))
    channels = memberships(in_use)
    for port in data:
        port.joined = joined.of(port, compared.others_like(port), channels[port.id])


def with_counters(site: Site, compared: Mapping[str, Compared]) -> Site:
    """The same site with what was counted between two snapshots, by device name."""
    if not compared:
        return site
    for fabric in site.fabrics:
        for port in fabric.ports:
            port.counters = of_port(port, compared.get(port.device.name))
        of_switches(fabric.ports)
    fabrics = tuple(replace(fabric, counters=of_fabric(fabric.ports)) for fabric in site.fabrics)
    return replace(site, fabrics=fabrics)


def _fabric_names(
    devices: Sequence[DeviceReading],
    policy: Policy,
    wires: wiring.Wiring,
    designs: Mapping[str, str],
    naming: Callable[[Collection[str]], Mapping[str, str]],
) -> dict[str, str]:
    def not_roce(port: FabricPort) -> bool:
        entry = policy.port(
            port.device.name, (port.reading.name, *port.reading.labels.aliases), port.reading.labels.description
        )
        return entry is not None and not entry.roce

    names = by_cables_and_folders(devices, wires.links, not_roce, naming, wires.unread)
    in_group: dict[str, set[str]] = defaultdict(set)
    for name, group in names.items():
        in_group[group].add(designs.get(name, ""))
    for name, group in names.items():
        design = designs.get(name, "")
        if len(in_group[group]) > 1 and design:
            names[name] = design if design.startswith(f"{group}/") else f"{group}/{design}"
    given = {d.name: fabric.name for d in devices if (fabric := policy.fabric(d.name)) is not None}
    names.update(given)
    return names | of_hostless(devices, names) | given


def _fabric(
    name: str,
    devices: Sequence[DeviceReading],
    mine: Sequence[FabricPort],
    ports: FabricPorts,
    policy: Policy,
    names: Mapping[str, str],
    maintenance: frozenset[str],
    cycle_in: Callable[[str, Classes], PauseCycle],
) -> FabricView:
    members = tuple(d for d in devices if names[d.name] == name)
    given = next((f for f in policy.fabrics if f.name == name), None)
    voting = [d.name for d in members if d.name not in maintenance]
    found = class_votes.decide(mine, policy, given, voting)
    cycle = cycle_in(name, found)
    facts = fabric_facts(name, members, mine, found, policy, given, cycle.circle, cycle.bounces, cycle.routed)
    return FabricView(name, members, tuple(mine), ports, found, facts)
