"""`show lldp neighbors` of OS9: the table and the details."""

from __future__ import annotations

from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.dell import DETAIL, TABLE, offers

neighbours = by_command(
    {
        r"show lldp neighbors detail": DETAIL.read,
        r"show lldp neighbors": TABLE.read,
        r"show interfaces? (?:\S.{0,40} )?pfc (?:detail|summary)": offers,
    }
)
