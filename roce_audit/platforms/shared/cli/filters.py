"""Access lists that filter what enters or leaves a port: whether they drop every RoCEv2 packet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from roce_audit.text.acl import drops_roce
from roce_audit.text.block import HEADER, Part
from roce_audit.text.settings import Settings
from roce_audit.text.statements.rows import Row, row
from roce_audit.values import At, Why

Direction = Literal["in", "out"]
DIRECTIONS: tuple[Direction, ...] = ("in", "out")
DROPS = "drops_roce"
LIST = "acl"
"""The mode of an access list's stanza."""
FILTER = "filter"
"""The kind of name by which a port names a list as its filter: one that nobody defines filters nothing."""
_OUT = frozenset({"out", "outbound", "egress"})


class Filter(NamedTuple):
    """An access list is bound to what enters or leaves a port; `name` None: none is, in either direction."""

    name: str | None
    direction: Direction = "in"


def _bound(name: str, direction: str = "in") -> Filter:
    return Filter(name, "out" if direction in _OUT else "in")


def filter_row(words: str, directions: str) -> Row:
    """The row of a statement that binds a list by `words`; `directions` are its words for the two ways, `in|out` for instance."""
    return row(
        f"{words} <name> <direction:{directions}> [<...>]", _bound, DROPS, no=Filter(None), no_form=f"{words} [<...>]"
    )


def filtered(
    settings: Settings,
    parts: Sequence[Part],
    bound: tuple[str, At],
    drops_rest: bool,
    neutral: Callable[[str], str] = str,
) -> None:
    """Fold one list that is bound to a port; `drops_rest`: what no line of it catches is dropped.

    `neutral` puts a line into the words of the common reader of access lists.
    """
    name, at = bound
    places = [
        (line, At(index, number))
        for index, part in enumerate(parts)
        if (part.kind, part.name) == (LIST, name)
        for number, line in enumerate(part.block.texts.statements)
    ]
    dropped, number = drops_roce([neutral(line) for line, _ in places], drops_rest)
    if dropped is False:
        return
    where = places[number][1] if number >= 0 else At(places[-1][1].part, HEADER)
    if dropped:
        settings.set(DROPS, True, where, at)
    elif settings.get(DROPS) is None:
        settings.set_unknown(DROPS, Why.NOT_VISIBLE, where, at)
