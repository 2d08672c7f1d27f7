"""What a platform with a statement table says of itself."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roce_audit.platforms.statement_docs import Documentation
    from roce_audit.text.statements.table import StatementTable


def documented(table: StatementTable, *defaults: ModuleType) -> Callable[[], Documentation]:
    """What makes the documentation from the rows of the table and the defaults of these modules."""

    def documentation() -> Documentation:
        from roce_audit.platforms.statement_docs import Documentation, defaults_in, of_table

        return Documentation(tuple(of_table(table)), defaults_in(*defaults))

    return documentation
