"""Values of Junos statements: code points, names of interfaces, rates, fractions of a buffer."""

from __future__ import annotations

import re
from collections.abc import Mapping

from roce_audit.platforms.shared.leaves import word
from roce_audit.platforms.shared.numbers import PER_HOP_BEHAVIOURS

_NAME = re.compile(r"[^\s\x00-\x1f;{}]{1,255}\Z")
_ALIAS = re.compile(r"[A-Za-z][\w.-]{0,63}\Z")
_INTERFACE = re.compile(
    r"(?:(?:et|xe|ge|fe|mge|fte)-[0-9]{1,3}/[0-9]{1,3}/[0-9]{1,3}(?::[0-9]{1,2})?"
    r"|(?:ae|irb|lo|em|fxp|me|vme|reth|st|gr|ip|vtep|jsrv|fab|swfab|re[0-9]:mgmt-|pfe|vlan|bme|dsc|esi|l2alm|mtun|pime|tap)-?[0-9/:]*"
    r"|(?!et|xe|ge|ae)[a-z][a-z0-9]{0,15}(?:-[0-9/:]{1,15})?)\Z"
)
_RATE = re.compile(r"([0-9]{1,15})([kmgKMG]?)\Z")
_SPEED = re.compile(r"([0-9]{1,4})([mgMG])\Z")
_SHOWN_SPEED = re.compile(r"([0-9]{1,6})([kmgKMG])bps\Z")
_POWER = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_LOCAL = {"be": 0, "nc1": 48, "nc2": 56}
DSCP_ALIASES = {**PER_HOP_BEHAVIOURS, **_LOCAL}
"""Names of code points that need no definition."""
TAG_ALIASES = {"be": 0, "be1": 1, "ef": 2, "ef1": 3, "af11": 4, "af12": 5, "nc1": 6, "nc2": 7}
"""Names of 802.1p code points that need no definition."""
_ALIASES = {"dscp": DSCP_ALIASES, "ieee-802.1": TAG_ALIASES}
IN_BITS = re.compile(r"[01]{3}(?:[01]{3})?\Z")
BETWEEN = "between"
"""Served before queues of lower priority and beside those of its own: neither by weight alone nor strictly."""
PRIORITIES = word(
    {
        "low": "weighted",
        **dict.fromkeys(("medium-low", "medium-high", "high"), BETWEEN),
        **dict.fromkeys(("strict-high", "low-latency"), "strict"),
    }
)
"""Of schedulers (Junos CLI Reference, priority (Schedulers))."""


def name(text: str) -> str:
    """A name."""
    if _NAME.match(text) is None:
        raise ValueError(f"not a name: {text}")
    return text


def identifier(text: str) -> str:
    """The name of a class, a profile, a map: letters, digits and what joins them."""
    if re.match(r"[A-Za-z0-9_][\w.:/-]{0,126}\Z", text) is None:
        raise ValueError(f"not an identifier: {text}")
    return text


def interface(text: str) -> str:
    """The name of an interface: et-0/0/1, et-0/0/32:0, ae0, irb."""
    if _INTERFACE.match(text) is None:
        raise ValueError(f"not an interface: {text}")
    return text


def port(text: str) -> str:
    """An interface, or a unit of one, for which a protocol is spoken; `all` stands for every one."""
    if text != "all":
        interface(text.partition(".")[0])
    return text


def code_point(text: str) -> str:
    """A code point as it is written: bits, or an alias."""
    if re.match(r"[01]{3}\Z|[01]{6}\Z", text) is None and _ALIAS.match(text) is None:
        raise ValueError(f"not a code point: {text}")
    return text


def of_code_point(text: str, kind: str, own: Mapping[str, str]) -> int | None:
    """What a code point of a kind (dscp, ieee-802.1, ...) comes to, by its bits, by an alias of `own`, or by a usual one that no alias of
    `own` puts aside; None where it is none of them."""
    bits = 6 if kind == "dscp" else 3
    written = text if IN_BITS.match(text) is not None else own.get(text, text)
    if IN_BITS.match(written) is not None:
        return int(written, 2) if len(written) == bits else None
    return None if text in own else _ALIASES.get(kind, {}).get(text)


def dscp(text: str) -> int:
    """A code point of 6 bits."""
    return _bits(text, 6)


def priority(text: str) -> int:
    """A code point of 3 bits."""
    return _bits(text, 3)


def _bits(text: str, count: int) -> int:
    if re.match(rf"[01]{{{count}}}\Z", text) is None:
        raise ValueError(f"not {count} bits: {text}")
    return int(text, 2)


def rate(text: str) -> int:
    """Bit/s: `16g`."""
    found = _RATE.match(text)
    if found is None:
        raise ValueError(f"not a rate: {text}")
    return int(found[1]) * _POWER[found[2].lower()]


def speed(text: str) -> int | None:
    """The bit/s of `400g`; None for `auto`."""
    if text in ("auto", "auto-10m-100m"):
        return None
    found = _SPEED.match(text)
    if found is None:
        raise ValueError(f"not a speed: {text}")
    return int(found[1]) * _POWER[found[2].lower()]


def shown_speed(text: str) -> int:
    """The bit/s of `400Gbps`, as `show interfaces` prints it."""
    found = _SHOWN_SPEED.match(text)
    if found is None:
        raise ValueError(f"not a speed: {text}")
    return int(found[1]) * _POWER[found[2].lower()]


def unit(text: str) -> str:
    """The number of a logical interface, or `*`."""
    if re.match(r"(?:[0-9]{1,10}|\*)\Z", text) is None:
        raise ValueError(f"not a unit: {text}")
    return text
