"""The vocabulary of NVUE as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.cumulus.vocabulary import KINDS
from roce_audit.platforms.statement_docs import Statement


def statements() -> Iterator[Statement]:
    """Kind of block by kind of block, row by row."""
    for name, kind in KINDS.items():
        where = "interface" if name == "port" else f"qos {name}"
        for row in kind.rows:
            words = " ".join("N" if word == "#" else word for word in row.words if word != "=")
            yield Statement(where, words, tuple(path.replace("#", "*") for path in row.paths))
