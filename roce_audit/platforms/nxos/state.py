"""`show interface priority-flow-control`: on which priorities PFC really runs.

Columns: port, administrative mode, operational state with the bitmap of the priorities (hexadecimal), counters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.reader import SWITCHED
from roce_audit.text.document import Document

_COMMAND = lazy(r"sh(?:ow)? int(?:erface)? (?:\S+ )?priority-flow-control(?: detail)?\Z")
_ROW = lazy(r"(\S{2,64})\s+(auto|on|off)\s+(on|off)\s*(?:\((\S{1,16})\))?(?=\s|\Z)", re.I)


def answers(document: Document) -> Iterator[tuple[str, int, str]]:
    """(port as written, line, statement) of each row of the table; nothing for the answers of other commands."""
    if document.command is None or not _COMMAND.match(document.command):
        return
    for number, line in enumerate(document.text.split("\n"), document.first_line):
        row = _ROW.match(line)
        if row is not None:
            port, mode, state, bitmap = row.groups()
            yield port, number, f"{SWITCHED}{mode.lower()}"
            yield port, number, f"pfc {state.lower()}{f' {bitmap.lower()}' if bitmap else ''}"
