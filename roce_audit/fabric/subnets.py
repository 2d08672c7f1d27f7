"""IPv4 subnets of ports: which addresses a port reaches without a router."""

from __future__ import annotations

import ipaddress

from roce_audit.fabric.port import FabricPort

Subnets = frozenset[tuple[int, int]]
"""(address, bits) of IPv4 subnets: each NIC has its own, and a pair of numbers is a tenth of the library's object."""
_BITS_FOR_TWO = 30


def subnets_of(port: FabricPort) -> Subnets:
    """The IPv4 subnets of its addresses with room for others; worked out once, for several passes over all ports ask."""
    if port.subnets is None:
        port.subnets = frozenset(
            found for text in port.reading.labels.addresses if (found := _subnet(text)) is not None
        )
    return port.subnets


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
