"""What the platform does with texts of OS10."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.os10.reader import SYNTAX, hostname, read
from roce_audit.platforms.record import Parts

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs
    from roce_audit.platforms.statement_docs import Documentation


def _repairs() -> Repairs:
    from roce_audit.platforms.os10.repair import REPAIRS

    return REPAIRS


def _documentation() -> Documentation:
    from roce_audit.platforms.os10 import tables
    from roce_audit.platforms.statement_docs import Documentation, defaults_in, of_dialect

    return Documentation(tuple(of_dialect(SYNTAX.dialect)), defaults_in(tables))


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=_documentation,
    repairs=_repairs,
)
