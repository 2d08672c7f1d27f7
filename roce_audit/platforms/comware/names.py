"""Names of interfaces: their types, the short forms of display commands, and ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.platforms.shared.cli.syntax import Interfaces

_GBPS = {
    "GigabitEthernet": 1,
    "Ten-GigabitEthernet": 10,
    "Twenty-FiveGigE": 25,
    "FortyGigE": 40,
    "FiftyGigE": 50,
    "HundredGigE": 100,
    "TwoHundredGigE": 200,
    "FourHundredGigE": 400,
    "EightHundredGigE": 800,
}
_KINDS = {
    **dict.fromkeys(_GBPS, "ethernet"),
    "Bridge-Aggregation": "lag",
    "Route-Aggregation": "lag",
    "M-GigabitEthernet": "management",
    "M-Ethernet": "management",
    "Vlan-interface": "svi",
    "Vsi-interface": "svi",
    "LoopBack": "loopback",
    "Tunnel": "tunnel",
    "NULL": "other",
}
_SHORT = {
    "ge": "GigabitEthernet",
    "xge": "Ten-GigabitEthernet",
    "wge": "Twenty-FiveGigE",
    "fge": "FortyGigE",
    "hge": "HundredGigE",
    "bagg": "Bridge-Aggregation",
    "ragg": "Route-Aggregation",
}
_ASIDE = (
    "async",
    "aux",
    "blade-aggregation",
    "cellular",
    "dialer",
    "eth-channel",
    "ethernet",
    "fc",
    "inloopback",
    "loopback",
    "m-",
    "mp-group",
    "null",
    "register-tunnel",
    "s-channel",
    "san-aggregation",
    "serial",
    "tunnel",
    "vfc",
    "virtual-",
    "vlan-interface",
    "vsi-interface",
)
_NUMBER = "0123456789/:"
_TO = re.compile(r" to (?:[A-Za-z][A-Za-z-]*?(?= ?\d))? ?(?=\d)")
_NEXT = re.compile(r"(?<=\d) (?=[A-Za-z])")
_NAME = re.compile(r" name \S+\Z")


class _Ranges(Interfaces):
    """Ranges are written `HGE1/0/1 to HGE1/0/8 HGE1/0/25`."""

    def expand(self, text: str) -> tuple[str, ...]:
        return super().expand(_NEXT.sub(",", _TO.sub("-", _NAME.sub("", text))))


INTERFACES = _Ranges(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE)


def rate_of(given: str) -> str:
    """Mbit/s of the interfaces that a header names, by their type; "" where it says nothing, or they are of several."""
    names = (given,) if given.rstrip(_NUMBER) in _GBPS else members_of(f"interface {given}")
    rates = {_GBPS.get(name.rstrip(_NUMBER)) for name in names}
    gbps = rates.pop() if len(rates) == 1 else None
    return f"{gbps}000" if gbps else ""


def members_of(header: str) -> Sequence[str]:
    """The interfaces that the header of a stanza names; none for a name of no interface."""
    try:
        return INTERFACES.expand(header.partition(" ")[2].removeprefix("range ").strip())
    except ValueError:
        return ()
