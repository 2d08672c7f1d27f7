"""The leaves of SR Linux as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.described import Statement, of_table
from roce_audit.platforms.srlinux.table import TABLE


def statements() -> Iterator[Statement]:
    """Kind of object by kind of object, leaf by leaf."""
    return of_table(TABLE)
