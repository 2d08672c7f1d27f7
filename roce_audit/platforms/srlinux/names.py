"""Names of interfaces, and what people call them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from roce_audit.platforms.portreading import Labels
from roce_audit.text.names import vlan_numbers
from roce_audit.text.statements.rows import Leaf

CHILD = re.compile(r"(ethernet-[0-9]+/[0-9]+)/[0-9]+\Z")
_KINDS = (
    ("ethernet-", "ethernet"),
    ("lag", "lag"),
    ("mgmt", "management"),
    ("lo", "loopback"),
    ("system", "loopback"),
    ("irb", "svi"),
)


def kind(name: str) -> str:
    """The kind of a port by its name."""
    return next((found for prefix, found in _KINDS if name.startswith(prefix)), "other")


@dataclass
class Called:
    """What is said about one interface besides its settings."""

    description: str = ""
    vlans: set[int] = field(default_factory=set)
    addresses: list[str] = field(default_factory=list)
    routed: bool | None = None
    vrf: str = ""
    lag: str = ""

    def hear(self, leaf: Leaf) -> None:
        """Take in one leaf of the interface."""
        match leaf.name:
            case "description":
                self.description = str(leaf.value).replace("\u00a0", " ")
            case "ethernet aggregate-id":
                self.lag = str(leaf.value)
            case "subinterface * type":
                self.routed = leaf.value is True
            case "subinterface * ipv4" | "subinterface * ipv6":
                self.routed = True
            case "subinterface * ipv4 address *" | "subinterface * ipv6 address *":
                self.addresses += [str(key) for key in leaf.keys[1:] if key not in self.addresses]
            case "subinterface * vlan encap single-tagged vlan-id":
                self.vlans |= vlan_numbers(str(leaf.value))

    def labels(self, channel: Called | None, names: tuple[str, ...]) -> Labels:
        """The labels of the port; what it does not say itself is its channel's."""
        behind = channel or Called()
        return Labels(
            description=self.description or behind.description,
            vlans=frozenset(self.vlans | behind.vlans),
            vrf=self.vrf or behind.vrf,
            routed=self.routed if channel is None else behind.routed,
            lag=self.lag,
            names=names,
            addresses=(*self.addresses, *behind.addresses),
        )
