"""How OS9 and OS10 show LLDP neighbours."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.records import Records

TABLE = Columns(
    {"Loc PortID": "port", "Rem Host Name": "system", "Rem Port Id": "port_id", "Rem Chassis Id": "chassis"}
)
DETAIL = Records(
    head=re.compile(r"[ \t]*Local Interface (\S{2,30} ?[0-9/:]{0,20}) has \d{1,4} neighbors?"),
    labels={
        "local port id": "port",
        "remote chassis id": "chassis",
        "remote port subtype": "kind",
        "remote port id": "port_id",
        "remote port description": "description",
        "remote system name": "system",
        "remote host name": "system",
    },
    begins="remote chassis id subtype",
)
