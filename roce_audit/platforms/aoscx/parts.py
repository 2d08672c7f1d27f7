"""What the platform does with texts of AOS-CX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.aoscx import defaults
from roce_audit.platforms.aoscx.lldp import neighbours
from roce_audit.platforms.aoscx.reader import hostname, read
from roce_audit.platforms.aoscx.table import TABLE
from roce_audit.platforms.common import Common, written
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from collections.abc import Iterable

    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.repair import Repairs
    from roce_audit.text.document import DeviceInput


def _repairs() -> Repairs:
    from roce_audit.platforms.aoscx.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterable[Count]:
    from roce_audit.platforms.aoscx.counters import read

    return read(device)


def _gauges(device: DeviceInput) -> Iterable[Gauge]:
    from roce_audit.platforms.aoscx.gauges import read

    return read(device)


COMMON = (
    Common("VSX system MAC", "system-mac", *written(r"^ +system-mac (?P<is>\S{1,32})", r"vsx\b")),
    Common(
        "active gateway of VLAN {}",
        "active-gateway ip",
        *written(r"^ +active-gateway ip (?P<is>\d\S{6,30})", r"interface vlan ?(?P<of>\d{1,4})"),
        scope="gateway",
    ),
    Common("VNI of VLAN {}", "vni ", *written(r"^ +vlan (?P<of>\d{1,4})", r" +vni (?P<is>\d{1,8})"), scope="network"),
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
