"""Nokia SR Linux: configuration as JSON, as the blocks of `info`, and as flat `set / ...` lines."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_MODULE = re.compile(r'"srl_nokia-[a-z-]+:(?:interface|qos|system|network-instance)"')
_BARE = re.compile(
    r'"(?:name|interface-id|interface)" *: *"(?:ethernet-\d+/\d+(?:/\d+)?|mgmt0|system0|lag\d+|irb\d+)(?:\.\d+)?"'
)
_BARE_ROOT = re.compile(r'\A\s*[\[{]\s*(?:\{\s*)?"(?:interface|qos|network-instance|system)" *:')
_FLAT = re.compile(
    r"^[ \t]*(?:set|delete|insert) /? ?(?:interface|qos|system|network-instance|acl|routing-policy) ", re.M
)
_SLASH = re.compile(r"^[ \t]*set / [a-z]", re.M)
_ROOTED = re.compile(r"^[ \t]*set interface (?:ethernet-\d+/\d|mgmt0|system0|lag\d)", re.M)
_BLOCK = re.compile(
    r"^[ \t]*/? ?(?:interface (?:ethernet-\d+/[\d/{}.,]+|mgmt0|system0|lo\d+|lag\d+|irb\d+)|network-instance \S+"
    r"|qos|system|acl|routing-policy) \{[ \t]*$",
    re.M,
)
_OF_SRL = re.compile(
    r"^[ \t]*(?:/ )?(?:interface (?:ethernet-\d+/|mgmt0|system0|lag\d|irb\d)|network-instance \S+ \{|qos \{|pfc-mapping-profile )",
    re.M,
)
_SEMICOLON = re.compile(r";[ \t]*$", re.M)
_SHOWN = re.compile(r"^Chassis Type +: +7\d\d0 (?:IXR|SXR)-", re.M)
_HOSTNAME = re.compile(
    r'"(?:srl_nokia-system-name:)?host-name" *: *"([^"\\\n]{1,253})"|^[^#\n]{0,80}\bhost-name "?([^\s"]{1,253})"?', re.M
)
_HEAD = 200_000


class SrLinux:
    """The platform."""

    name = "srlinux"
    kind: Literal["switch", "host"] = "switch"
    comment = "#"
    commands = Later("roce_audit.platforms.srlinux.defaults", "COMMANDS")
    needs = Later("roce_audit.platforms.srlinux.defaults", "NEEDS")

    def recognise(self, document: Document) -> int:
        """By the modules of its JSON, by `set /`, or by blocks of its own nodes that end without semicolons."""
        text = document.text[:_HEAD]
        if text.lstrip()[:1] in ("{", "["):
            if _MODULE.search(text):
                return 98
            return 90 if _BARE_ROOT.search(text) and _BARE.search(text) else 0
        if (_SLASH.search(text) and _FLAT.search(text)) or _ROOTED.search(text):
            return 96
        if _BLOCK.search(text) and _OF_SRL.search(text) and len(_SEMICOLON.findall(text[:4_000])) < 3:
            return 96
        return 60 if _SHOWN.search(text) else 0

    def hostname(self, document: Document) -> str | None:
        """`host-name` of the system."""
        found = _HOSTNAME.search(document.text)
        return (found[1] or found[2]) if found else None

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read the documents of one switch."""
        from roce_audit.platforms.srlinux.reader import read

        return read(device)


PLATFORM = SrLinux()
