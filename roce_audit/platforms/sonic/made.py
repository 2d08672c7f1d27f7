"""Buffer profiles that stand in no row: made by the device from its table of headrooms, or seen to run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.sonic.answers import Answers
from roce_audit.platforms.sonic.builder import Lookedup
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.lookup import POOL, Lookup, generated
from roce_audit.platforms.sonic.statements import field_of, said_by
from roce_audit.text.block import CONTEXT, Block, block

_Name = tuple[str, str]
PROFILE = "BUFFER_PROFILE"
_DECIDES = ("PORT" + CONTEXT, "CABLE_LENGTH" + CONTEXT)
"""How the statements begin that decide on the profile of a port."""


@dataclass
class Made:
    """What is known of such profiles in one database."""

    answers: Answers
    lookup: Lookup | None
    dynamic: bool | None
    """The buffer model; None where nobody said."""
    pools: Sequence[Row]

    @property
    def state(self) -> Lookedup:
        """Whether the table is at hand, and whether all of it was understood."""
        if self.lookup is None:
            return "none"
        return "doubtful" if self.lookup.odd else "whole"

    def running(self, objects: Mapping[_Name, list[Block]]) -> Iterator[tuple[_Name, Block]]:
        """In the dynamic model: what a command showed of pools and profiles and no row says."""
        if not self.dynamic:
            return
        for key in (*objects, *self.answers.objects):
            nameless = self.answers.nameless.get(key[0])
            if nameless is not None:  # it may be what was shown of this one
                text, place = nameless
                yield key, block(place.path, place.line, (text,), (place.line,))
        for name, shown in self.answers.objects.items():
            said = {field_of(text) for its in objects.get(name, ()) for text in its.texts.statements}
            new = [i for i, text in enumerate(shown.texts.statements) if field_of(text) not in said]
            if new:
                texts = tuple(shown.texts.statements[i] for i in new)
                yield name, block(shown.path, shown.first, texts, tuple(shown.place(i).line for i in new))

    def awaited(self, statements: Iterable[str]) -> _Name | None:
        """The profile that the device makes for a port of these statements from a table that is not at hand: no row need define it."""
        name = _of_speed_and_cable(statements)
        return (PROFILE, name) if name and self.lookup is None and not self.dynamic else None

    def of_port(self, statements: Iterable[str]) -> list[_Name]:
        """The profiles that the device makes for a port of these statements, by its speed and cable."""
        name = _of_speed_and_cable(statements)
        if not name:
            return []
        if self.dynamic:
            stem = name.removesuffix("profile")
            return [(table, n) for table, n in self.answers.objects if table == PROFILE and n.startswith(stem)]
        return [(PROFILE, name)] if self.looked_up(name) is not None else []

    def looked_up(self, name: str) -> Block | None:
        """The profile of this name as the table of headrooms has it; the dynamic model does not use the table."""
        if self.lookup is None or self.dynamic:
            return None
        modes = {row.fields.get("mode") for row in self.pools if row.key == POOL}
        mode = modes.pop() if len(modes) == 1 else None
        return self.lookup.profile(name, mode if mode in ("static", "dynamic") else "")

    def differing(self, profiles: Sequence[Row]) -> Iterator[Seen]:
        """Rows that keep another headroom than the table for their speed and cable: the device takes the row as it is."""
        for row in profiles:
            given = self.looked_up(row.key)
            if given is None or "xoff" not in row.fields:
                continue
            index = next(i for i, text in enumerate(given.texts.statements) if field_of(text) == "xoff")
            wanted, place = said_by(given.texts.statements[index], PROFILE, "xoff"), given.place(index)
            if str(row.fields["xoff"]) != str(wanted):
                text = f"the table of headrooms has {wanted} for this speed and cable; this row holds"
                quote = f"{row.table}|{row.key} xoff={row.fields['xoff']}"
                yield seen("conflict", row.key, text, row.place("xoff"), quote, (), place)


def _of_speed_and_cable(statements: Iterable[str]) -> str:
    """The name that the device gives the lossless profile of a port of these statements; empty where either is not known."""
    its = [text for text in statements if text.startswith(_DECIDES)]
    speeds = {said_by(text, "PORT", "speed") for text in its} - {None}
    cables = {said_by(text, "CABLE_LENGTH", "length") for text in its} - {None}
    return generated(str(speeds.pop()), f"{cables.pop()}m") if len(speeds) == len(cables) == 1 else ""
