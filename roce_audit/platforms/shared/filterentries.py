"""Entries of access lists whose parts are said one by one, in any order: which list drops every RoCEv2 packet."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.records import dataclass
from roce_audit.text.acl import drops_roce
from roce_audit.values import Place


@dataclass
class Entry:
    """One entry, as far as it was read."""

    action: str = ""
    """`permit` or `deny`; "" where it says neither."""
    place: Place | None = None
    """Where the action stands."""
    protocol: str = "ip"
    operator: str = "eq"
    port: str = ""
    """The destination port; "" for all."""
    asks_more: bool = False
    """It asks for more than protocol and destination port: some packets of RoCE may not meet it."""

    def said(self) -> str:
        """In the words of the common reader of access lists."""
        if not self.action:
            return "remark"
        ports = f" {self.operator} {self.port}" if self.port else ""
        return f"{self.action} {self.protocol} {'some' if self.asks_more else 'any'} any{ports}"


def dropped_by(entries: Mapping[int, Entry]) -> Place | None:
    """The entry that drops every RoCEv2 packet, by the numbers of entries; None where none does. What no entry meets is let through."""
    its = [entry for _, entry in sorted(entries.items())]
    drops, number = drops_roce([entry.said() for entry in its], drops_rest=False)
    return its[number].place if drops else None
