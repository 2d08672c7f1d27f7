"""What show commands tell of ports.

`show interfaces status`: the speed of ports that are up, and which have no link; columns port, description, status, speed, duplex, VLAN.
`show interfaces PORT pfc detail` (or `summary`): what `Local` has on is what holds, with or without DCBX. Dell Configuration Guide, Data
Center Bridging, Verifying the DCB Configuration. `show interfaces`: which ports the switch has shut, `line protocol is
down(error-disabled[Transceiver Unsupported])` (Dell Configuration Guide for the C9000, Interfaces).
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.running import NO_LINK, without_link
from roce_audit.platforms.shared.neighbours.dell import settled
from roce_audit.platforms.shared.shown import Shown, rows
from roce_audit.text.document import Document

_COMMAND = lazy(r"show interfaces? (?:[^|]{1,60} )?status\Z")
_ROW = lazy(r"((?:Gi|Te|Tf|Fo|Fi|Hu) \d[\d/]{0,10}) .{0,60}\bUp +(\S{1,12}) Mbit +(?:Full|Auto)\b.{0,60}")
_DOWN = lazy(r"((?:Gi|Te|Tf|Fo|Fi|Hu) \d[\d/]{0,10}) .{0,60}\bDown +.{0,80}")
_WHOLE = lazy(r"show interfaces?(?: [A-Za-z]{5,24} ?\d[\d/]{0,10})?\Z")
_SHUT = lazy(r"([A-Za-z]{5,24} \d[\d/]{0,10}) is up, line protocol is down ?\((.{1,60})\)")
_PFC = lazy(r"show interfaces? (?:\S.{0,40} )?pfc (?:detail|summary)\Z")
_PORT = lazy(r"Interface ([A-Za-z]{5,24} ?\d[\d/]{0,10})")


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of what an answer tells of ports; nothing for the answers of other commands."""
    command = document.command or ""
    if _PFC.match(command):
        yield from ((port[1], number, statement) for port, number, statement in settled(document, _PORT))
    elif _WHOLE.match(command):
        for row, number, odd in rows(document, _SHUT):
            if not odd:
                yield row[1], number, without_link(row[2])
    elif _COMMAND.match(command):
        for row, number, odd in rows(document, _ROW):
            yield row[1], number, f"connected {row[2]}{odd}"
        for row, number, odd in rows(document, _DOWN):
            if not odd:
                yield row[1], number, NO_LINK
