"""Counters of Junos: PFC frames, link pauses, drops of queues, FEC and wrong checksums by port, of `show interfaces extensive`; drops
and CE marks of queues, of `show interfaces queue`.

Juniper CLI Reference, show interfaces extensive: MAC Priority Flow Control Statistics have the columns of MAC statistics,
Receive and Transmit; MAC pause frames are those with the operation code of pause, which PFC frames do not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.junos.answers import HEAD, is_about_interfaces
from roce_audit.platforms.junos.elements import as_table
from roce_audit.text.document import DeviceInput, Document

_CLEARED = re.compile(r" *Statistics last cleared: (\S.{0,80}?) *")
_PRIORITY = re.compile(r" *Priority : +([0-7]) +([0-9]{1,20}) +([0-9]{1,20}) *")
_QUEUES = re.compile(r" *Queue counters: +Queued packets +Transmitted packets +Dropped packets *")
_QUEUE = re.compile(r" +([0-7]) +[0-9]{1,20} +[0-9]{1,20} +([0-9]{1,20}) *")
_FEC = re.compile(r" *FEC (Uncorrected|Corrected) Errors +([0-9]{1,20}) *")
_CRC = re.compile(r" *CRC/Align errors +([0-9]{1,20}) +[0-9]{1,20} *")
_LINK_PAUSE = re.compile(r" *MAC pause frames +([0-9]{1,20}) +[0-9]{1,20} *")
_FEC_NAMES = {"Uncorrected": "fec_uncorrectable", "Corrected": "fec_corrected"}
_SOURCE = "show interfaces extensive"
_QUEUE_COMMAND = re.compile(r"show interfaces queue(?: [^|]{1,60}?)?(?: ?\| ?no-more)?")
_OF_QUEUE = re.compile(r"Queue: ([0-7]), Forwarding classes: .{1,120}")
_COUNTED = re.compile(r" *(Tail-dropped|RED-dropped|ECN-CE) packets *: +([0-9]{1,20}) +[0-9]{1,20} pps *")


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    for document in map(as_table, device.documents):
        if is_about_interfaces(document.command):
            yield from _of(document)
        elif _QUEUE_COMMAND.fullmatch(document.command or ""):
            yield from _of_queues(document)


def _of(document: Document) -> Iterator[Count]:
    port, epoch, in_queues = "", "", False
    for place, text in lines(document):
        head, cleared = HEAD.fullmatch(text), _CLEARED.fullmatch(text)
        if head is not None:
            port, epoch, in_queues = head[1], "", False
        elif cleared is not None:
            epoch = cleared[1]
        elif _QUEUES.fullmatch(text):
            in_queues = True
        elif port:
            in_queues = in_queues and (not text or _QUEUE.fullmatch(text) is not None)
            for name, value in _counters(text, in_queues):
                yield Count(port, name, number(value), place, _SOURCE, epoch)


def _of_queues(document: Document) -> Iterator[Count]:
    port = queue = ""
    for place, text in lines(document):
        head, of_queue, counted = (one.fullmatch(text) for one in (HEAD, _OF_QUEUE, _COUNTED))
        if head is not None:
            port, queue = head[1], ""
        elif text.startswith("Queue: "):
            queue = of_queue[1] if of_queue is not None else ""
        elif counted is not None and port and queue:
            name = "marked" if counted[1] == "ECN-CE" else "drops"
            path, source = f"queues.{queue}.{name}", "show interfaces queue"
            yield Count(port, path, number(counted[2]), place, source, called=counted[1])


def _counters(text: str, in_queues: bool) -> Iterator[tuple[str, str]]:
    priority, fec, queue = _PRIORITY.fullmatch(text), _FEC.fullmatch(text), _QUEUE.fullmatch(text)
    if priority is not None:
        yield f"priorities.{priority[1]}.pause_received", priority[2]
        yield f"priorities.{priority[1]}.pause_sent", priority[3]
    elif fec is not None:
        yield _FEC_NAMES[fec[1]], fec[2]
    elif (crc := _CRC.fullmatch(text)) is not None:
        yield "crc_errors", crc[1]
    elif (paused := _LINK_PAUSE.fullmatch(text)) is not None:
        yield "link_pause_received", paused[1]
    elif queue is not None and in_queues:
        yield f"queues.{queue[1]}.drops", queue[2]
