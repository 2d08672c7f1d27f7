"""How OS9 and OS10 show LLDP neighbours, the priorities that these say they have PFC for, and what DCBX settled with them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.platforms.shared.shown import below
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
_LOCAL = re.compile(r"Local is (enabled|disabled)(?:, Priority list is ?([0-7](?:[ ,-]{1,2}[0-7]){0,7})?)?")
_ADMIN_OFF = "Admin mode is off"
_REMOTE = re.compile(r"Remote is enabled, Priority list is ?([0-7](?:[ ,]{1,2}[0-7]){0,7})")


def offers(document: Document) -> Iterator[Neighbour]:
    """What far ends say by DCBX in the answer of a `... pfc detail`: `Remote is enabled, Priority list is 3`."""
    for port, text, line in below(document, _PORT):
        remote = _REMOTE.fullmatch(text)
        if remote is not None:
            place = Place(document.path, line)
            priorities = frozenset(map(int, re.findall("[0-7]", remote[1])))
            yield Neighbour(port[1], place, offers_pfc=known(priorities, place))


def settled(document: Document, heading: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int, str]]:
    """(the port's heading, line, statement): what `Local` has on in a `... pfc detail` is what holds, with or without DCBX."""
    off = None
    for port, text, number in below(document, heading):
        local = _LOCAL.fullmatch(text)
        if text == _ADMIN_OFF:
            off = port
            yield port, number, "pfc inactive"
            yield port, number, "pfc shown off"
        if local is None or off is port:
            continue
        if local[1] == "disabled":
            yield port, number, "pfc inactive"
        elif local[2]:
            yield port, number, f"pfc active {local[2].replace(' ', '')}"
