"""What display commands tell of ports.

`display interface`: speed, longest frame, FEC, link pause. `display qos ecn threshold`: the bytes of thresholds in percent.
`display dcb pfc buffer`: the thresholds and buffers that are in effect. `display dcb`: whether PFC runs. `display dcb pfc deadlock trigger
status`: queues whose pause the switch has turned off, and ports that it has shut, after so many deadlocks.
CloudEngine CE6800 and CE8800 V300R023C00 command reference, the descriptions of these commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.running import without_link
from roce_audit.platforms.shared.shown import Shown, doubt
from roce_audit.text.document import Document
from roce_audit.values import Place

_INTERFACE = re.compile(r"display interface(?: (?!brief\b).{1,60})?")
_HEAD = re.compile(r"(\d{0,3}[A-Za-z][\w-]{1,30}?\d[\d/:.]{0,12}) current state ?: ?(.{1,80})")
_DOWN = re.compile(r"((?:Administratively |ERROR )?DOWN\b(?:\(\S{1,40}\))?).{0,60}")
_FRAME = re.compile(r"(?:.{0,200}, ?| *)The Maximum Frame Length is (\S{1,20})[ \t]*")
_SPEED = re.compile(r" *Speed *: +(\S{1,20}?),? +Loopback *:.{0,60}")
_PAUSE = re.compile(r" *Input Flow-control *: +(\S{1,20}?), +Output Flow-control *: +(\S{1,20}) *")
_FEC = re.compile(r".{0,60}, +Fec *: +(\S.{0,20}?) *")
_THRESHOLDS = re.compile(r"display qos ecn threshold(?: interface .{1,60})?")
_TABLE = re.compile(r" *Interface +Queue +Min +Max +Probability\b.{0,40}")
_ROW = re.compile(r"(?: *+(\S{4,30}))? ++([0-7]) +(\d{1,9}) +(\d{1,9}) +(\d{1,3})(?: +\d{1,9})? *")
_UNKNOWN = ("-", "AUTO")
_BUFFERS = re.compile(r"display dcb pfc buffer(?: interface .{1,60})?")
_BUFFER_TABLES = (
    (re.compile(r" *Interface +Queue +Xon +Xoff *"), ("xon", "xoff")),
    (
        re.compile(r" *Interface +Queue +Guaranteed +Xon-Lowest +Xon-Offset +Xoff +Hdrm *"),
        ("guaranteed", "", "offset", "xoff", "hdrm"),
    ),
)
"""Heads of the tables of the two chip families, and what their columns say; the lowest XON is no setting of the model."""
_BUFFER_ROW = re.compile(r"(?: *+(\S{4,30}))? ++([0-7])((?: +\S{1,20}){2,5}) *")
_AMOUNT = re.compile(r"(\d{1,9})\(([A-Z])\)")
_DCB = re.compile(r"display dcb(?: interface .{1,60})?")
_DCB_TABLE = re.compile(r" *Interface +PFC Name +PFC Status +ETS Name +ETS Status +App-Profile *")
_DCB_ROW = re.compile(r" *(\S{4,30}) +\S{1,40} +(\S{1,20}) +\S{1,40} +\S{1,20} +\S{1,40} *")
_TRIGGERED = re.compile(r"display dcb pfc deadlock trigger status(?: interface .{1,60})?")
_TRIGGER_ROW = re.compile(r"(?: *+(\S{4,30}))? ++([0-7]) +(?:TurnOff|ErrorDown) +(\d{1,9}) +(\w{4,12}) *")
_RUNNING = {"ENABLE(M)": "on", "FAILED(A)": "off", "-": "off"}
"""What the state of PFC says of it; SUCCEED(A) leaves the priorities to what was negotiated, which is not shown."""


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of what an answer tells of ports; nothing for other commands."""
    command = document.command or ""
    if _INTERFACE.fullmatch(command):
        yield from _interfaces(document)
    elif _THRESHOLDS.fullmatch(command):
        yield from _thresholds(document)
    elif _BUFFERS.fullmatch(command):
        yield from _buffers(document)
    elif _DCB.fullmatch(command):
        yield from _states(document)
    elif _TRIGGERED.fullmatch(command):
        for port, row, number in _triggered(document):
            if row[4] == "ErrorDown":
                yield port, number, without_link(f"ERROR DOWN(pfc-deadlock: {row[3]} times)")


