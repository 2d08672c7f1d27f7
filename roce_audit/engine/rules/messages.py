"""Messages with values: `{expression}` or `{expression|format}`, resolved like conditions when the rule is loaded.

`[...]` is left out where a value in it is unknown, absent or an empty set; `{{`, `}}`, `[[` and `]]` stand for themselves.
A format agrees with its number (`priority 3`, `priorities 3, 4`) and has words for a value that is unknown or absent, and a
choice between texts whose condition is unknown takes its last one, so that the message stays a sentence. Values come from the
input, so control and direction characters in them are written as escapes and long ones are cut.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from roce_audit.engine.conditions.expressions import Compiler, Expression
from roce_audit.engine.conditions.kinds import describe, kind_of
from roce_audit.engine.conditions.logic import ABSENT, Term
from roce_audit.engine.conditions.operations import Bound
from roce_audit.engine.conditions.syntax import ExpressionError
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.model.pathwords import path_words
from roce_audit.values import Cell

MAX_CHARACTERS = 2000
MAX_VALUE_CHARACTERS = 200
MAX_CLAUSE_CHARACTERS = 1000
_SHORTEST_RANGE = 4

_RATES = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


class Template:
    """A compiled message. Calling it with the subject's objects gives the text."""

    __slots__ = ("_pieces", "reads", "text")

    def __init__(self, text: str, compiler: Compiler, names: Mapping[str, Expression | type]) -> None:
        """Compile; raises ExpressionError with the column in the whole template."""
        if len(text) > MAX_CHARACTERS:
            raise ExpressionError(MAX_CHARACTERS + 1, f"longer than {MAX_CHARACTERS:,} characters")
        self.text = text
        self._pieces: list[tuple[str | tuple[Expression, Format], int]] = []
        for column, piece, is_field, part in _split(text):
            self._pieces.append((_field(piece, column, compiler, names) if is_field else piece, part))
        self.reads = frozenset(r for piece, _ in self._pieces if not isinstance(piece, str) for r in piece[0].reads)

    def __call__(self, env: Mapping[str, object] | Bound) -> str:
        bound = env if isinstance(env, Bound) else Bound(env)
        written: list[tuple[str, int]] = []
        left_out = set()
        for piece, part in self._pieces:
            if isinstance(piece, str):
                written.append((piece, part))
                continue
            term = piece[0](bound)
            says_nothing = not term.known or term.value is ABSENT or term.value in (frozenset(), ())
            if part and (says_nothing or (piece[1] is FORMATS["when"] and term.value is not True)):
                left_out.add(part)
            written.append((_render(term, piece[1]), part))
        return "".join(text for text, part in written if part not in left_out)


def printable(text: str) -> str:
    """The text with control, direction and separator characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(
        c if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") else _escape(c) for c in text
    )


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _split(text: str) -> list[tuple[int, str, bool, int]]:
    """(column, piece, is it an expression, which optional part it is in) of a template; part 0 is always written."""
    pieces: list[tuple[int, str, bool, int]] = []
    literal, at, part, parts = "", 0, 0, 0
    while at < len(text):
        character = text[at]
        if character not in "{}[]":
            literal += character
            at += 1
        elif text[at + 1 : at + 2] == character:
            literal += character
            at += 2
        elif character == "}":
            raise ExpressionError(at + 1, "'}' without '{': write '}}' for a brace")
        elif character == "{":
            end = _end_of_field(text, at)
            pieces += [(0, literal, False, part), (at + 2, text[at + 1 : end], True, part)]
            literal, at = "", end + 1
        else:
            if (character == "[") is bool(part):
                raise ExpressionError(at + 1, f"'{character}' without its other half: write it twice for a bracket")
            pieces.append((0, literal, False, part))
            parts += character == "["
            literal, at, part = "", at + 1, parts if character == "[" else 0
    if part:
        raise ExpressionError(len(text), "'[' without ']': write '[[' for a bracket")
    return [piece for piece in [*pieces, (0, literal, False, part)] if piece[2] or piece[1]]


def _end_of_field(text: str, start: int) -> int:
    quote = ""
    for at in range(start + 1, len(text)):
        character = text[at]
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "}":
            return at
        elif character == "{":
            raise ExpressionError(at + 1, "a brace inside of braces is not allowed")
    raise ExpressionError(start + 1, "'{' without '}': write '{{' for a brace")


def _field(
    piece: str, column: int, compiler: Compiler, names: Mapping[str, Expression | type]
) -> tuple[Expression, Format]:
    text, _, word = piece.rpartition("|")
    chosen = re.fullmatch(r"\s*([a-z_]+)\s*", word) if text else None
    if chosen is None:
        text = piece
    try:
        expression = compiler.compile(text, names)
    except ExpressionError as error:
        raise ExpressionError(column + error.column - 1, error.message) from None
    name = chosen.group(1) if chosen else _usual(expression)
    if name not in FORMATS:
        raise ExpressionError(column + len(text) + 1, f"no format '{name}'{did_you_mean(name, FORMATS)}")
    chosen_format = FORMATS[name]
    if kind_of(expression.type) not in chosen_format.kinds:
        raise ExpressionError(column, f"{describe(expression.type)} cannot be written as {name}")
    last = _last_choice(text)
    return expression, chosen_format if last is None else chosen_format._replace(unknown=last)


def _last_choice(text: str) -> str | None:
    """The last text of a choice between texts (`'a' if x else 'b'`): it stands where nobody knows the condition."""
    node = ast.parse(text.strip(), mode="eval").body
    if not isinstance(node, ast.IfExp):
        return None
    while isinstance(node, ast.IfExp):
        node = node.orelse
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _usual(expression: Expression) -> str:
    kind = kind_of(expression.type)
    return "list" if kind in ("set", "tuple") else "text"


def _render(term: Term, form: Format) -> str:
    if not term.known:
        return form.unknown
    if term.value is ABSENT:
        return form.absent
    try:
        text = form.write(term.value)
    except (TypeError, ValueError, ArithmeticError):
        return form.unknown
    text = printable(text)
    longest = MAX_CLAUSE_CHARACTERS if form.write is _clause else MAX_VALUE_CHARACTERS
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _number(value: float) -> str:
    rounded = round(value, 2)
    return f"{int(rounded):,}" if rounded == int(rounded) else f"{rounded:,}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _clause(value: Any) -> str:
    """A sentence of our own, such as an observation's: longer than a value may be."""
    return _text(value)


