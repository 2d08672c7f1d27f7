"""What BGP says of equal paths: how many of them a route may use."""

from __future__ import annotations

from typing import NamedTuple

from roce_audit.platforms.shared.cli.builder import PortBuilder
from roce_audit.text.block import HEADER
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import NOTHING, Row, row
from roce_audit.values import At, Cited, DefaultLocation

_PATH = "forwarding.max_paths"


class MaxPaths(NamedTuple):
    """A route may use so many equal paths."""

    paths: int


def max_paths(builder: PortBuilder, said: MaxPaths, role: str, at: At) -> None:
    """The handler: address families and VRFs may say different things, and the largest number is held against nobody."""
    known = builder.settings.get(_PATH)
    if known is None or known.value_or_none() is None or known.get() < said.paths:
        builder.settings.set(_PATH, said.paths, at)


class OtherRouting(NamedTuple):
    """A protocol besides BGP finds the ways through the fabric: what BGP does with equal paths may not matter."""


def other_routing(text: str) -> Row:
    """The row of a statement that begins one, where its block has no mode `igp` of its own."""
    return row(text, OtherRouting(), no=NOTHING)


def one_path_by_default(builder: PortBuilder, source: str) -> None:
    """Where BGP alone finds the ways, and says nothing of equal paths, it uses one of them; `source` says so."""
    said = builder.settings.get(_PATH) is not None or builder.settings.unknown_at(_PATH) is not None
    if said or not builder.context.complete:
        return
    beside = (isinstance(parsed.value, OtherRouting) for parsed, _, _ in builder.statements("top"))
    if any(part.kind == "igp" for part in builder.parts) or any(beside):
        return
    at = next((DefaultLocation(index, HEADER) for index, part in enumerate(builder.parts) if part.kind == "bgp"), None)
    if at is not None:
        builder.settings.set(_PATH, 1, at, Cited(source))


def bgp(*texts: str) -> Mode:
    """The block of BGP, in which a statement written so says how many: its `<paths:count>`."""
    return Mode(rows=tuple(_row(text) for text in texts), lenient=True)


def _row(text: str) -> Row:
    words = " ".join(word for word in text.split(" ") if "<" not in word and not word.startswith("["))
    return row(text, MaxPaths, _PATH, no=MaxPaths(1), no_form=f"{words} [<...>]")
