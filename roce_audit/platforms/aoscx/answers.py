"""What show commands tell of ports.

`show interface`: speed, FEC, MTU, link pause and what is trusted; which ports have no link, and which the switch has shut. `show qos pool
config`: sizes of the pools, headroom of each port; `show interface X qos buffers`: the same headroom. `show dcbx interface X`:
the priorities on which PFC runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.running import NO_LINK, without_link
from roce_audit.platforms.shared.shown import Shown
from roce_audit.text.document import Document
from roce_audit.values import Place

_NAME = r"(\d{1,2}/\d{1,2}/\d{1,3}(?::\d{1,2})?)"
_SHOW_INTERFACE = re.compile(r"show (?:ip )?interface(?: \S{1,40})?")
_HEAD = re.compile(rf" ?Interface {_NAME} is (up|down).{{0,80}}")
_STATE = re.compile(r" *State information: +(\S.{0,60}?) *")
_MTU = re.compile(r" *(?:IP )?MTU (\d{1,5}) *")
_PAUSE = re.compile(r" *Flow-control: (rx|rxtx) *")
_FEC = re.compile(r" *Error-control: (\S{1,30}) *")
_TRUST = re.compile(r" *qos trust (none|cos|dscp) *")
_SPEED = re.compile(r" *Speed (\S.{0,40}?) *")
_MBPS = re.compile(r"(\d{1,7}) Mb/s")
_BUFFERS = re.compile(r"show interface \S{1,40} qos buffers")
_BUFFERS_OF = re.compile(rf" *Buffer usage for {_NAME} in kbytes: *")
_HEADROOM = re.compile(r" *([0-7]) +Headroom +\d+ +\d+ +\d+ +\d+ +(\S.{0,40}?) *")
_POOLS = re.compile(r"show qos pool config")
_POOL = re.compile(r" *Lossless Pool ([1-3]) +(\d.{0,120}?) *")
_SIZE = re.compile(r"(\d{1,7}) \(\d{1,3}(?:\.\d{1,2})?%\)(?: +[\d,-]{1,20}){1,4}")
_MAPPING = re.compile(
    r" *Lossless Pool ([1-3]) +\d{1,7} \(\d{1,3}(?:\.\d{1,2})?%\) +[\d-]{1,20} +([\d,-]{1,20}) +([0-7,]{1,20}) *"
)
_POOL_ROW = re.compile(
    rf" *({_NAME}(?:-\S{{5,12}})?) priority ([0-7]) +(Dynamic|Static) +(\S{{1,9}}) +(\S.{{0,40}}?) *"
)
_DCBX = re.compile(rf"show dcbx interface {_NAME}")
_RUNNING = re.compile(r" *PFC operational state +: *(\S.{0,40}?) *")
_PRIORITY = re.compile(r"(?: *->)? *Priority ([0-7]): +(\S.{0,60}?) *")
_LOCAL = re.compile(r"(?:True|False)(?: +(?:True|False))?")
_PART = re.compile(r" *(Priority Flow Control \(PFC\)|Enhanced Transmission Selection.*|Priority Group|Control) *")


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of what an answer tells of ports; nothing for other commands."""
    command = document.command or ""
    of_dcbx = _DCBX.fullmatch(command)
    if _BUFFERS.fullmatch(command):
        yield from _headroom(document)
    elif _POOLS.fullmatch(command):
        yield from _pool_headroom(document)
    elif of_dcbx is not None:
        yield from _running(document, of_dcbx.group(1))
    elif _SHOW_INTERFACE.fullmatch(command):
        yield from _interfaces(document)


def _numbered(document: Document) -> Iterator[tuple[int, str]]:
    return document.numbered()


def _interfaces(document: Document) -> Iterator[Shown]:
    """A port without link shows 0 Mb/s, and no FEC that runs."""
    port, is_up = "", False
    for number, line in _numbered(document):
        head = _HEAD.fullmatch(line)
        if head is not None:
            port, is_up = head.group(1), head.group(2) == "up"
            if not is_up:
                yield port, number, NO_LINK
        state = _STATE.fullmatch(line)
        if port and not is_up and state is not None:
            yield port, number, without_link(state[1])
        if port:
            yield from ((port, number, statement) for statement in _of_line(line, is_up))


