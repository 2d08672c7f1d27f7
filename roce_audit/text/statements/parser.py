"""Parsers of statement grammars: lark works out the tables once, and they are kept as plain data.

A statement is a row of whole words, so no more is needed to go through it than the tables and its words: lark is imported where
tables are made anew. They are found by a digest of the grammar and of the version that made them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from roce_audit import __version__
from roce_audit.records import dataclass
from roce_audit.text.cachefiles import cache_file, read_ready, write_sealed

_FORM = 1
_NUMBER, _ANY, _END = " number", " any", " end"
"""Kinds of words, as tables call them. They and the names of rules begin with a blank, which no word of a statement has in it."""
_DIGITS = frozenset("0123456789")
_MOST_DIGITS = 20
_TERMINALS = f"""
INT.1: /[0-9]{{1,{_MOST_DIGITS}}}/
ANY.-1: /\\S+/
_BLANK: / +/
%ignore _BLANK
"""
_KINDS = {"INT": _NUMBER, "ANY": _ANY, "$END": _END}
"""What lark calls those kinds."""


@dataclass(frozen=True, slots=True)
class Found:
    """A statement that a grammar understands."""

    row: str
    """The name of the alternative that it is."""
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    """In order, the rules in it whose words are kept (`!rule`), each with its words."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What lark makes of a grammar (LALR), as plain data."""

    starts: Mapping[str, Sequence[int]]
    """Start symbol -> the state to begin in, and the state in which it was understood."""
    states: Sequence[Mapping[str, int]]
    """In each state: a word, a kind of words or a rule that was found -> the next state; or the complement of the number of a
    rule that ends here."""
    rules: Sequence[Sequence[Any]]
    """Of each: its name, of how many parts it is made, and under which name it is handed on ("": as its parts)."""


class Parser:
    """Goes through statements by the tables of a grammar."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def parse(self, start: str, statement: str) -> Found | None:
        """What a statement is, of those that a start symbol stands for; None: none of them."""
        words = statement.split()
        if len(words) != len(statement.split(" ")) and words != [word for word in statement.split(" ") if word]:
            return None  # other signs than blanks between words
        begin, end = self._tables.starts[start]
        states, values = [begin], list[list[Any]]()
        for word in words:
            kind = _kind(word, self._tables.states[states[-1]])
            if not self._reduced(kind, states, values, -1):
                return None
            states.append(self._tables.states[states[-1]][kind])
            values.append([word])
        if not self._reduced(_END, states, values, end):
            return None
        ((row, parts),) = values[-1]
        return Found(row, tuple(part for part in parts if not isinstance(part, str)))

    def _reduced(self, kind: str, states: list[int], values: list[list[Any]], end: int) -> bool:
        """Put together every rule that ends before a word of this kind; False where no such word may follow."""
        table, rules = self._tables.states, self._tables.rules
        while states[-1] != end:
            action = table[states[-1]].get(kind)
            if action is None or action >= 0:
                return action is not None
            name, length, known_as = rules[~action]
            first = len(values) - length
            parts = [part for value in values[first:] for part in value]
            del values[first:], states[len(states) - length :]
            values.append([(known_as, tuple(parts))] if known_as else parts)
            states.append(table[states[-1]][name])
        return True


def _kind(word: str, state: Mapping[str, int]) -> str:
    """What a word is where a state expects some words: a number, one of these words, or any."""
    if _NUMBER in state and len(word) <= _MOST_DIGITS and _DIGITS.issuperset(word):
        return _NUMBER
    return word if word in state else _ANY


def parser(grammar: str, starts: Sequence[str]) -> Parser:
    """A parser of these rules, one start symbol a mode. They may use INT, ANY and words in quotes; a rule may hold one of the
    rules before it. Each alternative of a start symbol has a name."""
    name = tables_name(grammar, starts)
    with suppress(OSError, ValueError, TypeError):  # none yet, or damaged
        return Parser(Tables(**json.loads(read_ready(name))))
    content = tables_content(grammar, starts)
    if (file := cache_file(name)) is not None:
        write_sealed(file, content)
    return Parser(Tables(**json.loads(content)))


def tables_name(grammar: str, starts: Sequence[str]) -> str:
    """Name of the file that keeps the tables of a grammar."""
    digest = hashlib.sha256("\0".join((__version__, str(_FORM), grammar, *starts)).encode()).hexdigest()[:24]
    return f"grammar-{digest}.tables"


def tables_content(grammar: str, starts: Sequence[str]) -> bytes:
    """What that file holds; the same each time."""
    tables = _built(grammar, starts)
    kept = {"starts": tables.starts, "states": tables.states, "rules": tables.rules}
    return json.dumps(kept, separators=(",", ":")).encode()


def _built(grammar: str, starts: Sequence[str]) -> Tables:
    from lark import Lark
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    built = Lark(grammar + _TERMINALS, parser="lalr", start=list(starts), maybe_placeholders=False)
    table = built.parser.parser._parse_table
    keys = {one.name: one.pattern.value for one in built.terminals if isinstance(one.pattern, PatternStr)} | _KINDS
    keys |= {rule.origin.name: f" {rule.origin.name}" for rule in built.rules}
    states = {state: number for number, state in enumerate(_in_order(table))}
    rules = {rule: number for number, rule in enumerate(built.rules)}
    return Tables(
        {start: [states[table.start_states[start]], states[table.end_states[start]]] for start in starts},
        [
            {
                keys[of]: states[to] if action is Shift else ~rules[to]
                for of, (action, to) in sorted(table.states[at].items())
            }
            for at in states
        ],
        [[keys[rule.origin.name], len(rule.expansion), _known_as(rule)] for rule in built.rules],
    )


def _in_order(table: Any) -> list[Any]:
    """The states as they are come to from where statements begin: lark's own order is another one in each process."""
    from lark.parsers.lalr_analysis import Shift

    found = list(table.start_states.values())
    seen = set(found)
    for state in found:
        for _, (action, to) in sorted(table.states[state].items()):
            if action is Shift and to not in seen:
                seen.add(to)
                found.append(to)
    return found


def _known_as(rule: Any) -> str:
    """The name under which a rule is handed on: that of an alternative, or of a rule whose words are kept."""
    name: str = rule.origin.name
    return rule.alias or (name if rule.options.keep_all_tokens and not name.startswith("__") else "")
