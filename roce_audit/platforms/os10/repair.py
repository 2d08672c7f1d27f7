"""How OS10 writes a change: Dell SmartFabric OS10 User Guide, the commands' own pages and their `no` versions."""

from __future__ import annotations

from roce_audit.platforms.clirepair import CliRepairs

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {int(str(value)) + 32}",
        "port.pfc.mode": lambda value: f"priority-flow-control mode {value}",
        "hop.queue.share": lambda value: f"bandwidth percent {value}",
    },
    binds={
        "policy-map type network-qos": "service-policy input type network-qos",
        "policy-map type queuing": "service-policy output type queuing",
        "trust dscp-map": "trust-map dscp",
        "qos-map traffic-class": "qos-map traffic-class",
    },
    after=("end", "write memory"),
)
