"""From the words of an LLDP answer to a Neighbour."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Neighbour, PortIdKind
from roce_audit.values import Place

_MAC = lazy(
    r"(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}[.-]){2}[0-9a-f]{4}|[0-9a-f]{12}", re.I
)
_NO_ANSWER = frozenset(
    {"", "-", "--", "n/a", "null", "none", "not advertised", "not received", "not-advertised", "unknown"}
)
_ADDRESS = lazy(r"\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}", re.I)
_PORT = lazy(r"[A-Za-z0-9][A-Za-z0-9_./: -]{0,60}")
_LONGEST = 253


def mac(text: str) -> str:
    """A MAC address as twelve lower-case digits; "" for anything else."""
    return re.sub("[^0-9a-f]", "", text.lower()) if _MAC.fullmatch(text) else ""


def told(text: str) -> str:
    """A value as the far end sent it, without quotes; "" where none was sent, and for what is cut off or no name."""
    plain = text.strip().strip('"').strip()
    is_text = len(plain) <= _LONGEST and plain.isprintable() and not plain.endswith("...")
    return plain if is_text and plain.lower() not in _NO_ANSWER else ""


def neighbour(
    port: str,
    place: Place,
    *,
    system: str = "",
    chassis: str = "",
    port_id: str = "",
    kind: str = "",
    description: str = "",
) -> Neighbour | None:
    """The neighbour as an answer puts it; None where it names nobody.

    `kind` is the subtype of the port id as the answer calls it; without one the form of the id tells.
    """
    port, system, port_id = told(port), told(system), told(port_id)
    chassis = told(chassis)
    address = mac(port_id) if "local" not in kind.lower() else ""
    found: PortIdKind = "name"
    if address:
        port_id, found = address, "mac"
    elif "local" in kind.lower():
        found = "local"
    elif "address" in kind.lower() or kind == "ip" or _ADDRESS.fullmatch(port_id):
        found = "address"
    if _PORT.fullmatch(port) is None or not (system or chassis or address):
        return None
    return Neighbour(port, place, system, mac(chassis) or chassis, port_id, found, told(description))
