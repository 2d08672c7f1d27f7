"""YAML from strangers: plain values with lines, no tags that say a type, no alias bombs, no repeated keys.

Scalars follow the core schema of YAML 1.2: `on`, `off`, `yes` and `no` are strings. What a merge key (`<<: *defaults`) brings in stands
where it is written, and yields to the mapping's own entries (yaml.org/type/merge.html).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.decode import printable
from roce_audit.text.structured import yamlblock
from roce_audit.text.structured.positions import Path, Placed, PlacedError, Spot, locate, nearest
from roce_audit.text.structured.yamlblock import MAX_DEPTH, MAX_VALUES, key_of, scalar

MAX_CHARACTERS = 2**20


class YamlError(PlacedError):
    """The text is no YAML, or none that we read."""


@dataclass(frozen=True, slots=True)
class YamlText:
    """One parsed document: `value` is plain Python (dict, list, str, int, float, bool, None)."""

    value: Any
    root: Spot
    """The lines of all values."""

    def line_of(self, path: Path) -> int:
        """The line of the value at `path`, of its key where it has one. Raises KeyError for a path that is none."""
        return locate(self.root, path).at

    def placed(self, path: Path) -> Placed:
        """Where the value at `path` stands. Raises KeyError for a path that is none."""
        return locate(self.root, path)

    def nearest_line_of(self, path: Path) -> int:
        """The line of `path`, or of the innermost value on the way there that exists."""
        return nearest(self.root, path).at

    def lines_of_text(self, path: Path, text: str) -> Iterator[tuple[int, str]]:
        """The lines of a text at `path`, with their numbers: a block begins on the line behind its key, and `"a\\nb"` is one line."""
        pieces = text.rstrip("\n").split("\n")
        at = nearest(self.root, path)
        if at.last == at.at:
            yield from ((at.at, piece) for piece in pieces)
            return
        yield from enumerate(pieces, at.at + (text.endswith("\n") or len(pieces) > 1))


def parse(text: str, *, first_line: int = 1, max_characters: int = MAX_CHARACTERS, own_tags: bool = False) -> YamlText:
    """Parse the only document of `text` (an empty text is a document that holds None). Raises YamlError."""
    found = documents(text, first_line=first_line, max_characters=max_characters, own_tags=own_tags)
    if len(found) > 1:
        raise YamlError(found[1].line_of(()), 1, "a second document begins here: one is expected")
    return found[0] if found else YamlText(None, Spot(first_line, first_line))


def documents(
    text: str,
    *,
    first_line: int = 1,
    max_characters: int = MAX_CHARACTERS,
    merge_keys: bool = True,
    own_tags: bool = False,
) -> tuple[YamlText, ...]:
    """Parse all documents of `text`, whose first line is line `first_line` of its file. Raises YamlError.

    `merge_keys` is False for a program that knows none, and refuses `<<` as a key; it also refuses a key that stands twice with the same
    word, of which others take either. `own_tags` is True for a program that has tags of
    its own (`!vault` of Ansible, `!Ref` of CloudFormation): what it makes of such a word is not here, and stands as `{{ vault }}`.
    """
    if len(text) > max_characters:
        raise YamlError(first_line, 1, f"the text has {len(text):,} characters, the limit is {max_characters:,}")
    plain = yamlblock.parse(text, first_line)
    return (YamlText(*plain),) if plain is not None else _documents(text, first_line, merge_keys, own_tags)


def _documents(text: str, first_line: int, merge_keys: bool = True, own_tags: bool = False) -> tuple[YamlText, ...]:
    """All documents, by the full parser."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    builder = _Builder(YAML(typ="safe", pure=True).parse(text), first_line, merge_keys, own_tags)
    try:
        return tuple(builder.documents())
    except MarkedYAMLError as error:
        unfinished = str(error.context).startswith(
            "while scanning"
        )  # a quote or key: where it begins, not where the text ends
        mark = (error.context_mark if unfinished else None) or error.problem_mark or error.context_mark
        message = _in_words(printable(str(error.problem or error.context or "not YAML")))
        line, column = (mark.line, mark.column) if mark is not None else (0, 0)
        raise YamlError(first_line + line, column + 1, message) from None
    except YAMLError as error:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position) if isinstance(position, int) else 0
        raise YamlError(first_line + line, 1, "a character that YAML does not allow") from None
    except (ValueError, OverflowError, IndexError) as error:
        if isinstance(error, YamlError):
            raise
        raise YamlError(builder.line, 1, "an escape or number that cannot be read") from None


_WORDS = (
    ("found character '\\t' that cannot start any token", "a tab: YAML indents with blanks"),
    ("mapping values are not allowed here", "a ':' where no key can stand: put text that holds one in quotes"),
    ("could not find expected ':'", "a key without ':'"),
    ("found unexpected end of stream", "a quote that is never closed"),
    ("expected <block end>", "the indentation does not fit the lines above"),
    ("expected the node content, but found '<stream end>'", "the text ends where a value should stand"),
)
"""How what the parser says begins, and the same in words."""


def _in_words(message: str) -> str:
    return next((words for begins, words in _WORDS if message.startswith(begins)), message)


_OWN_TAG = lazy(r"![A-Za-z][A-Za-z0-9_-]{0,60}")
_TEXT_TAGS = ("!unsafe", "!Sub")
"""Tags whose word is a text as it stands: Ansible fills in nothing, CloudFormation what stands in `${...}`."""


