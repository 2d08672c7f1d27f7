"""Systems that no platform here reads, known by name: what a user is told instead of "text"."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy

_HEAD = 4_000
MODULES = frozenset(
    [
        "aireos",
        "apconos",
        "aruba",
        "asa",
        "cnos",
        "edgeos",
        "edgeswitch",
        "enos",
        "exos",
        "icx",
        "ios",
        "ironware",
        "nos",
        "slxos",
        "sros",
        "voss",
        "vyos",
    ]
)
"""What Ansible's modules for such systems begin with (`ios_config`)."""
_RELEASES = (
    (
        "Ruijie RGOS",
        ("RGOS ",),
        r"^(?:! ?)?(?:version |[Ss]ystem [Ss]oftware [Vv]ersion *: *|Ruijie OS Software, Version )(?:\w{1,20}_)?RGOS \d",
    ),
    (
        "FSOS",
        ("Fiberstore Co., ", "by FS.COM"),
        r"^! (?:Fiberstore Co\., |Copyright \(c\) \d{4} by FS\.COM)",
    ),
    ("VyOS", ("ethernet eth",), r"^(?:set interfaces ethernet eth\d{1,3} |[ \t]{1,8}ethernet eth\d{1,3} \{$)"),
    ("Cisco VIRL", ("/VIRL",), r'^<topology xmlns="http://[^"\s]{1,40}/VIRL"'),
    (
        "Ruckus FastIron",
        ("ver 0", " port-name "),
        r"^(?:ver \d\d\.\d\.\d\d\w{0,4}T\d{3}$|interface ethernet \d{1,3}(?:/\d{1,3}){1,2}\n port-name \S)",
    ),
    ("Extreme VOSS", ("# box type ",), r"^# box type {1,20}: \S"),
    ("Cisco IOS", ("version 1",), r"^version 1\d\.\d{1,2}[ \t]*$"),
)
"""Lines in which a system names itself: such a text is of no other system, whatever else its statements look like.
Looked for only where one of the words stands: every answer in a bundle is asked."""
_BY_WORD = [(word, name, lazy(pattern, re.M)) for name, words, pattern in _RELEASES for word in words]
_SYNTAX = {
    name: lazy(pattern, re.M)
    for name, pattern in {
        "EXOS": r"^(?:configure (?:vlan|qosprofile|dot1p|jumbo-frame-size|lldp port) |# Module \w+ configuration"
        r"|(?:enable|disable) flow-control (?:tx-pause priority|rx-pause qosprofile) )",
        "Extreme NetIron": r"^lag \"[^\"\n]{1,64}\" (?:dynamic|static) id \d",
        "FortiOS": r"^config (?:system|firewall|router) \w",
        "Cisco IOS": r"^(?:Building configuration\.\.\."
        r"|interface (?:Fast|Gigabit|TenGigabit|FortyGigabit|TwentyFiveGigE|HundredGigE)(?:Ethernet)?\d)",
    }.items()
}
"""Statements that give a syntax away. Asked only where no platform recognised the text."""


def release_of(text: str) -> str:
    """The system that names itself in a text; empty where none does."""
    head = text[:_HEAD]
    for word, name, pattern in _BY_WORD:
        if word in head and pattern.search(head):
            return name
    return ""


def syntax_of(text: str) -> str:
    """The system whose syntax a text seems to be; empty where none does."""
    found = (name for name, pattern in _SYNTAX.items() if pattern.search(text[:_HEAD]))
    return release_of(text) or next(found, "")
