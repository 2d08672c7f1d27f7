"""What display commands tell of ports: `display priority-flow-control interface` on which priorities PFC runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.text.document import Document

_PFC = re.compile(r"display priority-flow-control int")
_HEAD = re.compile(r"\s*Interface +AdminMode +OperMode +Dot1pList +Prio\b")
_ROW = re.compile(r"\s*([A-Za-z]\S{2,40}) +(?:Auto|Disabled|Enabled) +(\S{1,20})(.*)")
_REST = re.compile(r"(?: +[0-7](?:[,-][0-7]){0,7})?(?: +[0-9]{1,20}){0,5} *")
_STATES = {"Disabled": "off", "Enabled": "on"}


def answers(document: Document) -> Iterator[tuple[str, int, str]]:
    """(port as written, line, statement) of each port in the table; nothing for the answers of other commands."""
    if document.command is None or _PFC.match(document.command) is None:
        return
    column = end = -1
    for number, line in enumerate(document.text.split("\n"), document.first_line):
        if _HEAD.match(line):
            column, end = line.index("Dot1pList"), line.index("Prio")
            continue
        row = _ROW.match(line) if column >= 0 else None
        if row is None:
            continue
        port, state, rest = row.groups()
        if state not in _STATES or _REST.fullmatch(rest) is None:
            yield port, number, f"pfc {state}"  # which nobody understands
        elif state == "Disabled":
            yield port, number, "pfc off"
        else:
            yield port, number, f"pfc on {line[column:end].strip()}".rstrip()
