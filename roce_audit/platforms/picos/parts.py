"""What the platform does with texts of PicOS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.picos import defaults
from roce_audit.platforms.picos.reader import hostname, read
from roce_audit.platforms.picos.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs


def _repairs() -> Repairs:
    from roce_audit.platforms.picos.repair import REPAIRS

    return REPAIRS


PARTS = Parts(read=read, hostname=hostname, documentation=documented(TABLE, defaults), repairs=_repairs)
