"""What the toy does with its texts."""

from __future__ import annotations

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.repair import CliRepairs
from roce_audit.platforms.statement_docs import Documentation, of_table
from roce_audit.text.document import DeviceInput

from .syntax import DEFAULTS, SYNTAX, hostname


def _read(device: DeviceInput) -> DeviceReading:
    return CommandLineReader(SYNTAX, device).read()


def _repairs() -> CliRepairs:
    return CliRepairs(statements={"port.ip_mtu_bytes": lambda value: f"mtu {value}"}, binds={})


def _documentation() -> Documentation:
    return Documentation(tuple(of_table(SYNTAX.table)), DEFAULTS)


PARTS = Parts(read=_read, hostname=hostname, documentation=_documentation, repairs=_repairs)
