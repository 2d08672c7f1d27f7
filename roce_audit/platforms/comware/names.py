"""Names of interfaces: their types, the short forms of display commands, and ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.platforms.shared.cli.syntax import Interfaces

_KINDS = {
    "GigabitEthernet": "ethernet",
    "Ten-GigabitEthernet": "ethernet",
    "Twenty-FiveGigE": "ethernet",
    "FortyGigE": "ethernet",
    "FiftyGigE": "ethernet",
    "HundredGigE": "ethernet",
    "TwoHundredGigE": "ethernet",
    "FourHundredGigE": "ethernet",
    "EightHundredGigE": "ethernet",
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
_TO = re.compile(r" to (?:[A-Za-z][A-Za-z-]*?(?= ?\d))? ?(?=\d)")
_NEXT = re.compile(r"(?<=\d) (?=[A-Za-z])")
_NAME = re.compile(r" name \S+\Z")


class _Ranges(Interfaces):
    """Ranges are written `HGE1/0/1 to HGE1/0/8 HGE1/0/25`."""

    def expand(self, text: str) -> tuple[str, ...]:
        return super().expand(_NEXT.sub(",", _TO.sub("-", _NAME.sub("", text))))


INTERFACES = _Ranges(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE)


def members_of(header: str) -> Sequence[str]:
    """The interfaces that the header of a stanza names; none for a name of no interface."""
    try:
        return INTERFACES.expand(header.partition(" ")[2].removeprefix("range ").strip())
    except ValueError:
        return ()
