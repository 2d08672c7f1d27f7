"""The leaves of SR Linux as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.srlinux.tables import KINDS
from roce_audit.platforms.statement_docs import Statement


def statements() -> Iterator[Statement]:
    """Kind of object by kind of object, leaf by leaf."""
    for kind in KINDS:
        for words, leaf in kind.leaves.items():
            yield Statement(kind.prefix, words, tuple(leaf.paths.split()))
