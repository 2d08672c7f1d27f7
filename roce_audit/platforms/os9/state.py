"""`show interfaces status`: the speed of ports that are up; columns port, description, status, speed, duplex, VLAN."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.shown import rows
from roce_audit.text.document import Document

_COMMAND = lazy(r"show interfaces? (?:[^|]{1,60} )?status\Z")
_ROW = lazy(r"((?:Gi|Te|Tf|Fo|Fi|Hu) \d[\d/]{0,10}) .{0,60}\bUp +(\S{1,12}) Mbit +(?:Full|Auto)\b.{0,60}")


def answers(document: Document) -> Iterator[tuple[str, int, str]]:
    """(port as written, line, statement) of each port that is up; nothing for the answers of other commands."""
    if not _COMMAND.match(document.command or ""):
        return
    for row, number, odd in rows(document, _ROW):
        yield row[1], number, f"connected {row[2]}{odd}"
