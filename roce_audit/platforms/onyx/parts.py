"""What the platform does with texts of Onyx."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.common import Common, written
from roce_audit.platforms.onyx import defaults
from roce_audit.platforms.onyx.contradictions import contradictions
from roce_audit.platforms.onyx.lldp import neighbours
from roce_audit.platforms.onyx.reader import SYNTAX, hostname
from roce_audit.platforms.onyx.roceanswer import told
from roce_audit.platforms.onyx.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.documentation import documented
from roce_audit.text.document import DeviceInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    from roce_audit.model.counts import Count
    from roce_audit.platforms.repair import Repairs


def _read(device: DeviceInput) -> DeviceReading:
    reading = CommandLineReader(SYNTAX, device).read()
    answered = told(device.documents, [port.name for port in reading.ports])
    return replace(reading, seen=(*reading.seen, *contradictions(reading), *answered))


def _repairs() -> Repairs:
    from roce_audit.platforms.onyx.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterable[Count]:
    from roce_audit.platforms.onyx.counters import read

    return read(device)


COMMON = (
    Common("MLAG domain", "mlag-vip", *written(r"^ *mlag-vip (?P<is>\S{1,64})")),
    Common("MLAG system MAC", "mlag system-mac", *written(r"^ *mlag system-mac (?P<is>\S{1,32})")),
)


PARTS = Parts(
    read=_read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    neighbours=neighbours,
    counters=_counters,
    common=COMMON,
)
