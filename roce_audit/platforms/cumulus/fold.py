"""The statements that concern one port, sorted, and the block that holds where several might."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.cumulus.parsing import Statement, parse
from roce_audit.platforms.cumulus.tables import MACROS, Macro
from roce_audit.platforms.cumulus.vocabulary import GLOBAL, PROFILED, UNDEFINED
from roce_audit.text.block import Part
from roce_audit.text.fill import EVERYTHING, Default, Settings
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

Said = tuple[Statement, At]
_ALL = 100


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    tells: frozenset[str]
    """Model families of which the documents hold all there is."""
    policing: frozenset[tuple[str, bool]]
    """Access lists, and whether they police."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Two statements that disagree, and what follows from it."""

    at: At
    other: At
    text: str


@dataclass
class Block:
    """A block that concerns the port."""

    said: list[Said] = field(default_factory=list)
    bound_at: tuple[At, ...] = ()
    """Where the port names it; empty for a block that holds for every port."""

    def last(self, name: str, where: int | None = None) -> tuple[Any, At] | None:
        """What was said last of a setting and understood."""
        for said, at in reversed(self.said):
            if said.field == name and said.where == where and not said.unread:
                return said.value, at
        return None

    def numbers(self, name: str) -> dict[int, At]:
        """The numbers of all statements of this form, and where each stands last."""
        return {s.where: at for s, at in self.said if s.field == name and s.where is not None and not s.unread}

    def all_numbers(self, first: str) -> dict[int, At]:
        """The numbers of all statements that begin with this word."""
        return {s.where: at for s, at in self.said if s.field.split(" ")[0] == first and s.where is not None}


class Fold:
    """One folding of statements into settings."""

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        self.context = context
        self.settings = Settings()
        self.problems: list[Problem] = []
        self.own: list[Said] = []
        self.channel: list[Said] = []
        self._blocks: dict[tuple[str, str], Block] = defaultdict(Block)
        self._names: set[tuple[str, str]] = {(part.kind, part.name) for part in parts}
        for index, part in enumerate(parts):
            for i, text in enumerate(part.block.texts.statements):
                said = (parse(part.kind, text), At(index, i))
                if part.kind != "port":
                    self._blocks[part.kind, part.name].said.append(said)
                else:
                    (self.channel if part.role == "lag" else self.own).append(said)
        self.bound: dict[str, Block | None] = {kind: self._bound(kind) for kind in PROFILED}
        """The profile of the port itself; None where it names none."""
        self.spoil_unread()
        self.macro: Macro | None = None
        self.macro_at: tuple[At, ...] = ()
        self._roce()

    def is_whole(self, family: str) -> bool:
        """Whether the lack of a statement in this family is evidence."""
        return EVERYTHING in self.context.tells or family in self.context.tells

    def port_says(self, name: str, *, channel_first: bool = False) -> tuple[Any, At] | None:
        """What the port says last of a setting; what it does not say, its bond says (or the bond first)."""
        order = (self.channel, self.own) if channel_first else (self.own, self.channel)
        for said in order:
            for statement, at in reversed(said):
                if statement.field == name and not statement.unread:
                    return statement.value, at
        return None

    def wide(self, kind: str, name: str = GLOBAL) -> Block:
        """The block that holds for every port."""
        return self._blocks.get((kind, name), Block())

    def wide_of(self, kind: str) -> list[tuple[str, Block]]:
        """All blocks of a kind that hold for every port, by name."""
        return [(name, found) for (its, name), found in self._blocks.items() if its == kind]

    def effective(self, kind: str) -> Block:
        """The port's own profile, else the one for every port."""
        own = self.bound.get(kind)
        return own if own is not None else self.wide(kind)

    def _bound(self, kind: str) -> Block | None:
        said = self.port_says(f"qos {kind} profile")
        if said is None or said[0] == GLOBAL:
            return None
        name, at = said
        if (kind, name) not in self._names:
            why = Why.UNDEFINED if EVERYTHING in self.context.tells else Why.NOT_VISIBLE
            for path in parse("port", f"qos {kind} profile ?").spoils:
                self.settings.set_unknown(path, why, at)
            return Block(bound_at=(at,))
        return Block(self._blocks[kind, name].said, (at,))

    def spoil_unread(self) -> None:
        """Whatever a statement that is not understood might set."""
        for (kind, name), found in self._blocks.items():
            hidden = kind in PROFILED and name == GLOBAL and self.bound.get(kind) is not None
            if not hidden:
                self._spoil(found.said)
        self._spoil(self.own)
        self._spoil(self.channel)

    def _spoil(self, said: list[Said]) -> None:
        for statement, at in said:
            why = Why.UNDEFINED if statement.field == UNDEFINED else Why.NOT_PARSED
            for path in statement.spoils:
                self.settings.set_unknown(path, why, at)

    def _roce(self) -> None:
        """Which RoCE mode is on. Any statement of it turns it on; without a mode it is lossless."""
        roce = self._blocks.get(("roce", ""))
        if roce is None:
            return
        switch = max(
            (said for said in (roce.last("enable"), roce.last("state")) if said is not None), key=_order, default=None
        )
        mode = roce.last("mode")
        if switch is not None and switch[0] is False:
            return
        self.macro = MACROS[mode[0] if mode is not None else "lossless"]
        self.macro_at = (mode[1] if mode is not None else roce.said[0][1],)

    def cited(self, default: Default, *at: Where) -> Cell[Any]:
        """A documented default as a cell."""
        return known(default.value, *at, Cited(default.source))

    def conflict(self, path: str, at: At, other: At, text: str) -> None:
        """These two statements cannot both hold."""
        self.settings.set_unknown(path, Why.CONFLICT, at, other)
        problem = Problem(at, other, text)
        if problem not in self.problems:
            self.problems.append(problem)

    def at_most_100(self, shares: list[tuple[Any, At]], what: str) -> None:
        """Percentages beyond 100 in all are an error that the switch refuses."""
        total = sum(percent for percent, _ in shares)
        if total > _ALL:
            last = max((at for _, at in shares), key=lambda at: (at.part, at.index))
            text = f"{what} add up to {total} percent; the switch refuses more than {_ALL}, and what was set before stays in force"
            problem = Problem(last, shares[0][1], text)
            if problem not in self.problems:
                self.problems.append(problem)

    def missing(self, family: str, *at: Where) -> Cell[Any]:
        """A setting that nothing says and for which nothing is documented."""
        return unknown(Why.NO_DEFAULT if self.is_whole(family) else Why.NOT_VISIBLE, *at)


def _order(said: tuple[Any, At]) -> tuple[int, int]:
    return said[1].part, said[1].index
