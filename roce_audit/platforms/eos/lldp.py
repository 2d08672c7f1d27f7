"""`show lldp neighbors` of EOS: the table, the details, and both as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command, either
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.platforms.shared.neighbours.structured import Answer, items, members
from roce_audit.text.document import Document

_DETAIL = Records(
    head=re.compile(r"Interface (\S{2,60}) detected \d{1,4} LLDP neighbors?:"),
    labels={
        "chassis id": "chassis",
        "port id type": "kind",
        "port id": "port_id",
        "system name": "system",
        "port description": "description",
    },
    begins="chassis id type",
)
_TABLE = Columns(
    {"Port": "port", "Neighbor Device ID": "system", "Neighbor Port ID": "port_id", "TTL": ""},
)


def _json(document: Document) -> Iterator[Neighbour]:
    """`lldpNeighbors`: a list of rows of the table, or an object of the interfaces' details."""
    answer = Answer(document)
    found = answer.value.get("lldpNeighbors") if isinstance(answer.value, dict) else None
    if isinstance(found, list):
        for path, one in items(found, ("lldpNeighbors",)):
            said = {"system": one.get("neighborDevice"), "port_id": one.get("neighborPort")}
            yield from answer.neighbour(one.get("port"), path, **said)
    for port, path, interface in members(found, ("lldpNeighbors",)):
        for inner_path, one in items(interface.get("lldpNeighborInfo"), (*path, "lldpNeighborInfo")):
            far = one.get("neighborInterfaceInfo")
            far = far if isinstance(far, dict) else {}
            yield from answer.neighbour(
                port,
                inner_path,
                system=one.get("systemName"),
                chassis=one.get("chassisId"),
                port_id=far.get("interfaceId_v2", far.get("interfaceId")),
                kind=far.get("interfaceIdType"),
                description=far.get("interfaceDescription"),
            )


neighbours = by_command(
    {
        r"sh(?:ow)? lldp nei\S*(?: \S+){0,4} det\S*": either(_json, _DETAIL.read),
        r"sh(?:ow)? lldp nei\S*(?: \S+){0,4}": either(_json, _TABLE.read),
    }
)
