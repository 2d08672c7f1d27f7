"""Subinterfaces: where IP packets and VLANs are, and where classifiers and rewrite policies are attached."""

from __future__ import annotations

from dataclasses import dataclass

from roce_audit.platforms.srlinux.fold import Fold


@dataclass(frozen=True, slots=True)
class Subinterface:
    """A subinterface that is not disabled. `has_ipv4`, `has_ipv6`: it has an address of its own."""

    index: str
    routed: bool
    tagged: bool
    has_ipv4: bool
    has_ipv6: bool


def subinterfaces(fold: Fold) -> list[Subinterface]:
    """The subinterfaces of the port, or of the LAG that it is a member of."""
    said = fold.logical.said
    found: list[Subinterface] = []
    for index in dict.fromkeys(s.keys[0] for s, _ in said if s.leaf.startswith("subinterface *") and s.keys):
        state = fold.logical.last("subinterface * admin-state", index)
        kind = fold.logical.last("subinterface * type", index)
        if state is None or state[0] is True:
            tag = fold.logical.last("subinterface * vlan encap single-tagged vlan-id", index)
            has_ipv6 = fold.logical.last("subinterface * ipv6 address *", index) is not None
            has_ipv4 = fold.logical.last("subinterface * ipv4 address *", index) is not None
            found.append(Subinterface(index, kind is None or kind[0] is True, tag is not None, has_ipv4, has_ipv6))
    return found
