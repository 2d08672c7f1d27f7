"""`show lldp neighbor-info` of AOS-CX: the table and the details."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records

_DETAIL = Records(
    head=re.compile(r" *Port +: +(\S{1,20}) *$"),
    labels={
        "neighbor chassis-name": "system",
        "neighbor system-name": "system",
        "neighbor chassis-id": "chassis",
        "neighbor port-id": "port_id",
        "neighbor port-desc": "description",
    },
)
_TABLE = Columns(
    {
        "LOCAL-PORT": "port",
        "CHASSIS-ID": "chassis",
        "PORT-ID": "port_id",
        "PORT-DESC": "description",
        "TTL": "",
        "SYS-NAME": "system",
    }
)

neighbours = by_command(
    {
        r"show lldp neighbors?-info(?: \S+)? detail": _DETAIL.read,
        r"show lldp neighbors?-info detail \S+": _DETAIL.read,
        r"show lldp neighbors?-info": _TABLE.read,
        r"show lldp neighbors?-info \S+": _DETAIL.read,
    }
)
