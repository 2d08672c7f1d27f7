"""Windows hosts: a folder of PowerShell answers, each through `ConvertTo-Json`."""

from __future__ import annotations

from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = 95
_SHARED = ("hostname", "env")


class Windows:
    """The platform."""

    name = "windows"
    kind: Literal["switch", "host"] = "host"
    comment = ""
    commands = Later("roce_audit.platforms.windows.tables", "COMMANDS")
    needs = Later("roce_audit.platforms.windows.tables", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure of the answers of these cmdlets; files that every host has count once one of them is there."""
        from roce_audit.platforms.shared.host.tools import by_command, by_text
        from roce_audit.platforms.windows.tables import OWN_TOOLS

        if document.command is not None and document.command.split(" ")[0] in _SHARED:
            return _SURE
        named = by_command(document)
        if named is not None:
            return _SURE if named[0].system == "windows" else 0
        found = by_text(document)
        return _SURE if found is not None and found[0].name in OWN_TOOLS else 0

    def hostname(self, document: Document) -> str | None:
        """The answer of `hostname`."""
        words = document.text[:500].split()
        return words[0] if document.command == "hostname" and words else None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read all answers of one host."""
        from roce_audit.platforms.shared.host.reader import read_host

        return read_host(device, self.name)


PLATFORM = Windows()
