"""Counters of SONiC: PFC, queues, priority groups, the PFC watchdog, errors and FEC, from the tables of `show`, or as JSON.

The tables show what was counted since the user who asks last cleared (`sonic-clear`), and say when that was; so the time
in `Last cached time was ...` is part of each counter's epoch. `N/A` is a counter that the chip does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import number
from roce_audit.platforms.sonic import countersdb
from roce_audit.platforms.sonic.answers import table_rows
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.structured.jsontext import JsonError, parse
from roce_audit.values import Place

_CACHED = re.compile(r"Last cached time was (.{1,60})")
_PFC = re.compile(r"PFC([0-7])")
_GROUP = re.compile(r"PG([0-7])")
_UNICAST = re.compile(r"UC([0-7])")
OPTIONS = re.compile(
    r" (?:(?:-n|--namespace|-d|--display|-i|--interface)[ =]\S{1,40}|-a|--all|-nz|--nonzero|-j|--json)(?= |\Z)"
)
"""Options that choose ports, ASICs or the form of an answer, and leave what a counter is as it is."""
_WATCHED = re.compile(r"([\w./-]{1,64}):([0-7])")

_Found = Iterator[tuple[str, str, str]]
"""Port, path of the counter, its text."""
_Row = Callable[[Mapping[str, str]], _Found]


def plain(command: str | None) -> str:
    """A command without what chooses ports, ASICs or the form of its answer."""
    return OPTIONS.sub("", (command or "").removeprefix("sudo "))


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    for document in device.documents:
        command = plain(document.command)
        for pattern, row in _TABLES.items():
            if re.match(pattern, command):
                is_json = document.text.lstrip()[:1] == "{"
                yield from _of_json(document, pattern) if is_json else _of_table(document, pattern, row)
        if countersdb.is_dump(document):
            yield from countersdb.counts(document)


def _of_json(document: Document, source: str) -> Iterator[Count]:
    """Counters of queues as JSON: port -> queue -> counter."""
    try:
        json = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    ports = json.value if isinstance(json.value, dict) else {}
    for port, queues in ports.items():
        for name, counters in queues.items() if isinstance(queues, dict) else ():
            queue = _UNICAST.fullmatch(name)
            for counter, text in counters.items() if queue is not None and isinstance(counters, dict) else ():
                if queue is not None and counter in _JSON and text != "N/A":
                    place = Place(document.path, json.line_of((port, name, counter)))
                    yield Count(port, f"queues.{queue.group(1)}.{_JSON[counter]}", number(str(text)), place, source)


def _of_table(document: Document, source: str, row: _Row) -> Iterator[Count]:
    cached = [
        (line, found.group(1).strip())
        for line, text in document.numbered()
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
        for heading, name in (("Drop/pkts", "drops"), ("WredDrp/pkts", "drops"), ("EcnMarked/pkts", "marked")):
            if heading in cells:
                yield cells.get("Port", ""), f"queues.{found.group(1)}.{name}", cells[heading]


def _watchdog(cells: Mapping[str, str]) -> _Found:
    found = _WATCHED.fullmatch(cells.get("QUEUE", ""))
    detected, slash, _ = cells.get("STORM DETECTED/RESTORED", "").partition("/")
    if found is not None and slash:
        yield found.group(1), f"queues.{found.group(2)}.storms", detected


def _paused(cells: Mapping[str, str]) -> _Found:
    found = _PFC.fullmatch(cells.get("Priority", ""))
    for heading, more in (("Total RX Pause Time US", ""), ("Total RX Pause Time MS", "000")):
        if found is not None and heading in cells:
            text = cells[heading].replace(",", "")  # releases of 2025 print milliseconds
            shown = text if text == "N/A" else f"{text}{more}"
            yield cells.get("Port", ""), f"priorities.{found.group(1)}.paused_us", shown


def _fec(cells: Mapping[str, str]) -> _Found:
    for heading, name in (("FEC_UNCORR", "fec_uncorrectable"), ("FEC_CORR", "fec_corrected")):
        if heading in cells:
            yield cells.get("IFACE", ""), name, cells[heading]


def _errors(cells: Mapping[str, str]) -> _Found:
    if "RX_ERR" in cells:
        yield cells.get("IFACE", ""), "receive_errors", cells["RX_ERR"]


_JSON = {"droppacket": "drops", "wreddroppacket": "drops", "ecnmarkedpacket": "marked"}
_TABLES: Mapping[str, _Row] = {
    r"show pfc counters\Z|pfcstat\Z": _pfc,
    r"show pfc counters --history\b|pfcstat --history\b": _paused,
    r"show queue counters(?!.* --voq)\b|queuestat\b(?!.* (?:--voq|-V)\b)": _queues,
    r"show queue wredcounters(?!.* --voq)\b|wredstat\b": _queues,
    r"show priority-group drop counters\Z|pg-drop -c show\Z": _groups,
    r"show pfcwd stats?\b|pfcwd show stats\b": _watchdog,
    r"show interfaces? counters fec-stats\b|portstat (?:-f|--fec-stats)\b": _fec,
    r"show interfaces? counters\Z|portstat\Z": _errors,
}
"""Pattern of a command -> what a row of its table says. sonic-utilities, doc/Command-Reference.md; ECN marks: SONiC HLD
"WRED and ECN statistics"; time in pause: SONiC HLD "PFC historical statistics"."""
