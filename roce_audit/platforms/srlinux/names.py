"""Names of interfaces, and what people call them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from roce_audit.platforms.base import Labels
from roce_audit.text.names import vlan_numbers

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

    def hear(self, text: str) -> None:
        """Take in one statement of the interface."""
        words = text.split(" ")
        if words[0] == "description":
            self.description = " ".join(words[1:]).replace("\u00a0", " ")
        elif words[:2] == ["ethernet", "aggregate-id"] and len(words) == 3:
            self.lag = words[2]
        elif words[0] != "subinterface" or len(words) < 3:
            return
        elif words[2] == "type" and len(words) == 4:
            self.routed = words[3] == "routed"
        elif words[2] in ("ipv4", "ipv6"):
            self.routed = True
            if words[3:4] == ["address"] and len(words) > 4 and words[4] not in self.addresses:
                self.addresses.append(words[4])
        elif words[2:5] == ["vlan", "encap", "single-tagged"] and len(words) > 6:
            self.vlans |= vlan_numbers(words[6])

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
