"""Majorities: how many votes decide, and how a value that they decided is cited."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from roce_audit.records import dataclass

_Value = TypeVar("_Value", int, tuple[int, int])

INFERRED = "inferred: "
"""How the citation of a value begins that nobody says, and devices agree on."""
THRESHOLD = 0.8
FEWEST_VOTES = 3


@dataclass(frozen=True, slots=True)
class Support:
    """How an inferred value was found: the value, the share of votes, the number of voters."""

    key: str
    value: object
    support: float
    of: int
    weak: bool
    unit: str = "device"


def agreeing(count: int, of: int, what: str = "device") -> str:
    """The citation of an inferred value: `inferred: 405 of 412 devices`, `inferred: one device`."""
    return f"{INFERRED}{count} of {of} {what}s" if of > 1 else f"{INFERRED}one {what}"


def enough(votes: int) -> float:
    """How many of these votes must agree."""
    return THRESHOLD * votes if votes >= FEWEST_VOTES else votes


def leading(seen: Counter[_Value], largest: bool = False) -> list[_Value]:
    """A device's one vote: what more of its ports have than anything else; a tie is no vote, or one for the largest."""
    most = max(seen.values(), default=0)
    first = sorted(value for value, count in seen.items() if count == most)
    return first[-1:] if largest or len(first) == 1 else []
