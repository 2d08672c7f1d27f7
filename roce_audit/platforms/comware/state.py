"""What display commands tell of ports.

`display priority-flow-control interface`: on which priorities PFC runs, in the table of S9825 and S6550X and in the narrower one of S6812
and S12500. `display interface`: speed, the largest frame, link pause, and which ports have no link. `display qos trust interface`: what
is trusted. H3C Interface Command Reference, display interface; H3C Layer 2 LAN Switching Command References, display priority-flow-
control (h3c.com d_202410/2284497 and d_202304/1834487); H3C ACL and QoS Command Reference, display qos trust interface.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.shared.cli.gathering import SWITCHED
from roce_audit.platforms.shared.cli.running import ERROR_DISABLED, NO_LINK
from roce_audit.platforms.shared.shown import ODD, Shown, below
from roce_audit.text.document import Document

_PFC = re.compile(r"display priority-flow-control int")
HEAD = re.compile(r"\s*Interface +(?:AdminMode +OperMode|Conf +Ne) +(Dot1pList) +(Prio|P) +Recv +(?:Send|Sent)\b")
"""The head of the table of PFC: where the listed priorities stand, and the column behind them."""
ROW = re.compile(r"\s*([A-Za-z]\S{2,40}) +(Auto|Disabled|Enabled|Off|On) +(\S{1,20})(.*)")
_REST = re.compile(r"(?: +[0-7](?:[,-][0-7]){0,7})?(?: +-)?(?: +[0-9]{1,20}){0,5} *")
_INTERFACE = re.compile(r"display interface(?: (?!brief\b)(?!.* brief\b).{1,60})?")
_PORT = re.compile(r"([A-Z][A-Za-z-]{2,30}\d[\d/:.]{0,12})(?: current state: ?.{1,60})?([^\w\s].{0,20})?")
_TRUST = re.compile(r"display qos trust interface(?: .{1,40})?")
_TRUSTING = re.compile(r"Interface: (\S{4,40})")
_TRUSTED = re.compile(r"Port priority trust type: ?(\S{1,20})")
_NOTHING = frozenset({"untrust", "none"})
_DOWN = re.compile(r"Current state: ?(?:DOWN|Administratively DOWN)\b.{0,60}")
_UP = re.compile(r"Current state: ?UP\b(.{0,40})")
_SHUT = re.compile(r"Current state: ?(STP DOWN|Storm-Constrain|mac-address moving down|MAD ShutDown)\b.{0,60}")
"""BPDU guard, storm control, suppression of moving addresses, a split stack: HPE FlexNetwork 5130 EI, display interface."""
_SPEED = re.compile(r"(?!Unknown)(\S{1,20})-speed mode, (\S{1,20}) mode(.{0,20})")
_RATE = re.compile(r"(\d{1,4})(G|M)bps")
_FRAME = re.compile(r"(?:The )?[Mm]aximum [Ff]rame [Ll]ength(?: is |: ?)(\S{1,20})")
_PAUSE = re.compile(r"Flow-control is (\S.{0,30})")
_STATES = {"Disabled": "off", "Enabled": "on", "Off": "off", "On": "on"}


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of what an answer tells of ports; nothing for the answers of other commands."""
    command = document.command or ""
    if _PFC.match(command):
        yield from _paused(document)
    elif _INTERFACE.fullmatch(command):
        yield from _interfaces(document)
    elif _TRUST.fullmatch(command):
        yield from _trusted(document)


def _interfaces(document: Document) -> Iterator[Shown]:
    """A port's name stands alone on its line; a port without link shows no speed."""
    for head, text, number in below(document, _PORT):
        port, odd = head[1], ODD if head[2] else ""
        shut, speed, frame, pause = (each.fullmatch(text) for each in (_SHUT, _SPEED, _FRAME, _PAUSE))
        if _DOWN.fullmatch(text) is not None:
            yield port, number, NO_LINK
        elif (up := _UP.fullmatch(text)) is not None:
            yield port, number, f"link up{up[1]}{odd}"
        elif shut is not None:
            yield port, number, f"{ERROR_DISABLED}{shut[1]}"
        elif speed is not None:
            rate = _RATE.fullmatch(speed[1])
            mbps = speed[1] if rate is None else str(int(rate[1]) * (1_000 if rate[2] == "G" else 1))
            yield port, number, f"speed {mbps}{speed[3]}{odd}"
        elif frame is not None:
            yield port, number, f"frame {frame[1]}{odd}"
        elif pause is not None:
            yield port, number, f"pause {pause[1]}{odd}"


def _trusted(document: Document) -> Iterator[Shown]:
    for head, text, number in below(document, _TRUSTING):
        said = _TRUSTED.fullmatch(text)
        if said is not None:
            yield head[1], number, f"trust {'nothing' if said[1] in _NOTHING else said[1]}"


def _paused(document: Document) -> Iterator[Shown]:
    column = end = -1
    for number, line in document.numbered():
        head = HEAD.match(line)
        if head is not None:
            column, end = head.start(1), head.start(2)
            continue
        row = ROW.match(line) if column >= 0 else None
        if row is None:
            continue
        port, switched, state, rest = row.groups()
        yield port, number, f"{SWITCHED}{_STATES.get(switched, 'auto')}"
        if state not in _STATES or _REST.fullmatch(rest) is None:
            yield port, number, f"pfc {state}"  # which nobody understands
        elif _STATES[state] == "off":
            yield port, number, "pfc off"
        else:
            yield port, number, f"pfc on {line[column:end].strip()}".rstrip()