class _Builder:
    """Builds values from the parser's events, so that every limit holds before anything is built."""

    def __init__(self, events: Iterator[Any], first_line: int, merge_keys: bool, own_tags: bool) -> None:
        self._events = events
        self._first_line = first_line
        self._merge_keys = merge_keys
        self._own_tags = own_tags
        self.line = first_line
        self._count = 0
        self._anchors: dict[str, tuple[Any, Spot, int]] = {}

    def documents(self) -> Iterator[YamlText]:
        from ruamel.yaml import events as e

        for event in self._events:
            if isinstance(event, e.DocumentStartEvent):
                self._count, self._anchors = 0, {}
                value, spot = self._value(self._next(), 1)
                yield YamlText(value, spot)

    def _next(self) -> Any:
        event = next(self._events)
        self.line = self._first_line + event.start_mark.line
        return event

    def _value(self, event: Any, depth: int) -> tuple[Any, Spot]:
        from ruamel.yaml import events as e

        if isinstance(event, e.AliasEvent):
            return self._alias(event)
        before = self._count
        self._take(event, 1)
        tag = "" if event.ctag is None or event.ctag.trval is None else str(event.ctag.trval)
        if tag and not (self._own_tags and _OWN_TAG.fullmatch(tag)):
            self._fail(event, f"tags are not read: {printable(tag)[:60]}")
        spot = Spot(self._first_line + event.start_mark.line, self._first_line + event.end_mark.line)
        value: Any
        if isinstance(event, e.ScalarEvent):
            value = scalar(event.value, event.implicit[0])
            if tag:
                value = event.value if tag in _TEXT_TAGS else f"{{{{ {tag[1:]} }}}}"
            spot.last -= (
                event.style in ("|", ">") and event.end_mark.column == 0
            )  # the mark stands behind the line's end
        elif depth > MAX_DEPTH:
            self._fail(event, f"nested deeper than {MAX_DEPTH}")
        elif isinstance(event, e.MappingStartEvent):
            value = self._mapping(spot, depth)
        else:
            value = self._sequence(spot, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, spot, self._count - before)
        return value, spot

    def _mapping(self, spot: Spot, depth: int) -> dict[str | int, Any]:
        from ruamel.yaml import events as e

        value: dict[str | int, Any] = {}
        spot.members = {}
        merged: list[tuple[Any, Spot]] = []
        while not isinstance(event := self._next(), e.MappingEndEvent):
            if not isinstance(event, e.ScalarEvent):
                self._fail(event, "a key must be a plain word or number")
            key_line = self._first_line + event.start_mark.line
            self._value(event, depth)
            key = key_of(event.value, event.implicit[0])
            if key == "<<" and event.implicit[0]:
                merged += self._merged(event, depth)
                continue
            given = self._next()
            if key in value:
                again = isinstance(given, e.ScalarEvent) and self._merge_keys
                if not again or self._value(given, depth + 1)[0] != value[key]:
                    self._fail(event, f"{key!r} stands here a second time (first in line {spot.members[key].at})")
                continue
            value[key], inner = self._value(given, depth + 1)
            is_empty = isinstance(given, e.ScalarEvent) and given.start_mark.index == given.end_mark.index
            spot.members[key] = Spot(key_line, key_line if is_empty else max(key_line, inner.last), inner.members)
        self._end(spot, event)
        for inner_value, inner in merged:
            for key in [key for key in inner_value if key not in value]:
                value[key], spot.members[key] = inner_value[key], (inner.members or {})[key]
        return value

    def _merged(self, event: Any, depth: int) -> list[tuple[Any, Spot]]:
        """The mappings that stand behind a merge key: one, or a list of which an earlier one counts before a later."""
        if not self._merge_keys:
            self._fail(event, "merge keys (<<) are not known here: write the entries out")
        value, spot = self._value(self._next(), depth + 1)
        members = spot.members or {}
        found = [(one, members[n]) for n, one in enumerate(value)] if isinstance(value, list) else [(value, spot)]
        if not all(isinstance(one, dict) for one, _ in found):
            self._fail(event, "what a merge key (<<) brings in must be a mapping")
        return found

    def _sequence(self, spot: Spot, depth: int) -> list[Any]:
        from ruamel.yaml import events as e

        value: list[Any] = []
        spot.members = {}
        while not isinstance(event := self._next(), e.SequenceEndEvent):
            element, spot.members[len(value)] = self._value(event, depth + 1)
            value.append(element)
        self._end(spot, event)
        return value

    def _end(self, spot: Spot, event: Any) -> None:
        """A collection ends with its bracket, or with the last of its members."""
        bracket = event.end_mark.line if event.end_mark.index > event.start_mark.index else 0
        spot.last = max(self._first_line + bracket, *(inner.last for inner in (spot.members or {}).values()), spot.at)

    def _alias(self, event: Any) -> tuple[Any, Spot]:
        found = self._anchors.get(event.anchor)
        if found is None:
            self._fail(event, f"the alias *{printable(event.anchor)} names nothing that is complete here")
        value, spot, size = found
        self._take(event, size)
        return value, spot

    def _take(self, event: Any, size: int) -> None:
        self._count += size
        if self._count > MAX_VALUES:
            self._fail(event, f"more than {MAX_VALUES:,} values, aliases counted out")

    def _fail(self, event: Any, message: str) -> NoReturn:
        mark = event.start_mark
        raise YamlError(self._first_line + mark.line, mark.column + 1, message)
