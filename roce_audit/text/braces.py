"""Braces: configuration in curly blocks, as statements that carry the words of the blocks around them.

Two manners of one form: a statement ends with its line (SR Linux) or with a semicolon (Junos). Flat `set` lines are
statements without blocks and come out the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

MAX_DEPTH = 64
MAX_WORDS = 4_096
"""Words of one statement, its blocks' included; more is no configuration."""

_TOKEN = re.compile(
    r"(?P<gap>[^\S\n]+)|(?P<end>\n)|(?P<note>#[^\n]*)|(?P<long>/\*)|(?P<quote>\")|(?P<mark>;|[{}\[\]](?=[\s{}\[\];]|\Z))"
    r"|(?P<word>[^\s;\"]+)"
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: the words of its blocks and its own. Lists stand between `[` and `]`.

    `lines` are those of its own statements, which are the last ones; `opens` says that it is the head of a block.
    """

    words: Words
    lines: tuple[int, ...]
    opens: bool = False

    @property
    def line(self) -> int:
        """The line on which its own statements begin."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class Braces:
    """A text read. `damage` is the line that cannot belong to a whole text (0: none), `wrong` says why.

    A block that is never closed holds everything behind it, whatever was meant.
    """

    statements: tuple[Statement, ...]
    damage: int = 0
    wrong: str = ""


def read(text: str, *, first_line: int = 1, ends: Literal["line", "semicolon"] = "line") -> Braces:
    """Read a text whose first line is line `first_line` of its file. Never raises; what follows damage is left out."""
    reader = _Reader(first_line, ends == "line")
    found = tuple(reader.statements(text))
    return Braces(found, reader.damage, reader.wrong)


class _Reader:
    def __init__(self, line: int, by_line: bool) -> None:
        self.line = line
        self.by_line = by_line
        self.damage = 0
        self.wrong = ""
        self.outer: list[Words] = [()]
        self.opened: list[int] = []
        self.own: list[str] = []
        self.lines: list[int] = []
        self.in_list = False

    def statements(self, text: str) -> Iterator[Statement]:
        for kind, token in self._tokens(text):
            if kind == "end":
                if self.by_line and not self.in_list:
                    yield from self._finish()
                self.line += 1
            elif kind == "word":
                self._word(token)
            elif token == ";":
                yield from self._finish()
            elif token == "{":
                if len(self.outer) > MAX_DEPTH:
                    self._damaged(f"blocks nested deeper than {MAX_DEPTH}")
                    return
                self.in_list = False
                head = self._take(opens=True)
                yield head
                self.outer.append(head.words)
                self.opened.append(head.line)
            elif token == "}":
                yield from self._finish()
                if len(self.outer) == 1:
                    self._damaged("a closing brace that no block opened")
                    return
                self.outer.pop()
                self.opened.pop()
            else:
                self.in_list = token == "["
                self._word(token)
            if self.damage:
                return
        yield from self._finish()
        if self.opened:
            self._damaged("this block is never closed", self.opened[0])

    def _tokens(self, text: str) -> Iterator[tuple[str, str]]:
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            assert found is not None  # every character is in one of the alternatives
            at, kind, token = found.end(), found.lastgroup or "", found.group()
            if kind == "quote":
                quoted = _QUOTED.match(text, found.start())
                if quoted is None:
                    self._damaged("a quotation mark that is never closed")
                    return
                at = quoted.end()
                yield "word", quoted.group(1)
                self.line += quoted.group().count("\n")
            elif kind == "long":
                end = text.find("*/", at)
                end = len(text) if end < 0 else end + 2
                self.line += text.count("\n", at, end)
                at = end
            elif kind == "word":
                yield from self._pieces(token)
            elif kind in ("end", "mark"):
                yield kind, token

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
        if len(self.own) + len(self.outer[-1]) > MAX_WORDS:
            self._damaged("a statement of more words than any configuration has")

    def _take(self, *, opens: bool = False) -> Statement:
        found = Statement((*self.outer[-1], *self.own), tuple(self.lines or [self.line]), opens)
        self.own, self.lines = [], []
        return found

    def _finish(self) -> Iterator[Statement]:
        self.in_list = False
        if self.own:
            yield self._take()

    def _damaged(self, wrong: str, line: int = 0) -> None:
        self.damage = self.damage or line or self.line
        self.wrong = self.wrong or wrong
