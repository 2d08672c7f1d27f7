"""How NX-OS writes a change: Cisco Nexus 9000 NX-OS Quality of Service and Interfaces Configuration Guides."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "hop.traffic_class.mtu_bytes": lambda value: f"mtu {value}",
        "port.pfc.mode": lambda value: f"priority-flow-control mode {value}",
        "port.pfc.watchdog.on": lambda value: "priority-flow-control watch-dog-interval on",
    },
    codes=(CodeLine("set qos-group {value}"),),
    binds={
        "policy-map type qos": "service-policy type qos input",
        "policy-map type queuing": "service-policy type queuing output",
    },
    beside=("match *", "match * *"),
    marking={"random-detect ": lambda curve: f"{curve} ecn"},
    strict={"bandwidth ": lambda line: "priority level 1"},
    cautions={"policy-map type network-qos": "the policy is that of the whole switch: any port may lose packets"},
    of_channel=("mtu ", "priority-flow-control ", "service-policy "),
)
