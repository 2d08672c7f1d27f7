"""Braces: configuration in curly blocks, as a tree of statements.

Two manners of one form: a statement ends with its line (SR Linux) or with a semicolon (Junos). Flat `set` lines are
statements without blocks and come out the same way. Lists stand between the words `[` and `]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.structured.nodes import Node

MAX_DEPTH = 64
MAX_WORDS = 4_096
"""Words of one statement, its blocks' included; more is no configuration."""

_TOKEN = lazy(
    r"[^\S\n]*(?:(?P<end>\n)|(?P<note>#[^\n]*)|(?P<long>/\*)|(?P<quote>\")|(?P<mark>;|[{}\[\]](?=[\s{}\[\];]|\Z))"
    r"|(?P<word>[^\s;\"]+)|\Z)"
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)
_NEEDS_QUOTES = lazy(r"[\s;\"]|\A(?:#|/\*|[{}](?:[{}\[\]]|\Z)|\Z)")


@dataclass(frozen=True, slots=True)
class Braces:
    """A text read. `damage` is the line that cannot belong to a whole text (0: none), `wrong` says why.

    A block that is never closed holds everything behind it, whatever was meant.
    """

    root: Node
    damage: int = 0
    wrong: str = ""


def read(
    text: str,
    *,
    first_line: int = 1,
    ends: Literal["line", "semicolon"] = "line",
    prefixes: frozenset[str] = frozenset(),
) -> Braces:
    """Read a text whose first line is line `first_line` of its file. Never raises; what follows damage is left out.

    `prefixes` are words that may stand before a statement and say how it is to be taken.
    """
    reader = _Reader(first_line, ends == "line", prefixes)
    reader.read(text)
    return Braces(reader.open[0].node, reader.damage, reader.wrong)


def quoted(word: str) -> str:
    """A word as it is written: in quotation marks where it would be none, or several, without them."""
    return f'"{word}"' if _NEEDS_QUOTES.search(word) else word


class _Open:
    """A block that is not closed yet, and how many words stand around what is in it."""

    __slots__ = ("below", "node", "words")

    def __init__(self, node: Node, words: int) -> None:
        self.node = node
        self.words = words
        self.below: list[Node] = []
        node.below = self.below


class _Reader:
    def __init__(self, line: int, by_line: bool, prefixes: frozenset[str]) -> None:
        self.line = line
        self.by_line = by_line
        self.prefixes = prefixes
        self.damage = 0
        self.wrong = ""
        self.open = [_Open(Node((), (0,), 0, 0, True), 0)]
        self.own: list[str] = []
        self.lines: list[int] = []
        self.notes: list[str] = []
        self.latest: Node | None = None
        self.in_list = False

    def read(self, text: str) -> None:
        for kind, token in self._tokens(text):
            if kind == "word":
                self._word(token)
            elif kind == "end":
                if self.by_line and not self.in_list:
                    self._finish()
                self.line += 1
            elif kind == "note":
                self._note(token)
            elif token == ";":
                self._finish()
            elif token == "{":
                if len(self.open) > MAX_DEPTH:
                    self._damaged(f"blocks nested deeper than {MAX_DEPTH}")
                else:
                    self._opened()
            elif token == "}":
                self._finish()
                self._closed()
            else:
                self.in_list = token == "["
                self._word(token)
            if self.damage:
                break
        else:
            self._finish()
        if not self.damage and len(self.open) > 1:
            self._damaged("this block is never closed", self.open[1].node.line)
        for block in self.open:
            block.node.last = self.line

    def _tokens(self, text: str) -> Iterator[tuple[str, str]]:
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            assert found is not None  # every character is in one of the alternatives
            at, kind = found.end(), found.lastgroup
            if kind == "word":
                token = found["word"]
                if "[" in token or "]" in token:
                    yield from self._pieces(token)
                elif token[-1] == "{" and not self.by_line and text[at : at + 1] in ("\n", ""):
                    yield kind, token[:-1]  # `bgp{`, as people type it
                    yield "mark", "{"
                else:
                    yield kind, token
            elif kind == "quote":
                words = _QUOTED.match(text, found.start("quote"))
                if words is None:
                    self._damaged("a quotation mark that is never closed")
                    return
                at = words.end()
                yield "word", words[1]
                self.line += words[0].count("\n")
            elif kind == "long":
                begin, end = found.start("long"), text.find("*/", at)
                at = len(text) if end < 0 else end + 2
                yield "note", text[begin:at]
                self.line += text.count("\n", begin, at)
            elif kind is not None:
                yield kind, found[kind]

    def _pieces(self, token: str) -> Iterator[tuple[str, str]]:
        """A word, and the bracket of a list that is written without a blank: `[10.0.0.1]`."""
        opens = token.startswith("[") and len(token) > 1
        closes = token.endswith("]") and len(token) > 1 and "[" not in token[1:] and (opens or self.in_list)
        if opens:
            yield "mark", "["
        yield "word", token[opens : len(token) - closes]
        if closes:
            yield "mark", "]"

    def _word(self, word: str) -> None:
        self.own.append(word)
        self.lines.append(self.line)
        if len(self.own) + self.open[-1].words > MAX_WORDS:
            self._damaged("a statement of more words than any configuration has")

    def _note(self, text: str) -> None:
        """A comment behind a statement on its line belongs to it, any other to what follows."""
        latest = self.latest
        if latest is not None and not self.own and self.line == (latest.last or latest.head):
            latest.notes = (*latest.notes, text)
        else:
            self.notes.append(text)

    def _take(self, *, is_block: bool = False) -> Node:
        count = 0
        while count < len(self.own) and self.own[count] in self.prefixes:
            count += 1
        lines = self.lines or [self.line]
        node = Node(tuple(self.own[count:]), tuple(lines[count:] or lines[-1:]), self.line, 0, is_block)
        if not is_block:
            node.last = self.line
        if count:
            node.prefixes = tuple(self.own[:count])
        if self.notes:
            node.notes, self.notes = tuple(self.notes), []
        self.own, self.lines = [], []
        self.latest = node
        self.open[-1].below.append(node)
        return node

    def _finish(self) -> None:
        self.in_list = False
        if self.own:
            self._take()

    def _opened(self) -> None:
        self.in_list = False
        words = self.open[-1].words + len(self.own)
        self.open.append(_Open(self._take(is_block=True), words))

    def _closed(self) -> None:
        if len(self.open) == 1:
            self._damaged("a closing brace that no block opened")
            return
        self.latest = self.open.pop().node
        self.latest.last = self.line
        self.notes = []

    def _damaged(self, wrong: str, line: int = 0) -> None:
        self.damage = self.damage or line or self.line
        self.wrong = self.wrong or wrong
