"""What the platform does with texts of OS10."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.os10.reader import hostname, read
from roce_audit.platforms.os10.table import TABLE
from roce_audit.platforms.record import Parts

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs
    from roce_audit.platforms.statement_docs import Documentation


def _repairs() -> Repairs:
    from roce_audit.platforms.os10.repair import REPAIRS

    return REPAIRS


def _documentation() -> Documentation:
    from roce_audit.platforms.os10 import defaults
    from roce_audit.platforms.statement_docs import Documentation, defaults_in, of_table

    return Documentation(tuple(of_table(TABLE)), defaults_in(defaults))


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=_documentation,
    repairs=_repairs,
)
