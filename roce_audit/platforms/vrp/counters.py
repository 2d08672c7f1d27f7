"""Counters of VRP: PFC frames and deadlocks by port and queue, of `display dcb pfc`; drops, of `display qos queue statistics`;
packets of no told class, of `display qos buffer ingress-statistics`; frames with a wrong checksum, of `display interface`.

CloudEngine CE6800 and CE8800 V300R023C00 command reference. Display dcb pfc: two lines a queue, received above sent. Display
qos queue statistics: packets above bytes. Display qos buffer ingress-statistics: packets above bytes; what came in and was dropped on
leaving is counted with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.text.document import DeviceInput, Document

_COMMAND = re.compile(r"display dcb pfc(?: interface .{1,60})?")
_HEAD = re.compile(r" *Interface +Queue +Received\(Frames\) +ReceivedRate\(pps\) +DeadlockNum *")
_RECEIVED = re.compile(r"(?: *+(\S{4,30}))? ++([0-7]) +([0-9]{1,20}) +[0-9]{1,20} +([0-9]{1,20}) *")
_SENT = re.compile(r" +([0-9]{1,20}) +[0-9]{1,20} +[0-9]{1,20} *")
_SOURCE = "display dcb pfc"
_STATISTICS = re.compile(r"display qos queue statistics (?:interface (.{4,30})|slot \S{1,31})")
_QUEUES_OF = re.compile(r" *Queue statistics info: interface (\S{4,30}) *")
_QUEUES = re.compile(r" *Queue +CIR/PIR +Passed +Pass Rate +Dropped +Drop Rate +Drop Time *")
_QUEUE = re.compile(r" +([0-7]) +\S{1,20} +[0-9]{1,20} +\S{1,20} +([0-9]{1,20}) +\S{1,20} +\S.{0,30}")


_NAME = r"(?P<port>[0-9]{0,3}[A-Za-z][\w-]{1,30}?[0-9][0-9/:.]{0,12})"
_shown = reader(
    (
        Form(
            command=re.compile(r"display interface(?: (?!brief\b|counters\b).{1,60})?"),
            source="display interface",
            port=re.compile(rf"{_NAME} current state ?: ?.{{1,80}}"),
            rows=(Row(re.compile(r"CRC: (?P<crc>[0-9]{1,20}), .{1,60}"), {"crc_errors": "crc"}),),
        ),
        Form(
            command=re.compile(r"display qos buffer ingress-statistics(?: interface .{1,60})?"),
            source="display qos buffer ingress-statistics",
            rows=(
                Row(
                    re.compile(rf"{_NAME} (?P<drops>[0-9]{{1,20}}) [0-9]{{1,20}} (?:-|[0-9-]{{10}}(?: [0-9:]{{8}})?)"),
                    {"discards": "drops"},
                ),
            ),
        ),
    ),
    lambda text: _names(text),
)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    yield from _shown(device)
    for document in device.documents:
        if _COMMAND.fullmatch(document.command or ""):
            yield from _pfc(document)
        statistics = _STATISTICS.fullmatch(document.command or "")
        if statistics is not None:
            yield from _drops(document, statistics[1] or "")


def _pfc(document: Document) -> Iterator[Count]:
    ports: Sequence[str] = ()
    queue, is_table = "", False
    for place, text in lines(document):
        is_table = is_table or _HEAD.fullmatch(text) is not None
        row, sent = _RECEIVED.fullmatch(text) if is_table else None, _SENT.fullmatch(text)
        if row is not None:
            ports, queue = _names(row[1]) if row[1] else ports, row[2]
            for port in ports:
                yield Count(port, f"priorities.{queue}.pause_received", number(row[3]), place, _SOURCE)
                yield Count(port, f"queues.{queue}.storms", number(row[4]), place, _SOURCE)
        elif sent is not None and queue:
            for port in ports:
                yield Count(port, f"priorities.{queue}.pause_sent", number(sent[1]), place, _SOURCE)


def _drops(document: Document, asked: str) -> Iterator[Count]:
    """Packets that a queue dropped; an answer about one port does not name it."""
    ports = _names(asked.replace(" ", ""))
    in_table = False
    for place, text in lines(document):
        head = _QUEUES_OF.fullmatch(text)
        ports = _names(head[1]) if head is not None else ports
        in_table = in_table or _QUEUES.fullmatch(text) is not None
        row = _QUEUE.fullmatch(text) if in_table else None
        if row is None:
            continue
        for port in ports:
            yield Count(port, f"queues.{row[1]}.drops", number(row[2]), place, "display qos queue statistics")


def _names(text: str) -> Sequence[str]:
    from roce_audit.platforms.vrp.reader import INTERFACES

    try:
        return INTERFACES.expand(text)
    except ValueError:
        return ()
