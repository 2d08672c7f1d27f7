"""What other ports of the same switch say about a port: the routed interface of its VLAN, its subinterfaces, and the uplinks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.patterns import lazy
from roce_audit.values import At, Cell, DefaultLocation, Place, Where, Why, known, unknown

_VLAN = lazy(r"vlan(?:-interface|if)? ?([0-9]{1,4})", re.I)


def vlan_mtus(ports: FabricPorts, data: Iterable[FabricPort]) -> Mapping[str, Cell[int]]:
    """Port id -> IP MTU of the routed interface of its VLAN, for those of the data ports that are in one VLAN alone.

    An interface without an address routes nothing.
    """
    in_one = [port for port in data if len(port.reading.labels.vlans) == 1]
    routed: dict[tuple[str, int], FabricPort] = {}
    for port in ports.of_kind("svi", {port.device.name for port in in_one}):
        name = _VLAN.fullmatch(port.reading.name)
        if name is not None:
            routed[port.device.name, int(name.group(1))] = port
    found: dict[str, Cell[int]] = {}
    for port in in_one:
        (vlan,) = port.reading.labels.vlans
        svi = routed.get((port.device.name, vlan))
        if svi is not None and svi.reading.labels.addresses:
            mtu = svi.reading.facts.ip_mtu_bytes
            at = svi.absolute(mtu.at)
            placed = any(isinstance(where, Place) for where in at)
            found[port.id] = Cell(mtu.value, mtu.why, at if placed else (*at, svi.reading.header))
    return found


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
