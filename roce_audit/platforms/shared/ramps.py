"""Two thresholds of which one is the lower by its meaning: where marking begins and ends, where pause ends and begins.

Written the other way round they mean nothing on any port. Of a definition that reaches a port the rules tell it; of one that
reaches none nobody would, until somebody applies it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Literal, NamedTuple

from roce_audit.platforms.base import Seen, seen
from roce_audit.values import Place

_SIZES = {"bytes": (1, 1), "kbytes": (1000, 1024), "mbytes": (1000**2, 1024**2), "gbytes": (1000**3, 1024**3)}
"""Bytes of a unit at the least and at the most: systems count thousands or 1,024."""


class Ramp(NamedTuple):
    """The threshold that is to be the lower one, and the other, each as written."""

    of: Literal["marking", "drops", "pause"]
    low: int
    high: int
    low_unit: str
    high_unit: str

    @property
    def is_turned_round(self) -> bool:
        """Whether the lower one is above the other for certain: never across units that nothing makes comparable."""
        if self.low_unit == self.high_unit:
            return self.low > self.high
        if self.low_unit not in _SIZES or self.high_unit not in _SIZES:
            return False
        return self.low * _SIZES[self.low_unit][0] > self.high * _SIZES[self.high_unit][1]

    @property
    def text(self) -> str:
        """What is wrong, as a clause."""
        low, high = f"{self.low:,} {self.low_unit}".strip(), f"{self.high:,} {self.high_unit}".strip()
        if self.of == "pause":
            return f"pause begins at {high} and ends only at {low}, which is above it"
        return f"{self.of} would begin at {low}, above the {high} at which it is complete"


class Written(NamedTuple):
    """A ramp of a definition that is called `called`, with its place and the statement."""

    name: str
    called: str
    ramp: Ramp
    place: Place
    quote: str


class Halves:
    """Ramps of a definition whose two thresholds stand in two statements."""

    def __init__(self, name: str, called: str) -> None:
        self._name = name
        self._called = called
        self._lows: dict[Hashable, tuple[int, str]] = {}
        self._highs: dict[Hashable, tuple[int, str, Place, str]] = {}

    def low(self, key: Hashable, value: int, unit: str) -> None:
        """The threshold that is to be the lower one; those of one `key` belong together."""
        self._lows[key] = value, unit

    def high(self, key: Hashable, value: int, unit: str, place: Place, quote: str) -> None:
        """The other one."""
        self._highs[key] = value, unit, place, quote

    def written(self) -> Iterator[Written]:
        """Those of which both are there, shown at the upper one."""
        for key, (value, unit, place, quote) in self._highs.items():
            if key in self._lows:
                low, low_unit = self._lows[key]
                yield Written(self._name, self._called, Ramp("marking", low, value, low_unit, unit), place, quote)


def turned_round(written: Iterable[Written]) -> Iterator[Seen]:
    """What definitions that reach no port say the wrong way round: each definition once."""
    told = set()
    for name, called, ramp, place, quote in written:
        if ramp.is_turned_round and called not in told:
            told.add(called)
            text = f"{called} is applied to no port here, and has its thresholds the wrong way round: {ramp.text}"
            yield seen("conflict", name, text, place, quote, ())


def without_idle(found: Iterable[Seen], told: Iterable[Seen]) -> Iterator[Seen]:
    """Observations without those that call a definition unapplied of which that is told with its thresholds."""
    names = {one.observation.name for one in told}
    for one in found:
        if one.observation.kind != "unapplied" or one.observation.name not in names or one.ports:
            yield one
