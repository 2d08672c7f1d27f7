"""The platform of one NIC family: single answers of its own tools. Whole hosts are read by the platform of their system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

_SURE = 90


@dataclass(frozen=True)
class NicFamily:
    """A lone file of one of `own_tools` is a fragment of a host."""

    name: str
    commands: Sequence[str]
    needs: Mapping[str, str]
    own_tools: frozenset[str]
    kind: Literal["switch", "host"] = "host"
    comment: str = "#"

    def recognise(self, document: Document) -> int:
        """Sure of a file that nobody named after its command and that holds what only these tools print."""
        from roce_audit.platforms.shared.host.tools import by_command, by_text

        found = by_text(document) if by_command(document) is None else None
        return _SURE if found is not None and found[0].name in self.own_tools else 0

    def hostname(self, document: Document) -> str | None:
        """These tools do not print the host's name."""
        return None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the answers as those of one host."""
        from roce_audit.platforms.shared.host.reader import read_host

        return read_host(device, self.name)
