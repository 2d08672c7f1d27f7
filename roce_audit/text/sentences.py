"""Sentences: clauses that many rooms say in the same words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def listed(words: Sequence[str], shown: int, *, spare_one: bool = True, between: str = ", ") -> str:
    """`a, b and 4 more`; all of them where only one would be left, if one is spared."""
    if len(words) <= shown + spare_one:
        return between.join(words)
    return f"{between.join(words[:shown])} and {len(words) - shown:,} more"


def runs(numbers: Iterable[int]) -> list[str]:
    """`0-2` and `4` for 0, 1, 2 and 4: numbers in order, those in a row as one."""
    rows: list[list[int]] = []
    for number in sorted(set(numbers)):
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return [str(row[0]) if len(row) == 1 else f"{row[0]}-{row[-1]}" for row in rows]
