"""`display lldp neighbor-information` of Comware: verbose, and as a list."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records

_VERBOSE = Records(
    head=re.compile(r"LLDP neighbor-information of port \d+ ?\[([^\[\]\n]{1,60})\]:?"),
    labels={
        "chassis id": "chassis",
        "port id type": "kind",
        "port id": "port_id",
        "port description": "description",
        "system name": "system",
    },
    begins="lldp neighbor index",
    aside=re.compile(r"[ \t]*LLDP agent (?!nearest-bridge)\S{1,40}:"),
    back=re.compile(r"[ \t]*LLDP agent nearest-bridge:"),
)
_LIST = Columns({"System Name": "system", "Local Interface": "port", "Chassis ID": "chassis", "Port ID": "port_id"})

neighbours = by_command(
    {
        r"display lldp neighbor-information list(?: .*)?": _LIST.read,
        r"display lldp neighbor-information(?: interface \S+)?(?: agent \S+)?(?: verbose)?": _VERBOSE.read,
    }
)
