"""`show lldp neighbors` of Junos."""

from __future__ import annotations

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command

_TABLE = Columns(
    {
        "Local Interface": "port",
        "Parent Interface": "",
        "Chassis Id": "chassis",
        "Port info": "port_id",
        "System Name": "system",
    }
)

neighbours = by_command({r"show lldp neighbors": _TABLE.read})
