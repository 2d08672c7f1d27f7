"""`show lldp neighbors` of OS10: the table and the details."""

from __future__ import annotations

from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.dell import DETAIL, TABLE, offers

neighbours = by_command(
    {
        r"show lldp dcbx interface \S.{0,40} pfc details?": offers,
        r"show lldp neighbors(?: interface \S+(?: ?\S+)?)? detail": DETAIL.read,
        r"show lldp neighbors(?: interface \S+(?: ?\S+)?)?": TABLE.read,
    }
)
