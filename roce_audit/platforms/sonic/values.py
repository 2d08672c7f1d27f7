"""Values of CONFIG_DB fields: from JSON to one canonical text, and from that text to what it means."""

from __future__ import annotations

import json
import re

from roce_audit.platforms.shared.leaves import Reader
from roce_audit.text.block import CONTEXT

EMPTY = '""'
"""How a text without characters is written."""
_LONGEST = 1_000
_CONTROLS = re.compile(f"[\\t\\n{CONTEXT}]")
_SIGNED = re.compile(r"-?[0-9]{1,3}\Z")
_PRIORITIES = re.compile(r"[0-7](?:,[0-7])*\Z")
_CABLE = re.compile(r"([0-9]{1,7})m\Z")
_HASH_FIELD = re.compile(
    r"(?:INNER_)?(?:(?:DST|SRC)_(?:MAC|IP)|L4_(?:DST|SRC)_PORT|ETHERTYPE|IP_PROTOCOL|IPV6_FLOW_LABEL)\Z|IN_PORT\Z"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@:+-]{0,127}\Z")
_OLD_REFERENCE = re.compile(r"\[([A-Z0-9_]{1,64})\|([A-Za-z0-9][A-Za-z0-9_.@:+-]{0,127})\]\Z")
_RANGE = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?\Z")


def canonical(value: object) -> str:
    """One text for a field's value: a number and the string of it are equal, a list is joined by commas.

    A value that no field can have (an object, null, a fraction) becomes a text that starts with `?`: no reader takes it.
    """
    if isinstance(value, list) and all(isinstance(v, (str, int)) and not isinstance(v, bool) for v in value):
        value = ",".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value) if isinstance(value, (str, int)) else "?" + json.dumps(value)
    if text[:1] == " " and text.lstrip(" ").isdecimal():
        text = text.lstrip(" ")  # strtoull and its like pass over blanks before a number
    if len(text) > _LONGEST or text == EMPTY:
        text = "?" + text[:_LONGEST]
    return _CONTROLS.sub(" ", text) or EMPTY


def signed(least: int, most: int) -> Reader:
    """A whole number in this range, which may be negative."""

    def read(text: str) -> int:
        if _SIGNED.match(text) is None or not least <= int(text) <= most:
            raise ValueError(f"not a number from {least} to {most}: {text}")
        return int(text)

    return read


def reference(table: str) -> Reader:
    """The name of an object of `table`: plain (`AZURE`) or old (`[DSCP_TO_TC_MAP|AZURE]`); empty text unbinds."""

    def read(text: str) -> str:
        if text in (EMPTY, "[]"):
            return ""
        old = _OLD_REFERENCE.match(text)
        if old is not None and old.group(1) == table:
            return old.group(2)
        if _NAME.match(text) is None:
            raise ValueError(f"not a name: {text}")
        return text

    return read


def priorities(text: str) -> frozenset[int]:
    """The priorities of `3,4`; an empty text is none."""
    if text == EMPTY:
        return frozenset()
    if _PRIORITIES.match(text) is None:
        raise ValueError(f"not a list of priorities: {text}")
    return frozenset(map(int, text.split(",")))


def cable(text: str) -> int | None:
    """The metres of `40m`; None for `None`."""
    if text == "None":
        return None
    found = _CABLE.match(text)
    if found is None:
        raise ValueError(f"not a cable length: {text}")
    return int(found.group(1))


def hashed(text: str) -> bool:
    """Whether the source port of UDP is among the fields of a hash (sonic-hash.yang, hash-field)."""
    fields = text.split(",")
    if not all(_HASH_FIELD.match(field) for field in fields):
        raise ValueError(f"not a list of fields: {text}")
    return "L4_SRC_PORT" in fields


def plain(text: str) -> str:
    """A name without blanks or signs that no name has."""
    if _NAME.match(text) is None:
        raise ValueError(f"not a name: {text}")
    return text


def numbers(text: str) -> tuple[int, ...]:
    """The queues or groups of `3` or `3-4`; raises ValueError for anything else."""
    found = _RANGE.match(text)
    if found is None:
        raise ValueError(f"not a number or range: {text}")
    low, high = int(found.group(1)), int(found.group(2) or found.group(1))
    if not low <= high < 64:
        raise ValueError(f"not a range: {text}")
    return tuple(range(low, high + 1))
