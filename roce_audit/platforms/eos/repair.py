"""How EOS writes a change: Arista EOS User Manual, Quality of Service, Traffic Management, Ethernet Ports.

A structured configuration of AVD is no text of statements: it is not changed.
"""

from __future__ import annotations

from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs

REPAIRS = CliRepairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "port.trust": lambda value: f"qos trust {value}",
        "port.pfc.watchdog.on": lambda value: "priority-flow-control pause watchdog",
        "port.pfc.mode": lambda value: "priority-flow-control on" if value == "on" else "no priority-flow-control",
    },
    codes=(CodeLine("qos map dscp {codes} to traffic-class {value}", adds=True), CodeLine("set traffic-class {value}")),
    binds={"qos profile": "service-profile", "policy-map type quality-of-service": "service-policy type qos input"},
    beside=(
        "priority-flow-control priority *",
        "qos map cos *",
        "qos map dscp *",
        "qos map traffic-class *",
    ),
    strict={"no priority": lambda line: "priority strict"},
    of_channel=("mtu ", "service-profile ", "qos trust ", "service-policy "),
    before=("configure",),
    after=("end", "write memory"),
)
