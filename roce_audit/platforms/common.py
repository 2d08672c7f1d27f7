"""What several switches must say alike: both of a pair of the pair itself, all of a network of the VNI of a VLAN.

A platform says in rows how such a line is written; what its configuration says is found by them, with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from roce_audit.patterns import lazy
from roce_audit.platforms.base import CommonValue
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_LINES_ABOVE = 300
"""A line further below the one that begins its block is taken to be of no block."""
_MOST = 5_000
"""Lines of one kind that are kept of a document."""
_INDENTED = lazy(r"[ \t]*")


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """How a line is written in which switches must agree.

    The patterns have the groups `of`, what the value is of, and `is`, the value; a value that needs none is of its switch.
    """

    what: str
    """What it is, with `{}` for what the value is of."""
    mark: str
    """Stands in each such line, or in the one that begins its block: looked for first."""
    line: re.Pattern[str]
    within: re.Pattern[str] | None = None
    """The line that begins a block around it; None where it says everything by itself."""
    scope: Literal["pair", "gateway", "channel", "network"] = "pair"
    """Who must agree: both switches of a pair; they of the gateway that they are for a VLAN; they of a channel that is theirs, by
    whatever name; all switches of the network."""


def written(line: str, within: str = "") -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """The patterns of a line and of the one that begins its block."""
    return lazy(line, re.M), lazy(within) if within else None


def common_values(documents: Iterable[Document], rows: Iterable[Common]) -> tuple[CommonValue, ...]:
    """What the configurations of a device say of it; nothing of what two of its documents say otherwise."""
    found: dict[tuple[str, str], CommonValue] = {}
    contradicted: set[tuple[str, str]] = set()
    shown = [one for one in documents if one.command is None or "config" in one.command]
    for document in shown:
        for row in rows:
            for value in _of_row(document, row) if row.mark in document.text else ():
                first = found.setdefault((value.what, value.of), value)
                if first.value != value.value:
                    contradicted.add((value.what, value.of))
    return tuple(value for key, value in found.items() if key not in contradicted)


def _of_row(document: Document, row: Common) -> Iterator[CommonValue]:
    text, counted, line = document.text, 0, 0
    for number, match in enumerate(row.line.finditer(text)):
        if number >= _MOST:
            return
        block = None if row.within is None else _block(text, match.start(), row.within)
        if row.within is not None and block is None:
            continue
        said = {**(block.groupdict() if block is not None else {}), **match.groupdict()}
        of = (said.get("of") or "").strip("'\"")
        line += text.count("\n", counted, match.start("is") if "is" in match.groupdict() else match.start())
        counted = match.start("is") if "is" in match.groupdict() else match.start()
        place = Place(document.path, document.line(line))
        yield CommonValue(row.what.format(of), of, said["is"].strip("'\"").lower(), place, row.scope)


def _block(text: str, start: int, within: re.Pattern[str]) -> re.Match[str] | None:
    """The line above that begins a block around the one at `start`."""
    depth = _depth(text, start)
    for _ in range(_LINES_ABOVE):
        if not start or not depth:
            return None
        start = text.rfind("\n", 0, start - 1) + 1
        here = _depth(text, start)
        if here < depth and text[start : start + 1] != "\n":
            found: re.Match[str] | None = within.match(text, start)
            if found is not None:
                return found
            depth = here
    return None


def _depth(text: str, start: int) -> int:
    found = _INDENTED.match(text, start)
    return found.end() - start if found is not None else 0
