"""What holds in the end: groups are inherited, ranges and wildcards written out, what is inactive or deleted is gone.

Every statement keeps the line it stands on, and the line that applied it where that is another one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field, replace

from roce_audit.platforms.junos.paths import header, pieces
from roce_audit.platforms.junos.ranges import RANGE, fits, is_wild, members, wild
from roce_audit.platforms.junos.texts import Line
from roce_audit.records import dataclass
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.nodes import Words
from roce_audit.values import Place

APPLY, EXCEPT = "apply-groups", "apply-groups-except"
GROUPS = "groups"
_OURS = frozenset({"interfaces", "class-of-service"})
_MOST = 200_000
"""Statements of a device, beyond which groups are no longer written out."""
_DEEPEST = 16
"""Groups within groups."""
_BY_GROUP, _BY_RANGE, _OWN = 0, 1, 2
"""First of a rank: what a group brings, what a range brings, what is said in its place."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement that holds. `applied` is the line that brought it here (`apply-groups`, `member`).

    Of two that cannot both hold the one of the higher `rank` does. `level` is how many words stand before `apply-groups`.
    """

    words: Words
    place: Place
    applied: Place | None = None
    rank: tuple[int, ...] = (_OWN,)
    groups: tuple[str, ...] = ()
    level: int = 0


@dataclass
class Expanded:
    """The statements of a device, those that win last; and what could not be expanded."""

    statements: list[Statement] = field(default_factory=list)
    groups: dict[str, Place] = field(default_factory=dict)
    """Where each group begins."""
    bodies: dict[str, list[Statement]] = field(default_factory=dict)
    """What each group says."""
    relevant_groups: set[str] = field(default_factory=set)
    """Those of them that say anything of interfaces or of their class of service."""
    applied: list[tuple[str, Statement]] = field(default_factory=list)
    """Names of groups, with the statements that apply them or keep them out."""
    unmatched: list[Statement] = field(default_factory=list)
    """Statements of applied groups whose wildcards fit nothing that is there."""
    stray: list[Statement] = field(default_factory=list)
    """What takes back something that is nearly, but not quite, there; and ranges that nobody can write out."""
    asleep: list[tuple[Statement, Statement]] = field(default_factory=list)
    """Statements that are inactive in the end, each behind what deactivates it."""
    deleted: list[tuple[Statement, Statement]] = field(default_factory=list)
    """Statements that a later one deletes, each behind that one."""


def expanded(documents: Iterable[tuple[str, Iterable[Line]]]) -> Expanded:
    """What holds on a device whose documents (path, statements) these are."""
    found = Expanded()
    said = [one for path, lines in documents for line in lines for one in _canonical(path, line)]
    _Inheritance(_left(said, found), found).all()
    return found


_NUMBERS = re.compile(r"[0-9]+")
_Said = tuple[str, Statement]
"""What is done (`set`, `delete`, ...) with which statement."""


def _canonical(path: str, line: Line) -> Iterator[_Said]:
    """A line as one statement a leaf."""
    offset = 2 if line.words[0] == GROUPS and len(line.words) > 2 else 0
    words, numbers = line.words[offset:], line.lines[offset:]
    for each, index in _split(words) if line.verb == "set" else _taken_back(words):
        yield line.verb, Statement((*line.words[:offset], *each), Place(path, numbers[index]))


def _split(words: Words) -> Iterator[tuple[Words, int]]:
    """(words of a leaf, index of the last one that is its own)."""
    at = next((n for n, word in enumerate(words) if word in (APPLY, EXCEPT)), None)
    if at is None and words[:2] == ("interfaces", RANGE) and words[3:4] == ("member",):
        at = 3
    if at is not None:
        for index in range(at + 1, len(words)):
            if words[index] not in ("[", "]"):
                yield (*words[: at + 1], words[index]), index
        return
    mode, length = ("interface", 3) if words[:2] == ("interfaces", RANGE) else _header(words)
    mode = "" if words[3:4] == ("member-range",) else mode
    split = pieces(mode, words[length:]) if mode else ()
    for each, index in split:
        yield (*words[:length], *each), length + index
    if not split:
        bare = words[:length] if mode else words
        yield bare, len(bare) - 1


def _taken_back(words: Words) -> Iterator[tuple[Words, int]]:
    """The leaves of a whole statement, or the words themselves where they are only the beginning of one."""
    split = list(_split(words))
    yield from split if split and split[-1][1] == len(words) - 1 else [(words, len(words) - 1)]


def _header(words: Words) -> tuple[str, int]:
    found = header(words)
    return (found.mode, found.length) if found is not None and len(words) > found.length else ("", 0)


def _left(said: list[_Said], found: Expanded) -> list[Statement]:
    """The statements that no later `delete` took away, and that are not inactive in the end."""
    known = _Tree()
    inactive: dict[Words, Statement] = {}
    for verb, statement in said:
        words = statement.words
        if verb == "set":
            known.add(words)
        elif verb == "activate":
            inactive.pop(words, None)
        elif known.is_nearly(words):
            found.stray.append(statement)
        elif verb == "deactivate":
            inactive[words] = statement
    gone: dict[Words, Statement] = {}
    left: list[Statement] = []
    for verb, statement in reversed(said):
        words = statement.words
        if verb == "delete":
            gone[words] = statement
        elif verb == "set" and (by := _above(words, gone)) is not None:
            found.deleted.append((gone[by], statement))
        elif verb == "set":
            above = _above(words, inactive)
            if above is None:
                left.append(statement)
            else:
                found.asleep.append((inactive[above], statement))
    return left[::-1]


def _above(words: Words, which: Collection[Words]) -> Words | None:
    """The first of these that the words are, or begin with."""
    return (
        next((words[:count] for count in range(1, len(words) + 1) if words[:count] in which), None) if which else None
    )


class _Tree:
    """Words by the words before them."""

    def __init__(self) -> None:
        self._below: dict[Words, dict[str, None]] = {}

    def add(self, words: Words) -> None:
        for count in range(len(words)):
            self._below.setdefault(words[:count], {})[words[count]] = None

    def next(self, words: Words) -> list[str]:
        """The words that stand behind these."""
        return list(self._below.get(words, ()))

    def is_nearly(self, words: Words) -> bool:
        """Whether nothing is there by these words, but something that one of them may be a misspelling of."""
        for count, word in enumerate(words):
            below = self._below.get(words[:count], {})
            if word not in below:
                return meant(word, [each for each in below if _letters(each) != _letters(word)]) is not None
        return False


def _letters(word: str) -> str:
    """A name without its numbers: one that differs in them alone is another's."""
    return _NUMBERS.sub("", word)


