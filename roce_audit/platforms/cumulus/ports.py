"""Ports of one switch: their statements by document, and what people call them."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from roce_audit.platforms.cumulus.statements import Entry
from roce_audit.platforms.portreading import Labels
from roce_audit.text.names import vlan_numbers
from roce_audit.values import Place

_KINDS = (
    (re.compile(r"eth\d+\Z"), "management"),
    (re.compile(r"lo\Z"), "loopback"),
    (re.compile(r"(vlan\d+|vrr\d+)"), "svi"),
    (re.compile(r"(vxlan|vni)"), "tunnel"),
    (re.compile(r"[^.]+\.\d+\Z"), "subinterface"),
    (re.compile(r"swp\d"), "ethernet"),
    (re.compile(r"(bond\d|peerlink\Z)"), "lag"),
)
_TYPES = {
    "swp": "ethernet",
    "bond": "lag",
    "peerlink": "lag",
    "svi": "svi",
    "loopback": "loopback",
    "sub": "subinterface",
    "eth": "management",
    "vxlan": "tunnel",
}
_FAR = 1_024
_SPLITS = re.compile(r"[248]x|disabled\Z")
"""A port that is split, or switched off because its neighbour is, is none (Cumulus Linux User Guide, Switch Port Attributes,
Breakout Ports); `1x` leaves it as it is."""


@dataclass
class Port:
    """One interface, gathered."""

    name: str
    header: Place
    entries: dict[str, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    """Document -> statements."""
    labels: list[tuple[str, ...]] = field(default_factory=list)
    members: dict[str, None] = field(default_factory=dict)
    """Members of the bond."""
    implied: bool = False
    """Known by its bond alone."""
    breakout: str = ""
    """Into what it is broken out, as the last statement says."""


_TAGGED = frozenset({"vlan", "vids"})
"""Of a bridge, what takes packets with tags; a port with `access` alone takes those without."""


def kind_of(port: Port, names: dict[str, Port]) -> str:
    """What sort of port it is, by its type, else by its name."""
    if f"{port.name}s0" in names or f"{port.name}s1" in names:
        return "breakout-parent"
    if _SPLITS.match(port.breakout):
        return "other" if port.breakout == "disabled" else "breakout-parent"
    if port.members:
        return "lag"
    for words in port.labels:
        if words[0] == "type" and words[-1] in _TYPES:
            return _TYPES[words[-1]]
    return next((kind for pattern, kind in _KINDS if pattern.match(port.name)), "other")


def labels_of(port: Port, channel: Port | None, bound: tuple[str, ...], has_tags: bool = False) -> Labels:
    """What people call the port; what a member of a bond does not say, its bond says. `has_tags`: subinterfaces take tagged packets."""
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = None
    memberships: set[str] = set()
    lag = channel.name if channel is not None else ""
    for words in (*(channel.labels if channel is not None else ()), *port.labels):
        last = words[-1]
        if words[0] == "description":
            description = last.replace("_", " ")
        elif words[:2] == ("ip", "vrf") or words[0] == "vrf":
            vrf = last
        elif words[0] in ("ip", "ipv4", "ipv6") and words[1:2] == ("address",):
            routed = True
            addresses.append(last)
        elif words[0] == "bridge" and "member" not in words:
            routed = False
            memberships.add(words[-2])
            if words[-2] in ("access", "vlan", "untagged", "vids"):
                vlans |= vlan_numbers(last[:_FAR])
    return Labels(
        description=description,
        vlans=frozenset(vlans),
        vrf=vrf,
        routed=routed,
        lag=lag,
        peer_link="peerlink" in (port.name.partition(".")[0], lag),
        names=bound,
        addresses=tuple(addresses),
        untagged=not has_tags
        and (bool(routed and addresses) or ("access" in memberships and not memberships & _TAGGED)),
    )
