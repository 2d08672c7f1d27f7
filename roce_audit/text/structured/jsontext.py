"""JSON of whole datastores: plain values, and the line of every key when somebody asks.

The values come from the C parser of the standard library. Where a text has one member on each line, as programs print it, the line of
each follows from the values; otherwise positions come from one linear pass of our own, made when the first line is asked for.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NoReturn

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.decode import printable
from roce_audit.text.structured.positions import Path, Placed, PlacedError, Spot, locate, nearest

MAX_DEPTH = 64
MAX_CHARACTERS = 16 * 2**20

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_WHOLE_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = lazy(rf'{_STRING}|[{{}}\[\]]|[^\s"{{}}\[\],:]+', re.S)
_MEMBER = lazy(rf'(?:({_STRING})\s*:\s*)?({_STRING}|[{{\[]|[^\s"{{}}\[\],:]+)|[}}\]]', re.S)
_MEMBER_A_LINE = lazy(
    rf"(?:[ \t]*+(?:(?:{_WHOLE_STRING}[ \t]*+:[ \t]*+)?+"
    rf'(?:{_WHOLE_STRING}|[^\s"{{}}\[\],:]++|\{{[ \t]*+\}}|\[[ \t]*+\]|[{{\[](?=[ \t]*+\n(?![ \t]*+[}}\]])))|[}}\]])'
    r"[ \t]*+,?+[ \t]*+(?:\n|\Z))++\s*+\Z"
)
_ESCAPED_CONTROL = lazy(r"\\[ubfr]")
_LONGEST_NUMBER = 4_000
_CONTAINERS = frozenset({dict, list})


class JsonError(PlacedError):
    """The text is no JSON, or more than we read."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A key that an object holds twice; the value of the later one counts."""

    path: Path
    first_line: int
    line: int


class JsonText:
    """A parsed JSON text. `value` is plain Python."""

    def __init__(
        self,
        text: str,
        value: Any,
        has_duplicates: bool,
        first_line: int,
        as_written: bool = True,
        lines: Sequence[int] = (),
    ) -> None:
        """`as_written`: the keys are those of the text, in which no control character is escaped."""
        self.value = value
        self._text = text
        self._has_duplicates = has_duplicates
        self._first_line = 1 if lines else first_line
        self._lines_in_file = lines
        self._is_one_line = "\n" not in text
        self._root: Spot | None = None
        self._repeats: list[tuple[Path, int, int]] = []
        self._newlines: list[int] = []
        self._may_be_even = as_written and not has_duplicates
        self._members: dict[int, dict[Any, int]] = {}
        """Object or list, by its id -> its keys, each with its line; of a text with one member on each line."""

    def line_of(self, path: Path) -> int:
        """The line of the value at `path`, of its key where it has one. Raises KeyError for a path that is none."""
        if self._is_one_line:
            return self._first_line_if_there(path)
        if self._is_even:
            return self._in_file(self._walked(path)[1])
        return self._line(locate(self._scanned(), path).at)

    def nearest_line_of(self, path: Path) -> int:
        """The line of `path`, or of the innermost value on the way there that exists."""
        try:
            return self.line_of(path)
        except KeyError:
            return self._line(nearest(self._scanned(), path).at)

    def placed(self, path: Path) -> Placed:
        """Where the value at `path` stands."""
        return _PlacedJson(self, path)

    def lines_of(self, path: Path, keys: Iterable[str]) -> list[int]:
        """The lines of these members of the object at `path`. Raises KeyError for what is none."""
        if self._is_one_line or not self._is_even:
            return [self.line_of((*path, key)) for key in keys]
        members = self._members_of(*self._walked(path))
        return [self._in_file(members[key]) for key in keys]

    def last_line_of(self, path: Path) -> int:
        """The line on which the value at `path` ends. Raises KeyError for a path that is none."""
        if self._is_one_line:
            return self._first_line_if_there(path)
        if self._is_even:
            value, line = self._walked(path)
            return self._in_file(line + _lines(value) - 1)
        return self._line(locate(self._scanned(), path).last)

    @cached_property
    def _is_even(self) -> bool:
        """Whether each line of the text holds one member, or one bracket that ends some."""
        return self._may_be_even and _MEMBER_A_LINE.match(self._text) is not None

    def _walked(self, path: Path) -> tuple[Any, int]:
        """The value at a path and its line, in a text with one member on each line."""
        here, line = self.value, self._first_line
        for step in path:
            members = self._members_of(here, line)
            if step not in members:
                raise KeyError(path)
            here, line = here[step], members[step]
        return here, line

    def _members_of(self, value: Any, line: int) -> dict[Any, int]:
        """The keys of a value that begins on this line, each with its own."""
        members = self._members.get(id(value))
        if members is None:
            members = self._members[id(value)] = _numbered(value, line + 1)
        return members

    @property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """Keys that stand twice in one object, in the order of the text."""
        if not self._has_duplicates:
            return ()
        self._scanned()
        return tuple(Duplicate(path, self._line(one), self._line(two)) for path, one, two in self._repeats)

    def _first_line_if_there(self, path: Path) -> int:
        """The line of any value of a text of one line."""
        here = self.value
        for step in path:
            is_there = step in here if isinstance(here, dict) else isinstance(here, list) and step in range(len(here))
            if not is_there:
                raise KeyError(path)
            here = here[step]
        return self._in_file(self._first_line)

    def _scanned(self) -> Spot:
        if self._root is None:
            self._newlines = [m.start() for m in re.finditer("\n", self._text)]
            self._root = _positions(self._text, self._repeats)
        return self._root

    def _line(self, offset: int) -> int:
        return self._in_file(self._first_line + bisect_right(self._newlines, offset))

    def _in_file(self, line: int) -> int:
        """The line of the file for a line of the text, where the text was put together from it."""
        return self._lines_in_file[min(line, len(self._lines_in_file)) - 1] if self._lines_in_file else line


