"""Configuration groups: what an interface says through `apply-group`.

A group holds statements below patterns of interfaces; what the interface says itself wins, then the group that is named first, and
groups that are applied to the whole router come last (Configuration Groups, System Setup and Software Installation Guide for Cisco
8000 Series Routers). Of the regular expressions those are read that hold letters, digits, sets, `.` and `*` behind it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from roce_audit.patterns import lazy
from roce_audit.text.block import CONTEXT, HEADER, Block, block
from roce_audit.values import Place

_PIECE = lazy(r"([A-Za-z0-9/_-]|\\\.|\\/|\.|\[[0-9A-Za-z-]{1,40}\])(\*?)")
INTERFACE = "interface "
"""How the header begins below which a group speaks of interfaces."""


class _Piece(NamedTuple):
    """Characters of a pattern: any of these, or (empty) any at all; `many`: as often as there are any."""

    among: frozenset[str]
    many: bool

    def takes(self, letter: str) -> bool:
        return not self.among or letter in self.among


class Inherited(NamedTuple):
    """What a group says below one pattern of interfaces."""

    pattern: str
    said: Block


class Groups:
    """The groups of one router by name."""

    def __init__(self) -> None:
        self._of_name: dict[str, list[Inherited]] = defaultdict(list)
        self._places: dict[str, Place] = {}

    def define(self, name: str, body: Block) -> None:
        """A group goes by this name."""
        self._of_name[name] += [one for one in _by_pattern(body) if one.said.texts.statements]
        self._places.setdefault(name, body.place(HEADER))

    def defined(self) -> Iterator[tuple[str, Place, Sequence[Inherited]]]:
        """Each group: its name, where it begins, and what it says of interfaces."""
        for name, place in self._places.items():
            yield name, place, self._of_name[name]

    def blocks(self) -> Iterator[Block]:
        """All that groups say of interfaces."""
        for group in self._of_name.values():
            yield from (one.said for one in group)

    def inherited(self, names: Sequence[str], port: str) -> list[Block] | None:
        """What these groups say of a port, the one that counts most at the end; None where nothing defines one of them, or a pattern
        is none that is read."""
        found: list[Block] = []
        for name in reversed(names):
            if name not in self._of_name:
                return None
            for one in self._of_name[name]:
                fits = matches(one.pattern, port)
                if fits is None:
                    return None
                found += [one.said] if fits else []
        return found


def _by_pattern(body: Block) -> Iterator[Inherited]:
    of: dict[str, tuple[int, list[str], list[int]]] = {}
    for index, statement in enumerate(body.texts.statements):
        header, _, rest = statement.partition(CONTEXT)
        if not header.startswith(INTERFACE):
            continue
        line = body.place(index).line
        first, statements, lines = of.setdefault(header, (line, [], []))
        if rest:
            statements.append(rest)
            lines.append(line)
    for header, (first, statements, lines) in of.items():
        pattern = header.removeprefix(INTERFACE).strip("'\" ")
        yield Inherited(pattern, block(body.path, first, tuple(statements), tuple(lines)))


@lru_cache(maxsize=4096)
def matches(pattern: str, name: str) -> bool | None:
    """Whether a pattern covers the name of an interface; None for a pattern that is none of those that are read."""
    pieces = _pieces(pattern)
    if pieces is None:
        return None
    states = _closure(pieces, {0})
    for letter in name:
        states = _closure(pieces, set(_stepped(pieces, states, letter)))
    return len(pieces) in states


def _stepped(pieces: Sequence[_Piece], states: Iterable[int], letter: str) -> Iterator[int]:
    for state in states:
        if state < len(pieces) and pieces[state].takes(letter):
            yield state if pieces[state].many else state + 1


def _closure(pieces: Sequence[_Piece], states: set[int]) -> set[int]:
    """With these also the places that are reached where nothing is taken."""
    found = set(states)
    for state in range(len(pieces)):
        if state in found and pieces[state].many:
            found.add(state + 1)
    return found


def _pieces(pattern: str) -> tuple[_Piece, ...] | None:
    found: list[_Piece] = []
    at = 0
    while at < len(pattern):
        piece = _PIECE.match(pattern, at)
        if piece is None:
            return None
        text, many = piece.groups()
        found.append(_Piece(_among(text), bool(many)))
        at = piece.end()
    return tuple(found) if found else None


def _among(text: str) -> frozenset[str]:
    if text == ".":
        return frozenset()
    if not text.startswith("["):
        return frozenset({text[-1]})
    inner, letters = text[1:-1], set[str]()
    at = 0
    while at < len(inner):
        if inner[at + 1 : at + 2] == "-" and at + 2 < len(inner):
            letters.update(map(chr, range(ord(inner[at]), ord(inner[at + 2]) + 1)))
            at += 3
        else:
            letters.add(inner[at])
            at += 1
    return frozenset(letters)
