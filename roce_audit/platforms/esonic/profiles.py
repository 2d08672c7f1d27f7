"""The named stanzas that a port leans on, and a buffer profile put together from the statements that say it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.table import TABLE
from roce_audit.text.block import Part
from roce_audit.text.statements.parsed import Parsed
from roce_audit.values import At

Line = tuple[Parsed, At]


class Definitions:
    """The named stanzas that a port leans on; stanzas of one name merge."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._of: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._parts = parts
        for index, part in enumerate(parts):
            if part.name and part.role == "bound":
                self._of[part.kind, part.name].append(index)

    def lines(self, kind: str, name: str) -> list[Line] | None:
        """The statements of a stanza with their places; None where nobody defines it."""
        found = self._of.get((kind, name))
        if found is None:
            return None
        return [
            (TABLE.parse(kind, statement), At(index, i))
            for index in found
            for i, statement in enumerate(self._parts[index].block.texts.statements)
        ]

    def raw(self, kind: str, name: str) -> tuple[str, ...] | None:
        """The statements of a stanza as they stand; None where nobody defines it."""
        found = self._of.get((kind, name))
        if found is None:
            return None
        return tuple(text for index in found for text in self._parts[index].block.texts.statements)


@dataclass
class Profile:
    """What is said, each with its place; statements that were not understood."""

    given: dict[str, tuple[object, At]] = field(default_factory=dict)
    unread: list[Line] = field(default_factory=list)

    @property
    def places(self) -> tuple[At, ...]:
        """All statements that say something, each once."""
        return tuple(dict.fromkeys(where for _, where in self.given.values()))

    @property
    def is_whole(self) -> bool:
        """Whether all of the profile is said, as the command line does in one statement."""
        return {"pool", "size"} <= set(self.given)


def gathered(lines: Iterable[Line]) -> Profile:
    """The last word on each thing; a statement that says all of a profile takes the place of those before it."""
    profile = Profile()
    for parsed, where in lines:
        if isinstance(parsed.value, st.BufferProfile):
            said = {name: (value, where) for name, value in parsed.value._asdict().items() if value is not None}
            if Profile(said).is_whole:
                profile.given.clear()
            profile.given |= said
        elif parsed.unread:
            profile.unread.append((parsed, where))
    return profile
