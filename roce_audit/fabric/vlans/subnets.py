"""Subnets of ports: which addresses a port reaches without a router."""

from __future__ import annotations

import ipaddress

from roce_audit.fabric.port import FabricPort

Subnets = frozenset[tuple[int, int]]
"""(address, bits) of IPv4 subnets: each NIC has its own, and a pair of numbers is a tenth of the library's object."""
_BITS_FOR_TWO = 30
_MORE_BITS = 96
"""By which an address of IPv6 is longer than one of IPv4."""
_OF_THE_LINK = 0xFE80 >> 6
"""The first ten bits of addresses that each link has of its own (RFC 4291, 2.5.6)."""


def subnets_of(port: FabricPort) -> Subnets:
    """The IPv4 subnets of its addresses with room for others; worked out once, for several passes over all ports ask."""
    if port.subnets is None:
        port.subnets = frozenset(
            found for text in port.reading.labels.addresses if (found := _subnet(text)) is not None
        )
    return port.subnets


def subnets6_of(port: FabricPort) -> Subnets:
    """The IPv6 subnets of its addresses with room for others; their bits are counted as those of IPv4 are, from the end."""
    return frozenset(subnet for _, subnet in addresses6_of(port))


def addresses6_of(port: FabricPort) -> list[tuple[int, tuple[int, int]]]:
    """(address, its subnet) of its IPv6 addresses, without those that each link has."""
    texts = [text for text in port.reading.labels.addresses if ":" in text]
    return [found for text in texts if (found := _address6(text)) is not None]


def are_for_two(subnets: Subnets) -> bool:
    """Whether none of them has room for more than the two ends of a cable."""
    return all(bits >= _BITS_FOR_TWO for _, bits in subnets)


def _subnet(text: str) -> tuple[int, int] | None:
    """The subnet of `192.0.2.1/24`; None where it is none of IPv4, or a host's alone."""
    address, _, length = text.partition("/")
    if ":" in address:
        return None
    from socket import AF_INET, inet_pton  # where hosts are read alone

    try:
        if not (length.isascii() and length.isdigit()):
            interface = ipaddress.IPv4Interface(text)
            number, bits = int(interface), interface.network.prefixlen
        else:
            number, bits = int.from_bytes(inet_pton(AF_INET, address)), int(length)
    except (ValueError, OSError):
        return None
    return (number >> (32 - bits) << (32 - bits), bits) if bits < 32 else None


def _address6(text: str) -> tuple[int, tuple[int, int]] | None:
    from socket import AF_INET6, inet_pton  # where addresses of IPv6 are read alone

    address, _, length = text.partition("/")
    try:
        number, bits = int.from_bytes(inet_pton(AF_INET6, address)), int(length)
    except (ValueError, OSError):
        return None
    if number >> 118 == _OF_THE_LINK or not 0 < bits < 128:
        return None
    return number, (number >> (128 - bits) << (128 - bits), bits - _MORE_BITS)
