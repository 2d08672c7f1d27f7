"""What the platform does with texts of Enterprise SONiC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.common import Common, written
from roce_audit.platforms.esonic import defaults
from roce_audit.platforms.esonic.lldp import neighbours
from roce_audit.platforms.esonic.reader import hostname, read
from roce_audit.platforms.esonic.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from collections.abc import Iterable

    from roce_audit.model.counts import Count
    from roce_audit.platforms.repair import Repairs
    from roce_audit.text.document import DeviceInput


def _repairs() -> Repairs:
    from roce_audit.platforms.esonic.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterable[Count]:
    from roce_audit.platforms.esonic.counters import read

    return read(device)


COMMON = (
    Common("MCLAG domain", "mclag domain", *written(r"^mclag domain (?P<is>\d{1,4})")),
    Common(
        "MCLAG system MAC", "mclag-system-mac", *written(r"^ +mclag-system-mac (?P<is>\S{1,32})", r"mclag domain \d")
    ),
    Common("VNI of VLAN {}", "map vni", *written(r"^ +map vni (?P<is>\d{1,8}) vlan (?P<of>\d{1,4})"), scope="network"),
)


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    neighbours=neighbours,
    counters=_counters,
    common=COMMON,
)
