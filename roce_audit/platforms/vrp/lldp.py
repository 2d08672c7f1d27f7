"""`display lldp neighbor` of VRP, and its brief form."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records

_VERBOSE = Records(
    head=re.compile(r"(\S{2,64}) has \d{1,4} neighbor(?:s|\(s\))?:?\s*\Z"),
    labels={
        "chassis id": "chassis",
        "port id type": "kind",
        "port id subtype": "kind",
        "port id": "port_id",
        "port description": "description",
        "system name": "system",
    },
    begins="neighbor index",
)
_BRIEF = Columns(
    {"Local Interface": "port", "Exptime(s)": "", "Neighbor Interface": "port_id", "Neighbor Device": "system"}
)

neighbours = by_command(
    {
        r"display lldp neighbor brief": _BRIEF.read,
        r"display lldp neighbor(?: interface \S+(?: \S+)?)?": _VERBOSE.read,
    }
)
