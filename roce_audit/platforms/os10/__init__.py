"""Dell SmartFabric OS10: running-configuration."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = re.compile(r"^! Version 10\.\d+\.\d", re.M)
_PRODUCT = re.compile(r"^Dell (?:EMC Networking OS10|SmartFabric OS10|EMC SmartFabric OS10)", re.M)
_LIKELY = (
    re.compile(r"^ *service-policy (?:input|output) type (?:network-qos|queuing|qos) \S", re.M),
    re.compile(r"^ *(?:trust (?:dot1p|dscp)-map \S|trust-map (?:dot1p|dscp) \S)", re.M),
    re.compile(r"^ *qos-map traffic-class \S", re.M),
    re.compile(r"^ *(?:port-group \d+/\d+/\d+|vlt-domain \d|vlt-port-channel \d|discovery-interface ethernet)", re.M),
    re.compile(r"^ *interface (?:range ethernet|ethernet) ?\d+/\d+/\d+", re.M),
    re.compile(r"^ *interface range Ethernet \d+/\d+/\d+", re.M),
    re.compile(r"^ *interface (?:mgmt ?1/1/1|breakout \d+/\d+/\d+ map )", re.M),
    re.compile(r"^ *(?:ets mode on|flowcontrol transmit (?:on|off)|pfc-cos \d|dcbx enable)", re.M),
    re.compile(r"^(?:(?:class|policy)-map type application \S|iscsi target port \d|wred \S+ *$)", re.M),
    re.compile(
        r"^(?:system-user linuxadmin |rest api restconf|ztd cancel|ip vrf management\n +interface management)", re.M
    ),
)
_FOREIGN = (  # Cisco NX-OS, whose QoS words are alike
    re.compile(r"^(?:no )?feature (?:lldp|vpc|bgp|lacp|interface-vlan|nxapi)\b", re.M),
    re.compile(r"^ *(?:pause pfc-cos \d|class type (?:network-qos|queuing) c-|vpc domain \d|vrf context \S)", re.M),
    re.compile(r"^(?:!Command: show |boot nxos )", re.M),
)


class Os10:
    """The platform."""

    name = "os10"
    kind: Literal["switch", "host"] = "switch"
    comment = "!"
    commands = Later("roce_audit.platforms.os10.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.os10.defaults", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure with the release that a capture begins with, likely with statements that only OS10 has."""
        head = document.text[:200_000]
        if document.command and not re.search(r"show (?:running|startup)-config", document.command):
            return 90 if document.command == "show version" and _PRODUCT.search(head) else 0
        if _SURE.search(head):
            return 95
        marks = sum(1 for pattern in _LIKELY if pattern.search(head))
        foreign = sum(1 for pattern in _FOREIGN if pattern.search(head))
        return max(0, (min(85, 20 * marks) if marks > 1 else 10 * marks) - 40 * foreign)

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        from roce_audit.platforms.os10.reader import hostname

        return hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the running-configuration of one switch."""
        from roce_audit.platforms.os10.reader import read

        return read(device)


PLATFORM = Os10()
