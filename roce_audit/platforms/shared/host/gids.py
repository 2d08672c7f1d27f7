"""The GID table of a NIC. Its statements say what sort of address an entry holds, not which: no two NICs share an address,
and what no rule reads would keep NICs apart that differ in nothing else.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from roce_audit.model import Gid
from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host.answers import REFUSED
from roce_audit.text.block import Texts
from roce_audit.text.settings import AgreedSettings
from roce_audit.values import At, Cell, Why, known, unknown

TOOL = "gids"
"""The tool whose statements these are; they stand behind those of all others."""
_NONE, _LINK_LOCAL, _IPV4, _IPV6 = "none", "link-local", "ipv4", "ipv6"
_IN_FULL = lazy(r"[0-9a-fA-F]{4}(?::[0-9a-fA-F]{4}){7}")
PLAIN = r"([0-9a-f]{4}(?::[0-9a-f]{4}){7})"
"""An address as the kernel writes it."""
_MAPPED = "0000:0000:0000:0000:0000:ffff:"
"""How the address of an entry for an address of IPv4 begins (RFC 4291)."""
_FE80 = ("fe8", "fe9", "fea", "feb")
"""How link-local addresses begin: the first ten bits are those of fe80 (RFC 4291)."""
_KINDS = {
    "v1": "roce-v1",
    "v2": "roce-v2",
    "IB/RoCE v1": "roce-v1",
    "RoCE v1": "roce-v1",
    "RoCE v2": "roce-v2",
    "IB": "ib",
}


def address(index: str, text: str) -> str:
    """The statement for the address of an entry; one that is no address stays as it is, and is not understood."""
    try:  # the kernel writes all 32 digits; whatever else is an address is one, too
        digits = text.replace(":", "") if _IN_FULL.fullmatch(text) else f"{int(ipaddress.IPv6Address(text)):032x}"
    except ValueError:
        return f"{index} address {text}"
    is_mapped = digits[:24].lower() == _MAPPED.replace(":", "")
    sort = _LINK_LOCAL if digits[:3].lower() in _FE80 else _IPV4 if is_mapped else _IPV6
    return f"{index} address {sort if digits.strip('0') else _NONE}"


def plain(found: re.Match[str]) -> str:
    """The first address of the same sort, in place of one that stands in full, with its prefix in the first group of what was found."""
    text = found.group(2)
    if text.startswith(_FE80):
        text = "fe80:0000:0000:0000:0000:0000:0000:0001"
    elif text.strip("0:"):
        text = f"{_MAPPED if text.startswith(_MAPPED) else 'fd00:0000:0000:0000:0000:0000:'}0000:0001"
    return f"{found.group(1)}{text}"


def kind(index: str, text: str) -> str:
    """The statement for the type of an entry."""
    return f"{index} kind {text}"


def table(texts: tuple[Texts, ...], offset: int) -> tuple[Cell[Any], list[At]]:
    """The table, and the statements that were not understood, of which one makes the table unknown.

    `offset` is the number of the first of the texts among all parts of the NIC.
    """
    nic = AgreedSettings()
    indices: set[int] = set()
    unread: list[At] = []
    refused: list[At] = []
    for number, text in enumerate(texts):
        for index, statement in enumerate(text.statements):
            at = At(offset + number, index)
            if statement.startswith(REFUSED):
                refused.append(at)
                continue
            try:
                indices.add(_entry(nic, statement, at))
            except ValueError:
                unread.append(at)
    if unread:
        return unknown(Why.NOT_PARSED, *unread), unread
    found = []
    for i in sorted(indices):
        there, *of_entry = (nic.or_unknown(f"{i}.{name}") for name in ("there", "kind", "link_local", "ipv4"))
        if not there.is_absent:
            found.append(Gid(i, *of_entry))
    if refused and not found:
        return unknown(Why.REFUSED, *refused), unread
    places = tuple(At(offset + n, 0) for n, text in enumerate(texts) if text.statements)
    return known(tuple(found), *places), unread


def _entry(nic: AgreedSettings, statement: str, at: At) -> int:
    """The number of the entry that the statement is about; raises ValueError."""
    index, name, value = statement.split(" ", 2)
    number = int(index)
    if not 0 <= number <= 4095:
        raise ValueError(statement)
    if name == "kind":
        if value not in _KINDS:
            raise ValueError(value)
        nic.set(f"{number}.kind", _KINDS[value], at)
    elif value == _NONE:
        nic.set_absent(f"{number}.there", at)
    elif value in (_LINK_LOCAL, _IPV4, _IPV6):
        nic.set(f"{number}.there", True, at)
        nic.set(f"{number}.ipv4", value == _IPV4, at)
        nic.set(f"{number}.link_local", value == _LINK_LOCAL, at)
    else:
        raise ValueError(value)
    return number
