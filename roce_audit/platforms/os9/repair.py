"""How OS9 writes a change: Dell OS9 Command Line Reference Guide, Interfaces and Data Center Bridging."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.repair import CliRepairs

REPAIRS = CliRepairs(
    statements={},  # the link MTU that an IP MTU needs depends on what else the packets carry
    binds={
        "dcb-map": "dcb-map",
        "dcb-buffer-threshold": "dcb-policy buffer-threshold",
        "policy-map-output": "service-policy output",
        "dcb-input": "dcb-policy input",
        "dcb-output": "dcb-policy output",
    },
    shortened=(
        "mtu",
        "ip mtu",
        "speed",
        "dcb-map",
        "pfc priority",
        "service-policy output",
        "rate shape",
        "rate police",
        "dot1p-priority",
    ),
    before=("configure",),
)
