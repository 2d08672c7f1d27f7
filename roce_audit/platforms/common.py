"""What several switches must say alike: both of a pair of the pair itself, all of a network of the VNI of a VLAN.

A platform says in rows how such a line is written; what its configuration says is found by them, with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

from roce_audit.patterns import lazy
from roce_audit.platforms.base import CommonValue, DeviceReading, Scope
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_DEEPEST = 200
_OF_ANY = ("network", "vlans", "own")
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
    scope: Scope = "pair"
    """Who must agree: both switches of a pair; they of the gateway that they are for a VLAN; they of a channel that is theirs, by
    whatever name; they of an address of the interface from which they tunnel; all switches of the network. Of VLANs that a line
    defines, or leads into tunnels, those that carry them. What is a switch's own no other may say."""


def written(line: str, within: str = "") -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """The patterns of a line and of the one that begins its block."""
    return lazy(line, re.M), lazy(f"^{within}", re.M) if within else None


def asked_of(reading: DeviceReading, rows: Iterable[Common]) -> list[Common]:
    """The rows that matter for a switch: one without a channel or peer link is of no pair."""
    is_of_pair = any(port.labels.lag or port.labels.peer_link for port in reading.ports)
    return [row for row in rows if is_of_pair or row.scope in _OF_ANY]


def common_values(documents: Iterable[Document], rows: Sequence[Common]) -> tuple[CommonValue, ...]:
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
    blocks = _Blocks(text, row.within) if row.within is not None else None
    for match in islice(row.line.finditer(text), _MOST):
        block = blocks.around(match) if blocks is not None else None
        if blocks is not None and block is None:
            continue
        said = {**(block.groupdict() if block is not None else {}), **match.groupdict()}
        of = (said.get("of") or "").strip("'\"")
        at = match.start("is") if "is" in match.groupdict() else match.start()
        line += text.count("\n", counted, at)
        counted = at
        place = Place(document.path, document.line(line))
        yield CommonValue(row.what.format(of), of, said["is"].strip("'\"").lower(), place, row.scope)


class _Blocks:
    """The blocks of a text that begin with a line, asked for from its beginning to its end."""

    def __init__(self, text: str, within: re.Pattern[str]) -> None:
        self._text = text
        self._following = within.finditer(text)
        self._next = next(self._following, None)
        self._last: re.Match[str] | None = None
        self._seen = 0
        """Up to here the last one goes on."""

    def around(self, line: re.Match[str]) -> re.Match[str] | None:
        """The line above that begins a block around this one."""
        while self._next is not None and self._next.start() < line.start():
            self._last, self._next = self._next, next(self._following, None)
            self._seen = self._text.find("\n", self._last.start())
        if self._last is None:
            return None
        depth = _depth(self._text, self._last.start())
        if _no_deeper(depth).search(self._text, self._seen, line.end()) is not None:
            self._last = None
        self._seen = max(self._seen, line.start() - 1)
        return self._last


@cache
def _no_deeper(depth: int) -> re.Pattern[str]:
    """A line that is set in no further."""
    return re.compile(rf"\n[ \t]{{0,{min(depth, _DEEPEST)}}}+[^ \t\n]")


def _depth(text: str, start: int) -> int:
    found = _INDENTED.match(text, start)
    return found.end() - start if found is not None else 0
