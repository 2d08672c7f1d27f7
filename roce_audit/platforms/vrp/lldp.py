"""`display lldp neighbor`: the far end of each port."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.shared.cli.syntax import Interfaces
from roce_audit.text.document import Document

_COMMAND = re.compile(r"display lldp neighbor(?: interface \S+)?\Z")
_PORT = re.compile(r"(\S{2,64}) has (\d{1,4}) neighbor(?:s|\(s\))?:?\s*\Z")
_FIELD = re.compile(r"(Port ID|System name) {0,30}:[ \t]*(\S.{0,252}?)\s*\Z", re.I)


def neighbours(document: Document, interfaces: Interfaces) -> Iterator[tuple[str, str]]:
    """(port, `device:port` at its far end) of ports with one neighbour; nothing for the answers of other commands."""
    if document.command is None or _COMMAND.match(document.command) is None:
        return
    port, found = "", dict[str, str]()
    for line in document.text.split("\n"):
        head = _PORT.match(line)
        if head is not None:
            port = head.group(1) if head.group(2) == "1" else ""
            found = {}
            continue
        field = _FIELD.match(line.strip()) if port else None
        if field is None or field.group(1).lower() in found:
            continue
        found[field.group(1).lower()] = field.group(2)
        if len(found) == 2:
            try:
                (name,) = interfaces.expand(port)
            except ValueError:
                continue
            yield name, f"{found['system name']}:{found['port id']}"
