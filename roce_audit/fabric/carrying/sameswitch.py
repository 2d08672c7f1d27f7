"""What other ports of the same switch say about a port: the routed interface of its VLAN, its subinterfaces, and the uplinks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.subnets import subnets_of
from roce_audit.patterns import lazy
from roce_audit.values import At, Cell, DefaultLocation, Place, Where, Why, known, unknown

_VLAN = lazy(r"vlan(?:-interface|if)? ?([0-9]{1,4})", re.I)
MtuCells = Mapping[str, Cell[int]]


def vlan_mtus(ports: FabricPorts, data: Iterable[FabricPort]) -> tuple[MtuCells, MtuCells]:
    """Port id -> IP MTU of the routed interface of its VLAN, and the larger one of another switch that routes the same VLAN.

    Of a port in several VLANs only the interface is asked that takes less than that of another switch. An interface without an address
    routes nothing.
    """
    in_vlans = [port for port in data if port.reading.labels.vlans]
    routed: dict[int, list[FabricPort]] = defaultdict(list)
    for svi in ports.of_kind("svi", {port.device.name for port in in_vlans}):
        name = _VLAN.fullmatch(svi.reading.name)
        if name is not None and svi.reading.labels.addresses:
            routed[int(name.group(1))].append(svi)
    here: dict[str, dict[int, FabricPort]] = defaultdict(dict)
    for vlan, those in sorted(routed.items()):
        for svi in those:
            here[svi.device.name][vlan] = svi
    larger = {svi.id: other for those in routed.values() if len(those) > 1 for svi, other in _outdone(those)}
    mtus: dict[str, Cell[int]] = {}
    elsewhere: dict[str, Cell[int]] = {}
    for port in in_vlans:
        vlans = port.reading.labels.vlans  # of a trunk all 4,094, perhaps
        its = [svi for vlan, svi in here.get(port.device.name, {}).items() if vlan in vlans]
        outdone = [one for one in its if one.id in larger]
        for one in (outdone or its)[:1] if outdone or len(vlans) == 1 else ():
            mtus[port.id] = _placed_mtu(one)
            if outdone:
                elsewhere[port.id] = _placed_mtu(larger[one.id])
    return mtus, elsewhere


def vlan_filters(ports: FabricPorts, data: Iterable[FabricPort]) -> Mapping[str, Cell[bool]]:
    """Port id -> that the access lists of all routed interfaces of its VLANs drop RoCE: of a trunk nobody says which VLAN is RoCE's."""
    data = [port for port in data if port.reading.labels.vlans]
    routed: dict[str, dict[int, FabricPort]] = defaultdict(dict)
    for svi in ports.of_kind("svi", {port.device.name for port in data}):
        name = _VLAN.fullmatch(svi.reading.name)
        if name is not None and svi.reading.labels.addresses:
            routed[svi.device.name][int(name.group(1))] = svi
    dropping = {
        id for id, its in routed.items() if any(svi.reading.facts.drops_roce.value is True for svi in its.values())
    }
    found: dict[str, Cell[bool]] = {}
    for port in data:
        if port.device.name in dropping:
            vlans = port.reading.labels.vlans
            its = [svi for vlan, svi in sorted(routed[port.device.name].items()) if vlan in vlans]
            if its and all(svi.reading.facts.drops_roce.value is True for svi in its):
                found[port.id] = known(True, *its[0].absolute(its[0].reading.facts.drops_roce.at))
    return found


def _outdone(those: Sequence[FabricPort]) -> Iterable[tuple[FabricPort, FabricPort]]:
    """Of the routed interfaces of one VLAN those that take less than that of another switch with an address in the same subnet."""
    largest: dict[tuple[str, tuple[int, int]], FabricPort] = {}
    for svi in those:
        for subnet in subnets_of(svi) if svi.reading.facts.ip_mtu_bytes.is_known else ():
            first = largest.setdefault((svi.fabric, subnet), svi)
            if svi.reading.facts.ip_mtu_bytes.get() > first.reading.facts.ip_mtu_bytes.get():
                largest[svi.fabric, subnet] = svi
    for svi in those:
        mtu = svi.reading.facts.ip_mtu_bytes
        for subnet in sorted(subnets_of(svi)) if mtu.is_known else ():
            other = largest[svi.fabric, subnet]
            if other.reading.facts.ip_mtu_bytes.get() > mtu.get() and other.device is not svi.device:
                yield svi, other
                break


def _placed_mtu(svi: FabricPort) -> Cell[int]:
    mtu = svi.reading.facts.ip_mtu_bytes
    at = svi.absolute(mtu.at)
    placed = any(isinstance(where, Place) for where in at)
    return Cell(mtu.value, mtu.why, at if placed else (*at, svi.reading.header))


def subinterface_mtus(ports: FabricPorts, data: Iterable[FabricPort]) -> Mapping[str, Cell[int]]:
    """Port id -> the largest IP MTU that its subinterfaces say, of ports that route by their subinterfaces alone.

    Nothing where one of these says no MTU, for what holds then differs by system. A port says nowhere that it is routed where ports
    are so unless they are bridged; its subinterfaces with addresses show it.
    """
    bare = {
        (port.device.name, port.reading.name): port
        for port in data
        if port.reading.labels.routed is not False and not (port.reading.labels.vlans or port.reading.labels.addresses)
    }
    below: dict[str, list[FabricPort]] = defaultdict(list)
    for one in ports.of_kind("subinterface", {device for device, _ in bare}):
        parent = bare.get((one.device.name, one.reading.name.rpartition(".")[0]))
        if parent is not None and one.reading.labels.addresses:
            below[parent.id].append(one)
    found: dict[str, Cell[int]] = {}
    for name, those in below.items():
        said = [(one.reading.facts.ip_mtu_bytes, one) for one in those]
        if all(mtu.is_known and any(map(_is_line, mtu.at)) for mtu, _ in said):
            mtu, largest = max(said, key=lambda pair: pair[0].get())
            found[name] = known(mtu.get(), *largest.absolute([at for at in mtu.at if _is_line(at)]))
    return found


def _is_line(at: Where) -> bool:
    return isinstance(at, At) and not isinstance(at, DefaultLocation)


def uplink_speeds(ports: Sequence[FabricPort]) -> Mapping[str, Cell[frozenset[int]]]:
    """Device name -> the speeds of its ports that carry RoCE to other switches, each with the line of one of them."""
    speeds: dict[str, dict[int, Where]] = defaultdict(dict)
    misread: dict[str, Cell[frozenset[int]]] = {}
    for port in ports:
        speed = port.reading.facts.speed_bps
        if port.is_nic or not port.roce.carries or port.facing is None or port.facing.or_else("outside") != "fabric":
            continue
        if speed.is_known:
            if speed.get() not in speeds[port.device.name]:
                speeds[port.device.name][speed.get()] = port.first_line(speed.at)
        elif speed.why is Why.NOT_PARSED:
            misread.setdefault(port.device.name, unknown(Why.NOT_PARSED, *port.absolute(speed.at)))
    return {name: known(frozenset(found), *found.values()) for name, found in speeds.items()} | misread
