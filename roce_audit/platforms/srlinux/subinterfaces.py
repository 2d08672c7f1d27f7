"""Subinterfaces: where IP packets and VLANs are, and where classifiers and rewrite policies are attached."""

from __future__ import annotations

from roce_audit.platforms.srlinux.builder import Builder
from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class Subinterface:
    """A subinterface that is not disabled.

    `has_ipv4`, `has_ipv6`: it has an address of its own; `names_ipv6`: something is said of its IPv6.
    """

    index: str
    routed: bool
    tagged: bool
    has_ipv4: bool
    has_ipv6: bool
    names_ipv6: bool
    ipv6_alone: bool
    """It names IPv6, and IPv4 not at all."""


def subinterfaces(builder: Builder) -> list[Subinterface]:
    """The subinterfaces of the port, or of the LAG that it is a member of."""
    given = builder.logical
    found: list[Subinterface] = []
    for index in dict.fromkeys(str(leaf.keys[0]) for leaf, _ in given.all("subinterface *")):
        state = given.last("subinterface * admin-state", index)
        kind = given.last("subinterface * type", index)
        if state is None or state[0] is True:
            tag = given.last("subinterface * vlan encap single-tagged", index)
            has_ipv6 = given.last("subinterface * ipv6 address", index) is not None
            has_ipv4 = given.last("subinterface * ipv4 address", index) is not None
            names_ipv6 = has_ipv6 or given.last("subinterface * ipv6", index) is not None
            alone = names_ipv6 and not has_ipv4 and given.last("subinterface * ipv4", index) is None
            routed = kind is None or kind[0] is True
            found.append(Subinterface(index, routed, tag is not None, has_ipv4, has_ipv6, names_ipv6, alone))
    return found
