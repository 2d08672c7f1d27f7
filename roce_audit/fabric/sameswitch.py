"""What other ports of the same switch say about a port: the routed interface of its VLAN, and the uplinks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from roce_audit.fabric.port import FabricPort, FabricPorts
from roce_audit.values import Cell, Place, Where, Why, known, unknown

_VLAN = re.compile(r"vlan(?:-interface|if)? ?([0-9]{1,4})", re.I)


def vlan_mtus(ports: FabricPorts, data: Iterable[FabricPort]) -> Mapping[str, Cell[int]]:
    """Port id -> IP MTU of the routed interface of its VLAN, for those of the data ports that are in one VLAN alone.

    An interface without an address routes nothing.
    """
    in_one = [port for port in data if len(port.reading.labels.vlans) == 1]
    if not in_one:
        return {}
    routed: dict[tuple[str, int], FabricPort] = {}
    interfaces = [alike for alike in ports.alike if alike[0].reading.facts.kind.or_else("other") == "svi"]
    for port in chain.from_iterable(interfaces):
        name = _VLAN.fullmatch(port.reading.name)
        if name is not None:
            routed[port.device.name, int(name.group(1))] = port
    found: dict[str, Cell[int]] = {}
    for port in in_one if routed else ():
        (vlan,) = port.reading.labels.vlans
        svi = routed.get((port.device.name, vlan))
        if svi is not None and svi.reading.labels.addresses:
            mtu = svi.reading.facts.ip_mtu_bytes
            at = svi.absolute(mtu.at)
            placed = any(isinstance(where, Place) for where in at)
            found[port.id] = Cell(mtu.value, mtu.why, at if placed else (*at, svi.reading.header))
    return found


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
