"""How IOS XR writes a change: Modular QoS and Interface Configuration Guides for Cisco 8000 Series Routers."""

from __future__ import annotations

from roce_audit.platforms.iosxr.table import ETHERNET_HEADER
from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {int(str(value)) + ETHERNET_HEADER}",
        "port.pfc.mode": lambda value: f"priority-flow-control mode {value}",
    },
    binds={"policy-map": "service-policy input"},
    codes=(CodeLine("set traffic-class {value}"),),
    in_place={"port.ip_mtu_bytes": {"ipv4 mtu": lambda value: f"ipv4 mtu {value}"}},
    beside=("match *", "match * *"),
    strict={"bandwidth ": lambda line: "priority level 1"},
    of_channel=("mtu ", "ipv4 mtu ", "service-policy "),
    marking={"random-detect ": lambda curve: "random-detect ecn"},
    after=("commit",),
)
