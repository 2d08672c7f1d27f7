"""What the platform does with texts of Comware."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.common import Common, written
from roce_audit.platforms.comware import counters, defaults
from roce_audit.platforms.comware.lldp import neighbours
from roce_audit.platforms.comware.reader import hostname, read
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs


def _repairs() -> Repairs:
    from roce_audit.platforms.comware.repair import REPAIRS

    return REPAIRS


COMMON = (
    Common(
        "virtual address of VLAN {}",
        "virtual-ip",
        *written(
            r"^ +vrrp vrid \d{1,3} virtual-ip (?P<is>\d[0-9.]{6,14})", r"interface Vlan-interface ?(?P<of>\d{1,4})"
        ),
        scope="gateway",
    ),
    Common("M-LAG system MAC", " system-mac", *written(r"^ ?(?:m-lag|drni) system-mac (?P<is>\S{1,32})")),
)


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    counters=counters.read,
    neighbours=neighbours,
    common=COMMON,
)
