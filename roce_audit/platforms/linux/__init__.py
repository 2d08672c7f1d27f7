"""Linux hosts: a bundle of `host-probe`, a folder of command answers, or a single answer."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document

_SURE = 90
_HOSTNAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}")
_ANSIBLE = re.compile(r"\"ansible_hostname\": *\"([A-Za-z0-9_.-]{1,253})\"")
_PROC = re.compile(r"^/proc/sys/kernel/hostname:([A-Za-z0-9_.-]{1,253})[ \t]*$", re.M)


class Linux:
    """The platform."""

    name = "linux"
    kind: Literal["switch", "host"] = "host"
    comment = "#"
    commands = Later("roce_audit.platforms.linux.tables", "COMMANDS")
    needs = Later("roce_audit.platforms.linux.tables", "NEEDS")

    def recognise(self, document: Document) -> int:
        """Sure of the answers of every tool that some NIC family reads; of lone files by what only they hold."""
        from roce_audit.platforms.linux.tables import OWN_TOOLS
        from roce_audit.platforms.shared.host.tools import by_command, by_text

        named = by_command(document)
        if named is not None:
            return _SURE if named[0].system == "linux" else 0
        found = by_text(document)
        return _SURE if found is not None and found[0].name in OWN_TOOLS else 0

    def hostname(self, document: Document) -> str | None:
        """The name in `hostname`, `uname -a` or /proc."""
        words = document.text[:500].split()
        if document.command == "hostname":
            found = words[0] if words else ""
        elif document.command is not None and document.command.startswith("uname"):
            found = words[1] if len(words) > 1 and words[0] == "Linux" else ""
        else:
            match = _PROC.search(document.text) or _ANSIBLE.search(document.text)
            found = match.group(1) if match else ""
        return found if _HOSTNAME.fullmatch(found) else None

    def is_of_no_device(self, document: Document) -> bool:
        """Whether it is a script, manifest or playbook that sets up or uses NICs of any host."""
        from roce_audit.platforms.linux.tables import HOSTLESS
        from roce_audit.platforms.shared.host.tools import by_command, by_text

        found = by_text(document) if by_command(document) is None else None
        return found is not None and found[0].name in HOSTLESS

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read all answers of one host."""
        from roce_audit.platforms.shared.host.reader import read_host

        return read_host(device, self.name)


PLATFORM = Linux()
