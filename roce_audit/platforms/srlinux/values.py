"""Values of SR Linux leaves, as their YANG types allow them."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.leaves import number, word
from roce_audit.platforms.shared.numbers import PER_HOP_BEHAVIOURS

_NUMBER = re.compile(r"[0-9]{1,20}\Z")
_NAME = re.compile(r"[^\s\x00-\x1f]{1,255}\Z")
_INTERFACE = re.compile(
    r"(?:ethernet-[0-9]{1,2}/[a-z]?[0-9]{1,3}(?:/[0-9]{1,2}){0,2}|(?:lag|irb|lo|mgmt|system|sync)[0-9]{1,4}(?:-standby)?"
    r"|(?!ethernet|lag|irb)[a-z][A-Za-z0-9/_-]{0,60})(?:\.[0-9]{1,4})?\Z"
)
_SPEED = re.compile(r"([0-9]{1,4})([MGT])\Z")
_MODULE = re.compile(r"srl_nokia-[a-z0-9-]+:")
_UNIT = {"M": 10**6, "G": 10**9, "T": 10**12}
_DSCP_NAMES = {**PER_HOP_BEHAVIOURS, "be": 0, "le": 1, "voice-admit": 44}


boolean = word({"true": True, "false": False})
state = word({"enable": True, "disable": False})
_index = number(0, 9999)


def name(text: str) -> str:
    """A name."""
    if _NAME.match(text) is None:
        raise ValueError(f"not a name: {text}")
    return text


def interface(text: str) -> str:
    """The name of an interface: ethernet-1/1, ethernet-1/3/1, lag1, mgmt0, irb0."""
    if _INTERFACE.match(text) is None:
        raise ValueError(f"not an interface: {text}")
    return text


def dscp(text: str) -> int:
    """A code point, as a number or by its name (AF31)."""
    found = _DSCP_NAMES.get(text.lower())
    if found is None:
        if _NUMBER.match(text) is None or not 0 <= int(text) <= 63:
            raise ValueError(f"not a code point: {text}")
        found = int(text)
    return found


def speed(text: str) -> int:
    """The bit/s of `400G`."""
    found = _SPEED.match(text)
    if found is None:
        raise ValueError(f"not a speed: {text}")
    return int(found[1]) * _UNIT[found[2]]


def index(text: str) -> str:
    """The index of a subinterface, as it is written."""
    _index(text)
    return text


def unsupported(text: str) -> object:
    """No value of this leaf is understood."""
    raise ValueError("not read")


def plain(text: str) -> str:
    """A word without the name of its module: `srl_nokia-interfaces:bridged` is `bridged`."""
    return _MODULE.sub("", text, count=1) if text.startswith("srl_nokia-") else text
