"""The statements that concern one port, row by row, and the ways in which they become settings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Literal

from roce_audit.platforms.shared.path.builder import Leaves, TreeBuilder, touched
from roce_audit.platforms.sonic.defaults import DEFAULTS
from roce_audit.platforms.sonic.statements import parse, table_of
from roce_audit.platforms.sonic.table import NUMBERED, OBJECT_TABLES, SHOWN, TABLES
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.text.fill import Lack
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Where, Why

Lookedup = Literal["none", "doubtful", "whole"]


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    complete: frozenset[str]
    """As `Lack.complete`."""
    has_groups: bool
    """The datastore has BUFFER_PG rows: only then the lack of one is evidence."""
    has_cables: bool
    dynamic: bool | None
    """The buffer model is the dynamic one; None where nobody said."""
    computes: bool
    """A group may leave its numbers to the buffer model."""
    lag_unseen: bool
    """The port is a member of a channel that is not there."""
    names_watched: bool
    """Some port names the priorities that its watchdog watches, so the release knows the field."""
    watchdog_later: bool
    """`default_pfcwd_status` is enable and no PFC_WD row is there yet."""
    states_admin: bool
    """Some port of the datastore has an admin_status: only then the lack of one is evidence."""
    lookup: Lookedup
    """Whether the table of headrooms by speed and cable is at hand, and whether all of it was understood."""
    refused: frozenset[str]
    """Buffer profiles that lack a field without which the switch makes none of them."""


class Builder(TreeBuilder):
    """One port: its own rows (those of a queue or group by number), the rows for all ports, and the objects that they name."""

    disagreement = "two entries for the same thing disagree: the one that arrives last holds"

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        super().__init__(Lack(DEFAULTS, context.complete))
        self.context = context
        self.own: dict[tuple[str, int | None], Leaves] = defaultdict(Leaves)
        self.device: dict[str, Leaves] = defaultdict(Leaves)
        self.objects: dict[tuple[str, str], Leaves] = defaultdict(Leaves)
        self.unplaced: dict[str, Leaves] = defaultdict(Leaves)
        """By table: rows whose header was not understood."""
        named = {(part.kind, part.name) for part in parts if part.role == "bound"}
        for index, part in enumerate(parts):
            if part.role != "device" or (part.kind, part.name) not in named:
                self._part(index, part)

    def _part(self, index: int, part: Part) -> None:
        for i, text in enumerate(part.block.texts.statements):
            parsed, table = parse(text), table_of(text)
            for leaves in self._rows(part, table, parsed):
                leaves.take(parsed, At(index, i))

    def _rows(self, part: Part, table: str, parsed: Parsed) -> list[Leaves]:
        """The rows that a statement belongs to: one of a row for several queues, to each."""
        if part.kind in OBJECT_TABLES:
            return [self.objects[part.kind, part.name]]
        header = (*parsed.context, parsed)[0].value
        if not isinstance(header, Leaf):
            return [self.unplaced[table]]
        if part.role == "device":
            return [self.device[table]]
        if table not in NUMBERED:
            return [self.own[table, None]]
        return [self.own[table, number] for numbers in header.keys if isinstance(numbers, tuple) for number in numbers]

    def row(self, table: str, number: int | None = None) -> Leaves:
        """The port's own rows of a table (for this queue or group)."""
        return self.own.get((table, number), Leaves())

    def values(self, table: str, name: str, number: int | None = None) -> list[tuple[Any, At]]:
        """What the port's own rows say about a field and was understood."""
        return self.row(table, number).values(name)

    def numbers(self, table: str) -> list[int]:
        """All queues or groups that the port's rows of `table` name."""
        return sorted({number for name, number in self.own if name == table and number is not None})

    def object(self, table: str, name: str, paths: Iterable[str], ats: tuple[At, ...]) -> Leaves | None:
        """The object that a statement names; one that nothing defines leaves `paths` undefined."""
        found = self.objects.get((table, name))
        if found is None:
            self.lack.leads_nowhere(self.settings, paths, *ats)
        return found

    def cell(self, path: str, given: Leaves, table: str, field: str, *more: Where) -> Cell[Any]:
        """A field of an object of `table` as a cell; a documented default where no row says it."""
        agreed = self.agreed((path,), given.values(field))
        if agreed is not None:
            return Cell(agreed[0], None, (*agreed[1], *more))
        doubt = self.settings.unknown_at(path)
        return doubt if doubt is not None else self.default(table, field, given, *more)

    def default(self, table: str, field: str, given: Leaves, *more: Where) -> Cell[Any]:
        """What holds where an object says nothing about a field; `more` is what applies it."""
        key = f"{table}.{field}"
        missing = self.lack.otherwise(key, *given.begins)
        return missing if missing.is_unknown else self.lack.otherwise(key, *given.begins, *more)

    # what was not understood --------------------------------------------------------------------------------------

    def unparsed_rows(self) -> None:
        """Whatever the statements of the port's own rows and of those for all ports might set that were not understood."""
        for leaves in self.unplaced.values():
            self.unparsed(leaves)
        for (table, number), leaves in self.own.items():
            base = TABLES[table].base.replace("#", str(number))
            if table == SHOWN:
                self._unparsed_answers(leaves)
            else:
                self.unparsed(leaves, base)
        for table, leaves in self.device.items():
            own = [_name_of(parsed) for parsed, _ in self.row(table).statements] if table == "PORT_QOS_MAP" else []
            for parsed, at in leaves.unread():
                name = _name_of(parsed)
                if name is None or name not in own:  # a port with that field of its own takes no notice
                    for path in touched(parsed, TABLES[table].base):
                        self.settings.set_unknown(path, Why.NOT_PARSED, at)

    def _unparsed_answers(self, leaves: Leaves) -> None:
        """What is shown and not understood forbids a default, and makes nothing unknown that is configured."""
        for parsed, at in leaves.unread():
            for path in touched(parsed):
                if path in ("pfc.operational", "pfc.shown_off"):
                    self.settings.set_unknown(path, Why.NOT_PARSED, at)
                else:
                    self.settings.forbid_default(path, Why.NOT_PARSED, at)


def _name_of(parsed: Parsed) -> str | None:
    """The name of the field that a statement is about; None where that was not understood."""
    said = parsed.meant if parsed.value is None else parsed.value
    return said.name or None if isinstance(said, Leaf) else None
