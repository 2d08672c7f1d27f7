"""Readers of leaf values: the text of one field or word, and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from roce_audit.patterns import lazy

Reader = Callable[[str], object]
"""The meaning of a text; raises ValueError for one that the field cannot have."""

_NUMBER = lazy(r"[0-9]{1,20}\Z")


def number(least: int, most: int) -> Reader:
    """A whole number in this range."""

    def read(text: str) -> int:
        if _NUMBER.match(text) is None or not least <= int(text) <= most:
            raise ValueError(f"not a number from {least} to {most}: {text}")
        return int(text)

    return read


def word(meanings: Mapping[str, object]) -> Reader:
    """One of these words."""

    def read(text: str) -> object:
        if text not in meanings:
            raise ValueError(f"not one of {', '.join(meanings)}: {text}")
        return meanings[text]

    return read


def present(pattern: str) -> Reader:
    """True, where the text is one of this pattern."""
    wanted = re.compile(pattern)

    def read(text: str) -> bool:
        if wanted.fullmatch(text) is None:
            raise ValueError(f"not what belongs here: {text}")
        return True

    return read


ADDRESS = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}"
"""Pattern of an IP address."""


def numbers(most: int, names: Mapping[str, int] | None = None) -> Reader:
    """Whole numbers from 0 to `most` as `18,20-22,af31`, or with blanks between; `names` have numbers of their own."""
    known = names or {}
    single = number(0, most)

    def read(text: str) -> tuple[int, ...]:
        found: list[int] = []
        for piece in text.replace(" ", ",").split(","):
            if piece in known:
                found.append(known[piece])
            elif piece:
                first, dash, last = piece.partition("-")
                begin = int(str(single(first)))
                end = int(str(single(last))) if dash else begin
                if end < begin:
                    raise ValueError(f"not a range: {piece}")
                found.extend(range(begin, end + 1))
        if not found:
            raise ValueError(f"no numbers: {text}")
        return tuple(found)

    return read


def number_set(most: int) -> Reader:
    """The same as a set."""
    listed = numbers(most)

    def read(text: str) -> frozenset[int]:
        found = listed(text)
        return frozenset(found if isinstance(found, tuple) else ())

    return read


def scaled(least: int, most: int, factor: int) -> Reader:
    """A whole number in this range, in units of `factor`."""
    read = number(least, most)
    return lambda text: int(str(read(text))) * factor


def reduced(least: int, most: int, by: int) -> Reader:
    """A whole number in this range, less `by`."""
    read = number(least, most)
    return lambda text: int(str(read(text))) - by
