"""How OS9 and OS10 show LLDP neighbours, and the priorities that these say they have PFC for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.text.document import Document
from roce_audit.values import Place, known

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
_PORT = re.compile(r"Interface ([A-Za-z]{5,24} ?[0-9][0-9/:]{0,12})")
_REMOTE = re.compile(r"Remote is enabled, Priority list is ?([0-7](?:[ ,]{1,2}[0-7]){0,7})")


def offers(document: Document) -> Iterator[Neighbour]:
    """What far ends say by DCBX in the answer of a `... pfc detail`: `Remote is enabled, Priority list is 3`."""
    port = ""
    for line, text in enumerate(document.text.split("\n"), document.first_line):
        named, remote = _PORT.fullmatch(text.strip()), _REMOTE.fullmatch(text.strip())
        if named is not None:
            port = named[1]
        elif remote is not None and port:
            place = Place(document.path, line)
            priorities = frozenset(map(int, re.findall("[0-7]", remote[1])))
            yield Neighbour(port, place, offers_pfc=known(priorities, place))
