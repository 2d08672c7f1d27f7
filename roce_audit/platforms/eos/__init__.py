"""Arista EOS: running-config."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = re.compile(
    r"^(! ?device: \S+ \([^\n]{1,60}EOS-|transceiver qsfp default-mode|service routing protocols model)", re.M
)
_AVD = re.compile(r"^(?:ethernet|port_channel)_interfaces:", re.M)
_LIKELY = (
    re.compile(r"^qos profile \S+", re.M),
    re.compile(r"^ +(uc-tx-queue|mc-tx-queue|tx-queue) \d", re.M),
    re.compile(r"^ *service-profile \S+", re.M),
    re.compile(r"^qos map (dscp|cos|traffic-class) ", re.M),
    re.compile(r"^ *priority-flow-control (on|priority \d (no-)?drop|pause watchdog)", re.M),
    re.compile(r"^ *random-detect ecn minimum-threshold ", re.M),
    re.compile(r"^(vlan internal order|daemon TerminAttr|management api http-commands)", re.M),
    re.compile(r"^interface (Ethernet\d+(/\d+)*|Management\d|Port-Channel\d+|Vxlan1)\n {3}\S", re.M),
)


class Eos:
    """The platform."""

    name = "eos"
    kind: Literal["switch", "host"] = "switch"
    comment = "!"
    commands = Later("roce_audit.platforms.eos.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.eos.defaults", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure with a capture header, likely with statements that only EOS has."""
        head = document.text[:200_000]
        if document.command and "running-config" not in document.command:
            return 0
        if _SURE.search(head):
            return 95
        if "_interfaces:" in head and _AVD.search(head):
            from roce_audit.platforms.eos.avd import is_structured

            return 80 if is_structured(document.text) else 0
        return min(80, 25 * sum(1 for pattern in _LIKELY if pattern.search(head)))

    def is_source_of_another(self, document: Document) -> bool:
        """A structured configuration of AVD: where the configuration that it becomes is given as well, that one counts."""
        if "_interfaces:" not in document.text:
            return False
        from roce_audit.platforms.eos.avd import is_structured

        return is_structured(document.text)

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        from roce_audit.platforms.eos.reader import hostname

        return hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the running-config of one switch."""
        from roce_audit.platforms.eos.reader import SYNTAX
        from roce_audit.platforms.shared.cli.reader import CommandLineReader

        return CommandLineReader(SYNTAX, device).read()


PLATFORM = Eos()
