"""Readers of leaf values: the text of one field or word, and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Reader = Callable[[str], object]
"""The meaning of a text; raises ValueError for one that the field cannot have."""

_NUMBER = re.compile(r"[0-9]{1,20}\Z")


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
