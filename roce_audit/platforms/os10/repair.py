"""How OS10 writes a change: Dell SmartFabric OS10 User Guide, the commands' own pages and their `no` versions."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.repair import CliRepairs

_LINK_OVERHEAD = 32
"""Bytes by which the link MTU that is configured exceeds the IP MTU."""

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {int(str(value)) + _LINK_OVERHEAD}",
        "port.pfc.mode": lambda value: f"priority-flow-control mode {value}",
        "hop.queue.share": lambda value: f"bandwidth percent {value}",
    },
    binds={
        "policy-map type network-qos": "service-policy input type network-qos",
        "policy-map type queuing": "service-policy output type queuing",
        "trust dscp-map": "trust-map dscp",
        "qos-map traffic-class": "qos-map traffic-class",
    },
    # `no random-detect color ...` and `no queue N` with all their words: source unverified
    shortened=(
        "mtu",
        "speed",
        "fec",
        "flowcontrol *",
        "priority-flow-control mode",
        "trust-map *",
        "qos-map traffic-class",
        "bandwidth percent",
        "shape",
        "pause",
        "pfc-cos",
        "queue-limit",
    ),
    strict={"bandwidth percent ": lambda line: "priority"},
    of_channel=("mtu ",),
    marking={"random-detect color ": lambda curve: "random-detect ecn"},
    after=("end", "write memory"),
)
