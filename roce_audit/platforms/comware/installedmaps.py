"""`display qos map-table`: the maps of the switch as they run, from DSCP to 802.1p priority, and from there to local precedence.

(H3C ACL and QoS Command Reference, display qos map-table.) What a line of the configuration says otherwise is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.defaults import MAPS
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line, Programmed, as_configured, lines_of
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = lazy(r"display qos map-table(?: inbound)?(?: (?:dscp-dot1p|dot1p-lp))?\Z")
_HEADING = lazy(r"\s{0,8}MAP-TABLE NAME: ?(\S{3,20})\s+TYPE: ?[\w-]{3,20}(?:\s+DIRECTION: ?(\w{5,10}))?\s{0,8}")
_ROW = lazy(r"\s{0,12}([0-9]{1,2})\s{1,8}:\s{1,8}([0-7])\s{0,8}")
_OF_CONFIGURATION = lazy(r"qos map-table (\S{3,20})\s{0,8}")
_MODES = {"dscp-dot1p": "dscpmap", "dot1p-lp": "queuemap"}
_DEFAULTS = {"dscp-dot1p": "dscp.{}", "dot1p-lp": "queue.{}"}
_CALLED = {"dscp-dot1p": "DSCP {} -> priority {}", "dot1p-lp": "priority {} -> queue {}"}


class _Entry(NamedTuple):
    """One row of a map: what leads where."""

    table: str
    mark: int
    to: int
    line: int


def programmed(answer: Document, documents: Sequence[Document]) -> Programmed | None:
    """What the answer makes of the configuration of its switch; None for the answers of other commands."""
    if not _COMMAND.match(answer.command or ""):
        return None
    shown = list(_entries(lines_of(answer)))
    if not shown:
        return Programmed(is_read=not answer.text.strip())
    said = _configured(documents)
    is_alone = not any(map(is_configuration, documents))
    changed = [one for one in shown if is_alone or said.get(one[:2], _by_default(one)) != one.to]
    lines: list[Line] = []
    for one in changed:
        lines += [(f"qos map-table {one.table}", one.line), (f" import {one.mark} export {one.to}", one.line)]
    told = (_told(one, said[one[:2]], answer) for one in changed if one[:2] in said)
    return Programmed(as_configured(answer, lines), tuple(told))


def _by_default(entry: _Entry) -> object:
    """What a map leads to where no line says so."""
    return MAPS[_DEFAULTS[entry.table].format(entry.mark)].value


def _told(entry: _Entry, before: int, answer: Document) -> Seen:
    words = _CALLED[entry.table]
    what = words.format(entry.mark, entry.to)
    text = f"{words.format(entry.mark, before)} is configured, and {what} runs"
    return seen("conflict", what, text, Place(answer.path, entry.line), what, ())


def _entries(lines: Iterable[Line]) -> Iterator[_Entry]:
    table = ""
    for text, line in lines:
        heading, row = _HEADING.fullmatch(text), _ROW.fullmatch(text)
        if heading is not None:
            table = heading[1] if heading[1] in _MODES and heading[2] in (None, "inbound") else ""
        elif row is not None and table:
            yield _Entry(table, int(row[1]), int(row[2]), line)


def _configured(documents: Iterable[Document]) -> dict[tuple[str, int], int]:
    """What the lines of the configuration lead where."""
    found: dict[tuple[str, int], int] = {}
    for document in documents:
        if "qos map-table " not in document.text or not is_configuration(document):
            continue
        table = ""
        for text in document.text.split("\n"):
            heading = _OF_CONFIGURATION.fullmatch(text)
            if heading is not None or text[:1] != " ":
                table = heading[1] if heading is not None and heading[1] in _MODES else ""
            elif table:
                match TABLE.parse(_MODES[table], text.strip()).value:
                    case st.Imported(inputs=marks, output=to):
                        found |= {(table, mark): to for mark in marks}
    return found
