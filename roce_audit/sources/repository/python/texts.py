"""Texts that a program of Python puts together: each line of such a text knows the line of the program that wrote it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass

_PERCENT = lazy(r"%(?:\((\w{1,60})\))?[-+0 #]{0,4}\d{0,4}(?:\.\d{1,4})?[sdrx]")
_BRACES = lazy(r"\{(\w{0,60})(?:[.\[!:][^{}\n]{0,60})?\}")
_NO_NAME = lazy(r"[^\w.\[\]'\"]")
LONGEST = 200_000
"""Characters of a text, items of a list."""
MOST = 2_000
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and for each of its lines the line of the program."""

    text: str
    lines: tuple[int, ...]

    def plus(self, other: Text) -> Text:
        """The two as one; a line that both have a part in is the first one's that says something."""
        if len(self.text) + len(other.text) > LONGEST:
            raise TooMuch
        before, last = self.lines[:-1], self.lines[-1]
        joint = last if self.text.rpartition("\n")[2].strip() else other.lines[0]
        return Text(self.text + other.text, (*before, joint, *other.lines[1:]))

    def rows(self) -> list[Text]:
        """Its lines, each as a text."""
        return [Text(row, (line,)) for row, line in zip(self.text.split("\n"), self.lines, strict=True)]

    def made(self, change: Callable[[str], str]) -> Text:
        """The text with something done to it that moves no line; as it is where it would."""
        text = change(self.text)
        if len(text) > LONGEST:
            raise TooMuch
        return Text(text, self.lines) if text.count("\n") == self.text.count("\n") else self

    def stripped(self) -> Text:
        """The text without blanks and empty lines around it."""
        first = self.text[: len(self.text) - len(self.text.lstrip())].count("\n")
        text = self.text.strip()
        return Text(text, self.lines[first : first + text.count("\n") + 1])


class TooMuch(Exception):
    """The program asks for more than is followed."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A value that the program does not say. `session` tells the sessions with switches apart, `system` is what the program says of one;
    `read_at`: what a template comes to, which is read where that stands."""

    name: str = "value"
    session: str = ""
    system: str = ""
    read_at: str = ""


@dataclass(slots=True)
class Instance:
    """An object of a class of the program, with what its attributes are."""

    of: str
    attributes: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Closure:
    """A function without a name, and the values of those around it."""

    node: ast.Lambda
    scope: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OneOf:
    """A value of which the program says several: which of them it is stands elsewhere."""

    values: tuple[Any, ...]


@dataclass(slots=True)
class Table:
    """A dictionary, and the line of each of its rows."""

    rows: dict[Any, Any] = field(default_factory=dict)
    lines: dict[Any, int] = field(default_factory=dict)

    def copy(self) -> Table:
        """Another one with the same rows."""
        return Table(dict(self.rows), dict(self.lines))


def constant(node: ast.expr, value: str) -> Text:
    """A text that stands in the program."""
    breaks = value.count("\n")
    last = node.end_lineno or node.lineno
    spans = last - node.lineno
    shift = 1 if spans == breaks + 1 else 0  # the first line begins below the quotes
    if not spans:
        return Text(value, (node.lineno,) * (breaks + 1))
    return Text(value, tuple(min(node.lineno + shift + number, last) for number in range(breaks + 1)))


def plain(value: Any, line: int) -> Text:
    """A value as text, with a placeholder for one that stands elsewhere."""
    if isinstance(value, Text):
        return Text(value.text, (line,) * len(value.lines))
    if isinstance(value, bool | int | float | str) and len(str(value)) < MOST:
        return Text(str(value), (line,))
    name = value.name if isinstance(value, Elsewhere) else "value"
    return Text(f"{{{{ {_NO_NAME.sub('', name) or 'value'} }}}}", (line,))


def spliced(text: Text, values: list[Any], named: Mapping[Any, Any], is_percent: bool) -> Text:
    """`"mtu %d" % 9216` and `"mtu {}".format(9216)`."""
    numbers = iter(range(len(values)))
    pattern = _PERCENT if is_percent else _BRACES
    longest = max((len(one.text) for one in (*values, *named.values()) if isinstance(one, Text)), default=0)
    if longest * len(pattern.findall(text.text)) > LONGEST:
        raise TooMuch

    def value(found: re.Match[str]) -> str:
        name = found[1] or ""
        if name.isdigit() or not name:
            at = int(name) if name else next(numbers, len(values))
            given = values[at] if at < len(values) else Elsewhere()
        else:
            given = named.get(name, Elsewhere(name))
        return plain(given, 0).text.replace("\n", " ")

    return text.made(lambda written: pattern.sub(value, written))


def joined(separator: Text, values: list[Any], line: int) -> Text:
    """`"\\n".join(commands)`."""
    pieces = [one if isinstance(one, Text) else plain(one, line) for one in values]
    if sum(len(one.text) + len(separator.text) for one in pieces) > LONGEST:
        raise TooMuch
    if separator.text.strip() == ";":  # commands one behind the other
        separator = Text("\n", separator.lines)
    if separator.text != "\n":
        return Text(separator.text.join(one.text for one in pieces), (line,) * _lines_of(separator, pieces))
    return Text("\n".join(one.text for one in pieces), tuple(own for one in pieces for own in one.lines) or (line,))


def _lines_of(separator: Text, pieces: list[Text]) -> int:
    breaks = sum(len(one.lines) - 1 for one in pieces) + separator.text.count("\n") * max(0, len(pieces) - 1)
    return breaks + 1


def as_json(value: Any, line: int) -> Text:
    """A value as JSON, with a row on each line."""
    rows: list[tuple[str, int]] = []
    _write(value, line, "", "", rows, 0)
    return Text("\n".join(row for row, _ in rows), tuple(number for _, number in rows))


def _write(value: Any, line: int, before: str, after: str, rows: list[tuple[str, int]], depth: int) -> None:
    if depth > _DEEPEST or len(rows) > LONGEST // 10:
        raise TooMuch
    if isinstance(value, Table) and value.rows:
        rows.append((f"{before}{{", line))
        for number, (key, inner) in enumerate(value.rows.items(), 1):
            comma = "," if number < len(value.rows) else ""
            _write(inner, value.lines.get(key, line), f"{json.dumps(str(key))}: ", comma, rows, depth + 1)
        rows.append((f"}}{after}", line))
    elif isinstance(value, list) and value:
        rows.append((f"{before}[", line))
        for number, inner in enumerate(value, 1):
            own = inner.lines[0] if isinstance(inner, Text) else line
            _write(inner, own, "", "," if number < len(value) else "", rows, depth + 1)
        rows.append((f"]{after}", line))
    else:
        written = (
            {} if isinstance(value, Table) else value.text if isinstance(value, Text) else plain(value, line).text
            if isinstance(value, Elsewhere | OneOf) else value
        )  # fmt: skip
        rows.append((f"{before}{json.dumps(written, default=str)}{after}", line))
