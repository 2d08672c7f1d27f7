"""`display lldp neighbor` of VRP, and its brief form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.text.document import Document

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
_BRIEF_OF_CAMPUS = Columns({"Local Intf": "port", "Neighbor Dev": "system", "Neighbor Intf": "port_id", "Exptime": ""})
"""As S series switches and older releases head it."""


def _brief(document: Document) -> Iterator[Neighbour]:
    yield from _BRIEF.read(document)
    yield from _BRIEF_OF_CAMPUS.read(document)


neighbours = by_command(
    {
        r"display lldp neighbor brief": _brief,
        r"display lldp neighbor(?: interface \S+(?: \S+)?)?": _VERBOSE.read,
    }
)
