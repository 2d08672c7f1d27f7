"""Names that are alike but for one number: the NICs of a host (`ens1f0np0`, `ens2f0np0`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy

_DIGITS = lazy(r"\d+")
COUNTS = (4, 8, 16)
"""NICs of one kind that a host has; one fewer than that is a slip."""


def series(names: Iterable[str]) -> Iterator[list[str]]:
    """The names that differ in one number alone, for each place of it."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted(names):
        for number in _DIGITS.finditer(name):
            found[name[: number.start()], name[number.end() :]].append(name)
    yield from found.values()
