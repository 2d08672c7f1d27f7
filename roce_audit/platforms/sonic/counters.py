"""Counters of SONiC: PFC, queues, priority groups, the PFC watchdog and FEC, from the tables of `show`.

The tables show what was counted since the user who asks last cleared (`sonic-clear`), and say when that was; so the time
in `Last cached time was ...` is part of each counter's epoch. `N/A` is a counter that the chip does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import number
from roce_audit.platforms.sonic.answers import table_rows
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

_CACHED = re.compile(r"Last cached time was (.{1,60})")
_PFC = re.compile(r"PFC([0-7])")
_GROUP = re.compile(r"PG([0-7])")
_UNICAST = re.compile(r"UC([0-7])")
_WATCHED = re.compile(r"([\w./-]{1,64}):([0-7])")

_Found = Iterator[tuple[str, str, str]]
"""Port, path of the counter, its text."""
_Row = Callable[[Mapping[str, str]], _Found]


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    for document in device.documents:
        command = (document.command or "").removeprefix("sudo ")
        for pattern, row in _TABLES.items():
            if re.match(pattern, command):
                yield from _of_table(document, pattern, row)


def _of_table(document: Document, source: str, row: _Row) -> Iterator[Count]:
    cached = [
        (line, found.group(1).strip())
        for line, text in enumerate(document.text.split("\n"), document.first_line)
        if (found := _CACHED.search(text)) is not None
    ]
    for cells, place in table_rows(document):
        for port, path, text in row(cells):
            if text != "N/A":
                yield Count(port, path, number(text), place, source, _epoch(cached, place))


def _epoch(cached: list[tuple[int, str]], place: Place) -> str:
    """The last time of clearing that was printed above a row."""
    return next((said for line, said in reversed(cached) if line < place.line), "")


def _pfc(cells: Mapping[str, str]) -> _Found:
    for heading, way in (("Port Rx", "pause_received"), ("Port Tx", "pause_sent")):
        for name, text in cells.items():
            found = _PFC.fullmatch(name)
            if heading in cells and found is not None:
                yield cells[heading], f"priorities.{found.group(1)}.{way}", text


def _groups(cells: Mapping[str, str]) -> _Found:
    for name, text in cells.items():
        found = _GROUP.fullmatch(name)
        if found is not None:
            yield cells.get("Port", ""), f"groups.{found.group(1)}.drops", text


def _queues(cells: Mapping[str, str]) -> _Found:
    found = _UNICAST.fullmatch(cells.get("TxQ", ""))
    if found is not None:
        for heading, name in (("Drop/pkts", "drops"), ("EcnMarked/pkts", "marked")):
            if heading in cells:
                yield cells.get("Port", ""), f"queues.{found.group(1)}.{name}", cells[heading]


def _watchdog(cells: Mapping[str, str]) -> _Found:
    found = _WATCHED.fullmatch(cells.get("QUEUE", ""))
    detected, slash, _ = cells.get("STORM DETECTED/RESTORED", "").partition("/")
    if found is not None and slash:
        yield found.group(1), f"queues.{found.group(2)}.storms", detected


def _paused(cells: Mapping[str, str]) -> _Found:
    found = _PFC.fullmatch(cells.get("Priority", ""))
    if found is not None and "Total RX Pause Time US" in cells:
        yield cells.get("Port", ""), f"priorities.{found.group(1)}.paused_us", cells["Total RX Pause Time US"]


def _fec(cells: Mapping[str, str]) -> _Found:
    for heading, name in (("FEC_UNCORR", "fec_uncorrectable"), ("FEC_CORR", "fec_corrected")):
        if heading in cells:
            yield cells.get("IFACE", ""), name, cells[heading]


_TABLES: Mapping[str, _Row] = {
    r"show pfc counters\Z|pfcstat\Z": _pfc,
    r"show pfc counters --history\b|pfcstat --history\b": _paused,
    r"show queue counters(?! --voq)\b|queuestat\b": _queues,
    r"show priority-group drop counters\Z|pg-drop -c show\Z": _groups,
    r"show pfcwd stats?\b|pfcwd show stats\b": _watchdog,
    r"show interfaces? counters fec-stats\b": _fec,
}
"""Pattern of a command -> what a row of its table says. sonic-utilities, doc/Command-Reference.md; ECN marks: SONiC HLD
"WRED and ECN statistics"; time in pause: SONiC HLD "PFC historical statistics"."""
