"""How Comware writes a change, and its `undo` form (H3C Layer 2 LAN Switching and ACL and QoS Command References)."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs

_FRAME_ABOVE_IP = 22

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"jumboframe enable {int(str(value)) + _FRAME_ABOVE_IP}",
        "port.pfc.watchdog.on": lambda value: "priority-flow-control deadlock enable",
        "port.trust": lambda value: f"qos trust {'dot1p' if value == 'pcp' else value}",
        "port.pfc.mode": lambda value: f"priority-flow-control {'enable' if value == 'on' else value}",
    },
    binds={"qos wred queue table": "qos wred apply", "qos qmprofile": "qos apply qmprofile"},
    codes=(CodeLine("import {codes} export {value}", adds=True),),
    in_place={"port.ip_mtu_bytes": {"mtu": lambda value: f"mtu {value}", "ip mtu": lambda value: f"ip mtu {value}"}},
    shortened=(
        "jumboframe enable",
        "mtu",
        "ip mtu",
        "priority-flow-control",
        "priority-flow-control deadlock enable",
        "priority-flow-control no-drop dot1p",
        "priority-flow-control dot1p * headroom",
        "priority-flow-control dot1p * reserved-buffer",
        "priority-flow-control dot1p * ingress-buffer *",
        "priority-flow-control dot1p * ingress-threshold-offset",
        "priority-flow-control deadlock cos * interval",
        "qos trust",
        "qos priority",
        "qos wred apply",
        "qos wred queue *",
        "qos wred queue * ecn",
        "qos wred queue * weighting-constant",
        "qos apply qmprofile",
        "qos gts queue *",
        "qos lr outbound",
        "speed",
    ),
    before=("system-view",),
    after=("return", "save"),
    strict={f"qos {how} ": lambda line: f"{str(line).partition(' group ')[0]} group sp" for how in ("wfq", "wrr")},
    marking={
        "queue ": lambda curve: f"{str(curve).partition(' drop-level')[0]} ecn",
        "qos wred queue ": lambda curve: f"{str(curve).partition(' drop-level')[0]} ecn",
    },
    negation="undo",
)
