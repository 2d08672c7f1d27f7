"""`show priority-flow-control`: on which priorities PFC is active.

Columns: port, enabled, priorities, active, note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.text.document import Document

_COMMAND = re.compile(r"show priority-flow-control(?: interfaces? .*)?\Z")
_ROW = re.compile(r"((?:Ethernet|Et|Port-Channel|Po)\d\S{0,12})\s+(?:Yes|No)\s+(\S.{0,120})")
_ACTIVE = re.compile(r"(?:([0-7](?:[ ,]{1,2}[0-7]){0,7})\s+)?(Yes|No)(?:\s|\Z)")


def answers(document: Document) -> Iterator[tuple[str, int, str]]:
    """(port as written, line, statement) of each row of the table; nothing for the answers of other commands."""
    if document.command is None or not _COMMAND.match(document.command):
        return
    for number, line in enumerate(document.text.split("\n"), document.first_line):
        row = _ROW.match(line)
        if row is not None:
            yield row.group(1), number, f"pfc {_said(row.group(2))}"


def _said(rest: str) -> str:
    """What stands behind the second column; text of another form is handed on, for the grammar to refuse."""
    found = _ACTIVE.match(rest)
    if found is None:
        return " ".join(rest.split())
    listed = " ".join((found.group(1) or "").replace(",", " ").split())
    return f"active {listed}" if found.group(2) == "Yes" else "inactive"
