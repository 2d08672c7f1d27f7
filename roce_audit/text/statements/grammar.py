"""From rows to a grammar: one start symbol a mode, one alternative a row and one for its negated form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from roce_audit.text.statements.captures import Reader, reader_of
from roce_audit.text.statements.forms import Capture, Element, Flag, Form, Maybe, Options, Word
from roce_audit.text.statements.parser import Parser, parser, tables_content, tables_name
from roce_audit.text.statements.rows import Maker, Row

_ANY_WORDS = """
some_words: some_word+
some_word: INT | ANY
"""

_UNNAMED = ("", "_")
_NEGATION = "negation"
_DEFAULT = "default"


class Grammar:
    """Understands the statements of some modes."""

    def __init__(
        self, modes: Mapping[str, tuple[Row, ...]], types: Mapping[str, Reader], negations: tuple[str, ...]
    ) -> None:
        self._types = types
        self._makers: dict[str, Maker] = {}
        self._rows: dict[str, Row] = {}
        self._defaults: dict[str, Maker] = {}
        self._captures: dict[str, tuple[str, Reader]] = {}
        self._rules: dict[tuple[str, str, bool], str] = {}
        self._lines: list[str] = []
        self._starts: dict[str, str] = {}
        self._negation = " | ".join(f'"{word}"' for word in negations)
        for mode, rows in modes.items():
            self._mode(mode, rows)

    @cached_property
    def text(self) -> str:
        """The grammar as lark reads it."""
        lines = [*self._lines, f"!{_NEGATION}: {self._negation}"] if self._negation else self._lines
        return "\n".join(lines) + _ANY_WORDS

    def kept_as(self) -> tuple[str, bytes] | None:
        """Name and content of the file that keeps its tables; None where no statement is understood by them."""
        starts = list(self._starts.values())
        return (tables_name(self.text, starts), tables_content(self.text, starts)) if starts else None

    @cached_property
    def _parser(self) -> Parser:
        return parser(self.text, list(self._starts.values()))

    def understand(self, mode: str, statement: str) -> object:
        """What the row of this statement makes of it; None where no row understands it.

        Raises TypeError, with the row, where its maker does not take what the row captures: a mistake in the table.
        """
        start = self._starts.get(mode)
        if start is None:
            return None
        found = self._parser.parse(start, statement)
        if found is None:
            return None
        make = self._makers[found.row]
        captures: dict[str, object] = {}
        try:
            for rule, words in found.parts:
                if rule == _NEGATION:
                    make = self._defaults.get(found.row, make) if words == (_DEFAULT,) else make
                    continue
                name, read = self._captures[rule]
                value = read(" ".join(words))
                if name in captures:
                    return None  # said twice
                if name not in _UNNAMED:
                    captures[name] = value
            return make(**captures)
        except ValueError:
            return None
        except TypeError as error:
            raise TypeError(f"{mode}: {self._rows[found.row].text!r}: {error}") from error

    # writing the grammar ------------------------------------------------------------------------------------------

    def _mode(self, mode: str, rows: tuple[Row, ...]) -> None:
        alternatives: list[str] = []
        for row in rows:
            if row.make is not None and not row.leaf:
                alternatives.append(self._alternative("", row, row.form, row.make))
            if row.no_make is not None and self._negation:
                alternatives.append(self._alternative(f"{_NEGATION} ", row, row.no_form, row.no_make))
                if row.default_make is not None:
                    self._defaults[f"row_{len(self._makers) - 1}"] = row.default_make
        if alternatives:
            start = self._starts[mode] = f"mode_{len(self._starts)}"
            self._lines.append(f"{start}: " + "\n    | ".join(alternatives))

    def _alternative(self, before: str, row: Row, elements: Form, make: Maker) -> str:
        name = f"row_{len(self._makers)}"
        self._makers[name], self._rows[name] = make, row
        return f"{before}{self._sequence(elements[:-1])} {self._last(elements[-1])} -> {name}"

    def _sequence(self, elements: Form) -> str:
        return " ".join(self._element(element) for element in elements)

    def _element(self, element: Element) -> str:
        match element:
            case Word(words=words):
                literals = " | ".join(f'"{word}"' for word in words)
                return f"({literals})" if len(words) > 1 else literals
            case Flag():
                return f"[{self._flag(element)}]"
            case Maybe(elements=inner):
                return f"[{self._sequence(inner)}]"
            case Options(options=options):
                return f"({' | '.join(map(self._option, options))})*"
            case Capture():
                return self._rule(element)

    def _option(self, option: Form) -> str:
        """One of several options: the word it begins with is there, else it would be none."""
        first, rest = option[0], option[1:]
        head = self._flag(first) if isinstance(first, Flag) else self._element(first)
        return f"{head} {self._sequence(rest)}"

    def _rule(self, capture: Capture) -> str:
        """The name of the rule of a capture; equal captures share one."""
        key = (capture.name, capture.type, capture.many)
        if key not in self._rules:
            rule = self._rules[key] = f"capture_{len(self._rules)}"
            self._captures[rule] = (capture.name, reader_of(capture, self._types))
            self._lines.append(f"!{rule}: {_body(capture)}")
        return self._rules[key]

    def _last(self, element: Element) -> str:
        """The last element of a row. The words that end it have a rule of their own: in one that other rows share, a word of
        theirs that may follow would be taken for the end."""
        if isinstance(element, Maybe):
            *before, last = element.elements
            return f"[{self._sequence(tuple(before))} {self._last(last)}]"
        if not isinstance(element, Capture) or not element.many:
            return self._element(element)
        rule = f"tail_{len(self._captures)}"
        self._captures[rule] = (element.name, reader_of(element, self._types))
        self._lines.append(f"!{rule}: (INT | ANY)+")
        return rule

    def _flag(self, flag: Flag) -> str:
        """The name of the rule of a word whose being there is what counts."""
        key = (flag.name, flag.word, False)
        if key not in self._rules:
            rule = self._rules[key] = f"capture_{len(self._rules)}"
            self._captures[rule] = (flag.name, bool)
            self._lines.append(f'!{rule}: "{flag.word}"')
        return self._rules[key]


def _body(capture: Capture) -> str:
    if ".." in capture.type:
        return "INT"
    if capture.words:
        return " | ".join(f'"{word}"' for word in capture.words)
    return "some_words" if capture.many else "some_word"
