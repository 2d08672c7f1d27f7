"""The text of a statement: a field below the header of its row, without the names of ports; what it says, how it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.sonic.table import NAMES, NUMBERED, TABLE
from roce_audit.platforms.sonic.values import EMPTY, canonical
from roce_audit.text.block import CONTEXT, Texts
from roce_audit.text.memo import Memory
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf

_BLANK = re.compile(r"\s")
_BLANK_OR_EQUALS = re.compile("[ =]")
_LONGEST_KEY = 40
_LONGEST_NAME = 80


def header(table: str, where: str = "") -> str:
    """A row of a table; `where` is the queue or group in its key."""
    return f"{table} {_BLANK.sub('_', where)[:_LONGEST_KEY]}".strip() if table in NUMBERED else table


def statement(row: str, field: str, value: object) -> str:
    """A field of the row with this header."""
    if isinstance(value, str):
        return _of_text(row, field, value)
    return f"{row}{CONTEXT}{_name(field)} {canonical(value)}"


@lru_cache(maxsize=16_384)
def _of_text(row: str, field: str, value: str) -> str:
    """The same of a field with a text: most rows of a fleet are alike."""
    return f"{row}{CONTEXT}{_name(field)} {canonical(value)}"


@lru_cache(maxsize=16_384)
def concerns_us(table: str, field: str) -> bool:
    """Whether a field of a table is any of our business, whatever its value."""
    return TABLE.parse(table, f"{_name(field)} {EMPTY}").is_ours


@lru_cache(maxsize=16_384)
def _name(field: str) -> str:
    return _BLANK_OR_EQUALS.sub("_", canonical(field))[:_LONGEST_NAME]


@lru_cache(maxsize=16_384)
def parse(text: str) -> Parsed:
    """What a statement says; of one below a header that is not understood, what that header says."""
    parsed = TABLE.parse("top", text)
    return parsed.context[0] if parsed.context and parsed.context[0].unread else parsed


@lru_cache(maxsize=16_384)
def table_of(text: str) -> str:
    """The table of a statement."""
    return text.partition(CONTEXT)[0].partition(" ")[0]


def field_of(text: str) -> str:
    """The name of the field that a statement is about; "" for a header."""
    return text.partition(CONTEXT)[2].partition(" ")[0]


@lru_cache(maxsize=16_384)
def said_by(text: str, table: str, field: str) -> object:
    """The value of this field of a row, where the statement says it and is understood; None elsewhere."""
    if (table_of(text), field_of(text)) != (table, field):
        return None
    said = parse(text).value
    return said.value if isinstance(said, Leaf) else None


_NAMED: Memory[Texts, tuple[tuple[int, Name], ...]] = Memory()


def named_in(texts: Texts) -> tuple[tuple[int, Name], ...]:
    """(index of the statement, the object it names) of a block; equal blocks are looked at once."""
    found = _NAMED.get(texts)
    return _NAMED.keep(texts, tuple(_names(texts.statements))) if found is None else found


def _names(statements: Iterable[str]) -> Iterator[tuple[int, Name]]:
    for index, text in enumerate(statements):
        said = parse(text).value
        table = NAMES.get((table_of(text), said.name)) if isinstance(said, Leaf) else None
        if table is not None and isinstance(said.value, str) and said.value:
            yield index, (table, said.value)


@lru_cache(maxsize=16_384)
def shown(text: str) -> str:
    """A statement as reports quote it: `QUEUE 3-4 scheduler=scheduler.1`."""
    row, nested, said = text.partition(CONTEXT)
    name, _, value = said.partition(" ")
    if not nested:
        return row
    return f"{row} {said}" if said.startswith("=") else f"{row} {name}={'' if value == EMPTY else value}"
