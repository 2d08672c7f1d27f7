"""Access-list lines, as far as one question goes: does this line catch every RoCEv2 packet (UDP 4791), or none?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.values import At, Cell, Why, unknown

ROCE_UDP_PORT = 4791
_SEQUENCE = lazy(r"^(?:seq )?\d{1,9} ")
_NO_ROCE = lazy(r"^(permit|deny) (tcp|icmp|igmp|ospf|pim|gre|vrrp|ahp|esp|eigrp|sctp)\b")
_ANY_ROCE = lazy(
    r"^(permit|deny) (udp any any (eq|range) (\d{1,5})( (\d{1,5}))?|(any|ip|ipv4|ipv6|udp) any any)( (log|count))*$"
)
_EVERYTHING = lazy(r"^permit (?:any|ip|ipv4|ipv6|udp) any any(?: (?:log|count))*$")
_NAMES_ROCE = f" {ROCE_UDP_PORT}"
_ACTIONS = ("permit ", "deny ")


def catches_roce(line: str) -> bool | None:
    """True: the line catches all RoCEv2 packets; False: none; None: some, or it cannot be told (addresses, DSCP)."""
    text = _SEQUENCE.sub("", line)
    if text.startswith(("remark", "statistics", "counters", "fragments")) or _NO_ROCE.match(text):
        return False
    found = _ANY_ROCE.match(text)
    if found is None:
        return None
    if found.group(4) is None:
        return True
    low = int(found.group(4))
    high = int(found.group(6)) if found.group(3) == "range" and found.group(6) else low
    return low <= ROCE_UDP_PORT <= high


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
