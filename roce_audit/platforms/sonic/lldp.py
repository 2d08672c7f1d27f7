"""`show lldp table` and `show lldp neighbors` of SONiC, and lldpd's own answers there."""

from __future__ import annotations

from roce_audit.platforms.shared.neighbours.commands import by_command
from roce_audit.platforms.shared.neighbours.lldpd import COMMANDS, read
from roce_audit.platforms.shared.neighbours.lldpshow import TABLE

neighbours = by_command(
    {
        r"show lldp table": TABLE.read,
        r"show lldp neighbors?(?: \S+)?": read,
        COMMANDS: read,
    }
)
