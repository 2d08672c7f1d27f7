"""`show lldp neighbors` of NX-OS: the table, the details, and both as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command, either
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.platforms.shared.neighbours.structured import Answer, below, items
from roce_audit.text.document import Document

_DETAIL = Records(
    labels={
        "chassis id": "chassis",
        "port id": "port_id",
        "local port id": "port",
        "port description": "description",
        "system name": "system",
    },
    begins="chassis id",
)
_TABLE = Columns(
    {"Device ID": "system", "Local Intf": "port", "Hold-time": "", "Capability": "", "Port ID": "port_id"}, wrapped=True
)


def _json(document: Document) -> Iterator[Neighbour]:
    """Tables of rows; a table of one row holds it without a list."""
    answer = Answer(document)
    for table, row in (("TABLE_nbor_detail", "ROW_nbor_detail"), ("TABLE_nbor", "ROW_nbor")):
        for path, one in items(below(answer.value, table, row), (table, row)):
            yield from answer.neighbour(
                one.get("l_port_id"),
                path,
                system=one.get("sys_name"),
                chassis=one.get("chassis_id"),
                port_id=one.get("port_id"),
                description=one.get("port_desc"),
            )


neighbours = by_command(
    {
        r"sh(?:ow)? lldp nei\S*(?: interface \S+)? det\S*": either(_json, _DETAIL.read),
        r"sh(?:ow)? lldp nei\S*(?: interface \S+)?": either(_json, _TABLE.read),
    }
)
