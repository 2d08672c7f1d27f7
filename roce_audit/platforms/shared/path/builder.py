"""From the leaves that concern a port to its facts: what systems share whose configuration is a tree.

Each part of a port is an object (the port's own row, a profile it names, what holds for the device); its statements are leaves
of the object's mode in the platform's statement table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any, ClassVar

from roce_audit.model.device import ObservationKind
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings, agreed, each
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import At, Where, Why, known


@dataclass(frozen=True, slots=True)
class Problem:
    """Two statements that do not fit together, and what follows from it."""

    at: At
    other: At
    text: str
    kind: ObservationKind = "conflict"


@dataclass
class Leaves:
    """The statements of one object, in order."""

    begins: tuple[At, ...] = ()
    """Where it begins; () where there is no such object."""
    statements: list[tuple[Parsed, At]] = field(default_factory=list)
    _named: defaultdict[tuple[object, ...], list[tuple[Leaf, At]]] = field(
        default_factory=lambda: defaultdict(list), init=False, repr=False, compare=False
    )
    """Those that were understood, by name, and by name and first key: a port may have thousands of units."""

    def __post_init__(self) -> None:
        for parsed, at in self.statements:
            self._index(parsed, at)

    def add(self, table: StatementTable, mode: str, index: int, part: Part) -> None:
        """Take in all statements of a part (number `index` of the port's)."""
        for i, text in enumerate(part.block.texts.statements):
            self.take(table.parse(mode, text), At(index, i))

    def take(self, parsed: Parsed, at: At) -> None:
        """Take in one statement."""
        self.begins = self.begins or (at,)
        if parsed.is_ours:
            self._keep(parsed, at)

    def join(self, other: Leaves) -> None:
        """Take in the statements of another object behind its own."""
        for parsed, at in other.statements:
            self._keep(parsed, at)

    def _keep(self, parsed: Parsed, at: At) -> None:
        self.statements.append((parsed, at))
        self._index(parsed, at)

    def _index(self, parsed: Parsed, at: At) -> None:
        said = parsed.value
        if isinstance(said, Leaf):
            self._named[(said.name,)].append((said, at))
            if said.keys:
                self._named[said.name, said.keys[0]].append((said, at))

    def all(self, name: str, *keys: object) -> Iterator[tuple[Leaf, At]]:
        """The leaves of that name that were understood, and whose keys begin with these."""
        for said, at in self._named.get((name, *keys[:1]), ()):
            if said.keys[: len(keys)] == keys:
                yield said, at

    def values(self, name: str, *keys: object) -> list[tuple[Any, At]]:
        """The values of these leaves."""
        return [(leaf.value, at) for leaf, at in self.all(name, *keys)]

    def last(self, name: str, *keys: object) -> tuple[Any, At] | None:
        """The value that holds where later statements win."""
        found = self.values(name, *keys)
        return found[-1] if found else None

    def unread(self) -> Iterator[tuple[Parsed, At]]:
        """The statements that were not understood; their topics lie below the object's path."""
        for parsed, at in self.statements:
            if parsed.unread:
                yield parsed, at


Given = tuple[Any, tuple[At, ...]]
"""A value and all statements that give it."""


class TreeBuilder:
    """Takes in the parts that concern one port; a platform's own builder says which object is what."""

    disagreement: ClassVar[str] = "two statements about the same thing disagree"
    """What follows where they do."""

    def __init__(self, lack: Lack) -> None:
        self.settings = Settings()
        self.lack = lack
        self.problems: list[Problem] = []

    def agreed(self, paths: Iterable[str], given: list[tuple[Any, At]]) -> Given | None:
        """The value that all statements give, and where; if they disagree, `paths` are unknown."""
        if not given:
            return None
        cell = agreed([known(value, at) for value, at in given])
        ats = tuple([at for at in cell.at if isinstance(at, At)])
        if cell.is_unknown:
            self.conflict(paths, ats, self.disagreement)
            return None
        return cell.value, ats

    def set_agreed(self, path: str, given: list[tuple[Any, At]], factor: int = 1) -> None:
        """Set `path` to the value that all statements give (a number in units of `factor`), if there are any."""
        found = self.agreed((path,), given)
        if found is not None:
            self.settings.set(path, found[0] * factor if factor != 1 else found[0], *found[1])

    def conflict(self, paths: Iterable[str], ats: tuple[At, ...], text: str) -> None:
        """These statements cannot all hold; `text` says what follows."""
        self.set_unknown(paths, Why.CONFLICT, *ats)
        problem = Problem(ats[-1], ats[0], text)
        if problem not in self.problems:
            self.problems.append(problem)

    def unparsed(self, leaves: Leaves, base: str = "") -> None:
        """What the statements of an object that were not understood might set is unknown."""
        for parsed, at in leaves.unread():
            self.set_unknown(touched(parsed, base), Why.NOT_PARSED, at)

    def set_unknown(self, paths: Iterable[str], why: Why, *at: Where) -> None:
        """Nothing at or below these model paths is known; `*` stands for each of 8 elements."""
        for path in paths:
            self.settings.set_unknown(path, why, *at)


def touched(parsed: Parsed, base: str = "") -> list[str]:
    """The model paths that a statement of an object at `base` touches: the object itself where the statement names none.

    `#` in a path stands for the first key of the statement, for any where that is not understood.
    """
    said = parsed.meant if parsed.value is None else parsed.value
    key = str(said.keys[0]) if isinstance(said, Leaf) and said.keys else "*"
    paths = parsed.paths or ("",)
    return [one for path in paths for one in each(f"{base}.{path.replace('#', key)}".strip(".")) if one]
