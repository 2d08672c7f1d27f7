"""Where the keys and values of a nested text stand: one small tree beside the plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

Path = tuple[str | int, ...]


@dataclass(slots=True)
class Spot:
    """Where one value begins (its key, where it has one) and ends, and what it holds: offsets or lines, as its maker says."""

    at: int
    last: int
    members: dict[str | int, Spot] | None = None

    def below(self, step: str | int) -> Spot:
        """The spot of a member. Raises KeyError where there is none."""
        if self.members is None:
            raise KeyError(step)
        return self.members[step]


class Placed(Protocol):
    """Where a value of a text stands."""

    @property
    def at(self) -> int:
        """The line on which it begins."""

    def below(self, step: str | int) -> Placed:
        """The same of a member. Raises KeyError where there is none."""


def locate(root: Spot, path: Path) -> Spot:
    """The spot of the value at `path`. Raises KeyError when there is none."""
    spot = root
    for step in path:
        members = spot.members
        if members is None or step not in members:
            raise KeyError(path)
        spot = members[step]
    return spot


def nearest(root: Spot, path: Path) -> Spot:
    """Like `locate`, but of the innermost value on the way to `path` that exists."""
    spot = root
    for step in path:
        if spot.members is None or step not in spot.members:
            break
        spot = spot.members[step]
    return spot


class PlacedError(ValueError):
    """A text that is not what it should be. `line` and `column` count from 1; `message` says it without the place."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
        self.message = message
