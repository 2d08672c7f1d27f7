"""Dell Networking OS9 (FTOS): the DCB part of the running-config."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = re.compile(r"^! Version [89]\.\d+\(\d", re.M)
_LIKELY = (
    re.compile(r"^dcb enable\b", re.M),
    re.compile(r"^ *dcb-map \S", re.M),
    re.compile(r"^ *(?:priority-pgid(?: \d){8}|priority-group \d (?:bandwidth \d|strict-priority))", re.M),
    re.compile(
        r"^ *(?:dcb-buffer-threshold \S|dcb-policy (?:buffer-threshold|input|output) |dcb-(?:in|out)put \S)", re.M
    ),
    re.compile(
        r"^interface (?:range )?(?:te|ten|TenGigabitEthernet|fo|fortyGigE|hundredGigE|twentyFiveGigE) \d+/\d", re.M
    ),
    re.compile(r"^(?:policy-map-(?:in|out)put|qos-policy-(?:in|out)put) \S", re.M),
    re.compile(r"^ +(?:portmode hybrid|port-channel-protocol LACP|vlt-peer-lag port-channel \d)", re.M),
    re.compile(r"^(?:service-class dynamic dot1p|boot system stack-unit |stack-unit \d)", re.M),
)


class Os9:
    """The platform."""

    name = "os9"
    kind: Literal["switch", "host"] = "switch"
    comment = "!"
    commands = Later("roce_audit.platforms.os9.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.os9.defaults", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure with the release that a capture begins with, likely with the words of DCB maps."""
        if document.command and not re.search(r"show (?:running|startup)-config", document.command):
            return 0
        head = document.text[:200_000]
        if _SURE.search(head):
            return 95
        return min(80, 20 * sum(1 for pattern in _LIKELY if pattern.search(head)))

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        from roce_audit.platforms.os9.reader import hostname

        return hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the running-config of one switch."""
        from roce_audit.platforms.os9.reader import read

        return read(device)


PLATFORM = Os9()
