"""NVIDIA ConnectX and BlueField NICs: single answers of their tools. Whole hosts are read by the Linux platform."""

from __future__ import annotations

from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.mlnx.tables import COMMANDS, NEEDS, OWN_TOOLS
from roce_audit.text.document import DeviceInput, Document

_SURE = 90


class Mlnx:
    """The platform: a lone file of one of these tools is a fragment of a host."""

    name = "mlnx"
    kind: Literal["switch", "host"] = "host"
    comment = "#"
    commands = COMMANDS
    needs = NEEDS

    def recognise(self, document: Document) -> int:
        """Sure of a file that nobody named after its command and that holds what only these tools print."""
        from roce_audit.platforms.hosttools import by_command, by_text

        found = by_text(document) if by_command(document) is None else None
        return _SURE if found is not None and found[0].name in OWN_TOOLS else 0

    def hostname(self, document: Document) -> str | None:
        """These tools do not print the host's name."""
        return None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the answers as those of one host."""
        from roce_audit.platforms.hostreader import read_host

        return read_host(device, self.name)


PLATFORM = Mlnx()
