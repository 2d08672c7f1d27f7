"""How IOS XR names interfaces: type, then rack/slot/bay/port, and one number more for each lane of a port that is split."""

from __future__ import annotations

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.syntax import Interfaces

GBPS = {
    "FastEthernet": 0,
    "GigabitEthernet": 1,
    "TenGigE": 10,
    "TwentyFiveGigE": 25,
    "FortyGigE": 40,
    "FiftyGigE": 50,
    "HundredGigE": 100,
    "TwoHundredGigE": 200,
    "FourHundredGigE": 400,
    "EightHundredGigE": 800,
}
"""Type -> the speed that it names, Gbit/s; 0 for none."""
_KINDS = dict.fromkeys(GBPS, "ethernet") | {
    "Bundle-Ether": "lag",
    "MgmtEth": "management",
    "MgmtEthRPCPU": "management",
    "MgmtEthRSPCPU": "management",
    "Loopback": "loopback",
    "BVI": "svi",
    "nve": "tunnel",
    "Null": "other",
}
_SHORT = {
    "fa": "FastEthernet",
    "gi": "GigabitEthernet",
    "gige": "GigabitEthernet",
    "te": "TenGigE",
    "ten": "TenGigE",
    "tf": "TwentyFiveGigE",
    "fo": "FortyGigE",
    "fi": "FiftyGigE",
    "hu": "HundredGigE",
    "th": "TwoHundredGigE",
    "fh": "FourHundredGigE",
    "eh": "EightHundredGigE",
    "be": "Bundle-Ether",
    "mg": "MgmtEth",
    "lo": "Loopback",
    "nu": "Null",
}
_ASIDE = (
    *("loopback", "null", "tunnel", "bvi", "nve", "mgmteth", "pw-", "sat", "ptp", "gcc", "serial", "pos", "multilink"),
    *(
        "service",
        "lisp",
        "cem",
        "sonet",
        "bundle-pos",
        "dti",
        "odu",
        "otu",
        "cpri",
        "vasi",
        "interflex",
        "preconfigure",
    ),
)
_MANAGEMENT = lazy(r"(?:MgmtEth|Mg)\d{1,3}/RS?P\d/CPU\d/\d")
_L2 = " l2transport"


class _Names(Interfaces):
    """Those of management ports hold letters, and a header may say behind the name that the interface switches."""

    __slots__ = ()

    def expand(self, text: str) -> tuple[str, ...]:
        given = text.removesuffix(_L2)
        if _MANAGEMENT.fullmatch(given):
            return (given.replace("MgmtEth", "Mg", 1).replace("Mg", "MgmtEth", 1),)
        return super().expand(given)


INTERFACES = _Names(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE)


def type_of(name: str) -> str:
    """The type of an interface by its name in full."""
    return name.rstrip("0123456789/.")


def slot_of(name: str) -> str:
    """Rack and slot of the card on which a port is; "" for what is on none."""
    numbers = name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-").split("/")
    return "/".join(numbers[:2]) if len(numbers) > 3 else ""
