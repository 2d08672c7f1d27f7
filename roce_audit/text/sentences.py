"""Sentences: clauses that many rooms say in the same words."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str], shown: int, *, spare_one: bool = True, between: str = ", ") -> str:
    """`a, b and 4 more`; all of them where only one would be left, if one is spared."""
    if len(words) <= shown + spare_one:
        return between.join(words)
    return f"{between.join(words[:shown])} and {len(words) - shown:,} more"
