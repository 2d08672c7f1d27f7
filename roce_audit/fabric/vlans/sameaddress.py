"""One address on two ports of a fabric: packets to it arrive at one of them, and nobody says at which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.subnets import addresses6_of, subnets6_of, subnets_of
from roce_audit.model import Observation
from roce_audit.platforms.base import CommonValue
from roce_audit.values import known

_BOTH = 2
_HAVE_NO_CABLE = ("lag", "subinterface")
"""Kinds of ports of which others are cabled."""
_FEWEST_OTHERS = 4
"""Addresses that one port has, for each that two have: files whose addresses were replaced, or that are of two sites, have fewer."""


def had_twice(ports: FabricPorts, data: Sequence[FabricPort], told: Collection[str]) -> Iterator[Observation]:
    """Addresses that two routed ports, channels or NICs with RoCE have, of devices that are cabled, or two hosts in one VLAN; `told` are
    ports of whose addresses something is told.
    """
    carrying = [port for port in data if port.roce.carries and port.reading.labels.addresses]
    carrying += _channels(ports, data)
    had: dict[tuple[str, str, str | int], list[FabricPort]] = defaultdict(list)
    hosts = {port.device.name: port.fabric for port in data if _is_in_vlans(port)}
    for port in ports.of_kind("subinterface", hosts.keys()) if hosts else ():
        for address in _addresses(port):
            had[hosts[port.device.name], f"VLAN {sorted(port.reading.labels.vlans)}", address].append(port)
    for port in carrying:
        if (port.is_nic or port.reading.labels.routed) and not port.reading.labels.lag:
            for address in _addresses(port):
                had[port.fabric, port.reading.labels.vrf, address].append(port)
    twice = {key: those for key, ports in had.items() if len(ports) > 1 and len(those := _in_subnets(ports)) > 1}
    if len(twice) * (_FEWEST_OTHERS + 1) > len(had):
        return
    yield from (_told(_as_written(key[2]), ports) for key, ports in twice.items() if _are_two(ports, told))


def loopbacks_twice(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterator[Observation]:
    """An address that two cabled switches with RoCE have as their only one of a loopback, where others have one each.

    Beside other addresses one may be meant to be had twice (of a tunnel that a pair ends, or of a rendezvous point).
    """
    fabric_of = _cabled_switches(data)
    of_device: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports.of_kind("loopback", fabric_of.keys()):
        if any(":" not in address for address in port.reading.labels.addresses):
            of_device[port.device.name].append(port)
    by_fabric: dict[str, dict[str, list[FabricPort]]] = defaultdict(lambda: defaultdict(list))
    for name, its in of_device.items():
        addresses = {address for port in its for address in port.reading.labels.addresses if ":" not in address}
        if len(addresses) == 1:
            by_fabric[fabric_of[name]][addresses.pop().partition("/")[0]].append(its[0])
    for had in by_fabric.values():
        twice = [(address, those) for address, those in had.items() if len(those) > 1]
        if len(twice) == 1 and len(twice[0][1]) == 2 and len(had) > _FEWEST_OTHERS:
            yield _told(*twice[0])


def router_ids_twice(data: Sequence[FabricPort], told: Set[str]) -> Iterator[Observation]:
    """A router ID that two cabled switches with RoCE have, where others have one each: neighbours take the two for one router.

    `told` are switches of whose loopback address that is told, which mostly is their router ID.
    """
    fabric_of = _cabled_switches(data)
    devices = {port.device.name: port.device for port in data if port.device.name in fabric_of}
    having: dict[tuple[str, str], dict[str, list[tuple[str, CommonValue]]]] = defaultdict(lambda: defaultdict(list))
    for name, device in devices.items():
        for one in device.common:
            if one.scope == "own":
                having[fabric_of[name], one.what][one.value].append((name, one))
    for (_, what), had in having.items():
        twice = [those for those in had.values() if len(those) > 1]
        if len(twice) != 1 or len(twice[0]) != _BOTH or len(had) <= _FEWEST_OTHERS:
            continue
        (first, here), (second, there) = twice[0]
        if told.isdisjoint({first, second}):
            protocol, _, called = what.partition(" ")
            text = (
                f"the {protocol.upper()} {called} {there.value} of {second} is that of {first} as well: their neighbours take the two "
                "for one router"
            )
            places = (there.place, here.place)
            yield Observation("conflict", f"{second}:{what}", text, known(True, places[0]), known(there.value, *places))


def _channels(ports: FabricPorts, data: Iterable[FabricPort]) -> Iterable[FabricPort]:
    """The channels of switches with addresses, of which a member carries RoCE."""
    members = (port for port in data if port.reading.labels.lag and port.roce.carries and not port.is_nic)
    found = (
        ports.find(name, lag) for name, lag in {(one.device.name, one.reading.labels.lag): None for one in members}
    )
    return [channel for channel in found if channel is not None and channel.reading.labels.addresses]


def _is_in_vlans(port: FabricPort) -> bool:
    labels = port.reading.labels
    return port.is_nic and bool(port.roce.carries and port.peer and labels.vlans)


def _cabled_switches(data: Iterable[FabricPort]) -> dict[str, str]:
    """Switch with RoCE -> its fabric."""
    return {port.device.name: port.fabric for port in data if port.roce.carries and not port.is_nic and port.peer}


def _addresses(port: FabricPort) -> list[str | int]:
    """Those of IPv4 as they are written, those of IPv6, which are written in many ways, as numbers."""
    addresses = port.reading.labels.addresses
    written: list[str | int] = [one.partition("/")[0] for one in addresses if ":" not in one]
    return written if len(written) == len(addresses) else [*written, *(number for number, _ in addresses6_of(port))]


def _as_written(address: str | int) -> str:
    from ipaddress import IPv6Address  # only where one is told

    return str(IPv6Address(address)) if isinstance(address, int) else address


def _in_subnets(ports: Iterable[FabricPort]) -> list[FabricPort]:
    """Those with an address that is not a host's alone."""
    return [port for port in ports if subnets_of(port) or subnets6_of(port)]


def _are_two(ports: Sequence[FabricPort], told: Collection[str]) -> bool:
    """Whether two ports that are cabled, or of one device, have it, and nothing is told of either by what is at its other end."""
    of_one = len({port.device.name for port in ports}) == 1
    return len(ports) == len({port.id for port in ports}) == 2 and all(
        (of_one or port.peer is not None or port.reading.facts.kind.value in _HAVE_NO_CABLE) and port.id not in told
        for port in ports
    )


def _told(address: str, ports: Sequence[FabricPort]) -> Observation:
    first, second = ports
    text = f"{second.id} has the address {address} of {first.id}: packets to it arrive at one of the two, and no setting says at which"
    places = [port.reading.header for port in (second, first)]
    return Observation("conflict", second.id, text, known(True, places[0]), known(address, *places))
