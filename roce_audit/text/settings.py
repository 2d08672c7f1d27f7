"""What statements set, by model path (`queues.3.ecn.min_bytes`), and whose word counts where several speak of the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any

from roce_audit.values import At, Cell, DefaultLocation, Where, Why, absent, known, unknown

_ELEMENTS = range(8)


def each(path: str) -> Sequence[str]:
    """A path for each of the 8 elements that `*` stands for; at its end it stands for all there is."""
    if "*" not in path:
        return (path,)
    path = path.removesuffix(".*")
    return [path.replace("*", str(n)) for n in _ELEMENTS] if "*" in path else (path,)


def agreed(said: Sequence[Cell[Any]]) -> Cell[Any]:
    """What all of them say, with all their places; a conflict where they disagree."""
    at = tuple(dict.fromkeys(where for cell in said for where in cell.at))
    first = said[0]
    return Cell(first.value, first.why, at) if all(cell == first for cell in said) else unknown(Why.CONFLICT, *at)


class Settings:
    """What the statements of one subject said, by model path; later statements win over earlier ones.

    In paths of what is unknown, and of what has no default, `*` stands for each of 8 elements, at the end for all there is.
    """

    __slots__ = ("_branches", "_cells", "_default_locations", "_no_default", "_unknown")

    def __init__(self) -> None:
        self._cells: dict[str, Cell[Any]] = {}
        self._unknown: dict[str, Cell[Any]] = {}
        self._no_default: dict[str, Cell[Any]] = {}
        self._branches: dict[str, dict[str, None]] = {}
        self._default_locations: dict[str, Where] = {}

    def set(self, path: str, value: object, *at: Where) -> None:
        """A statement set `path` to `value`."""
        self.set_cell(path, Cell(value, None, at))

    def set_cell(self, path: str, cell: Cell[Any]) -> None:
        """Set `path` to a ready cell (an absence, or a doubt carried over from another object)."""
        if path not in self._cells:
            self._note(path)
        self._cells[path] = cell

    def set_absent(self, path: str, *at: Where) -> None:
        """A statement says that there is no such thing."""
        self.set_cell(path, absent(*at))

    def set_unknown(self, path: str, why: Why, *at: Where) -> None:
        """Nothing at or below `path` is known, whatever else sets it (a relevant line was not understood)."""
        for one in each(path):
            if one not in self._unknown:
                self._note(one)
                self._unknown[one] = unknown(why, *at)

    def forbid_default(self, path: str, why: Why, *at: Where) -> None:
        """No default may be assumed at or below `path` (an undefined name might set it); what is set stays set."""
        for one in each(path):
            if one not in self._no_default:
                self._note(one)
                self._no_default[one] = unknown(why, *at)

    def default_location(self, path: str, at: At) -> None:
        """What nothing sets at or below `path` would be set in the block whose header is `at`: there its default is shown."""
        self._default_locations[path] = DefaultLocation(at.part, at.index)

    def reset(self, path: str) -> None:
        """Forget what was set at or below `path` (`default ...`, `no ...` where absence is the meaning)."""
        below = path + "."
        for known_path in [p for p in self._cells if p == path or p.startswith(below)]:
            del self._cells[known_path]

    def get(self, path: str) -> Cell[Any] | None:
        """What a statement set here; None where none did."""
        return self._cells.get(path)

    def cell(self, path: str) -> Cell[Any] | None:
        """The doubt that covers `path`, else what a statement set; None where nothing speaks of it."""
        doubt = self.unknown_at(path)
        return doubt if doubt is not None else self.get(path)

    def unknown_at(self, path: str) -> Cell[Any] | None:
        """The doubt that covers `path`, if any."""
        while True:
            found = self._unknown.get(path)
            if found is not None or "." not in path:
                return found
            path = path.rpartition(".")[0]

    def default_forbidden(self, path: str) -> Cell[Any] | None:
        """The doubt that forbids a default at `path`, if any."""
        if not self._no_default:
            return None
        while True:
            found = self._no_default.get(path)
            if found is not None or not path:
                return found
            path = path.rpartition(".")[0]

    def _note(self, path: str) -> None:
        while "." in path:
            path, _, last = path.rpartition(".")
            self._branches.setdefault(path, {})[last] = None

    def has_below(self, path: str) -> bool:
        """Whether anything was set or made unknown below `path`."""
        return path in self._branches

    def children(self, path: str) -> Iterable[str]:
        """The next steps below `path` that something was said about."""
        return self._branches.get(path, ())


class Role(IntEnum):
    """Whose word counts, the highest first."""

    FALLBACK = 0
    """Says what holds unless something shows the running state."""
    RUNNING = 1
    """Shows the running state."""
    CONCLUSION = 2
    """What follows from all that was said."""


class AgreedSettings(Settings):
    """Settings that several sources show: all that count must agree, else nobody knows.

    A source of a higher role hides those below it; conclusions do not compete, the last one holds.
    """

    __slots__ = ("_roles", "answered")

    def __init__(self) -> None:
        super().__init__()
        self._roles: dict[str, Role] = {}
        self.answered: set[str] = set()
        """Paths of which a source tells all that there is."""

    def set_cell(self, path: str, cell: Cell[Any], role: Role = Role.RUNNING) -> None:
        """A source of this role says that `path` is `cell`."""
        before, rank = self._cells.get(path), self._roles.get(path, role)
        if rank > role:
            return
        if before is not None and rank is role is not Role.CONCLUSION:
            cell = agreed((before, cell))
        super().set_cell(path, cell)
        self._roles[path] = role

    def set_fallback(self, path: str, value: object, *at: Where) -> None:
        """What holds where no source shows the running state."""
        self.set_cell(path, known(value, *at), Role.FALLBACK)

    def conclude(self, path: str, cell: Cell[Any]) -> None:
        """What follows from all that was said."""
        self.set_cell(path, cell, Role.CONCLUSION)

    def or_unknown(self, path: str) -> Cell[Any]:
        """Like `cell`, and the right doubt where nobody speaks: refused, nothing documented, or not visible."""
        found = self.cell(path)
        if found is None:
            found = self.default_forbidden(path)
        return found if found is not None else unknown(Why.NO_DEFAULT if path in self.answered else Why.NOT_VISIBLE)

    def conflicts(self) -> Iterator[tuple[str, Cell[Any]]]:
        """Paths of which sources that show the running state say different things."""
        for path, cell in self._cells.items():
            if cell.why is Why.CONFLICT and self._roles[path] is Role.RUNNING and self.unknown_at(path) is None:
                yield path, cell

    def adopt(self, other: AgreedSettings) -> None:
        """Take over what another store holds."""
        for path, cell in other._cells.items():
            self.set_cell(path, cell, other._roles[path])
        for path, doubt in other._unknown.items():
            self.set_unknown(path, doubt.why or Why.NOT_PARSED, *doubt.at)