@dataclass(frozen=True, slots=True)
class _PlacedJson:
    """Where a value stands, found out when somebody asks."""

    text: JsonText
    path: Path

    @property
    def at(self) -> int:
        return self.text.line_of(self.path)

    def below(self, step: str | int) -> _PlacedJson:
        return _PlacedJson(self.text, (*self.path, step))


def parse(
    text: str,
    *,
    first_line: int = 1,
    max_depth: int = MAX_DEPTH,
    max_characters: int = MAX_CHARACTERS,
    lines: Sequence[int] = (),
) -> JsonText:
    """Parse one JSON text whose first line is line `first_line` of its file. Raises JsonError.

    `lines` is the line of the file for each line of a text that was put together from it.

    Strings come without control characters (`\\u001b` becomes U+FFFD). NaN, Infinity and numbers beyond a double
    are refused.
    """

    def fail(offset: int, message: str) -> NoReturn:
        line = text.count("\n", 0, offset)
        raise JsonError(first_line + line, offset - text.rfind("\n", 0, offset), message)

    if len(text) > max_characters:
        fail(0, f"the text has {len(text):,} characters, the limit is {max_characters:,}")
    repeated = False

    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        found = dict(pairs)
        if len(found) != len(pairs):
            repeated = True
        return found

    try:
        value = json.loads(text, object_pairs_hook=to_object, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        fail(error.pos, _message(error, len(text.rstrip())))
    except RecursionError:
        fail(_too_deep(text, max_depth), f"nested deeper than {max_depth}")
    except _RefusedNumber as error:
        number = str(error)
        fail(_find(text, lambda token: token == number), f"{number[:40]} is no number that can be read")
    except ValueError:  # Python refuses to convert integers of thousands of digits
        fail(
            _find(text, lambda token: len(token) > _LONGEST_NUMBER and token[0] != '"'), "a number with too many digits"
        )
    if _is_deeper(value, max_depth):
        fail(_too_deep(text, max_depth), f"nested deeper than {max_depth}")
    as_written = _ESCAPED_CONTROL.search(text) is None
    if not as_written:
        value = _without_controls(value)
    return JsonText(text, value, repeated, first_line, as_written, lines)


class _RefusedNumber(Exception):
    pass


def is_json(text: str) -> bool:
    """Whether the standard library takes it for JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(token: str) -> NoReturn:
    raise _RefusedNumber(token)


def _finite(token: str) -> float:
    number = float(token)
    return number if math.isfinite(number) else _refuse(token)


def _message(error: json.JSONDecodeError, length: int) -> str:
    if error.pos >= length or error.msg.startswith("Unterminated string"):
        return "the text ends in the middle of a value: is the file cut off?"
    return error.msg[:1].lower() + error.msg[1:]


def _find(text: str, wanted: Callable[[str], bool]) -> int:
    return next((m.start() for m in _TOKEN.finditer(text) if wanted(m.group())), 0)


def _too_deep(text: str, max_depth: int) -> int:
    """Offset of the bracket that opens level `max_depth` + 1."""
    depth = 0
    for token in _TOKEN.finditer(text):
        first = text[token.start()]
        if first in "{[":
            depth += 1
            if depth > max_depth:
                return token.start()
        elif first in "}]":
            depth -= 1
    return 0


def _is_deeper(value: Any, max_depth: int) -> bool:
    level = [value]
    for _ in range(max_depth):
        inner: list[Any] = []
        for container in level:
            members = container.values() if isinstance(container, dict) else container
            inner += [m for m in members if isinstance(m, (dict, list))] if isinstance(container, (dict, list)) else []
        if not inner:
            return False
        level = inner
    return True


def _without_controls(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_without_controls(v) for v in value]
    if isinstance(value, dict):
        return {printable(k): _without_controls(v) for k, v in value.items()}
    return value


def _lines(value: Any) -> int:
    """On how many lines a value stands that has one member on each."""
    if not value or not isinstance(value, (dict, list)):
        return 1
    inner = value.values() if isinstance(value, dict) else value
    if _CONTAINERS.isdisjoint(map(type, inner)):
        return 2 + len(inner)
    return 2 + sum([_lines(one) if isinstance(one, (dict, list)) else 1 for one in inner])


def _numbered(value: Any, line: int) -> dict[Any, int]:
    """The keys of an object, or the numbers of a list's members, each with its line; the first stands on this one."""
    found: dict[Any, int] = {}
    if isinstance(value, (dict, list)):
        if isinstance(value, dict) and _CONTAINERS.isdisjoint(map(type, value.values())):
            return dict(zip(value, range(line, line + len(value)), strict=True))
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            found[key] = line
            line += _lines(one)
    return found


def _key(raw: str) -> str:
    """A key with escapes in it."""
    return printable(json.loads(raw))


def _positions(text: str, repeats: list[tuple[Path, int, int]]) -> Spot:
    """The tree of offsets of a text that has been parsed before; repeated keys are added to `repeats`."""
    top: dict[str | int, Spot] = {}
    here, is_list = top, True
    above: list[tuple[dict[str | int, Spot], bool, Spot]] = []
    steps: list[str | int] = []
    for found in _MEMBER.finditer(text):
        raw_key, token = found.groups()
        start, end = found.span()
        if token is None:
            here, is_list, closed = above.pop()
            closed.last = start
            steps.pop()
            continue
        spot = Spot(start, end - 1)
        if is_list:
            step: str | int = len(here)
        else:
            step = raw_key[1:-1] if "\\" not in raw_key else _key(raw_key)
            if step in here:
                repeats.append(((*steps[1:], step), here[step].at, start))
        here[step] = spot
        if token in "{[":
            above.append((here, is_list, spot))
            steps.append(step)
            here = spot.members = {}
            is_list = token == "["
    return top[0]
