"""Answers about texts, kept while a process lives: the files of a fleet repeat, and an audit asks of each more than once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

LONGEST = 2_000_000
"""Texts above this many characters are not kept."""

T = TypeVar("T", str, bytes)
R = TypeVar("R")


def of_text(function: Callable[[T], R]) -> Callable[[T], R]:
    """The same function of one text, remembering the last 256 answers."""
    kept = lru_cache(maxsize=256)(function)

    @wraps(function)
    def ask(text: T) -> R:
        return kept(text) if len(text) <= LONGEST else function(text)

    return ask
