"""Lines of all sources in one form: the words of NVUE after `nv set`, their place, and the text as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from roce_audit.platforms.cumulus.table import TABLE
from roce_audit.platforms.cumulus.values import numbers
from roce_audit.records import dataclass
from roce_audit.text.statements.leads import follow
from roce_audit.values import Place

LISTED = frozenset({"traffic-class", "switch-priority", "dscp", "pcp", "queue"})
"""Words whose next word may be a list: `traffic-class 0,3 mode dwrr` is two statements."""


def _one_line(number: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `unset` takes away what earlier lines with these first words set."""

    words: tuple[str, ...]
    place: Place
    quote: str
    unset: bool = False
    key: Callable[[int], tuple[Place, str] | None] = _one_line
    """Of a tree: where the key stands that is the word of this number, and its text; None where that is no line of its own."""

    def at(self, number: int) -> tuple[Place, str]:
        """Where the word of this number stands, and the text as it stands there."""
        return self.key(number) or (self.place, self.quote)


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement of a block: the text without the names of the block, and where it stands."""

    text: str
    place: Place
    quote: str


def spread(words: tuple[str, ...]) -> Iterator[str]:
    """The statements that these words of a block stand for: one for each number of a list."""
    if len(words) > 1 and words[0] in LISTED:
        try:
            given = numbers(words[1])
        except ValueError:
            given = ()
        for number in given:
            yield " ".join((words[0], str(number), *words[2:]))
        if given:
            return
    yield " ".join(words)


def first_odd(kind: str, text: str) -> int | None:
    """Which word of a statement of a block is the first that none of ours begins with; None where it is understood."""
    if not TABLE.parse(kind, text).unread:
        return None
    found = follow(TABLE.modes[kind].leads, text.split(" "))
    return found.depth if found.misspelt is None else found.misspelt


def begins(kind: str, text: str) -> bool:
    """Whether some statement of a block of this kind begins with these words."""
    words = text.split(" ") if text else []
    found = follow(TABLE.modes[kind].leads, words)
    return found.depth == len(words) and found.misspelt is None
