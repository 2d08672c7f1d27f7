"""The text of a statement: a field below the header of its row, without the names of ports; and how it is shown."""

from __future__ import annotations

import re

from roce_audit.platforms.sonic.table import NUMBERED, TABLE
from roce_audit.platforms.sonic.values import EMPTY, canonical
from roce_audit.text.block import CONTEXT
from roce_audit.text.dialect import Parsed
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
    return f"{row}{CONTEXT}{_BLANK_OR_EQUALS.sub('_', canonical(field))[:_LONGEST_NAME]} {canonical(value)}"


def parse(text: str) -> Parsed:
    """What a statement says; of one below a header that is not understood, what that header says."""
    parsed = TABLE.parse("top", text)
    return next((around for around in parsed.context if around.unread), parsed)


def table_of(text: str) -> str:
    """The table of a statement."""
    return text.partition(CONTEXT)[0].partition(" ")[0]


def field_of(text: str) -> str:
    """The name of the field that a statement is about; "" for a header."""
    return text.partition(CONTEXT)[2].partition(" ")[0]


def said_by(text: str, table: str, field: str) -> object:
    """The value of this field of a row, where the statement says it and is understood; None elsewhere."""
    if (table_of(text), field_of(text)) != (table, field):
        return None
    said = parse(text).value
    return said.value if isinstance(said, Leaf) else None


def shown(text: str) -> str:
    """A statement as reports quote it: `QUEUE 3-4 scheduler=scheduler.1`."""
    row, nested, said = text.partition(CONTEXT)
    name, _, value = said.partition(" ")
    if not nested:
        return row
    return f"{row} {said}" if said.startswith("=") else f"{row} {name}={'' if value == EMPTY else value}"
