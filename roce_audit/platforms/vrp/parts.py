"""What the platform does with texts of VRP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.common import Common, written
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented
from roce_audit.platforms.vrp import counters, defaults
from roce_audit.platforms.vrp.lldp import neighbours
from roce_audit.platforms.vrp.reader import Reader, hostname
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.text.document import DeviceInput

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs


def _read(device: DeviceInput) -> DeviceReading:
    return Reader(device).read()


def _repairs() -> Repairs:
    from roce_audit.platforms.vrp.repair import REPAIRS

    return REPAIRS


COMMON = (
    Common(
        "virtual address of VLAN {}",
        "virtual-ip",
        *written(r"^ +vrrp vrid \d{1,3} virtual-ip (?P<is>\d[0-9.]{6,14})", r"interface Vlanif ?(?P<of>\d{1,4})"),
        scope="gateway",
    ),
    Common(
        "LACP system ID of {}",
        "lacp m-lag system-id",
        *written(r"^ +lacp m-lag system-id (?P<is>\S{1,32})", r"interface (?P<of>Eth-Trunk ?\d{1,5})"),
        scope="channel",
    ),
    Common("LACP system ID of M-LAG", "lacp m-lag system-id", *written(r"^lacp m-lag system-id (?P<is>\S{1,32})")),
    Common(
        "VNI of bridge domain {}",
        "vxlan vni",
        *written(r"^ +vxlan vni (?P<is>\d{1,8})", r"bridge-domain (?P<of>\d{1,8})"),
        scope="network",
    ),
)


PARTS = Parts(
    read=_read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    counters=counters.read,
    neighbours=neighbours,
    common=COMMON,
)
