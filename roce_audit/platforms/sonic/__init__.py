"""Community SONiC: the CONFIG_DB as JSON (`config_db.json`, `show runningconfiguration all`)."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_OURS = re.compile(
    r'"(DEVICE_METADATA|PORT_QOS_MAP|BUFFER_PG|BUFFER_PROFILE|BUFFER_QUEUE|BUFFER_POOL|DSCP_TO_TC_MAP|DOT1P_TO_TC_MAP'
    r"|TC_TO_QUEUE_MAP|TC_TO_PRIORITY_GROUP_MAP|MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|WRED_PROFILE"
    r'|PFC_WD|CABLE_LENGTH|LOSSLESS_TRAFFIC_PATTERN|PORTCHANNEL_MEMBER|VLAN_MEMBER|QUEUE|SCHEDULER)(?:\||"[ \t\n]*:)'
)
_PORT = re.compile(r'"PORT(?:\||"[ \t\n]*:)')
_BLANKS = 4_000
"""A rendered template may begin with this many blanks and empty lines."""
_HOSTNAME = re.compile(r'"hostname"[ \t\n]*:[ \t\n]*"([^"\\\n]{1,253})"')


class Sonic:
    """The platform."""

    name = "sonic"
    kind: Literal["switch", "host"] = "switch"
    comment = ""
    commands = Later("roce_audit.platforms.sonic.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.sonic.defaults", "NEEDS")
    siblings = re.compile(r"config_db[0-9]{0,3}\.json|pg_profile_lookup\.ini|(?:qos|buffers)\.json")

    def recognise(self, document: Document) -> int:
        """By the names of CONFIG_DB tables in a JSON text."""
        from roce_audit.platforms.sonic.pasted import is_piece

        head = document.text[:_BLANKS].lstrip()
        if not head.startswith(("{", "[")) and not (head.startswith('"') and is_piece(head)):
            return 0
        found = {m.group(1) for m in _OURS.finditer(document.text)}
        if "DEVICE_METADATA" in found and _PORT.search(document.text) is not None:
            return 98
        return min(90, 30 * len(found))

    def hostname(self, document: Document) -> str | None:
        """`hostname` of DEVICE_METADATA."""
        at = document.text.find('"DEVICE_METADATA')
        found = _HOSTNAME.search(document.text, at) if at >= 0 else None
        return found.group(1) if found else None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the CONFIG_DB of one switch."""
        from roce_audit.platforms.sonic.reader import read

        return read(device)


PLATFORM = Sonic()
