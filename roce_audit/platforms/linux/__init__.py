"""Linux hosts: a bundle of `host-probe`, a folder of command answers, or a single answer."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.linux import tables
from roce_audit.text.document import DeviceInput, Document

_SURE = 90
_HOSTNAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}")
_PROC = re.compile(r"^/proc/sys/kernel/hostname:([A-Za-z0-9_.-]{1,253})[ \t]*$", re.M)


class Linux:
    """The platform."""

    name = "linux"
    kind: Literal["switch", "host"] = "host"
    comment = "#"
    commands = tables.COMMANDS
    needs = tables.NEEDS

    def recognise(self, document: Document) -> int:
        """Sure of the answers of every tool that some NIC family reads; of lone files by what only they hold."""
        from roce_audit.platforms.hosttools import tool_for

        found = tool_for(document)
        if found is None or (document.command is None and found[0].name not in tables.OWN_TOOLS):
            return 0
        return _SURE

    def hostname(self, document: Document) -> str | None:
        """The name in `hostname`, `uname -a` or /proc."""
        words = document.text[:500].split()
        if document.command == "hostname":
            found = words[0] if words else ""
        elif document.command is not None and document.command.startswith("uname"):
            found = words[1] if len(words) > 1 and words[0] == "Linux" else ""
        else:
            match = _PROC.search(document.text)
            found = match.group(1) if match else ""
        return found if _HOSTNAME.fullmatch(found) else None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read all answers of one host."""
        from roce_audit.platforms.hostreader import read_host

        return read_host(device, self.name)


PLATFORM = Linux()
