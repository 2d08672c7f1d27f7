"""Counters of IOS XR: PFC frames by priority, of `show controllers INTERFACE priority-flow-control`; CRC errors and drops of
`show interfaces`.

The table as genieparser's captures of a Cisco 8000 have it; older releases do not count what was sent by priority.
"""

from __future__ import annotations

import re

from roce_audit.platforms.iosxr.names import INTERFACES
from roce_audit.platforms.shared.counterforms import Form, Row, reader

read = reader(
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
            command=re.compile(r"show interfaces?(?: .{1,60})?"),
            source="show interfaces",
            port=re.compile(
                r"(?P<port>[A-Z][A-Za-z-]{1,20}[0-9][\w/.]{0,20}) is (?:up|down|administratively down), .{2,60}"
            ),
            rows=(
                Row(re.compile(r"[0-9]{1,20} input errors, (?P<crc>[0-9]{1,20}) CRC, .{1,80}"), {"crc_errors": "crc"}),
            ),
        ),
    ),
    INTERFACES.expand,
)
