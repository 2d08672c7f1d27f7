"""What the platform does with texts of OS9."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.os9 import defaults
from roce_audit.platforms.os9.lldp import neighbours
from roce_audit.platforms.os9.reader import hostname, read
from roce_audit.platforms.os9.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs


def _repairs() -> Repairs:
    from roce_audit.platforms.os9.repair import REPAIRS

    return REPAIRS


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    neighbours=neighbours,
)
