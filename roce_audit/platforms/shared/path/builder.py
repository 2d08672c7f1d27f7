"""From the leaves that concern a port to its facts: what systems share whose configuration is a tree.

Each part of a port is an object (the port's own row, a profile it names, what holds for the device); its statements are leaves
of the object's mode in the platform's statement table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from roce_audit.text.block import Part
from roce_audit.text.dialect import Parsed
from roce_audit.text.fill import Lack, Settings
from roce_audit.text.statements.rows import Leaf
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import At, Where, Why

_ELEMENTS = range(8)


@dataclass(frozen=True, slots=True)
class Problem:
    """Two statements that disagree, and what follows from it."""

    at: At
    other: At
    text: str


@dataclass
class Leaves:
    """The statements of one object, in order; `header` is where it begins."""

    header: At | None = None
    statements: list[tuple[Parsed, At]] = field(default_factory=list)

    def add(self, table: StatementTable, mode: str, index: int, part: Part) -> None:
        """Take in all statements of a part (number `index` of the port's)."""
        for i, text in enumerate(part.block.texts.statements):
            at = At(index, i)
            self.header = self.header or at
            parsed = table.parse(mode, text)
            if parsed.topic is not None:
                self.statements.append((parsed, at))

    def all(self, name: str, *keys: object) -> Iterator[tuple[Leaf, At]]:
        """The leaves of that name that were understood, and whose keys begin with these."""
        for parsed, at in self.statements:
            said = parsed.value
            if isinstance(said, Leaf) and said.name == name and said.keys[: len(keys)] == keys:
                yield said, at

    def values(self, name: str, *keys: object) -> list[tuple[Any, At]]:
        """The values of these leaves."""
        return [(leaf.value, at) for leaf, at in self.all(name, *keys)]

    def last(self, name: str, *keys: object) -> tuple[Any, At] | None:
        """The value that holds where later statements win."""
        found = self.values(name, *keys)
        return found[-1] if found else None

    def unread(self) -> Iterator[tuple[tuple[str, ...], At]]:
        """(model paths it might set, below the object's) of each statement that was not understood."""
        for parsed, at in self.statements:
            if parsed.unread:
                yield tuple((parsed.topic or "").split()), at


class TreeBuilder:
    """Takes in the parts that concern one port; a platform's own builder says which object is what."""

    def __init__(self, lack: Lack) -> None:
        self.settings = Settings()
        self.lack = lack
        self.problems: list[Problem] = []

    def agreed(self, paths: Iterable[str], given: list[tuple[Any, At]], text: str) -> tuple[Any, tuple[At, ...]] | None:
        """The value that all statements give, and where; if they disagree, `paths` are unknown and `text` says what follows."""
        if not given:
            return None
        ats = tuple([at for _, at in given])
        if any(value != given[0][0] for value, _ in given):
            self.conflict(paths, ats, text)
            return None
        return given[0][0], ats

    def conflict(self, paths: Iterable[str], ats: tuple[At, ...], text: str) -> None:
        """These statements cannot all hold; `text` says what follows."""
        self.set_unknown(paths, Why.CONFLICT, *ats)
        problem = Problem(ats[-1], ats[0], text)
        if problem not in self.problems:
            self.problems.append(problem)

    def unparsed(self, leaves: Leaves, base: str = "") -> None:
        """What the statements of an object that were not understood might set is unknown."""
        for paths, at in leaves.unread():
            self.set_unknown(paths or ("",), Why.NOT_PARSED, at, base=base)

    def set_unknown(self, paths: Iterable[str], why: Why, *at: Where, base: str = "") -> None:
        """Nothing at or below these model paths (below `base`) is known; `*` stands for each of 8 elements."""
        for path in paths:
            for one in each(f"{base}.{path}".strip(".")):
                self.settings.set_unknown(one, why, *at)


def each(path: str) -> list[str]:
    """A path for each of the 8 elements that `*` stands for."""
    if not path:
        return []
    return [path.replace("*", str(n)) for n in _ELEMENTS] if "*" in path else [path]
