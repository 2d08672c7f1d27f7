"""VLANs of ports whose packets leave their switch by routing alone: what the interface of the VLAN does not take arrives nowhere else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from roce_audit.fabric.cables.hostfacing import to_hosts
from roce_audit.fabric.lags.pairs import vlan_interfaces
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.subnets import subnets_of
from roce_audit.values import Cell, known

_BOTH = 2
_MOST_VLANS = 64
"""A port of more VLANs names a range, whatever VLANs there are."""


def leaving_by_routing(
    ports: FabricPorts, data: Sequence[FabricPort], asked: Collection[str]
) -> Mapping[str, Cell[str]]:
    """Id of a port that was asked for -> a port to hosts with RoCE of another switch, outside of its one VLAN.

    The uplinks with RoCE of its switch are routed, and no switch but this one, and the other one of its pair, has the VLAN or its subnet.
    """
    if not asked:
        return {}
    vrfs = {(one.device.name, one.reading.labels.vrf) for one in data if _is_serving(one) and is_routed_uplink(one)}
    if not vrfs:
        return {}
    interfaces = dict(vlan_interfaces(ports, {port.device.name for port in data if _is_serving(port)}))
    pairs = {port.device.name for port in data if port.reading.labels.peer_link}
    bridging, having, hosts = _bridging(data), _having(interfaces.values()), _hosts(data, interfaces)
    found: dict[str, Cell[str]] = {}
    for port in data:
        vlans = port.reading.labels.vlans
        svi = interfaces.get((port.device.name, min(vlans))) if port.id in asked and len(vlans) == 1 else None
        if svi is None:
            continue
        vrf, group = svi.reading.labels.vrf, bridging[port.fabric, min(vlans)] | bridging[port.fabric, None]
        alone = len(group) == 1 or (len(group) == _BOTH and group <= pairs)
        if alone and (port.device.name, vrf) in vrfs and all(having[port.fabric, s] <= group for s in subnets_of(svi)):
            other = next((one for name, one in hosts[port.fabric, vrf].items() if name not in group), None)
            if other is not None:
                found[port.id] = known(other.id, other.reading.header)
    return found


def _is_serving(port: FabricPort) -> bool:
    return bool(port.roce.carries) and not port.is_nic


def _bridging(data: Iterable[FabricPort]) -> defaultdict[tuple[str, int | None], set[str]]:
    """(fabric, VLAN) -> the switches whose ports with RoCE have it; at None those of which a port may have any."""
    found: defaultdict[tuple[str, int | None], set[str]] = defaultdict(set)
    for port in data:
        vlans = port.reading.labels.vlans
        if _is_serving(port) and (vlans or port.reading.labels.routed is not True):
            for vlan in vlans if 0 < len(vlans) <= _MOST_VLANS else (None,):
                found[port.fabric, vlan].add(port.device.name)
    return found


def _having(interfaces: Iterable[FabricPort]) -> defaultdict[tuple[str, tuple[int, int]], set[str]]:
    """(fabric, subnet) -> the switches that route VLANs with it."""
    found: defaultdict[tuple[str, tuple[int, int]], set[str]] = defaultdict(set)
    for svi in interfaces:
        for subnet in subnets_of(svi):
            found[svi.fabric, subnet].add(svi.device.name)
    return found


def _hosts(
    data: Iterable[FabricPort], interfaces: Mapping[tuple[str, int], FabricPort]
) -> defaultdict[tuple[str, str], dict[str, FabricPort]]:
    """(fabric, VRF) -> switch -> a port of it to hosts with RoCE, whose packets are routed there."""
    found: defaultdict[tuple[str, str], dict[str, FabricPort]] = defaultdict(dict)
    for port in to_hosts(data):
        vrf = _vrf(port, interfaces)
        if vrf is not None:
            found[port.fabric, vrf].setdefault(port.device.name, port)
    return found


def is_routed_uplink(port: FabricPort) -> bool:
    """Whether a port of a switch leads to another switch, and bridges nothing."""
    labels = port.reading.labels
    return bool(labels.routed and not labels.vlans and port.peer is not None and not port.peer.is_nic)


def _vrf(port: FabricPort, interfaces: Mapping[tuple[str, int], FabricPort]) -> str | None:
    """The VRF in which the packets of a port are routed; None where nobody says that they are."""
    labels = port.reading.labels
    if labels.routed and not labels.vlans:
        return labels.vrf
    svi = interfaces.get((port.device.name, min(labels.vlans))) if len(labels.vlans) == 1 else None
    return None if svi is None else svi.reading.labels.vrf
