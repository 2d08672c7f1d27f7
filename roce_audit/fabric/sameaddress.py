"""One address on two ports of a fabric: packets to it arrive at one of them, and nobody says at which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.subnets import subnets_of
from roce_audit.model import Observation
from roce_audit.values import known

_FEWEST_OTHERS = 4
"""Addresses that one port has, for each that two have: files whose addresses were replaced, or that are of two sites, have fewer."""


def had_twice(data: Iterable[FabricPort], told: Collection[str]) -> Iterator[Observation]:
    """IPv4 addresses that two routed ports or NICs with RoCE have, of devices that are cabled; `told` are ports of whose addresses
    something is told.
    """
    carrying = [port for port in data if port.roce.carries and port.reading.labels.addresses]
    had: dict[tuple[str, str, str], list[FabricPort]] = defaultdict(list)
    for port in carrying:
        if (port.is_nic or port.reading.labels.routed) and not port.reading.labels.lag:
            for address in port.reading.labels.addresses:
                had[port.fabric, port.reading.labels.vrf, address.partition("/")[0]].append(port)
    twice = {key: those for key, ports in had.items() if len(ports) > 1 and len(those := _in_subnets(ports)) > 1}
    if len(twice) * (_FEWEST_OTHERS + 1) > len(had):
        return
    yield from (_told(key[2], ports) for key, ports in twice.items() if _are_two(ports, told))


def _in_subnets(ports: Iterable[FabricPort]) -> list[FabricPort]:
    """Those with an IPv4 address that is not a host's alone."""
    return [port for port in ports if subnets_of(port)]


def _are_two(ports: Sequence[FabricPort], told: Collection[str]) -> bool:
    """Whether two ports that are cabled have it, and nothing is told of either by what is at its other end."""
    return len(ports) == len({port.id for port in ports}) == 2 and all(
        port.peer is not None and port.id not in told for port in ports
    )


def _told(address: str, ports: Sequence[FabricPort]) -> Observation:
    first, second = ports
    text = f"{second.id} has the address {address} of {first.id}: packets to it arrive at one of the two, and no setting says at which"
    places = [port.reading.header for port in (second, first)]
    return Observation("conflict", second.id, text, known(True, places[0]), known(address, *places))
