"""`display qos map-table`: the maps of the switch as they run, from DSCP to 802.1p priority, and from there to local precedence.

(H3C ACL and QoS Command Reference, display qos map-table.) What a line of the configuration says otherwise is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.defaults import MAPS as DEFAULT_MAPS
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line
from roce_audit.platforms.shared.cli.runningmaps import Entry, RunningMaps
from roce_audit.text.document import Document

_COMMAND = lazy(r"display qos map-table(?: inbound)?(?: (?:dscp-dot1p|dot1p-lp))?\Z")
_HEADING = lazy(r"\s{0,8}MAP-TABLE NAME: ?(\S{3,20})\s+TYPE: ?[\w-]{3,20}(?:\s+DIRECTION: ?(\w{5,10}))?\s{0,8}")
_ROW = lazy(r"\s{0,12}([0-9]{1,2})\s{1,8}:\s{1,8}([0-7])\s{0,8}")
_OF_CONFIGURATION = lazy(r"qos map-table (\S{3,20})\s{0,8}")
_MODES = {"dscp-dot1p": "dscpmap", "dot1p-lp": "queuemap"}
_DEFAULTS = {"dscp-dot1p": "dscp.{}", "dot1p-lp": "queue.{}"}
_STATEMENTS = {table: (f"qos map-table {table}", " import {} export {}") for table in _MODES}
_WORDS = {"dscp-dot1p": "DSCP {} -> priority {}", "dot1p-lp": "priority {} -> queue {}"}


def _by_default(table: str, mark: int) -> object:
    """What a map leads to where no line says so."""
    return DEFAULT_MAPS[_DEFAULTS[table].format(mark)].value


def _entries(lines: Iterable[Line]) -> Iterator[Entry]:
    table = ""
    for text, line in lines:
        heading, row = _HEADING.fullmatch(text), _ROW.fullmatch(text)
        if heading is not None:
            table = heading[1] if heading[1] in _MODES and heading[2] in (None, "inbound") else ""
        elif row is not None and table:
            yield Entry(table, int(row[1]), int(row[2]), line)


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


MAPS = RunningMaps(_COMMAND, _entries, _configured, _by_default, _STATEMENTS, _WORDS)
