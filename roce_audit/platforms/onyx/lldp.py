"""`show lldp interfaces ethernet X remote` and `show lldp remote` of Onyx."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records

_REMOTE = Records(
    head=re.compile(r"[ \t]*(Eth(?:ernet)? ?\d{1,2}(?:/\d{1,3}){1,3}):?[ \t]*$"),
    labels={
        "remote chassis id": "chassis",
        "remote port-id": "port_id",
        "port id subtype": "kind",
        "remote port description": "description",
        "remote system name": "system",
    },
    begins="remote index",
    value=re.compile(r"([^;]{0,260})"),
)
_TABLE = Columns({"Local Interface": "port", "Device ID": "chassis", "Port ID": "port_id", "System Name": "system"})

neighbours = by_command(
    {
        r"show lldp interfaces?(?: ethernet(?: \S+)?)? remote": _REMOTE.read,
        r"show lldp remote": _TABLE.read,
    }
)
