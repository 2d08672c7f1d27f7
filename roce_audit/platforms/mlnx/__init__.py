"""NVIDIA ConnectX and BlueField NICs: single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.mlnx import tables
from roce_audit.text.document import DeviceInput, Document

_SURE = 90


class Mlnx:
    """The platform: a lone file of one of these tools is a fragment of a host."""

    name = "mlnx"
    kind: Literal["switch", "host"] = "host"
    comment = "#"
    commands = tables.COMMANDS
    needs = tables.NEEDS

    def recognise(self, document: Document) -> int:
        """Sure of a file that nobody named after its command and that holds what only these tools print."""
        if document.command is not None:
            return 0
        from roce_audit.platforms.hosttools import tool_for

        found = tool_for(document)
        return _SURE if found is not None and found[0].name in tables.OWN_TOOLS else 0

    def hostname(self, document: Document) -> str | None:
        """These tools do not print the host's name."""
        return None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the answers as those of one host."""
        from roce_audit.platforms.hostreader import read_host

        return read_host(device, self.name)


PLATFORM = Mlnx()
