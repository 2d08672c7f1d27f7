"""Filters of VLANs that drop every RoCEv2 packet: at ports all of whose VLANs they meet, else told of the VLANs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.values import Place, known


class VlanDrop(NamedTuple):
    """A filter that meets every packet of some VLANs, bridged or routed, and drops all of RoCEv2."""

    name: str
    header: str
    """What defines it, as it is written."""
    drops: Place
    binds: Place
    names_port: bool
    """Whether it names the UDP port of RoCEv2."""
    vlans: frozenset[int]


def with_vlan_drops(reading: DeviceReading, found: Sequence[VlanDrop]) -> DeviceReading:
    """The same reading with what these filters drop."""
    if not found:  # most switches have none
        return reading
    at: dict[int, tuple[Place, Place]] = {}
    for one in found:
        at |= dict.fromkeys(one.vlans, (one.drops, one.binds))
    ports = tuple([_dropping(port, at) for port in reading.ports])
    return replace(reading, ports=ports, seen=(*reading.seen, *_told(found, reading.ports)))


def _dropping(port: PortReading, at: Mapping[int, tuple[Place, Place]]) -> PortReading:
    vlans = port.labels.vlans
    if not vlans or not vlans <= at.keys():
        return port
    return replace(port, facts=replace(port.facts, drops_roce=known(True, *at[min(vlans)])))


def _told(found: Sequence[VlanDrop], ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Of a filter that names RoCE's port and meets some of the VLANs of ports: whether RoCE is in those is not known."""
    dropped = frozenset[int]().union(*(one.vlans for one in found))
    for one in found:
        some = tuple(p.name for p in ports if p.labels.vlans & one.vlans and not p.labels.vlans <= dropped)
        if one.names_port and some:
            text = f"{one.name} drops every RoCEv2 packet (UDP port {ROCE_UDP_PORT}) in some of the VLANs that these ports carry"
            yield seen("conflict", one.name.rpartition(" ")[2], text, one.drops, one.header, some)
