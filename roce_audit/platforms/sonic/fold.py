"""The statements that concern one port, sorted, and the few ways in which they become settings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from roce_audit.platforms.sonic.statements import Statement, parse
from roce_audit.platforms.sonic.tables import OBJECT_TABLES, SHOWN, TABLES
from roce_audit.text.block import Part
from roce_audit.text.fill import Default, Settings
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

Said = tuple[Statement, At]
Given = tuple[Any, tuple[At, ...]]
"""A value and all statements that give it."""

_ELEMENTS = range(8)
_ORDER = "two entries for the same thing disagree: the one that arrives last holds"


Lookedup = Literal["none", "doubtful", "whole"]


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    complete: bool
    has_groups: bool
    """The datastore has BUFFER_PG rows: only then the lack of one is evidence."""
    has_cables: bool
    dynamic: bool | None
    """The buffer model is the dynamic one; None where nobody said."""
    lag_unseen: bool
    """The port is a member of a channel that is not there."""
    watchdog_later: bool
    """`default_pfcwd_status` is enable and no PFC_WD row is there yet."""
    states_admin: bool
    """Some port of the datastore has an admin_status: only then the lack of one is evidence."""
    lookup: Lookedup
    """Whether the table of headrooms by speed and cable is at hand, and whether all of it was understood."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Two statements that disagree, and what follows from it."""

    at: At
    other: At
    text: str


@dataclass
class Object:
    """A map or profile that the port leans on."""

    header: At
    said: list[Said] = field(default_factory=list)

    def values(self, name: str) -> list[tuple[Any, At]]:
        """What was said about a field and understood."""
        return [(s.value, at) for s, at in self.said if s.field == name and not s.unread]


class Fold:
    """One folding of statements into settings."""

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        self.context = context
        self.settings = Settings()
        self.problems: list[Problem] = []
        self.own: dict[str, list[Said]] = defaultdict(list)
        self.device: dict[str, list[Said]] = defaultdict(list)
        self.objects: dict[tuple[str, str], Object] = {}
        named = {(part.kind, part.name) for part in parts if part.role == "bound"}
        for index, part in enumerate(parts):
            if part.role != "device" or (part.kind, part.name) not in named:
                self._part(index, part)

    def _part(self, index: int, part: Part) -> None:
        for i, text in enumerate(part.block.texts.statements):
            at = At(index, i)
            statement = parse(text)
            if part.kind in OBJECT_TABLES:
                found = self.objects.setdefault((part.kind, part.name), Object(at))
                found.said.append((statement, at))
            else:
                (self.device if part.role == "device" else self.own)[statement.table].append((statement, at))

    def values(self, table: str, name: str, number: int | None = None) -> list[tuple[Any, At]]:
        """What the port's own rows say about a field (of the queue or group `number`) and was understood."""
        return [
            (s.value, at)
            for s, at in self.own.get(table, ())
            if s.field == name and not s.unread and (number is None or number in s.where)
        ]

    def numbers(self, table: str) -> Iterable[int]:
        """All queues or groups that the port's rows of `table` name."""
        return sorted({n for s, _ in self.own.get(table, ()) for n in s.where})

    def agreed(self, paths: str | tuple[str, ...], entries: list[tuple[Any, At]]) -> Given | None:
        """The value that all entries give; a disagreement makes `paths` unknown."""
        if not entries:
            return None
        ats = tuple([at for _, at in entries])
        if any(value != entries[0][0] for value, _ in entries):
            self.conflict((paths,) if isinstance(paths, str) else paths, ats, _ORDER)
            return None
        return entries[0][0], ats

    def conflict(self, paths: Iterable[str], ats: tuple[At, ...], text: str) -> None:
        """These statements cannot all hold; `text` says what follows."""
        for path in paths:
            self.settings.set_unknown(path, Why.CONFLICT, *ats)
        problem = Problem(ats[-1], ats[0], text)
        if problem not in self.problems:
            self.problems.append(problem)

    def put_agreed(self, path: str, entries: list[tuple[Any, At]], factor: int = 1) -> None:
        """Set `path` to the value that all entries give, if there are any."""
        given = self.agreed(path, entries)
        if given is not None:
            value, ats = given
            self.settings.set(path, value * factor if factor != 1 else value, *ats)

    def object(self, table: str, name: str, paths: Iterable[str], ats: tuple[At, ...]) -> Object | None:
        """The object that a statement names; an undefined one makes `paths` unknown (in a fragment they are so anyway)."""
        found = self.objects.get((table, name))
        if found is None and self.context.complete:
            for path in paths:
                self.settings.set_unknown(path, Why.UNDEFINED, *ats)
        return found

    def leaf(self, path: str, given: Object, name: str, default: Default | None, *more: Where) -> Cell[Any]:
        """A field of an object as a cell; `default` holds where the whole datastore is at hand."""
        agreed = self.agreed(path, given.values(name))
        if agreed is not None:
            return Cell(agreed[0], None, (*agreed[1], *more))
        doubt = self.settings.unknown_at(path)
        if doubt is not None:
            return doubt
        if not self.context.complete:
            return unknown(Why.NOT_VISIBLE, given.header)
        if default is None:
            return unknown(Why.NO_DEFAULT, given.header)
        return known(default.value, given.header, *more, Cited(default.source))

    def spoil_object(self, base: str, given: Object) -> None:
        """Whatever an object's unread statements might set, below `base`."""
        for statement, at in given.said:
            if statement.unread:
                for path in statement.spoils or ("",):
                    self.settings.set_unknown(f"{base}.{path}".rstrip("."), Why.NOT_PARSED, at)

    def spoil_rows(self) -> None:
        """Whatever the unread statements of the port's own rows might set."""
        everything = [said for group in (self.own, self.device) for statements in group.values() for said in statements]
        for statement, at in everything:
            if statement.unread and not self._is_overruled(statement):
                for path in _spoiled(statement):
                    # what is shown and not understood forbids a default, and darkens nothing that is configured
                    only_fills = statement.table == SHOWN and path != "pfc.operational"
                    (self.settings.forbid_default if only_fills else self.settings.set_unknown)(
                        path, Why.NOT_PARSED, at
                    )

    def _is_overruled(self, statement: Statement) -> bool:
        """A field of PORT_QOS_MAP|global does not matter to a port with that field of its own."""
        wide = any(s is statement for s, _ in self.device.get("PORT_QOS_MAP", ()))
        return wide and any(s.field == statement.field for s, _ in self.own.get("PORT_QOS_MAP", ()))


def _spoiled(statement: Statement) -> Iterable[str]:
    base = TABLES[statement.table].base
    if "*" in base:
        if not statement.where:
            return (base.partition(".*")[0],)
        bases = [base.replace("*", str(n)) for n in statement.where]
    else:
        bases = [base]
    paths = [f"{b}.{p}".strip(".") for b in bases for p in statement.spoils or ("",)]
    return [p.replace("*", str(n)) for p in paths if p for n in (_ELEMENTS if "*" in p else (0,))]