def _list(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_element(thing) for thing in value) or "none"
    if all(type(thing) is int for thing in value):
        return ", ".join(runs(sorted(value))) or "none"
    return ", ".join(_text(thing) for thing in sorted(value, key=lambda v: (isinstance(v, str), v))) or "none"


def runs(numbers: Sequence[int]) -> Iterator[str]:
    """Ascending numbers as people write them: four and more in a row as a range (`1, 3, 24-31`)."""
    start = 0
    for i, number in enumerate(numbers):
        if i + 1 < len(numbers) and numbers[i + 1] == number + 1:
            continue
        row = numbers[start : i + 1]
        yield from [f"{row[0]}-{row[-1]}"] if len(row) >= _SHORTEST_RANGE else map(str, row)
        start = i + 1


def _element(thing: object) -> str:
    if not isinstance(thing, Cell):
        return _text(thing)
    return _text(thing.value) if thing.is_known else "none" if thing.is_absent else "unknown"


def _bps(value: float) -> str:
    for size, letter in _RATES:
        if value >= size and round(value / size, 2) * size == value:
            return f"{value / size:.2f}".rstrip("0").rstrip(".") + letter
    return f"{_number(value)} bit/s"


def _members(one: str, many: str) -> Callable[[Any], str]:
    """`priority 3`, `priorities 3, 4`, `no priority`."""
    return lambda value: f"{one if len(value) == 1 else many} {_list(value)}" if len(value) else f"no {one}"


def _counted(one: str) -> Callable[[Any], str]:
    """`1 device`, `2,210 devices`."""
    return lambda value: f"{_number(value)} {one}" if value == 1 else f"{_number(value)} {one}s"


class Format(NamedTuple):
    """The kinds of values that a format takes, how it writes one, and its words for no value."""

    kinds: tuple[str, ...]
    write: Callable[[Any], str]
    unknown: str = "unknown"
    absent: str = "none"


FORMATS: Mapping[str, Format] = {
    "bytes": Format(("number",), lambda value: f"{_number(value)} B", "an unknown number of bytes", "no bytes"),
    "metres": Format(("number",), lambda value: f"{_number(value)} m", "an unknown length", "no length"),
    "bps": Format(("number",), _bps, "an unknown speed", "no speed"),
    "percent": Format(("number",), lambda value: f"{_number(value)} %", "an unknown share", "no share"),
    "ms": Format(("number",), lambda value: f"{_number(value)} ms", "an unknown time", "no time"),
    "priorities": Format(("set", "tuple"), _members("priority", "priorities"), "unknown priorities", "no priority"),
    "classes": Format(
        ("set", "tuple"), _members("traffic class", "traffic classes"), "unknown traffic classes", "none"
    ),
    "devices": Format(("number",), _counted("device"), "an unknown number of devices", "no device"),
    "nics": Format(("number",), _counted("NIC"), "an unknown number of NICs", "no NIC"),
    "unit": Format(("text",), _text, "(unit unknown)", ""),
    "path": Format(("text",), path_words, "a setting", "a setting"),
    "list": Format(("set", "tuple"), _list),
    "clause": Format(("text",), _clause),
    "text": Format(("number", "bool", "text"), _text),
    "when": Format(("bool",), lambda _: "", "", ""),
}
"""Format name -> how values are written. `when` writes nothing: an optional part that holds it is written only where it is true."""
