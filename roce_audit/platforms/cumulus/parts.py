"""What the platform does with texts of Cumulus Linux."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.common import Common, written
from roce_audit.platforms.cumulus import defaults
from roce_audit.platforms.cumulus.forms import hostname
from roce_audit.platforms.cumulus.lldp import neighbours
from roce_audit.platforms.cumulus.reader import read
from roce_audit.platforms.cumulus.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared import routing
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from collections.abc import Iterable

    from roce_audit.model.counts import Count
    from roce_audit.platforms.repair import Repairs
    from roce_audit.text.document import DeviceInput


def _repairs() -> Repairs:
    from roce_audit.platforms.cumulus.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterable[Count]:
    from roce_audit.platforms.cumulus.counters import read

    return read(device)


COMMON = (
    Common("MLAG system MAC", "mac-address", *written(r"^ +mac-address: (?P<is>\S{1,32})", r" +mlag:\n")),
    Common("MLAG system MAC", "mlag mac-address", *written(r"^nv set mlag mac-address (?P<is>\S{1,32})")),
    Common("MLAG system MAC", "clagd-sys-mac", *written(r"^ +clagd-sys-mac (?P<is>\S{1,32})")),
    Common(
        "shared VTEP address",
        "shared-address",
        *written(r"^(?: +shared-address: |nv set nve vxlan mlag shared-address )(?P<is>\S{1,64})"),
    ),
    Common(
        "virtual address of VLAN {}",
        "vrr:",
        *written(r"^ +vrr:\n +address:\n +(?P<is>\d[^\s:]{6,30}):", r" +vlan(?P<of>\d{1,4}):"),
        scope="gateway",
    ),
    Common(
        "VNI of VLAN {}", "vni:", *written(r"^ +'?(?P<of>\d{1,4})'?:\n +vni:\n +'?(?P<is>\d{1,8})'?:"), scope="network"
    ),
    Common(
        "VNI of VLAN {}",
        " vni ",
        *written(r"^nv set bridge domain \S{1,40} vlan (?P<of>\d{1,4}) vni (?P<is>\d{1,8})$"),
        scope="network",
    ),
)


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    neighbours=neighbours,
    routes=routing.either(routing.by_prefix, routing.by_kernel),
    counters=_counters,
    common=COMMON,
)
