"""Plain block YAML, line by line: the form in which devices write their configuration, read about twenty times as fast.

Block mappings and sequences of scalars on one line, of texts behind `|` and `>`, flat `[a, b]` and `{a: b, c: d}`; nothing else. Whatever
is not surely that (tags, anchors, other scalars of several lines, tabs, repeated keys, too deep or too large) is refused without a
word, and the full parser of `yamltext` says what it is. So the two never differ: what is read here, that one reads alike.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.decode import printable
from roce_audit.text.structured.positions import Spot

MAX_DEPTH = 32
MAX_VALUES = 200_000
"""Values of one document after all aliases are followed."""

_INT = lazy(r"[-+]?[0-9]{1,18}\Z")
_BASED = lazy(r"0o[0-7]{1,20}\Z|0x[0-9a-fA-F]{1,16}\Z")
_FLOAT = lazy(r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,3})?\Z")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

_LONGEST_LINE = 1_000
_BEGIN = r"[A-Za-z0-9_/.$(+^;\\]|-(?=[^\s,\[\]{}])"
_PLAIN = rf"(?:{_BEGIN}|::(?=[^\s#]))(?:[^\s:#]| +(?=[^\s:#])|:(?=[^\s#]))*"
_QUOTED = r"'[^']*(?:''[^']*)*'|\"[^\"\\]*(?:\\[n\"\\][^\"\\]*)*\""
_SCALAR = rf"{_PLAIN}|{_QUOTED}"
_INDICATORS = r",\[\]{}"
_FLOW_SCALAR = rf"(?:{_BEGIN})(?:[^\s:#{_INDICATORS}]| +(?=[^\s:#{_INDICATORS}])|:(?=[^\s#{_INDICATORS}]))*|{_QUOTED}"
_FLOW_ENTRY = rf"(?:{_FLOW_SCALAR}): +(?:{_FLOW_SCALAR})"
_FLOW_LIST = rf"\[(?: *(?:{_FLOW_SCALAR})(?: *, *(?:{_FLOW_SCALAR}))*)? *\]"
_FLOW = rf"\{{(?: *{_FLOW_ENTRY}(?: *, *{_FLOW_ENTRY})*)? *\}}|{_FLOW_LIST}"
_ITEM_OF_FLOW = lazy(rf"[\[,] *+({_FLOW_SCALAR})")
_ENTRY_OF_FLOW = lazy(rf"[{{,] *+({_FLOW_SCALAR}): +({_FLOW_SCALAR})")
_LINE = lazy(
    rf"( *+)((?:- +)*+)(?:({_SCALAR}):(?: +({_SCALAR}|{_FLOW}))?|({_SCALAR}|{_FLOW})|(-))? *+(?:(?:^|(?<= ))#.*)?\Z"
)
_BEGINNING = "---"
_ESCAPE = lazy(r"\\([n\"\\])")
_NO_BODY = lazy(r" *(?:#|\Z)")
_HEADER = lazy(r"(.*[:-] +)([|>])([-+]?)\Z")
"""What stands before a text of several lines, how its lines are joined, and what becomes of the ends of its last ones."""
_STANDS_FOR_TEXT = "x"
_TEXT = "|"
"""No plain scalar begins with it: behind it stands a text of several lines."""

_DASH, _ENTRY, _ITEM = range(3)
_Token = tuple[int, int, str, str | None]
"""Kind, column, key or item, value of an entry."""
_END: _Token = (_ITEM, -1, "", None)
"""Stands behind the last one."""


class _NotPlainError(Exception):
    """The text is more than plain block YAML."""


def scalar(text: str, is_plain: bool) -> Any:
    """The value of a scalar by the core schema of YAML 1.2."""
    if not is_plain:
        return printable(text)
    if text in _WORDS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.match(text):
        return int(text)
    if _BASED.match(text):
        return int(text, 0)
    if _FLOAT.match(text):
        return float(text)
    return printable(text)


def key_of(text: str, is_plain: bool) -> str | int:
    """The key that a scalar is: a word, a whole number, or the text of anything else."""
    key = scalar(text, is_plain)
    if isinstance(key, str) or (isinstance(key, int) and not isinstance(key, bool)):
        return key
    return printable(text)


def parse(text: str, first_line: int) -> tuple[Any, Spot] | None:
    """The value of the only document and the lines of all it holds; None where the text is more than plain block YAML."""
    try:
        tokens, lines = _tokens(text)
        if not tokens or len(tokens) > MAX_VALUES:
            return None
        reader = _Reader(tokens, [(first_line + first, first_line + last) for first, last in lines])
        end, value, spot = reader.node(0, 1)
        return (value, spot) if end == len(tokens) else None
    except _NotPlainError:
        return None


def _tokens(text: str) -> tuple[list[_Token], list[tuple[int, int]]]:
    """The tokens of a text, and the first and last line of each, from 0."""
    tokens: list[_Token] = []
    lines: list[tuple[int, int]] = []
    has_begun = False
    given = text.split("\n")
    number = 0
    while number < len(given):
        line = given[number]
        of_text = _with_text(given, number) if line.endswith(("|", ">", "-", "+")) else None
        found = _pieces(line) if of_text is None else of_text[0]
        last = number if of_text is None else of_text[1]
        if found is None:
            if line != _BEGINNING or has_begun or tokens:
                raise _NotPlainError
            has_begun = True
        else:
            tokens += found
            lines += [(number, number)] * (len(found) - 1) + [(number, last)] * bool(found)
        number = last + 1
    return tokens, lines


def _with_text(lines: list[str], number: int) -> tuple[tuple[_Token, ...], int] | None:
    """The tokens of a line behind which a text of several lines stands, with that text, and its last line; None of any other line."""
    header = _HEADER.match(lines[number])
    found = _pieces(f"{header[1]}{_STANDS_FOR_TEXT}") if header is not None else None
    if header is None or not found:
        return None
    kind, column, word, value = found[-1]
    if (value if kind == _ENTRY else word) != _STANDS_FOR_TEXT:
        return None
    above = column if kind == _ENTRY else next(at for sign, at, _, _ in reversed(found) if sign == _DASH)
    margin, end = 0, number + 1
    while end < len(lines):
        line = lines[end]
        blanks = len(line) - len(line.lstrip(" "))
        if blanks < len(line):
            if blanks <= above or blanks < margin:
                break
            margin = margin or blanks
            if not line.isprintable():
                raise _NotPlainError
        end += 1
    if end == len(lines) and not lines[end - 1]:
        end -= 1  # behind the end of the last line there is none
    body = lines[number + 1 : end]
    if not margin or end == len(lines) or any(line and not line.strip(" ") for line in body):
        raise _NotPlainError
    text = _text_of([line[margin:] for line in body], header[2] == ">", header[3])
    token = (kind, column, word, _TEXT + text) if kind == _ENTRY else (kind, column, _TEXT + text, None)
    return (*found[:-1], token), end - 1


def _text_of(lines: list[str], is_folded: bool, ends: str) -> str:
    """The text of these lines (YAML 1.2, block scalars): of folded ones a line goes on in the next, unless one of the two is set in."""
    filled = len(lines)
    while not lines[filled - 1]:
        filled -= 1
    found: list[str] = []
    blank, before = 0, " "
    for line in lines[:filled]:
        if not line:
            blank += 1
            continue
        if found:
            folds = is_folded and before[0] != " " and line[0] != " "
            found.append((" " if not blank else "") if folds else "\n")
        found += ["\n" * blank, line]
        blank, before = 0, line
    if ends != "-":
        found.append("\n")
    if ends == "+":
        found.append("\n" * (len(lines) - filled))
    return "".join(found)


@lru_cache(maxsize=16_384)
def _pieces(line: str) -> tuple[_Token, ...] | None:
    """The tokens of a line: most lines are on many devices. None for one that is more than plain block YAML."""
    is_printable = line.isprintable()
    if is_printable and _NO_BODY.match(line):
        return ()
    found = _LINE.match(line) if is_printable and len(line) <= _LONGEST_LINE else None
    if found is None or line.startswith(("---", "...")):
        return None
    blanks, dashes, key, value, item, lone = found.groups()
    column = len(blanks)
    tokens: list[_Token] = [(_DASH, column + index, "", None) for index, sign in enumerate(dashes) if sign == "-"]
    column += len(dashes)
    if key is not None:
        tokens.append((_ENTRY, column, key, value))
    elif item is not None:
        tokens.append((_ITEM, column, item, None))
    elif lone is not None:
        tokens.append((_DASH, column, "", None))
    else:
        return None
    return tuple(tokens)


class _Reader:
    """Builds values from tokens; each method returns (index of the next token, value, where it stands)."""

    def __init__(self, tokens: list[_Token], lines: list[tuple[int, int]]) -> None:
        self._tokens = [*tokens, _END]
        self._lines = [*(first for first, _ in lines), -1]
        self._ends = [last for _, last in lines]
        self._count = 0

    def node(self, at: int, depth: int) -> tuple[int, Any, Spot]:
        """The block that begins with a token."""
        kind, column, _, _ = self._tokens[at]
        if depth > MAX_DEPTH or kind == _ITEM:
            raise _NotPlainError
        return self._sequence(at, column, depth) if kind == _DASH else self._mapping(at, column, depth)

    def _mapping(self, at: int, column: int, depth: int) -> tuple[int, dict[str | int, Any], Spot]:
        tokens, lines = self._tokens, self._lines
        value: dict[str | int, Any] = {}
        members: dict[str | int, Spot] = {}
        line = lines[at]
        spot = Spot(line, line, members)
        kind, where, raw, given = tokens[at]
        while where == column and kind == _ENTRY:
            key = _key(raw)
            if key in value:
                raise _NotPlainError
            at += 1
            kind, where, raw, below = tokens[at]
            if given is not None:
                value[key], members[key] = self._inline(given, depth, line, self._ends[at - 1])
            elif where > column or (where == column and kind == _DASH):
                at, value[key], inner = self.node(at, depth + 1)
                inner.at = line
                members[key] = inner
                kind, where, raw, below = tokens[at]
            else:  # nothing below a key is null
                value[key], members[key] = None, Spot(line, line)
            if where > column or lines[at] == line:
                raise _NotPlainError  # what follows an element begins a line and is no deeper than it
            line, given = lines[at], below
        self._take(1 + len(value))
        spot.last = self._ends[at - 1]
        return at, value, spot

    def _sequence(self, at: int, column: int, depth: int) -> tuple[int, list[Any], Spot]:
        tokens, lines = self._tokens, self._lines
        value: list[Any] = []
        members: dict[str | int, Spot] = {}
        spot = Spot(lines[at], 0, members)
        while tokens[at][0] == _DASH and tokens[at][1] == column:
            line = lines[at]
            kind, where, raw, _ = tokens[at + 1]
            if where <= column:
                raise _NotPlainError
            if kind == _ITEM:
                if lines[at + 1] != line:
                    raise _NotPlainError
                element, found = self._inline(raw, depth, line, self._ends[at + 1])
                at += 2
            else:
                at, element, found = self.node(at + 1, depth + 1)
            members[len(value)] = found
            value.append(element)
            if tokens[at][1] > column or lines[at] == line:
                raise _NotPlainError
        self._take(1 + len(value))
        spot.last = self._ends[at - 1]
        return at, value, spot

    def _inline(self, text: str, depth: int, line: int, last: int) -> tuple[Any, Spot]:
        """A value that stands behind its key or dash, and where."""
        if text[0] == _TEXT:
            return text[1:], Spot(line, last)
        if text[0] not in "{[":
            return _scalar(text), Spot(line, line)
        if depth >= MAX_DEPTH:
            raise _NotPlainError
        if text[0] == "[":
            items = [_scalar(raw) for raw in _ITEM_OF_FLOW.findall(text)]
            self._take(len(items))
            return items, Spot(line, line, {number: Spot(line, line) for number in range(len(items))})
        value, members = self._flow(text, line)
        return value, Spot(line, line, members)

    def _flow(self, text: str, line: int) -> tuple[dict[str | int, Any], dict[str | int, Spot]]:
        """`{a: b, c: d}` on one line."""
        value: dict[str | int, Any] = {}
        for raw, given in _ENTRY_OF_FLOW.findall(text):
            key = _key(raw)
            if key in value:
                raise _NotPlainError
            value[key] = _scalar(given)
            self._take(1)
        return value, {key: Spot(line, line) for key in value}

    def _take(self, count: int) -> None:
        self._count += count
        if self._count > MAX_VALUES // 2:  # keys count as well: near the limit the full parser decides
            raise _NotPlainError


@lru_cache(maxsize=16_384)
def _key(text: str) -> str | int:
    """A key as it is written, perhaps in quotes."""
    return key_of(_bare(text), text[0] not in "'\"")


@lru_cache(maxsize=16_384)
def _scalar(text: str) -> Any:
    """The same of a scalar."""
    return scalar(_bare(text), text[0] not in "'\"")


def _bare(text: str) -> str:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    if text[0] != '"':
        return text
    return _ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])
