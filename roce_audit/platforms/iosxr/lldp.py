"""`show lldp neighbors` of IOS XR: the table, and the details."""

from __future__ import annotations

from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records

_DETAIL = Records(
    labels={
        "local interface": "port",
        "chassis id": "chassis",
        "port id": "port_id",
        "port description": "description",
        "system name": "system",
    },
    begins="local interface",
)
_TABLE = Columns(
    {"Device ID": "system", "Local Intf": "port", "Hold-time": "", "Capability": "", "Port ID": "port_id"}, wrapped=True
)

neighbours = by_command(
    {
        r"sh(?:ow)? lldp nei\S*(?: \S+)? det\S*": _DETAIL.read,
        r"sh(?:ow)? lldp nei\S*(?: \S+)?": _TABLE.read,
    }
)
