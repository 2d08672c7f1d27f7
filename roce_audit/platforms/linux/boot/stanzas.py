"""Stanzas of boot files: what one sets, which NICs it is for, and what it means where that was not understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.linux.boot.statements import STATEMENTS
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import HOST

Line = tuple[Answer, int, str]
NAMES = re.compile(r"[A-Za-z0-9_.*?\[\]! -]{1,300}")
"""Names and patterns of NICs."""


@dataclass
class Stanza:
    """What one stanza of a boot file sets, and which NICs it is about: names or patterns."""

    names: str = ""
    label: str = ""
    """What people call it."""
    settings: list[Line] = field(default_factory=list)
    is_open: bool = False
    """It picks its NICs by something that is not known here, such as a MAC address; its key may be the name or not."""
    planned: dict[str, tuple[Any, Line]] = field(default_factory=dict)
    """What netplan gives it, with the line: tag, MTU, addresses, members, mode."""

    def value(self, key: str) -> Any:
        """What netplan gives it; None where that is nothing."""
        return self.planned[key][0] if key in self.planned else None


def nobody(answer: Answer, number: int, text: str) -> None:
    """What says for whom or whether a setting holds was not understood: what stands below may be set for anybody."""
    answer.unread(number, text.strip())
    answer.say("somewhere mtu", number, HOST, STATEMENTS.name)
