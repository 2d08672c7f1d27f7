"""Names of interfaces, and what people call them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.junos.ranges import glob
from roce_audit.platforms.portreading import Labels
from roce_audit.text.statements.rows import Leaf

CHILD = re.compile(r"((?:et|xe|ge)-[0-9]+/[0-9]+/[0-9]+):[0-9]+\Z")
PHYSICAL = re.compile(r"(?:et|xe|ge|mge|fte)-([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})(?::[0-9]{1,2})?\Z")
_BEGINNING = re.compile(r"(?:et|xe|ge)-[0-9]+/[0-9]+/[0-9]+(?::[0-9]+)?|ae[0-9]+")
_GARBLED_WILD = re.compile(r"<([^<>]{1,200})>")
_KINDS = (
    (r"(?:et|xe|ge|mge|fte)-|\*", "ethernet"),
    (r"ae[0-9*]", "lag"),
    (r"(?:em|fxp|me|vme|re[0-9]:mgmt-)", "management"),
    (r"lo[0-9]*\Z", "loopback"),
    (r"irb|vlan", "svi"),
)


def kind(name: str) -> str:
    """The kind of a port by its name."""
    return next((found for pattern, found in _KINDS if re.match(pattern, name)), "other")


def may_be(garbled: str, name: str) -> bool:
    """Whether a garbled name, or a garbled wildcard, may be meant for this interface."""
    found, many = _BEGINNING.match(garbled), _GARBLED_WILD.match(garbled)
    if many is not None:
        return glob(many[1], name)
    return found is not None and found.group() in (name, name.partition(":")[0])


@dataclass
class Called:
    """What is said about one interface besides its settings."""

    description: str = ""
    vlans: set[str] = field(default_factory=set)
    addresses: list[str] = field(default_factory=list)
    routed: bool | None = None
    vrf: str = ""
    lag: str = ""
    untagged: bool = False

    def hear(self, leaf: Leaf) -> None:
        """Take in one leaf of the interface."""
        match leaf.name:
            case "description":
                self.description = str(leaf.value).replace("\u00a0", " ")
            case "ether-options 802.3ad" | "gigether-options 802.3ad":
                self.lag = str(leaf.value)
            case "unit * family ethernet-switching":
                self.routed = False
            case "unit * family ethernet-switching interface-mode":
                self.untagged = leaf.value == "access"
            case "unit * family inet address *" | "unit * family inet6 address *":
                self.routed = True
                self.addresses += [str(key) for key in leaf.keys[1:] if key not in self.addresses]
            case "unit * family ethernet-switching vlan members" | "unit * vlan-id":
                self.vlans.add(str(leaf.value))

    def numbers(self, vlans: Mapping[str, str]) -> frozenset[int]:
        """The numbers of its VLANs; `vlans` gives those of the named ones."""
        found: set[int] = set()
        for name in self.vlans:
            first, _, last = vlans.get(name, name).partition("-")
            if first.isdigit() and int(first) < 4_096:
                found.update(range(int(first), min(int(last), 4_095) + 1) if last.isdigit() else (int(first),))
        return frozenset(found)

    def labels(self, channel: Called | None, names: tuple[str, ...], vlans: Mapping[str, str]) -> Labels:
        """The labels of the port; what it does not say itself is its channel's."""
        behind = channel or Called()
        return Labels(
            description=self.description or behind.description,
            vlans=self.numbers(vlans) | behind.numbers(vlans),
            vrf=self.vrf or behind.vrf,
            routed=self.routed if channel is None else behind.routed,
            lag=self.lag,
            names=names,
            addresses=(*self.addresses, *behind.addresses),
            untagged=self.untagged if channel is None else behind.untagged,
        )


LABELS = frozenset(
    {
        "description",
        "unit * description",
        "unit * family inet address *",
        "unit * family inet6 address *",
        "unit * family ethernet-switching vlan members",
        "unit * vlan-id",
    }
)
"""Leaves of an interface that only name and address it: without them equal ports are equal."""
