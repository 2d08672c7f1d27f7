"""Counters of EOS: PFC frames of `show priority-flow-control counters` (columns Port, RxPfc, TxPfc; as JSON `interfaceCounters`,
`rxFrames`, `txFrames`, as ANTA reads them), and how often the watchdog found a
queue stuck, of `show priority-flow-control counters watchdog | json` (`interfaces`, `txQueues`, `stuckCount`, as scripts in use read
them; a queue that was never stuck is left out), and of the same as text (columns port, TxQ, times stuck, times recovered; EOS manual,
DCBX and Flow Control). `show interfaces counters queue [detail]`: drops of the unicast queues (the columns as the node-scraper of ROCm
reads them), and as JSON those of the traffic classes (`droppedPackets`, as ANTA reads them). `show qos interfaces ecn counters queue |
json`: packets that a queue marked. `show interfaces counters errors`: frames with a wrong checksum, as a table and as JSON
(`interfaceErrorCounters`, `fcsErrors`, as eAPI names them). `show priority-flow-control counters detail | json`: PFC frames of each
priority (`interfaces`, `priorities`, `rxFrames`, `txFrames`, as health checks in use read them). `show interfaces phy detail`: code words
that FEC corrected and could not correct; the column behind counts the changes. `show interfaces`: how often the state of the link
changed, and frames with a wrong checksum.

Nothing in the table of frames tells the priorities apart; what its form `detail` prints as text was not seen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from roce_audit.model.counts import Count
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.platforms.shared.linkchanges import link_downs
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import expand
from roce_audit.text.structured.jsontext import JsonError, JsonText
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.values import Place

_COMMAND = lazy(r"show (?:interfaces? (?:\S+ )?)?priority-flow-control (?:interfaces? \S+ )?counters")
_WRONG = "show interfaces counters errors"
_NOT_ZERO = lazy(r"show interfaces?(?: \S{1,30}){0,2} counters errors ?\| ?nz")
_STUCK = "show priority-flow-control counters watchdog"
_WATCHDOG_TABLE = lazy(r"show priority-flow-control (?:interfaces? \S+ )?counters watchdog")
_WATCHDOG = lazy(r"show priority-flow-control (?:interfaces? \S+ )?counters watchdog ?\| ?json(?: .*)?")
_ERRORS = lazy(r"show interfaces?(?: \S{1,30}){0,2} counters errors ?\| ?json(?: .*)?")
_FRAMES = lazy(r"show priority-flow-control counters ?\| ?json(?: .*)?")
_DETAIL = lazy(
    r"show (?:interfaces? (?:\S{1,30} )?)?priority-flow-control (?:interfaces? \S{1,30} )?counters detail ?\| ?json(?: .*)?"
)
_OF_QUEUES = lazy(r"show interfaces?(?: \S{1,30}){0,2} counters queue(?: \S{1,20})? ?\| ?json(?: .*)?")
_MARKED = lazy(r"show qos interfaces?(?: \S{1,30}){0,2} ecn counters queue ?\| ?json(?: .*)?")
_OF_CLASS = lazy(r"TC([0-7])")
_DROPS = (
    ("egressQueueCounters", "interfaces", "*", "ucastQueues", "trafficClasses", "*", "dropPrecedences", "*"),
    ("interfaces", "*", "trafficClasses", "*", "*", "countersSum"),
)
"""Where the counters of a port and a class stand: of each drop precedence; or, on chips with virtual output queues, of these and of
the queue behind them."""
_WAYS = {"rxFrames": "pause_received", "txFrames": "pause_sent"}
_QUEUES = frozenset("01234567")
_HEAD = lazy(r"\s*Port\s+RxPfc\s+TxPfc\s*")
_ROW = lazy(r"\s*([A-Za-z][A-Za-z-]{1,14} ?[0-9][0-9/.]{0,12})\s+([0-9]{1,20})\s+([0-9]{1,20})\s*")


def _names(text: str) -> Iterable[str]:
    from roce_audit.platforms.eos.reader import SYNTAX

    return expand(text, SYNTAX.interfaces.long_forms)


_INTERFACES = lazy(r"show interfaces?(?: [A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40})?")
_CHANGES = lazy(r"(?P<n>[0-9]{1,20}) link status changes since last clear")
_PORT = r"(?P<port>[A-Z][A-Za-z-]{1,14}[0-9][0-9/.]{0,12})"
_OF_PORT = lazy(rf"{_PORT} is (?P<state>up|down|administratively down), line protocol is .{{2,40}}")
_tables = reader(
    (
        Form(
            command=_WATCHDOG_TABLE,
            source=_STUCK,
            headings=(lazy(r"Port TxQ Total (?P<what>times)\b.{0,60}"),),
            rows=(
                Row(
                    lazy(rf"{_PORT} (?:UC)?(?P<n>[0-7]) (?P<stuck>[0-9]{{1,20}})(?: [0-9]{{1,20}}){{1,2}}"),
                    {"queues.{n}.storms": "stuck"},
                    below={"what": "times"},
                ),
            ),
        ),
        Form(
            command=_INTERFACES,
            source="show interfaces",
            port=_OF_PORT,
            rows=(Row(lazy(r"[0-9]{1,20} input errors, (?P<crc>[0-9]{1,20}) CRC, .{1,80}"), {"crc_errors": "crc"}),),
        ),
        Form(
            command=lazy(r"show interfaces?(?: \S{1,30}){0,4} counters queue(?: detail)?(?: ?\| ?nz)?"),
            source="show interfaces counters queue detail",
            rows=(
                Row(
                    lazy(rf"{_PORT} UC(?P<n>[0-7])(?: [0-9]{{1,20}}){{2}} (?P<drops>[0-9]{{1,20}}) [0-9]{{1,20}}"),
                    {"queues.{n}.drops": "drops"},
                ),
            ),
        ),
        Form(
            command=lazy(r"show interfaces?(?: \S{1,30}){0,2} counters errors(?: ?\| ?nz)?"),
            source=_WRONG,
            headings=(lazy(r"Port (?P<first>FCS) Align Symbol Rx Runts Giants Tx"),),
            rows=(
                Row(
                    lazy(rf"{_PORT} (?P<crc>[0-9]{{1,20}})(?: [0-9]{{1,20}}){{6}}"),
                    {"crc_errors": "crc"},
                    below={"first": "FCS"},
                ),
            ),
        ),
        Form(
            command=lazy(r"show interfaces?(?: \S{1,30}){0,2} phy detail"),
            source="show interfaces phy detail",
            port=lazy(_PORT),
            rows=(
                Row(
                    lazy(r"FEC uncorrected codewords (?P<lost>[0-9]{1,20}) [0-9]{1,20} .{1,60}"),
                    {"fec_uncorrectable": "lost"},
                ),
                Row(
                    lazy(r"FEC corrected codewords (?P<fixed>[0-9]{1,20}) [0-9]{1,20} .{1,60}"),
                    {"fec_corrected": "fixed"},
                ),
            ),
        ),
    ),
    _names,
)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    yield from _tables(device)
    for document in device.documents:
        if _COMMAND.fullmatch(document.command or ""):
            yield from _pfc(document)
        elif _INTERFACES.fullmatch(document.command or ""):
            yield from link_downs(document, _OF_PORT, _CHANGES, _names, "show interfaces")
        elif _WATCHDOG.fullmatch(document.command or ""):
            yield from _stuck(document)
        elif _WATCHDOG_TABLE.fullmatch(document.command or "") and "TxQ" in document.text:
            yield _no_other(document, _STUCK)
        elif _ERRORS.fullmatch(document.command or ""):
            yield from _errors(document)
        elif _NOT_ZERO.fullmatch(document.command or "") and "FCS" in document.text:
            yield _no_other(document, _WRONG)
        elif _DETAIL.fullmatch(document.command or ""):
            yield from _by_priority(document)
        elif _FRAMES.fullmatch(document.command or ""):
            yield from _frames(document)
        elif _OF_QUEUES.fullmatch(document.command or ""):
            yield from _drops(document)
        elif _MARKED.fullmatch(document.command or ""):
            yield from _marks(document)


def _no_other(document: Document, source: str) -> Count:
    """Queues that were never stuck are left out, and by `nz` the ports of which all is 0."""
    return Count("", "", 0, Place(document.path, document.first_line), source)


def _stuck(document: Document) -> Iterator[Count]:
    text = _as_json(document)
    if "interfaces" in text.value:
        yield _no_other(document, _STUCK)
    for port, about in _table(text.value, "interfaces").items():
        for queue in filter(_QUEUES.__contains__, _table(about, "txQueues")):
            way = ("interfaces", port, "txQueues", queue, "stuckCount")
            yield from _at(document, text, way, f"queues.{queue}.storms", _STUCK)


def _errors(document: Document) -> Iterator[Count]:
    text = _as_json(document)
    for port in _table(text.value, "interfaceErrorCounters"):
        way = ("interfaceErrorCounters", port, "fcsErrors")
        yield from _at(document, text, way, "crc_errors", _WRONG)


def _frames(document: Document) -> Iterator[Count]:
    text = _as_json(document)
    for port in _table(text.value, "interfaceCounters"):
        for called, name in _WAYS.items():
            way = ("interfaceCounters", port, called)
            yield from _at(document, text, way, name, "show priority-flow-control counters")


def _by_priority(document: Document) -> Iterator[Count]:
    text = _as_json(document)
    for port, about in _table(text.value, "interfaces").items():
        for priority in filter(_QUEUES.__contains__, _table(about, "priorities")):
            for called, name in _WAYS.items():
                way = ("interfaces", port, "priorities", priority, called)
                yield from _at(
                    document, text, way, f"priorities.{priority}.{name}", "show priority-flow-control counters"
                )


def _drops(document: Document) -> Iterator[Count]:
    text = _as_json(document)
    for pattern in _DROPS:
        for way, (port, of_class, called) in _ways(text.value, pattern):
            queue = _OF_CLASS.fullmatch(of_class)
            if queue is not None:
                yield from _at(
                    document, text, way, f"queues.{queue[1]}.drops", "show interfaces counters queue", port, called
                )


def _marks(document: Document) -> Iterator[Count]:
    """A queue without ECN, or without counters of it, has `-` in place of a number."""
    text = _as_json(document)
    for port, about in _table(text.value, "intfQueueCounters").items():
        for queue, shown in _table(about, "queueCounters").items():
            if queue in _QUEUES and isinstance(shown, str) and shown.isdecimal():
                place = Place(document.path, text.line_of(("intfQueueCounters", port, "queueCounters", queue)))
                yield Count(port, f"queues.{queue}.marked", number(shown), place, "show qos interfaces ecn counters")


def _as_json(document: Document) -> JsonText:
    """What an answer holds; an empty object where it is no JSON."""
    try:
        return parse_json(document.text, first_line=document.first_line)
    except JsonError:
        return parse_json("{}")


def _ways(value: Any, pattern: Sequence[str], way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The ways to `droppedPackets` below each object that a pattern leads to, and what stands for its stars."""
    if len(way) == len(pattern):
        yield (*way, "droppedPackets"), [step for step, said in zip(way, pattern, strict=True) if said == "*"]
        return
    step = pattern[len(way)]
    for name, below in value.items() if isinstance(value, dict) else ():
        if step in ("*", name):
            yield from _ways(below, pattern, (*way, name))


def _at(
    document: Document, text: JsonText, way: tuple[str, ...], name: str, source: str, port: str = "", called: str = ""
) -> Iterator[Count]:
    """The counter at a place of an answer, whose second step is the port if none is given; none where no number stands there."""
    found = text.value
    for step in way:
        found = found.get(step) if isinstance(found, dict) else None
    if isinstance(found, int):
        place = Place(document.path, text.line_of(way))
        yield Count(port or way[1], name, number(str(found)), place, source, called=called)


def _table(value: Any, name: str) -> Mapping[str, Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _pfc(document: Document) -> Iterator[Count]:
    in_table = False
    for place, text in lines(document):
        in_table = in_table or _HEAD.fullmatch(text) is not None
        row = _ROW.fullmatch(text) if in_table else None
        if row is None:
            continue
        with contextlib.suppress(ValueError):  # no interface of this platform
            for port in _names(row.group(1)):
                yield Count(port, "pause_received", number(row.group(2)), place, "show priority-flow-control counters")
                yield Count(port, "pause_sent", number(row.group(3)), place, "show priority-flow-control counters")
