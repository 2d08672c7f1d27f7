"""Join: from device readings to the site that rules judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.fabric import application, bootstate, headroompools, neighbours, oddsettings, sameswitch, scope
from roce_audit.fabric import classes as class_votes
from roce_audit.fabric import links as wiring
from roce_audit.fabric.breakouts import pfc_on_parents
from roce_audit.fabric.channels import memberships
from roce_audit.fabric.classes import Classes
from roce_audit.fabric.comparedports import ComparedPorts
from roce_audit.fabric.counters import Compared, of_fabric, of_port
from roce_audit.fabric.cycles import PauseCycle, pause_cycle
from roce_audit.fabric.describedcables import Descriptions
from roce_audit.fabric.facts import fabric_facts
from roce_audit.fabric.givenpaths import GivenPaths
from roce_audit.fabric.hops import Hops
from roce_audit.fabric.layers import layers
from roce_audit.fabric.links import Cable, LinkView
from roce_audit.fabric.observations import conflicting_ports, ports_down_by_default
from roce_audit.fabric.port import FabricPort, FabricPorts
from roce_audit.fabric.routes import Routes
from roce_audit.fabric.routingtables import RoutingTables
from roce_audit.fabric.shape import positions
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.tiers import tiers
from roce_audit.fabric.transit import transit_ports
from roce_audit.fabric.ways import Ways
from roce_audit.model import Joined
from roce_audit.model.joined import Rank
from roce_audit.platforms.base import DeviceReading, PortReading
from roce_audit.policy.values import Policy
from roce_audit.values import Cell, Cited, Place, Why, absent, known, unknown

_NONE: Cell[Any] = absent()
_UNSEEN: Cell[Any] = unknown(Why.NOT_VISIBLE)


def join(devices: Sequence[DeviceReading], policy: Policy, cables: Iterable[Cable], roles: Mapping[str, str]) -> Site:
    """Join the readings of all devices; `roles` are device roles by name, where the topology gives them."""
    ports = FabricPorts(devices)

    def length_of(a: FabricPort, b: FabricPort) -> Cell[float] | None:
        entry = policy.cable(wiring.goes_by(a, roles), wiring.goes_by(b, roles))
        return None if entry is None else known(entry.length_m, entry.at)

    hearing = neighbours.hear(devices, ports)
    said, described = (*cables, *wiring.configured(devices)), Descriptions(ports, policy.far_ends)
    wires = wiring.join(ports, said, length_of, hearing, described.cables)
    names = _fabric_names(devices, policy, wires.links)
    for port in ports.all:
        port.fabric = names[port.device.name]
    tier_of = tiers(devices, names, roles)
    for port in ports.all:
        port.tier = tier_of[port.device.name]
    scope.decide(ports, policy, wires.said)
    data = [port for port in ports.all if port.roce.rank != "not_data"]
    compared = ComparedPorts(data)
    odd, odd_control = oddsettings.odd_settings(compared), oddsettings.odd_congestion_control(compared)
    odd_member = oddsettings.odd_in_channel(data)
    odd_version = oddsettings.odd_versions(compared)
    routed, uplinks = sameswitch.vlan_mtus(ports, data), sameswitch.uplink_speeds(data)
    parents, claimed = pfc_on_parents(ports), headroompools.claims(ports)
    channels = memberships(ports.all)
    application.decide(ports.all)
    saved = {(d.name, p.name): p for d in devices if d.saved is not None for p in d.saved.ports}
    for port in data:  # nothing is asked of the others
        boots = saved.get((port.device.name, port.reading.name))
        here = (port.reading.header,)
        as_usual: oddsettings.Odd = Cell((), None, here)
        port.joined = _joined(
            port,
            here,
            boots,
            compared.others_like(port),
            odd_settings=odd.get(port.id, as_usual),
            odd_in_channel=odd_member.get(port.id, as_usual),
            odd_congestion_control=odd_control.get(port.id, as_usual),
            odd_versions=odd_version.get(port.id, as_usual),
            parent_pfc=parents.get(port.id, _NONE),
            headroom_claimed_bytes=claimed.get(port.id, _NONE),
            vlan_mtu_bytes=routed.get(port.id, _NONE),
            channel=channels[port.id].channel,
            channel_members=Cell(channels[port.id].members, None, here),
            far_channel=channels[port.id].far,
            usual_far_channel=channels[port.id].usual_far,
            strange_channel=channels[port.id].strange,
            uplink_speeds=uplinks.get(port.device.name, _NONE),
        )
    maintenance = frozenset(d.name for d in devices if policy.in_maintenance(d.name) is not None)
    layer_of, hops = layers(devices, wires.links, tier_of), Hops()
    ways = Ways(Routes(wires.links, layer_of), RoutingTables(devices), GivenPaths(policy.given_paths))

    def cycle_in(fabric: str, found: Classes) -> PauseCycle:
        inside = [link for link in wires.links if link.a.fabric == link.b.fabric == fabric]
        lossless = [cls for cls in found.roce if cls.lossless.or_else(True)]
        return pause_cycle(lossless, inside, layer_of, hops, ways, whole=not wires.one_end)

    fabrics = tuple(
        _fabric(name, devices, ports.all, policy, names, maintenance, cycle_in)
        for name in dict.fromkeys(names.values())
    )
    observations = (*wires.observations, *conflicting_ports(ports.all), *ports_down_by_default(ports))
    stands = positions(devices, ports.all, wires.links, layer_of, whole=not wires.one_end)
    transit = transit_ports(ports.all, wires.links, layer_of, ways.given)
    return Site(fabrics, wires.links, wires.one_end, observations, hops, maintenance, layer_of, stands, transit, ways)


def with_counters(site: Site, compared: Mapping[str, Compared]) -> Site:
    """The same site with what was counted between two snapshots, by device name."""
    if not compared:
        return site
    for fabric in site.fabrics:
        for port in fabric.ports:
            port.counters = of_port(port, compared.get(port.device.name))
    fabrics = tuple(replace(fabric, counters=of_fabric(fabric.ports)) for fabric in site.fabrics)
    return replace(site, fabrics=fabrics)


def _fabric_names(devices: Sequence[DeviceReading], policy: Policy, links: Sequence[LinkView]) -> dict[str, str]:
    def not_roce(port: FabricPort) -> bool:
        entry = policy.port(
            port.device.name, (port.reading.name, *port.reading.labels.aliases), port.reading.labels.description
        )
        return entry is not None and not entry.roce

    names = wiring.groups(devices, links, not_roce)
    given = {d.name: fabric.name for d in devices if (fabric := policy.fabric(d.name)) is not None}
    names.update(given)
    return names | wiring.of_hostless(devices, names) | given


def _joined(
    port: FabricPort,
    here: tuple[Place],
    boots: PortReading | None,
    similar: int,
    **told: Cell[Any],
) -> Joined:
    """`told` are the fields that were found for all ports together; `here` is where the port begins; `similar` are other ports."""
    answer = port.roce
    if answer.carries is None:
        not_known = Why.CONFLICT if answer.rank == "conflict" else Why.NOT_VISIBLE
        carries: Cell[bool] = Cell(None, not_known, answer.at)
    else:
        carries = Cell(answer.carries, None, answer.at)
    rank: Cell[Rank] = Cell(answer.rank, None, answer.at)
    peer = _NONE if port.peer is None else known(port.peer.id, port.peer.reading.header)
    at_boot = bootstate.compared(port, boots)
    return Joined(
        carries_roce=carries,
        rank=rank,
        facing=port.facing if port.facing is not None else _UNSEEN,
        peer=peer,
        peer_shut=_NONE if port.peer is None else _shut(port.peer),
        peer_routed=_NONE if port.peer is None else _routed(port.peer),
        peer_speaks_dcbx=_NONE if port.peer is None else _speaks_dcbx(port.peer),
        peer_pfc_priorities=_offered(port.peer_offers_pfc),
        peer_shares=_offered(port.peer_offers_shares),
        announced_pfc=_offered(port.peer.peer_offers_pfc if port.peer is not None else None),
        announced_shares=_offered(port.peer.peer_offers_shares if port.peer is not None else None),
        peer_roce_priority=_offered(port.peer_offers_roce_priority),
        length_m=port.length if port.length is not None else _UNSEEN,
        assumed_length_m=_assumed_length(port),
        stated_length_m=_stated_length(port),
        similar_ports=Cell(similar, None, here),
        hint_against=_NONE if port.hint is None else Cell(port.hint.because, None, port.hint.at),
        untagged=Cell(True, None, here) if port.reading.labels.untagged else _NONE,
        unsaved=at_boot.unsaved,
        not_running=at_boot.not_running,
        **told,
    )


def _fabric(
    name: str,
    devices: Sequence[DeviceReading],
    ports: Sequence[FabricPort],
    policy: Policy,
    names: Mapping[str, str],
    maintenance: frozenset[str],
    cycle_in: Callable[[str, Classes], PauseCycle],
) -> FabricView:
    members = tuple(d for d in devices if names[d.name] == name)
    mine = tuple(s for s in ports if s.fabric == name)
    given = next((f for f in policy.fabrics if f.name == name), None)
    voting = [d.name for d in members if d.name not in maintenance]
    found = class_votes.decide(mine, policy, given, voting)
    cycle = cycle_in(name, found)
    facts = fabric_facts(name, members, mine, found, policy, given, cycle.circle, cycle.bounces, cycle.routed)
    return FabricView(name, members, mine, found, facts)


def _offered(heard: Cell[Any] | None) -> Cell[Any]:
    return _NONE if heard is None else heard


def _routed(peer: FabricPort) -> Cell[bool]:
    routed = peer.reading.labels.routed
    if peer.is_nic:
        return known(False, peer.reading.header)
    return unknown(Why.NOT_VISIBLE) if routed is None else known(routed, peer.reading.header)


def _shut(port: FabricPort) -> Cell[bool]:
    """Whether a line shuts the port down. What is down by default is told on its own."""
    up = port.reading.facts.admin_up
    if up.is_known and up.get():
        return known(False, port.reading.header)
    lines = [place for place in port.places(up.at) if isinstance(place, Place)]
    if up.is_unknown and lines:
        return unknown(up.why or Why.NOT_PARSED, *lines)
    return known(True, *lines) if up.is_known and not up.get() and lines else known(False, port.reading.header)


def _speaks_dcbx(port: FabricPort) -> Cell[bool]:
    dcbx = port.reading.facts.dcbx
    mode: Cell[Any] = dcbx.get().mode if dcbx.is_known else dcbx
    if not mode.is_known and not mode.at:
        return mode
    at = port.absolute(mode.at)
    return known(mode.get() != "off", *at) if mode.is_known else Cell(None, mode.why, at)


def _assumed_length(port: FabricPort) -> Cell[float]:
    """The known length of the cable, else the one that is configured for buffer sizing."""
    configured = port.reading.facts.cable_m
    if port.length is not None and port.length.is_known:
        return port.length
    return known(float(configured.get()), *configured.at) if configured.is_known else _UNSEEN


def _stated_length(port: FabricPort) -> Cell[int]:
    """The configured length where a line states it: what a system assumes without one says nothing of the cable."""
    configured = port.reading.facts.cable_m
    if configured.is_unknown:
        return Cell(None, configured.why, port.absolute(configured.at))
    return configured if configured.at and not isinstance(configured.at[0], Cited) else _NONE
