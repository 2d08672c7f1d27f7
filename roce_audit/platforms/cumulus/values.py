"""Values and names as Cumulus Linux writes them: numbers, words, speeds, lists and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

MOST_NAMES = 4_096
_LONGEST = 12 * MOST_NAMES
"""Characters of a word; a list of that many names fits."""
_SPAN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?\Z")
_SPEED = re.compile(r"([0-9]{1,7})([GM]?)\Z")
_SCALE = {"G": 10**9, "M": 10**6, "": 10**6}
_SHARED_ID = re.compile(r"(?:auto|[0-9]{1,8}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5,9})\Z")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{0,63}\Z")
_RANGE = re.compile(r"([A-Za-z][A-Za-z0-9_.:/-]{0,40}?)([0-9]{1,4})-([A-Za-z][A-Za-z0-9_.:/]{0,40}?)?([0-9]{1,4})\Z")
_STEM = re.compile(r"[A-Za-z_]{1,40}")
_NO_RANGE = re.compile(r"[0-9]-[0-9]")
_OUTER = re.compile(r"([A-Za-z]{1,20})([0-9]{1,4})-([0-9]{1,4})(s[0-9]{1,2}(?:-[0-9]{1,2})?)\Z")


def bounded(text: str) -> str:
    """A word, cut where it is endless; what is cut ends in a sign that no name or number has, so that it is no list of fewer."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def name(text: str) -> str:
    """The name of a profile, pool or interface."""
    if _NAME.match(text) is None:
        raise ValueError(f"not a name: {text}")
    return text


def shared_id(text: str) -> str:
    """What two switches call one bond: a number, `auto`, an identifier of ten bytes or a MAC address."""
    if _SHARED_ID.match(text) is None:
        raise ValueError(f"not an id: {text}")
    return text


def speed(text: str) -> int | None:
    """Bit/s of `400G`, `100M` or `100000` (Mbit/s, as ifupdown writes it); None for `auto`."""
    if text == "auto":
        return None
    found = _SPEED.match(text)
    if found is None:
        raise ValueError(f"not a speed: {text}")
    return int(found.group(1)) * _SCALE[found.group(2)]


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of `3`, `0,3` or `0-2,6`; raises ValueError for anything else."""
    found: list[int] = []
    for piece in text.split(","):
        span = _SPAN.match(piece)
        if span is None:
            raise ValueError(f"not a list of numbers: {text}")
        low, high = int(span.group(1)), int(span.group(2) or span.group(1))
        if not low <= high < MOST_NAMES:
            raise ValueError(f"not a range: {piece}")
        found.extend(range(low, high + 1))
    return tuple(found)


def listed(text: str) -> frozenset[int]:
    """The numbers of `3,4` as a set; `none` is an empty one."""
    return frozenset() if text == "none" else frozenset(numbers(text))


@lru_cache(maxsize=4_096)
def interfaces(text: str) -> tuple[str, ...]:
    """All interfaces of `swp1-4,swp6`, `swp1-4,6`, `swp1s0-3`, `swp1-2s0-1` or `swp50s0-swp50s3`.

    Raises ValueError for a piece that is no name, and for more than 4,096 names.
    """
    found: list[str] = []
    stem = ""
    for piece in map(str.strip, text.split(",")):
        named = _STEM.match(piece)
        stem = named.group() if named is not None else stem
        found.extend(_expanded(piece if named is not None else stem + piece))
        if len(found) > MOST_NAMES:
            raise ValueError(f"more than {MOST_NAMES:,} interfaces in one list")
    return tuple(found)


def _expanded(piece: str) -> Iterator[str]:
    outer = _OUTER.match(piece)
    if outer is not None:
        stem, low, high, inner = outer.groups()
        for number_ in _between(low, high, piece):
            yield from _expanded(f"{stem}{number_}{inner}")
        return
    found = _RANGE.match(piece)
    if found is None:
        if _NO_RANGE.search(piece) is not None:
            raise ValueError(f"not a range of interfaces: {piece}")
        yield name(piece)
        return
    stem, low, other, high = found.groups()
    if other not in (None, stem):
        raise ValueError(f"not a range of interfaces: {piece}")
    for number_ in _between(low, high, piece):
        yield f"{stem}{number_}"


def _between(low: str, high: str, piece: str) -> range:
    if not int(low) <= int(high) < int(low) + MOST_NAMES:
        raise ValueError(f"not a range of interfaces: {piece}")
    return range(int(low), int(high) + 1)
