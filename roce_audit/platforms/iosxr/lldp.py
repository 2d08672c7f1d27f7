"""`show lldp neighbors` of IOS XR: the table, and the details."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.iosxr.names import INTERFACES
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.text.document import Document

_SLASHES = 3
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

_answer = by_command(
    {
        r"sh(?:ow)? lldp nei\S*(?: \S+)? det\S*": _DETAIL.read,
        r"sh(?:ow)? lldp nei\S*(?: \S+)?": _TABLE.read,
    }
)


def neighbours(document: Document) -> Iterator[Neighbour]:
    """The neighbours in an answer. Types are cut to letters that nobody else would know (`FH0/0/0/4`), so ports of this system, with
    their four numbers or more, are named in full."""
    for one in _answer(document):
        yield replace(one, port=_full(one.port), port_id=_full(one.port_id))


def _full(name: str) -> str:
    if name.count("/") < _SLASHES:
        return name
    try:
        return INTERFACES.expand(name)[0]
    except ValueError:  # the name of another system
        return name
