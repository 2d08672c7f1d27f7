"""Names that are alike but for one number: the NICs of a host (`ens1f0np0`, `ens2f0np0`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy

_DIGITS = lazy(r"\d+")
_PORT = lazy(r"(?<=\d)f\d{1,2}(?:np\d{1,2})?$")
COUNTS = (4, 8, 16)
"""NICs of one kind that a host has; one fewer than that is a slip."""


def ports_of_cards(names: Iterable[str]) -> Iterator[list[str]]:
    """The names that the kernel gives ports of one card (`ens1f0np0`, `ens1f1np1`; systemd.net-naming-scheme(7))."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        if (port := _PORT.search(name)) is not None:
            found[name[: port.start()]].append(name)
    yield from found.values()


def series(names: Iterable[str]) -> Iterator[list[str]]:
    """The names that differ in one number alone, for each place of it."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted(names):
        for number in _DIGITS.finditer(name):
            found[name[: number.start()], name[number.end() :]].append(name)
    yield from found.values()
