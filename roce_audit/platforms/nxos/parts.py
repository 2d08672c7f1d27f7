"""What the platform does with texts of NX-OS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.nxos.reader import SYNTAX, hostname
from roce_audit.platforms.nxos.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.text.document import DeviceInput

if TYPE_CHECKING:
    from roce_audit.model.counts import Count
    from roce_audit.platforms.repair import Repairs
    from roce_audit.platforms.statement_docs import Documentation


def _read(device: DeviceInput) -> DeviceReading:
    return CommandLineReader(SYNTAX, device).read()


def _repairs() -> Repairs:
    from roce_audit.platforms.nxos.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterator[Count]:
    from roce_audit.platforms.nxos.counters import read

    return read(device)


def _documentation() -> Documentation:
    from roce_audit.platforms.nxos.defaults import DEFAULTS
    from roce_audit.platforms.statement_docs import Documentation, of_table

    return Documentation(tuple(of_table(TABLE)), DEFAULTS)


PARTS = Parts(
    read=_read,
    hostname=hostname,
    documentation=_documentation,
    repairs=_repairs,
    counters=_counters,
)
