"""Access-list lines, as far as one question goes: does this line catch every RoCEv2 packet (UDP 4791), or none?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.values import At, Cell, Why, unknown

ROCE_UDP_PORT = 4791
_SEQUENCE = lazy(r"^(?:seq )?\d{1,9} ")
_NO_ROCE = lazy(r"^(permit|deny) (tcp|icmp|igmp|ospf|pim|gre|vrrp|ahp|esp|eigrp|sctp)\b")
_ANY_ROCE = lazy(r"^(permit|deny) (any|ip|ipv4|ipv6|udp|17) any any( (log|count))*$")
_EVERYTHING = lazy(r"^permit (?:any|ip|ipv4|ipv6|udp) any any(?: (?:log|count))*$")
_NAMES_ROCE = f" {ROCE_UDP_PORT}"
_ACTIONS = ("permit ", "deny ")
_UDP = ("udp", "17")
_PORT = lazy(r"[0-9]{1,5}|[a-z][a-z0-9-]{0,30}")
"""A port by its number, or a name of another one than RoCE's."""
_OPERATORS = ("eq", "neq", "gt", "lt", "range")
_WITH_NAME = ("host", "addrgroup", "addr-group", "net-group", "object-group")
"""Words of an address that a second one follows."""
_NARROWS_NOTHING = ("log", "count")


def catches_roce(line: str) -> bool | None:
    """True: the line catches all RoCEv2 packets; False: none; None: some, or it cannot be told (addresses, DSCP)."""
    text = _SEQUENCE.sub("", line)
    if text.startswith(("remark", "statistics", "counters", "fragments")) or _NO_ROCE.match(text):
        return False
    return True if _ANY_ROCE.match(text) else _catches_by_port(text.split())


def _catches_by_port(words: Sequence[str]) -> bool | None:
    """The answer for `permit udp SOURCE DESTINATION eq PORT ...`: without RoCE's port it catches none, whatever the addresses are."""
    if len(words) < 2 or words[1] not in _UDP:
        return None
    source = _past_address(words, 2)
    from_ports = source < len(words) and words[source] in _OPERATORS
    to = source
    while from_ports and to < len(words) and not _begins_address(words[to]):
        to += 1
    ports = _past_address(words, to)
    if ports >= len(words) or words[ports] not in _OPERATORS:
        return None
    admits, rest = _admits(words[ports], words[ports + 1 :])
    if admits is not True:
        return admits
    is_any = words[2] == "any" and words[to] == "any" and not from_ports
    return True if is_any and all(word in _NARROWS_NOTHING for word in rest) else None


def _begins_address(word: str) -> bool:
    return word == "any" or word in _WITH_NAME or any(sign in word for sign in ".:/")


def _past_address(words: Sequence[str], index: int) -> int:
    """The index behind the address that begins here: `any`, `host A`, a prefix, or an address and its wildcard."""
    if words[index : index + 1] and words[index] in _WITH_NAME:
        return index + 2
    is_masked = index + 1 < len(words) and "." in words[index] and "/" not in words[index] and "." in words[index + 1]
    return index + 2 if is_masked else index + 1


def _admits(operator: str, words: Sequence[str]) -> tuple[bool | None, Sequence[str]]:
    """Whether these ports hold that of RoCE (None: a name hides a bound), and the words behind them. A port with a name is another one."""
    if not all(map(_PORT.fullmatch, words)):
        return None, ()
    if operator in ("eq", "neq"):
        rest = [word for word in words[1:] if not word.isdecimal()]
        return (str(ROCE_UDP_PORT) in words) == (operator == "eq"), rest
    count = 2 if operator == "range" else 1
    bounds = [int(word) if word.isdecimal() and len(word) <= 5 else None for word in words[:count]]
    if len(bounds) < count or None in bounds:
        return None, ()
    low = bounds[0] or 0
    first, last = {"gt": (low + 1, 65535), "lt": (0, low - 1)}.get(operator, (low, bounds[-1] or 0))
    return first <= ROCE_UDP_PORT <= last, words[count:]


def selects_roce(lines: tuple[str, ...]) -> bool | None:
    """Whether an access list as a whole permits every RoCEv2 packet (True), none (False), or it cannot be told (None)."""
    for line in lines:
        caught = catches_roce(line)
        if caught is None:
            return None
        if caught:
            return _SEQUENCE.sub("", line).startswith("permit")
    return False


def drops_roce(lines: Sequence[str], drops_rest: bool) -> tuple[bool | None, int]:
    """Whether a list that filters drops every RoCEv2 packet (True), some (None), or none for certain, and the line that decides.

    -1 is the end of the list, where `drops_rest` holds. A list that tells packets apart by their addresses is taken for one
    that lets RoCE through, unless it drops RoCE by its port.
    """
    some: int | None = None
    for index, line in enumerate(lines):
        caught, text = catches_roce(line), _without_number(line)
        if caught is False or not text.startswith(_ACTIONS):
            continue
        denies = text.startswith("deny")
        if caught is None and denies:
            some = index if some is None and _NAMES_ROCE in text else some
        elif caught is None or not denies:
            return (False, index) if some is None else (None, some)
        else:
            return True, index
    if drops_rest and any(line.startswith(_ACTIONS) for line in map(_without_number, lines)):
        return True, -1
    return (False, -1) if some is None else (None, some)


def _without_number(line: str) -> str:
    return _SEQUENCE.sub("", line)


def singled_out(lines: tuple[str, ...] | None, undefined: Why, at: At) -> bool | Cell[Any]:
    """Whether the ACL named at `at` permits RoCEv2 by its UDP port, and not as a part of everything; else the doubt."""
    chosen = roce_chosen(lines, undefined, at)
    if chosen is not True:
        return chosen
    return not any(_EVERYTHING.match(_SEQUENCE.sub("", line)) for line in lines or ())


def roce_chosen(lines: tuple[str, ...] | None, undefined: Why, at: At) -> bool | Cell[Any]:
    """Whether the ACL named at `at` selects RoCEv2; `lines` None: nothing defines it, which is the doubt `undefined`."""
    if lines is None:
        return unknown(undefined, at)
    chosen = selects_roce(lines)
    return unknown(Why.NOT_PARSED, at) if chosen is None else chosen