def turned_off(document: Document) -> Iterator[Seen]:
    """Queues whose pause the switch itself has turned off."""
    if _TRIGGERED.fullmatch(document.command or ""):
        for port, row, number in _triggered(document):
            if row[4] == "TurnOff":
                text = f"PFC was turned off by the switch for queue {row[2]} of {port}, after {row[3]} deadlocks: it is not lossless"
                yield seen("not-in-force", port, text, Place(document.path, number), row[0].strip(), (port,))


def _triggered(document: Document) -> Iterator[tuple[str, re.Match[str], int]]:
    """(port, row, its line); rows of a port behind its first leave its name out."""
    port = ""
    for number, line in document.numbered():
        row = _TRIGGER_ROW.fullmatch(line)
        if row is not None and not doubt(line):
            port = row[1] or port
            yield port, row, number


def _interfaces(document: Document) -> Iterator[Shown]:
    port = ""
    for number, line in document.numbered():
        head = _HEAD.fullmatch(line)
        if head is not None:
            port = head[1]
            down = _DOWN.fullmatch(head[2])
            if down is not None:
                yield port, number, without_link(down[1])
        if not port:
            continue
        for statement in _of_line(line):
            yield port, number, f"{statement}{doubt(line)}"


def _of_line(line: str) -> Iterator[str]:
    frame, speed, pause, fec = (pattern.fullmatch(line) for pattern in (_FRAME, _SPEED, _PAUSE, _FEC))
    if frame is not None:
        yield f"frame {frame[1]}"
    if speed is not None and speed[1] not in _UNKNOWN:
        yield f"speed {speed[1]}"
    if pause is not None:
        yield f"pause input {pause[1]}"
        yield f"pause output {pause[2]}"
    if fec is not None and fec[1] not in _UNKNOWN:
        yield f"fec {fec[1]}"


def _thresholds(document: Document) -> Iterator[Shown]:
    """Rows of a port behind its first leave its name out; what AI ECN marks with a star changes by itself and is left out."""
    port, is_table = "", False
    for number, line in document.numbered():
        is_table = is_table or _TABLE.fullmatch(line) is not None
        row = _ROW.fullmatch(line) if is_table else None
        if row is None:
            continue
        port = row[1] or port
        if port and int(row[4]):
            yield port, number, f"ecn {row[2]} {row[3]} {row[4]}"


def _buffers(document: Document) -> Iterator[Shown]:
    """Rows of a port behind its first leave its name out."""
    port = ""
    columns: tuple[str, ...] = ()
    for number, line in document.numbered():
        columns = next((names for head, names in _BUFFER_TABLES if head.fullmatch(line)), columns)
        row = _BUFFER_ROW.fullmatch(line) if columns else None
        if row is None:
            continue
        port = row[1] or port
        amounts = row[3].split()
        for name, text in zip(columns, amounts, strict=False):
            amount = _AMOUNT.fullmatch(text)
            value = text if amount is None else f"{amount[1]} {amount[2]}"
            if port and name:
                yield port, number, f"buffer {name} {row[2]} {value}{doubt(line)}"


def _states(document: Document) -> Iterator[Shown]:
    is_table = False
    for number, line in document.numbered():
        is_table = is_table or _DCB_TABLE.fullmatch(line) is not None
        row = _DCB_ROW.fullmatch(line) if is_table and "PFC Name" not in line else None
        if row is not None and row[2] != "SUCCEED(A)":
            yield row[1], number, f"running {_RUNNING.get(row[2], row[2])}{doubt(line)}"
            if row[2] == "-":  # PFC is disabled on the interface
                yield row[1], number, f"pfc shown off{doubt(line)}"
