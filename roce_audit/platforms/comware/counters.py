"""Counters of Comware: PFC frames by port and priority, of `display priority-flow-control interface`; what ports dropped on
entering for want of buffer, of `display packet-drop`.

H3C Layer 2 LAN Switching Command Reference, display priority-flow-control: the priority, and the PFC frames received and sent.
H3C Interface Command Reference, display packet-drop: `Input dropped` is of the port, of whatever class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Count
from roce_audit.platforms.comware.names import members_of
from roce_audit.platforms.comware.state import HEAD, ROW
from roce_audit.platforms.counting import lines, number
from roce_audit.text.document import DeviceInput, Document

_COMMAND = re.compile(r"display priority-flow-control int")
_COUNTS = re.compile(r"([0-7]) +([0-9]{1,20}) +([0-9]{1,20})(?: |\Z)")

_DROP_COMMAND = re.compile(r"display packet-drop int")
_OF_PORT = re.compile(r"([A-Z][A-Za-z-]{2,30}[0-9][0-9/:]{0,12}) ?: ?")
_DROPPED = re.compile(r" +Packets dropped due to insufficient data buffer\. Input dropped: ?([0-9]{1,20})(?: .{1,40})?")


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    for document in device.documents:
        if _COMMAND.match(document.command or ""):
            yield from _pfc(document)
        elif _DROP_COMMAND.match(document.command or ""):
            yield from _dropped(document)


def _dropped(document: Document) -> Iterator[Count]:
    ports: tuple[str, ...] = ()
    for place, text in lines(document):
        head, dropped = _OF_PORT.fullmatch(text), _DROPPED.fullmatch(text)
        if head is not None:
            ports = tuple(members_of(f"interface {head[1]}"))
        elif dropped is not None:
            for port in ports:
                yield Count(port, "discards", number(dropped[1]), place, "display packet-drop interface")


def _pfc(document: Document) -> Iterator[Count]:
    """A port has a line for each priority; the lines behind the first leave its name out."""
    source = "display priority-flow-control interface"
    ports: tuple[str, ...] = ()
    column = -1
    for place, text in lines(document):
        head = HEAD.match(text)
        if head is not None:
            column = head.start(2)
            continue
        row = ROW.match(text)
        if row is not None:
            ports = tuple(members_of(f"interface {row[1]}"))
        counts = _COUNTS.match(text[column:].lstrip()) if column >= 0 else None
        if counts is None:
            continue
        priority, received, sent = counts.groups()
        for port in ports:
            yield Count(port, f"priorities.{priority}.pause_received", number(received), place, source)
            yield Count(port, f"priorities.{priority}.pause_sent", number(sent), place, source)
