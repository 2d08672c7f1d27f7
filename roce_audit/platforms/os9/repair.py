from __future__ import annotations
from roce_audit.platforms.clirepair import CliRepairs
REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
    },
    binds={
        "dcb-map": "dcb-map",
        "dcb-buffer-threshold": "dcb-policy buffer-threshold",
    },
)
