"""Advanced properties by the names and words that drivers show for them (`DisplayName`, `DisplayValue`), and their standard keywords.

Sources: Microsoft, Windows driver kit, standardized INF keywords; NVIDIA, WinOF-2 User Manual; Intel, Ethernet Adapters and
Devices User Guide, advanced settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PAUSES = {"disabled": "0", "tx enabled": "1", "rx enabled": "2", "rx & tx enabled": "3", "auto negotiation": "4"}
_SWITCHED = {"disabled": "0", "enabled": "1"}
_NAMED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "jumbo packet": ("*JumboPacket", {"disabled": "1514"}),
    "flow control": ("*FlowControl", _PAUSES),
    "networkdirect technology": (
        "*NetworkDirectTechnology",
        {"device default": "0", "iwarp": "1", "infiniband": "2", "roce": "3", "rocev1": "3", "rocev2": "4"},
    ),
    "networkdirect functionality": ("*NetworkDirect", _SWITCHED),
    "network direct (rdma)": ("*NetworkDirect", _SWITCHED),
    "quality of service": ("*QOS", _SWITCHED),
}
_BYTES = re.compile(r"([0-9]{3,5})(?: bytes)?")


def keyword_of(name: str) -> str:
    """The standard keyword of a property that drivers show as `name`; "" for the many that concern nothing here."""
    return _NAMED.get(name.strip().lower(), ("", {}))[0]


def value_of(name: str, shown: str) -> str:
    """The value behind the word shown for it; the word itself where no driver is known to show it."""
    words, text = _NAMED[name.strip().lower()][1], shown.strip().lower()
    found = _BYTES.fullmatch(text)
    return words.get(text.replace(" v", "v"), found.group(1) if found is not None else shown.strip())
