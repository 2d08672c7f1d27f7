"""What BGP says of equal paths: how many of them a route may use."""

from __future__ import annotations

from typing import NamedTuple

from roce_audit.platforms.shared.cli.builder import PortBuilder
from roce_audit.text.statements.rows import Row, row
from roce_audit.text.statements.table import Mode
from roce_audit.values import At

_PATH = "forwarding.max_paths"


class MaxPaths(NamedTuple):
    """A route may use so many equal paths."""

    paths: int


def max_paths(builder: PortBuilder, said: MaxPaths, role: str, at: At) -> None:
    """The handler: address families and VRFs may say different things, and the largest number is held against nobody."""
    known = builder.settings.get(_PATH)
    if known is None or known.value_or_none() is None or known.get() < said.paths:
        builder.settings.set(_PATH, said.paths, at)


def bgp(*texts: str) -> Mode:
    """The block of BGP, in which a statement written so says how many: its `<paths:count>`."""
    return Mode(rows=tuple(_row(text) for text in texts), lenient=True)


def _row(text: str) -> Row:
    words = " ".join(word for word in text.split(" ") if "<" not in word and not word.startswith("["))
    return row(text, MaxPaths, _PATH, no=MaxPaths(1), no_form=f"{words} [<...>]")
