"""How Enterprise SONiC writes a change: Dell Enterprise SONiC User Guide, Quality of Service; Broadcom's QoS design documents."""

from __future__ import annotations

import math

from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "port.pfc.watchdog.on": lambda value: "priority-flow-control watchdog on",
        "port.cable_m": lambda value: f"cable-length {math.ceil(float(str(value)))}m",
    },
    codes=(CodeLine("dscp {codes} traffic-class {value}", adds=True),),
    binds={
        "qos scheduler-policy": "scheduler-policy",
        "qos map dscp-tc": "qos-map dscp-tc",
        "qos map dot1p-tc": "qos-map dot1p-tc",
        "qos map tc-queue": "qos-map tc-queue",
        "qos map tc-pg": "qos-map tc-pg",
        "qos map pfc-priority-queue": "qos-map pfc-priority-queue",
    },
    # the `no` forms inside maps and scheduler policies (`no dscp ...`, `no weight ...`): source unverified
    shortened=(
        "mtu",
        "speed",
        "fec",
        "cable-length",
        "scheduler-policy",
        "qos-map *",
        "queue * wred-policy",
        "buffer priority-group *",
        "buffer queue *",
        "priority-flow-control watchdog polling-interval",
        "priority-flow-control watchdog on",
        "priority-flow-control watchdog restore-time",
        "priority-flow-control watchdog action",
        "green",
        "ecn",
    ),
    strict={"type ": lambda line: "type strict"},
    leaves={
        "port.dscp": {"fwd-group": str},
        "hop.queue.ecn.marks": {"ecn": lambda value: "ECN_GREEN"},
        "port.pfc.priorities": {"enable": lambda value: "true"},
    },
    marking={"green ": lambda curve: "ecn green"},
    after=("end", "write memory"),
)
