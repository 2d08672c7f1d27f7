"""Dialect: the statements of one command-line syntax, mode by mode.

A mode is a kind of block (an interface, a policy, a class in a policy). For each mode a table says which leading words
concern the model and which path they touch; the grammar says how such a statement reads. What the table claims and the
grammar does not understand is *not parsed*: a finding, and doubt about that path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from roce_audit.text.block import CONTEXT
from roce_audit.text.statements.rows import Leaf

NEGATIONS = ("no", "default")
_LONGEST_LEAD = 4
_SHORTEST_TYPO = 8
_TYPO_RATIO = 0.88
_NO_LETTER = tuple("~!@#$%^&*()=+[]{}|;:'\",<>?\\`")


@dataclass(frozen=True, slots=True)
class Parsed:
    """One statement, understood or not.

    `topic` are the model paths (relative to its block, blank-separated) that the statement touches: None when it does not
    concern us, "" when it is ours and touches the block as a whole or nothing in particular. `value` is the vendor's
    statement as a small object; None = not understood.
    `context` are the parsed headers of the blocks around it, outermost first.
    """

    topic: str | None
    value: Any
    context: tuple[Parsed, ...] = ()
    meant: Leaf | None = None
    """The leaf of a tree that was not understood: without a value, with its keys if all of them were understood, and without
    a name where the statement ends before any leaf or goes on otherwise."""

    @property
    def unread(self) -> bool:
        """Ours, and not understood."""
        return self.topic is not None and self.value is None


_NOT_OURS = Parsed(None, None)


@dataclass
class Dialect:
    """Modes, tables and grammar of one syntax. Parsing is memoised by mode and text."""

    name: str
    grammar: Callable[[], str]
    rules: Mapping[str, Callable[..., Any]]
    """Grammar alias -> what makes the statement from its parts; raises ValueError for a value out of range."""
    topics: Mapping[str, Mapping[str, str]]
    """mode -> leading words (longest match wins) -> model path."""
    openers: Mapping[str, Mapping[str, str]]
    """mode -> leading words -> the mode of the block that such a line opens. The outermost mode is "top"."""
    comments: tuple[str, ...] = ("!",)
    strict: frozenset[str] = frozenset()
    """Modes that are ours as a whole: a line that no table names touches the whole block."""
    raw: frozenset[str] = frozenset()
    """Modes whose lines are kept as they stand, without a grammar (access lists)."""
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """mode -> first words that are known and say nothing to the model, although they look like ours or stand in a strict mode."""
    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """mode -> first words of lines that only name things (description, vlan, vrf); kept apart from the facts."""
    _memo: dict[tuple[str, str], Parsed] = field(default_factory=dict, repr=False)
    _near: dict[tuple[str, str], str | None] = field(default_factory=dict, repr=False)

    @cached_property
    def _parser(self) -> Any:
        from roce_audit.text.grammar import parser

        return parser(self.grammar(), sorted(mode for mode, table in self.topics.items() if table))

    def opens(self, mode: str, text: str) -> str | None:
        """The mode of the block that this line opens in `mode`; None when it opens none we know."""
        return _lead(self.openers.get(mode, {}), text)

    def topic(self, mode: str, text: str) -> str | None:
        """The model paths (blank-separated) that this line of `mode` touches; None when it is not ours.

        A misspelt word of ours is ours: `prority-flow-control` touches what `priority-flow-control` does.
        """
        table = self.topics.get(mode, {})
        found = _lead(table, text)
        if found is not None:
            return found
        word = _first_word(text)
        if word in self.ignored.get(mode, ()) or word in self.labels.get(mode, ()) or self.opens(mode, text):
            return None
        if mode in self.strict or mode in self.raw:
            return ""
        return self._misspelt(mode, word) or _nearly_led(table, text)

    def is_label(self, mode: str, text: str) -> bool:
        """Whether this line only names things."""
        return _first_word(text) in self.labels.get(mode, ())

    def _misspelt(self, mode: str, word: str) -> str | None:
        found = self._near.get((mode, word), "?")  # one word is asked for often, and close matches are slow
        if found != "?":
            return found
        table = self.topics.get(mode, {})
        firsts = {lead.split(" ")[0]: path for lead, path in sorted(table.items(), reverse=True)}
        # a word of ours with something behind it that belongs to no word
        near = next((p for w, p in firsts.items() if word.startswith(w) and word[len(w) :][:1] in _NO_LETTER), None)
        if near is None and len(word) >= _SHORTEST_TYPO:
            from difflib import get_close_matches

            long = [w for w in firsts if len(w) >= _SHORTEST_TYPO]
            close = [w for w in long if word.startswith(w)] or get_close_matches(word, long, 1, _TYPO_RATIO)
            near = firsts[close[0]] if close and close[0] != word else None
        self._near[(mode, word)] = near
        return near

    def lists(self, mode: str, text: str) -> bool:
        """Whether a table of `mode` names the leading words of this line."""
        if self.opens(mode, text) is not None or _lead(self.topics.get(mode, {}), text) is not None:
            return True
        return _first_word(text) in self.ignored.get(mode, ()) or self.is_label(mode, text)

    def knows(self, mode: str, text: str) -> bool:
        """Whether a table of `mode` names the leading words of this line, or a word that is misspelt in it."""
        return self.lists(mode, text) or self._misspelt(mode, _first_word(text)) is not None

    def parse(self, mode: str, statement: str) -> Parsed:
        """The statement of a block of `mode`; `statement` may carry the headers of nested blocks before CONTEXT."""
        key = (mode, statement)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._parse(mode, statement)
        return found

    def _parse(self, mode: str, statement: str) -> Parsed:
        *headers, text = statement.split(CONTEXT)
        around: list[Parsed] = []
        for header in headers:
            around.append(self._one(mode, header))
            mode = self.opens(mode, header) or mode
        parsed = self._one(mode, text)
        return Parsed(parsed.topic, parsed.value, tuple(around)) if around else parsed

    def _one(self, mode: str, text: str) -> Parsed:
        topic = self.topic(mode, text)
        if topic is None:
            return _NOT_OURS
        if mode in self.raw:
            return Parsed(topic, text)
        value = self._value(mode, text)
        uncommented = self._before_comment(text) if value is None else text
        return Parsed(topic, value if uncommented == text else self._value(mode, uncommented))

    def _value(self, mode: str, text: str) -> Any:
        """The statement that `text` makes; None where the grammar does not understand it."""
        from lark.exceptions import UnexpectedInput

        try:
            return self._build(self._parser.parse(text, start=mode))
        except (UnexpectedInput, ValueError):
            return None

    def _before_comment(self, text: str) -> str:
        """A statement without the remark that people write behind it (`pause pfc-cos 3 ! lossless`); no device prints one."""
        return min((text.partition(f" {sign} ")[0] for sign in self.comments), key=len, default=text)

    def _build(self, node: Any) -> Any:
        children = getattr(node, "children", None)
        if children is None:
            return str(node)
        return self.rules[node.data](*map(self._build, children))


def _first_word(text: str) -> str:
    words = text.split(" ", 2)
    return words[1] if words[0] in NEGATIONS and len(words) > 1 else words[0]


def _nearly_led(table: Mapping[str, str], text: str) -> str | None:
    """What a lead of several words touches that the line has but for one misspelt word, which is not the first."""
    words = text.split(" ")
    words = words[1:] if words[0] in NEGATIONS and len(words) > 1 else words
    for lead, path in table.items():
        wanted = lead.split(" ")
        if wanted[0] != words[0] or len(wanted) > len(words):
            continue
        odd = [pair for pair in zip(words, wanted, strict=False) if pair[0] != pair[1]]
        if len(odd) == 1 and _alike(*odd[0]):
            return path
    return None


def _alike(word: str, wanted: str) -> bool:
    """Whether a word is the wanted one with something stuck to it that is no part of a word, or nearly the same."""
    if word.startswith(wanted) and not (word[len(wanted)].isalnum() or word[len(wanted)] in "-_"):
        return True
    from difflib import SequenceMatcher

    return len(word) < 2 * len(wanted) and SequenceMatcher(None, word, wanted).ratio() >= _TYPO_RATIO


def _lead(table: Mapping[str, str], text: str) -> str | None:
    words = text.split(" ", _LONGEST_LEAD + 1)
    if words[0] in NEGATIONS and len(words) > 1:
        words = words[1:]
    for count in range(min(len(words), _LONGEST_LEAD), 0, -1):
        found = table.get(" ".join(words[:count]))
        if found is not None:
            return found
    return None