class _Inheritance:
    """Groups, ranges and wildcards of one device."""

    def __init__(self, statements: list[Statement], found: Expanded) -> None:
        self.found = found
        self.own: list[Statement] = []
        self.bodies = found.bodies
        for one in statements:
            if one.words[0] != GROUPS:
                self.own.append(one)
            elif len(one.words) > 1:
                found.groups.setdefault(one.words[1], one.place)
                body = self.bodies.setdefault(one.words[1], [])
                if len(one.words) > 3 and one.words[2] in _OURS:
                    found.relevant_groups.add(one.words[1])
                if len(one.words) > 2:
                    body.append(replace(one, words=one.words[2:]))

    def all(self) -> None:
        """Everything that holds: what is inherited first, what is said in its place last."""
        own = list(self._ranged([one for one in self.own if not _applies(one)]))
        inherited = list(self._inherited(self.own, (), 0))
        tree = _Tree()
        for one in (*own, *inherited):
            if not any(map(is_wild, one.words)):
                tree.add(one.words)
        kept_out = [one for one in self.own if EXCEPT in one.words]
        self.found.applied += [(one.words[-1], one) for one in kept_out]
        excepted = [one.words for one in kept_out]
        written: list[Statement] = []
        for one in inherited:
            if len(written) < _MOST:
                every = [replace(one, words=words) for words in _concrete(one.words, tree)]
                if not every:
                    self.found.unmatched.append(one)
                written += [each for each in every if not _is_excepted(each, excepted)]
        self.found.statements = sorted((*written, *own), key=lambda one: one.rank)

    # groups -------------------------------------------------------------------------------------------------------

    def _inherited(self, statements: Iterable[Statement], above: tuple[int, ...], depth: int) -> Iterator[Statement]:
        """What the groups bring that are applied here. The one applied deeper wins, then the one named first."""
        for number, one in enumerate(each for each in statements if APPLY in each.words):
            at = one.words.index(APPLY)
            name = one.words[-1]
            self.found.applied.append((name, one))
            if name not in self.bodies or depth >= _DEEPEST:
                continue
            rank = (*above, at, -number)
            body = self.bodies[name]
            for each in (
                *[replace(said, rank=(*rank, 1)) for said in body if not _applies(said)],
                *self._inherited(body, (*rank, 0), depth + 1),
            ):
                if len(each.words) > at and all(map(fits, each.words, one.words[:at])):
                    yield replace(
                        each,
                        words=(*one.words[:at], *each.words[at:]),
                        applied=one.place,
                        rank=each.rank if depth else (_BY_GROUP, *each.rank),
                        groups=(name, *each.groups),
                        level=at,
                    )

    # ranges -------------------------------------------------------------------------------------------------------

    def _ranged(self, statements: list[Statement]) -> Iterator[Statement]:
        """Interface ranges written out for each of their members."""
        ranges: dict[str, list[Statement]] = {}
        named: dict[str, None] = {}
        for one in statements:
            if one.words[:2] == ("interfaces", RANGE) and len(one.words) > 2:
                ranges.setdefault(one.words[2], []).append(one)
            else:
                named.update(dict.fromkeys(one.words[1:2]) if one.words[0] == "interfaces" else ())
                yield one
        for body in ranges.values():
            said = [one for one in body if one.words[3:4] not in ((), ("member",), ("member-range",))]
            for one in body:
                if one.words[3:4] in (("member",), ("member-range",)):
                    which = members(one.words[3:], list(named))
                    if which is None:
                        self.found.stray.append(one)
                    for member in which or ():
                        yield Statement(("interfaces", member), one.place, one.place, (_BY_RANGE,))
                        for each in said:
                            words = ("interfaces", member, *each.words[3:])
                            yield replace(each, words=words, applied=one.place, rank=(_BY_RANGE,))


def _applies(one: Statement) -> bool:
    return APPLY in one.words or EXCEPT in one.words


def _concrete(words: Words, tree: _Tree) -> Iterator[Words]:
    """The words with every wildcard replaced by what is there."""
    found: list[Words] = [()]
    for word in words:
        if is_wild(word):
            found = [(*way, each) for way in found for each in tree.next(way) if each != RANGE and wild(word, each)]
        else:
            found = [(*way, word) for way in found]
    yield from found[:_MOST]


def _is_excepted(one: Statement, excepted: list[Words]) -> bool:
    """Whether a group that brought a statement is kept out where it stands."""
    for words in excepted:
        at = words.index(EXCEPT)
        if words[-1] in one.groups and at >= one.level and one.words[:at] == words[:at]:
            return True
    return False
