"""Counters of Comware: PFC frames by port and priority, of `display priority-flow-control interface`; what ports dropped on
entering for want of buffer, of `display packet-drop`.

H3C Layer 2 LAN Switching Command Reference, display priority-flow-control: the priority, and the PFC frames received and sent.
H3C Interface Command Reference, display packet-drop: `Input dropped` is of the port, of whatever class; display interface: CRC. H3C
ACL and QoS Command Reference, display qos queue-statistics interface outbound: packets dropped, by queue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Count
from roce_audit.platforms.comware.names import members_of
from roce_audit.platforms.comware.state import HEAD, ROW
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.text.document import DeviceInput, Document

_COMMAND = re.compile(r"display priority-flow-control int")
_COUNTS = re.compile(r"([0-7]) +([0-9]{1,20}) +([0-9]{1,20})(?: |\Z)")


_shown = reader(
    (
        Form(
            command=re.compile(r"display qos queue-statistics interface(?: .{1,40})?"),
            source="display qos queue-statistics",
            port=re.compile(r"Interface: (?P<port>\S{4,40})"),
            headings=(re.compile(r"Direction: (?P<way>inbound|outbound)"), re.compile(r"Queue (?P<n>[0-7])")),
            rows=(
                Row(
                    re.compile(r"Dropped: (?P<drops>[0-9]{1,20}) packets, .{1,60}"),
                    {"queues.{n}.drops": "drops"},
                    below={"way": "outbound"},
                ),
            ),
        ),
        Form(
            command=re.compile(r"display packet-drop int.*"),
            source="display packet-drop interface",
            port=re.compile(r"(?P<port>[A-Z][A-Za-z-]{2,30}[0-9][0-9/:]{0,12}) ?:"),
            rows=(
                Row(
                    re.compile(
                        r"Packets dropped due to insufficient data buffer\. Input dropped: ?(?P<drops>[0-9]{1,20})(?: .{1,40})?"
                    ),
                    {"discards": "drops"},
                ),
            ),
        ),
        Form(
            command=re.compile(r"display interface(?: (?!brief\b)(?!.* brief\b).{1,60})?"),
            source="display interface",
            port=re.compile(r"(?P<port>[A-Z][A-Za-z-]{2,30}[0-9][0-9/:.]{0,12})(?: current state: ?.{1,60})?"),
            rows=(Row(re.compile(r"(?P<crc>[0-9]{1,20}) CRC, .{1,60}"), {"crc_errors": "crc"}),),
        ),
    ),
    lambda text: members_of(f"interface {text}"),
)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    yield from _shown(device)
    for document in device.documents:
        if _COMMAND.match(document.command or ""):
            yield from _pfc(document)


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
