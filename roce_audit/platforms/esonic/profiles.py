"""A buffer profile put together from the lines that say it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.said import Line
from roce_audit.values import At


@dataclass
class Profile:
    """What is said, each with its line; lines that were not understood."""

    given: dict[str, tuple[object, At]] = field(default_factory=dict)
    unread: list[At] = field(default_factory=list)

    @property
    def lines(self) -> tuple[At, ...]:
        """All lines that say something, each once."""
        return tuple(dict.fromkeys(where for _, where in self.given.values()))


def gathered(lines: Iterable[Line]) -> Profile:
    """The last word on each thing; a line that says all of a profile takes the place of those before it."""
    profile = Profile()
    for parsed, where in lines:
        if isinstance(parsed.value, st.BufferProfile):
            if parsed.value.whole:
                profile.given.clear()
            profile.given |= {name: (value, where) for name, value in parsed.value.given}
        elif parsed.unread:
            profile.unread.append(where)
    return profile
