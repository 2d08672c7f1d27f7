"""Hosts with addresses of another subnet than the interface of their VLAN on the switches before them, and than other hosts there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.fabric.lags.pairs import vlan_interfaces
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.subnets import Subnets, subnets_of
from roce_audit.model import Observation
from roce_audit.text.sentences import listed
from roce_audit.values import known


def of_other_subnets(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[Observation]:
    """One observation for each interface of a VLAN, of hosts with RoCE, where another host before the same switch is in its subnet."""
    before: dict[str, set[str]] = defaultdict(set)
    for port in data:
        if port.is_nic and port.roce.carries and port.peer is not None and port.reading.labels.vlans:
            before[port.device.name].add(port.peer.device.name)
    if not before:
        return
    routing = _routing(ports, {name for names in before.values() for name in names})
    inside: set[tuple[str, int]] = set()
    outside: list[tuple[FabricPort, FabricPort, set[tuple[str, int]]]] = []
    for port in ports.of_kind("subinterface", before.keys()) if routing else ():
        vlans = port.reading.labels.vlans
        places = {(name, vlan) for name in before[port.device.name] for vlan in vlans if (name, vlan) in routing}
        subnets = subnets_of(port)
        if len(vlans) != 1 or not places or not subnets:
            continue
        meeting = {place for place in places if _meet(subnets, subnets_of(routing[place]))}
        inside |= meeting
        if not meeting:
            outside.append((port, routing[min(places)], places))
    for port, svi, places in outside:
        if places & inside:
            yield _told(port, svi)


def _routing(ports: FabricPorts, devices: set[str]) -> Mapping[tuple[str, int], FabricPort]:
    """(switch, VLAN) -> the interface of the VLAN, of those with a subnet."""
    return {vlan: svi for vlan, svi in vlan_interfaces(ports, devices) if subnets_of(svi)}


def _meet(some: Subnets, others: Subnets) -> bool:
    """Whether one of these is in one of the others, whatever their masks."""
    return any(
        one >> (32 - min(bits, more)) == two >> (32 - min(bits, more)) for one, bits in some for two, more in others
    )


def _told(port: FabricPort, svi: FabricPort) -> Observation:
    addresses = [listed(one.reading.labels.addresses, 2) for one in (port, svi)]
    text = (
        f"{port.id} has {addresses[0]}, and {svi.id}, the interface of its VLAN, {addresses[1]}, as other hosts there: it reaches "
        "none of them"
    )
    places = [one.reading.header for one in (port, svi)]
    return Observation("conflict", port.id, text, known(True, places[0]), known(addresses[0], *places))
