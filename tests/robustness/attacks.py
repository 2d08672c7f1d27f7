"""Texts that make a pattern try again and again: what each of its repetitions takes, many times over, and then no match.

The pattern's own tree (of the standard library) says what it repeats and what must stand before that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_SIGNS = "\n \t0a\"x,-_.:=AX/#!\\'{}[]()$|@<>*%;&~`?^+"
_FIRST = '\n \t0a"'
_MANY = 500
_UNLIKELY = "\0"
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_LOOKS = (_constants.ASSERT, _constants.ASSERT_NOT)
_CATEGORIES = {
    _constants.CATEGORY_SPACE: r"\s",
    _constants.CATEGORY_NOT_SPACE: r"\S",
    _constants.CATEGORY_DIGIT: r"\d",
    _constants.CATEGORY_NOT_DIGIT: r"\D",
    _constants.CATEGORY_WORD: r"\w",
    _constants.CATEGORY_NOT_WORD: r"\W",
}
Node = tuple[Any, Any]


class Attack(NamedTuple):
    """A text of any length: `before`, as many `unit`s as are wanted, and an end that nothing expects."""

    before: str
    unit: str

    def text(self, length: int) -> str:
        return self.before + self.unit * (length // len(self.unit)) + _UNLIKELY


def attacks(pattern: re.Pattern[Any]) -> set[Attack]:
    """Every attack on a pattern that its own repetitions suggest; blanks, newlines and the pattern itself besides."""
    tree = list(_parser.parse(pattern.pattern, pattern.flags & ~(0 if isinstance(pattern.pattern, str) else re.U)))
    whole = _sample(tree) or "x"
    found = {Attack("", unit) for unit in ("\n", " ", "0", whole, whole + "\n", whole[:-1] + "\n")}
    for before, unit in _repetitions(tree, ""):
        found |= {Attack(before, unit), Attack("", unit), Attack("", before + unit)}
    return found


def _repetitions(tree: Sequence[Node], start: str) -> Iterator[tuple[str, str]]:
    """What can stand before each repetition without a small limit, and what it repeats."""
    for place, (kind, value) in enumerate(tree):
        before = start + _sample(tree[:place])
        for inner in _inside(kind, value):
            if kind in _REPEATS and value[1] >= _MANY:
                signs = _accepted(inner[0]) if len(inner) == 1 else []
                units = [sign for sign in _FIRST if sign in signs] or signs[:1]
                yield from ((before, unit) for unit in (*units, _sample(inner)) if unit)
            yield from _repetitions(inner, before)


def _inside(kind: Any, value: Any) -> list[Sequence[Node]]:
    """The trees that a node holds."""
    if kind in _REPEATS:
        return [value[2]]
    if kind is _constants.SUBPATTERN:
        return [value[3]]
    if kind is _constants.ATOMIC_GROUP:
        return [value]
    if kind is _constants.BRANCH:
        return list(value[1])
    return [value[1]] if kind in _LOOKS else []


def _sample(tree: Iterable[Node]) -> str:
    """A short text that a tree matches, or nearly."""
    done = ""
    for kind, value in tree:
        signs = _accepted((kind, value))
        if signs:
            done += next((sign for sign in signs if sign != "\n"), signs[0])
        elif kind not in _LOOKS:
            first = next(iter(_inside(kind, value)), ())
            done += _sample(first) * (min(value[0], 40) if kind in _REPEATS else 1)
    return done


def _accepted(node: Node) -> list[str]:
    """Signs that a node for one sign takes; none for other nodes."""
    kind, value = node
    if kind is _constants.LITERAL:
        return [chr(value)]
    if kind is _constants.NOT_LITERAL:
        return [sign for sign in _SIGNS if ord(sign) != value]
    if kind is _constants.ANY:
        return [sign for sign in _SIGNS if sign != "\n"]
    if kind is not _constants.IN:
        return []
    negated = value[0][0] is _constants.NEGATE
    own = [] if negated else [chr(v if k is _constants.LITERAL else v[0]) for k, v in value if k in _WRITTEN]
    return [sign for sign in dict.fromkeys([*_SIGNS, *own]) if any(_takes(one, sign) for one in value) != negated]


_WRITTEN = (_constants.LITERAL, _constants.RANGE)


def _takes(one: Node, sign: str) -> bool:
    kind, value = one
    if kind is _constants.LITERAL:
        return ord(sign) == value
    if kind is _constants.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    return kind is _constants.CATEGORY and re.match(_CATEGORIES[value], sign) is not None
