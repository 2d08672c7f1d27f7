"""Enterprise SONiC (Broadcom, Dell): the management framework's command line, its REST trees, its Ansible collection."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_MAPS = "dscp-tc|dot1p-tc|tc-queue|tc-pg|tc-dscp|tc-dot1p|pfc-priority-queue|pfc-priority-pg"
_OWN = (
    re.compile(rf"^ *qos map (?:{_MAPS}) \S", re.M),
    re.compile(rf"^ *qos-map (?:{_MAPS}) \S", re.M),
    re.compile(r"^ *qos (?:wred|scheduler)-policy \S", re.M),
    re.compile(r"^ *(?:buffer init lossless|buffer pool ingress_lossless_pool |roce enable)\b", re.M),
    re.compile(r"^ *queue \d{1,2} wred-policy \S", re.M),
    re.compile(r"^ *interface-naming standard", re.M),
    re.compile(r"^ *unreliable-los (?:auto|on|off)\b", re.M),
)
"""Words that no other syntax has."""
_SHARED = (
    re.compile(r"^ *interface (?:range )?(?:Eth ?\d+/\d+|Ethernet ?\d+(?![\d/])|PortChannel ?\d+)", re.M),
    re.compile(r"^ *priority-flow-control (?:priority \d|watchdog (?:action|on|polling-interval))", re.M),
    re.compile(r"^ *switchport (?:access|trunk allowed) Vlan \S", re.M),
    re.compile(r"^ *(?:mclag domain \d|standalone-link-training$|ip vrf forwarding \S)", re.M),
    re.compile(r"^ *interface breakout port \d+/\d+ mode ", re.M),
)
_TREE = (
    re.compile(
        r'"openconfig-qos-(?:maps-ext|buffer|private)[:"]|"(?:[\w-]+:)?(?:interface-maps|pfc-priorities|dscp-map-entries'
        r'|forwarding-group-queue-map|forwarding-group-priority-group-map|pfc-priority-queue-map)"[ \t\n]*:'
        r'|"(?:sonic_)?qos_(?:maps|interfaces|scheduler|wred|buffer|pfc)"[ \t\n]*:'
    ),
    re.compile(r'"(?:openconfig-qos|openconfig-interfaces|sonic-switch):'),
    re.compile(r'"openconfig-if-ethernet-ext2:|"wred-green-enable"|"buffer_mode_lossless"|"pfc-watchdog"'),
)
_ANSIBLE = (
    re.compile(
        r"^[ \t-]*(?:dellemc\.enterprise_sonic\.)?sonic_(?:qos_(?:maps|interfaces|scheduler|wred|buffer|pfc)|roce) *:",
        re.M,
    ),
    re.compile(r"^[ \t-]*dellemc\.enterprise_sonic\.sonic_\w+ *:", re.M),
    re.compile(r"^[ \t-]*sonic_(?:lag_)?interfaces *:", re.M),
)


class Esonic:
    """The platform."""

    name = "esonic"
    kind: Literal["switch", "host"] = "switch"
    comment = "!"
    commands = Later("roce_audit.platforms.esonic.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.esonic.defaults", "NEEDS")
    siblings = re.compile(
        r"(?:openconfig|sonic)-[\w.-]{1,80}\.json|sonic_(?:qos_\w{1,20}|roce|(?:lag_)?interfaces)\.ya?ml"
    )

    def recognise(self, document: Document) -> int:
        """By words of its own; those that it shares with others only strengthen them."""
        if document.command and "show running-config" not in document.command:
            return 0
        head = document.text[:200_000]
        if head[:4000].lstrip()[:1] in ("{", "["):
            return _tree_score(head)
        written = sum(45 for pattern in _ANSIBLE if pattern.search(head))
        if written:
            return min(94, written)
        own = sum(1 for pattern in _OWN if pattern.search(head))
        shared = sum(1 for pattern in _SHARED if pattern.search(head))
        if own:
            return min(94, 30 * own + 15 * shared)
        return 8 * shared

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        from roce_audit.platforms.esonic.reader import hostname

        return hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the running-configuration of one switch."""
        from roce_audit.platforms.esonic.reader import read

        return read(device)


def _tree_score(text: str) -> int:
    """JSON: the extensions are this system's own; openconfig-qos and openconfig-interfaces are of many."""
    own, of_many, hints = (pattern.search(text) is not None for pattern in _TREE)
    return min(94, 60 * own + 15 * of_many + 20 * hints) if own or (of_many and hints) else 0


PLATFORM = Esonic()
