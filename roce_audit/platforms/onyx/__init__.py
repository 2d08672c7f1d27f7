"""NVIDIA Onyx (MLNX-OS): running-config."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = re.compile(
    r"^(## Running-config temporary prefix mode setting|\s*(no )?cli default prefix-modes enable\s*$)", re.M
)
_PORT = r"^\s*(no )?interface (ethernet|port-channel|mlag-port-channel) \S+ "
_LIKELY = (
    re.compile(_PORT + r"(no )?(traffic-class \d|qos trust |ingress-buffer |egress-buffer |pfc-wd)", re.M),
    re.compile(_PORT + r"(no )?dcb priority-flow-control ", re.M),
    re.compile(_PORT + r"(mlag-)?channel-group \d", re.M),
    re.compile(_PORT + r"(mtu \d+|speed \d+G|no switchport|module-type \S+) force", re.M),
    re.compile(r"^\s*dcb priority-flow-control (enable|priority \d)", re.M),
    re.compile(
        r"^\s*(no )?(traffic-class \d+ )?congestion-control (ecn|red|both) minimum-(absolute|relative) \d", re.M
    ),
    re.compile(r"^\s*traffic pool \S+ (type|map|memory) ", re.M),
    re.compile(r"^\s*roce( lossless| semi-lossless| lossy)?\s*$", re.M),
    re.compile(r"^\s*(advanced buffer management|interface mlag-port-channel \d|qos trust (L2|L3|both|port)$)", re.M),
    re.compile(r"^\s*interface ethernet \d+/\d+(/\d+)?\s*\n\s+(mtu \d+ force|qos trust |dcb |traffic-class \d)", re.M),
)
_ANSWER = re.compile(r"show (version|roce|dcb |qos|traffic pool|buffers|interfaces? )")


class Onyx:
    """The platform."""

    name = "onyx"
    kind: Literal["switch", "host"] = "switch"
    comment = "#"
    commands = Later("roce_audit.platforms.onyx.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.onyx.defaults", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure with the prefix mode line of a capture, likely with statements that only Onyx has."""
        from roce_audit.platforms.onyx.state import is_answer

        if is_answer(document.text) and (document.command is None or _ANSWER.match(document.command)):
            return 60
        if document.command and not re.search(r"show (running|startup)-config", document.command):
            return 0
        from roce_audit.platforms.onyx.prompts import without_prompts

        head = without_prompts(document.text[:200_000])
        if _SURE.search(head):
            return 95
        return min(80, 25 * sum(1 for pattern in _LIKELY if pattern.search(head)))

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        from roce_audit.platforms.onyx.reader import hostname

        return hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the running-config of one switch."""
        from roce_audit.platforms.onyx.reader import SYNTAX
        from roce_audit.platforms.shared.cli.reader import CommandLineReader

        return CommandLineReader(SYNTAX, device).read()


PLATFORM = Onyx()