def _of_line(line: str, is_up: bool) -> Iterator[str]:
    speed, fec, mtu, pause, trust = (each.fullmatch(line) for each in (_SPEED, _FEC, _MTU, _PAUSE, _TRUST))
    if speed is not None:
        mbps = _MBPS.fullmatch(speed.group(1))
        if mbps is None or int(mbps.group(1)):
            yield f"speed {speed.group(1) if mbps is None else mbps.group(1)}"
    elif fec is not None and is_up:
        yield f"fec {fec.group(1)}"
    elif mtu is not None:
        yield f"mtu {mtu.group(1)}"
    elif pause is not None:
        yield f"pause {pause.group(1)}"
    elif trust is not None:
        yield f"trusts {trust.group(1)}"


def _headroom(document: Document) -> Iterator[Shown]:
    port = ""
    for number, line in _numbered(document):
        head, row = _BUFFERS_OF.fullmatch(line), _HEADROOM.fullmatch(line)
        if head is not None:
            port = head.group(1)
        elif row is not None and port:
            yield port, number, f"headroom {row.group(1)} {row.group(2)}"


def _pool_headroom(document: Document) -> Iterator[Shown]:
    """The rows of ports below each pool; what stands beside a range of ports is the headroom of one."""
    for number, line in _numbered(document):
        row = _POOL_ROW.fullmatch(line)
        if row is not None:
            port, _, priority, kind, level, headroom = row.groups()
            yield port, number, f"headroom {priority} {headroom}"
            if kind == "Dynamic":
                yield port, number, f"alpha {priority} {level if headroom.isdecimal() else headroom}"


def pool_sizes(document: Document) -> Iterator[tuple[int, str]]:
    """(line, statement) of the size of each lossless pool; nothing for other commands."""
    if _POOLS.fullmatch(document.command or ""):
        for number, line in _numbered(document):
            row = _POOL.fullmatch(line)
            if row is not None:
                size = _SIZE.fullmatch(row.group(2))
                yield number, f"pool {row.group(1)} {row.group(2) if size is None else size.group(1)}"


def unapplied_pools(document: Document, ports: tuple[str, ...]) -> Iterator[Seen]:
    """Lossless pools whose priorities are configured and not applied, as the last two columns tell."""
    for number, line in _numbered(document) if _POOLS.fullmatch(document.command or "") else ():
        row = _MAPPING.fullmatch(line)
        if row is not None and row.group(2) != row.group(3):
            name = f"qos pool {row.group(1)}"
            applied = "for none" if row.group(2) == "--" else f"for {row.group(2)}"
            text = f"{name} is configured for priorities {row.group(3)} and applied {applied}: what is not applied has no lossless buffer"
            is_lost = not set(row.group(3).split(",")) <= set(row.group(2).split(","))
            yield seen(
                "not-in-force" if is_lost else "conflict", name, text, Place(document.path, number), line.strip(), ports
            )


def _running(document: Document, port: str) -> Iterator[Shown]:
    """PFC runs for the priorities that the local side lists as True; an answer that is not clear is told."""
    state, at, part = "", 0, ""
    priorities: list[str] = []
    odd = ""
    for number, line in _numbered(document):
        running, heading, row = _RUNNING.fullmatch(line), _PART.fullmatch(line), _PRIORITY.fullmatch(line)
        if running is not None:
            state, at = running.group(1), number
        elif heading is not None:
            part = heading.group(1)
        elif row is not None and part.startswith("Priority Flow Control"):
            odd = odd or (row.group(2) if _LOCAL.fullmatch(row.group(2)) is None else "")
            priorities += [row.group(1)] if row.group(2).startswith("True") else []
    if state == "active" and priorities and not odd:
        yield port, at, f"running {','.join(priorities)}"
    elif state == "inactive":
        yield port, at, "running"
    elif state:
        yield port, at, f"running {odd or state}"  # which nobody understands
