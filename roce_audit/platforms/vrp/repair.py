"""How VRP writes a change: CloudEngine command reference. Changes are committed in the second of two stages."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.repair import CliRepairs

REPAIRS = CliRepairs(
    statements={
        "port.pfc.mode": lambda value: f"dcb pfc enable mode {'manual' if value == 'on' else value}",
        "port.trust": lambda value: f"trust {value}",
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
    },
    binds={"diffserv domain": "trust upstream", "dcb pfc": "dcb pfc enable"},
    shortened=("mtu", "jumboframe enable", "trust upstream", "trust", "qos queue * wred", "qos queue * drr weight"),
    beside=("priority *", "ip-dscp-inbound *", "8021p-inbound *", "qos queue *", "dcb pfc buffer *"),
    before=("system-view",),
    after=("commit", "return", "save"),
    negation="undo",
)
