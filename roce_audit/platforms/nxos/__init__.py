"""Cisco NX-OS on Nexus 9000: running-config."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = re.compile(
    r"^(!Command: show (running|startup)-config|!RANCID-CONTENT-TYPE: cisco-nx|!Running configuration last done at:)",
    re.M,
)
_LIKELY = (
    re.compile(r"^ *class type (network-qos|queuing) c-", re.M),
    re.compile(r"^ *pause pfc-cos \d", re.M),
    re.compile(r"^ *service-policy type (qos (input|output)|queuing (input|output)|network-qos) \S", re.M),
    re.compile(r"^ *priority-flow-control mode (auto|on|off)", re.M),
    re.compile(r"^policy-map type (network-qos|queuing) \S", re.M),
    re.compile(r"^(version \d+\.\d+\(\d|switchname \S|vdc \S+ id \d|boot nxos )", re.M),
    re.compile(r"^(no )?feature (lldp|vpc|bgp|lacp|interface-vlan|nxapi|hsrp|telnet|ssh|fex|ospf)\b", re.M),
    re.compile(r"^(vpc domain \d|vrf context \S|system qos$|interface breakout module |vlan configuration )", re.M),
    re.compile(r"^interface (Ethernet ?\d+/\d+|port-channel\d+)", re.M),
    re.compile(r"^ *(vrf member \S|spanning-tree port type (edge|network|normal)|no negotiate auto$|vpc \d)", re.M),
)
_FOREIGN = (  # Dell OS10, whose QoS words are alike
    re.compile(r"^ *service-policy (input|output) type ", re.M),
    re.compile(r"^(! Version 10\.\d|vlt-domain \d|trust (dot1p|dscp)-map |qos-map |dcbx enable|port-group \d)", re.M),
    re.compile(r"^interface (range )?(ethernet ?\d+/\d+/\d+|mgmt1/1/1)", re.M),
    re.compile(r"^ *(trust-map |ets mode on|flowcontrol transmit |pfc-cos \d)", re.M),
)


class Nxos:
    """The platform."""

    name = "nxos"
    kind: Literal["switch", "host"] = "switch"
    comment = "!"
    commands = Later("roce_audit.platforms.nxos.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.nxos.defaults", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure with a capture header, likely with statements that only NX-OS has."""
        if document.command and not re.search(r"show (running|startup)-config", document.command):
            return 0
        head = document.text[:200_000]
        if _SURE.search(head):
            return 95
        marks = sum(1 for pattern in _LIKELY if pattern.search(head))
        foreign = sum(1 for pattern in _FOREIGN if pattern.search(head))
        return max(0, (min(85, 20 * marks) if marks > 1 else 10 * marks) - 40 * foreign)

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        from roce_audit.platforms.nxos.reader import hostname

        return hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the running-config of one switch."""
        from roce_audit.platforms.nxos.reader import SYNTAX
        from roce_audit.platforms.shared.cli.reader import CommandLineReader

        return CommandLineReader(SYNTAX, device).read()


PLATFORM = Nxos()
