"""Counters of IOS XR: PFC frames by priority, of `show controllers INTERFACE priority-flow-control`; CRC errors of `show interfaces`,
and how often links went down.

The table as genieparser's captures of a Cisco 8000 have it; older releases do not count what was sent by priority.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Count
from roce_audit.platforms.iosxr.names import INTERFACES
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.platforms.shared.linkchanges import link_downs
from roce_audit.text.document import DeviceInput

_INTERFACES = re.compile(r"show interfaces?(?: .{1,60})?")
_OF_PORT = re.compile(
    r"(?P<port>[A-Z][A-Za-z-]{1,20}[0-9][\w/.]{0,20}) is (?P<state>up|down|administratively down|err(?:or)?[ -]disabled?), .{2,60}"
)
_CHANGES = re.compile(r"Interface state transitions: (?P<n>[0-9]{1,20})")
_tables = reader(
    (
        Form(
            command=re.compile(r"show controllers .{3,80}"),
            source="show controllers",
            port=re.compile(r"Priority flow control information for interface (?P<port>\S{3,40}?):"),
            rows=(
                Row(
                    re.compile(r"(?P<n>[0-7])\s+(?:on|off)\s+(?P<received>[0-9]{1,20})(?:\s+(?P<sent>[0-9]{1,20}))?"),
                    {"priorities.{n}.pause_received": "received", "priorities.{n}.pause_sent": "sent"},
                ),
            ),
        ),
        Form(
            command=_INTERFACES,
            source="show interfaces",
            port=_OF_PORT,
            rows=(
                Row(re.compile(r"[0-9]{1,20} input errors, (?P<crc>[0-9]{1,20}) CRC, .{1,80}"), {"crc_errors": "crc"}),
            ),
        ),
    ),
    INTERFACES.expand,
)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a router."""
    yield from _tables(device)
    for document in device.documents:
        if _INTERFACES.fullmatch(document.command or ""):
            yield from link_downs(document, _OF_PORT, _CHANGES, INTERFACES.expand, "show interfaces")
