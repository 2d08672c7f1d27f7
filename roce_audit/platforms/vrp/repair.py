"""How VRP writes a change: CloudEngine command reference. Changes are committed in the second of two stages."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs
from roce_audit.platforms.vrp.statements import QUEUES

_BEHAVIOURS: Mapping[object, str] = {queue: word for word, queue in QUEUES.items()}

REPAIRS = CliRepairs(
    statements={
        "port.pfc.mode": lambda value: f"dcb pfc enable mode {'manual' if value == 'on' else value}",
        "port.trust": lambda value: f"trust {value}",
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
    },
    binds={"diffserv domain": "trust upstream", "dcb pfc": "dcb pfc enable"},
    codes=(CodeLine("ip-dscp-inbound {codes} phb {value}", _BEHAVIOURS.__getitem__, adds=True),),
    shortened=("mtu", "jumboframe enable", "trust upstream", "trust", "qos queue * wred", "qos queue * drr weight"),
    beside=("priority *", "ip-dscp-inbound *", "8021p-inbound *", "qos queue *", "dcb pfc buffer *"),
    marking={"qos queue ": lambda line: f"qos queue {str(line).split()[2]} ecn"},
    before=("system-view",),
    after=("commit", "return", "save"),
    negation="undo",
)
