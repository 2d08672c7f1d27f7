"""What the platform does with texts of OS10."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.common import Common, written
from roce_audit.platforms.os10 import defaults
from roce_audit.platforms.os10.lldp import neighbours
from roce_audit.platforms.os10.reader import hostname, read
from roce_audit.platforms.os10.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.repair import Repairs
    from roce_audit.text.document import DeviceInput


def _repairs() -> Repairs:
    from roce_audit.platforms.os10.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterable[Count]:
    from roce_audit.platforms.os10.counters import read

    return read(device)


def _gauges(device: DeviceInput) -> Iterator[Gauge]:
    from roce_audit.platforms.os10.gauges import read

    return read(device)


COMMON = (
    Common("VLT domain", "vlt-domain", *written(r"^vlt-domain (?P<is>\d{1,4})")),
    Common("VLT MAC", "vlt-mac", *written(r"^ +vlt-mac (?P<is>\S{1,32})", r"vlt-domain \d")),
    Common(
        "virtual address of VLAN {}",
        "virtual-address",
        *written(r"^ +virtual-address (?P<is>\S{1,64})", r"interface vlan ?(?P<of>\d{1,4})"),
        scope="gateway",
    ),
)


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    neighbours=neighbours,
    counters=_counters,
    gauges=_gauges,
    common=COMMON,
)
