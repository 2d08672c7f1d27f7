from __future__ import annotations
from roce_audit.platforms.clirepair import CliRepairs
REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "port.cable_m": lambda value: f"cable-length {value}m",
    },
    binds={
        "qos scheduler-policy": "scheduler-policy",
        "qos map dscp-tc": "qos-map dscp-tc",
        "qos map tc-queue": "qos-map tc-queue",
        "qos map tc-pg": "qos-map tc-pg",
        "qos map pfc-priority-queue": "qos-map pfc-priority-queue",
    },
)
