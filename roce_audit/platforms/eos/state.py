"""What show commands tell of ports, as a table or as JSON (`| json`).

`show priority-flow-control`: on which priorities PFC is active; columns port, enabled, priorities, active, note. Releases with a
watchdog have one column of letters in place of two, `E A W` for enabled, active, watched (democratic-csi issue 241).
`show interfaces status`: the speed of ports that are connected; columns port, name, status, VLAN, duplex, speed, type. With `errdisabled`
behind it, and `causes` as JSON: why the switch has shut a port (ANTA, VerifyInterfaceErrDisabled). `show interfaces`: which ports have
no link, the speed and the IP MTU that run. `show qos interfaces`: what is trusted, and queues whose ECN is off, or that
drop early; with `trust` behind it, a table of what is trusted. `show interfaces flow-control`: link pause, of the columns `oper`.
`show interfaces phy detail`: the code that runs. (EOS manual, Quality of Service; Data Transfer.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.channels import is_about_channels, unused_members
from roce_audit.platforms.shared.cli.gathering import SWITCHED
from roce_audit.platforms.shared.cli.running import without_link
from roce_audit.platforms.shared.shown import below, doubt, rows
from roce_audit.text.document import Document
from roce_audit.text.structured import jsontext

_FLOW_CONTROL = lazy(r"show priority-flow-control(?: interfaces? [^|]*| status)? ?(?:\| json)?\Z")
_STATUS = lazy(r"show interfaces?(?: [^|]*)? status(?P<shut> errdisabled)? ?(?:\| json)?\Z")
_INTERFACES = lazy(r"show interfaces?(?: [A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40})?\Z")
_INTERFACES_JSON = lazy(r"show interfaces?(?: [A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40})? ?\| json\Z")
_PORT = r"((?:Ethernet|Et|Port-Channel|Po)\d\S{0,12})"
_ROW = lazy(rf"{_PORT}\s+(Yes|No)\s+(\S.{{0,120}})")
_LETTERS = lazy(
    rf"{_PORT}\s+([ED])((?:\s{{1,4}}[AW-](?=\s)){{0,2}})(?:\s+(-|[0-7](?:[ ,]{{1,2}}[0-7]){{0,7}}|(?=drop\b|notify\b)))?"
    r"(?=\s|\Z|drop|notify)"
)
"""Where no priority is no-drop, the column is empty, and what the watchdog does follows."""
_ACTION_COLUMN, _ACTIONS = "Priorities Action", ("drop", "notify")
_ACTIVE = lazy(r"(?:([0-7](?:[ ,]{1,2}[0-7]){0,7})\s+)?(Yes|No)(?:\s|\Z)")
_STATUS_ROW = lazy(
    rf"{_PORT}\s(?:.{{0,200}}\s)?(connected|notconnect|disabled|errdisabled|inactive|notpresent|monitoring)\s(.{{1,120}})"
)
"""The last word that is a status: a name in the column before may hold one as well."""
_SPEED = lazy(r"\s*\S+\s+(?:a-)?(?:full|half)\s+(?:a-)?(\d{1,4})(G|M)(?:-\d)?(?:\s[\w.()/\s-]*)?\Z")
_NO_LINK = ("notconnect", "disabled", "errdisabled", "notpresent")
_HEAD = lazy(rf"{_PORT} is \S.{{0,30}}, line protocol is \S{{1,20}} \((notconnect|disabled|errdisabled|notpresent)\)")
_MTU = lazy(r"IP MTU (\d{2,5}) bytes(?: \(default\))? ?, BW .{0,40}")
_RUNS = lazy(r"(?:Full|Half)-duplex, ([0-9]{1,4})([GM])b/s,.{0,80}")
_IS_UP = lazy(rf"{_PORT} is up, line protocol is up \(connected\)")
_QOS = lazy(r"show qos interfaces?(?: [A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40})?\Z")
_OF_PORT = lazy(rf"{_PORT}:")
_TRUST = lazy(r"Trust Mode: (COS|DSCP|UNTRUSTED)", 2)
_MARKING = lazy(r"(?:UC ?)?([0-7]) .{20,100} ([DW])")
_INSTEAD = {"D": "unmarked", "W": "drops early"}
"""What the letter in the column of ECN says of a queue: nothing is on, or WRED alone."""
_LEGEND = "ECN/WRED: L -> "
_TRUSTS = lazy(r"show qos interfaces?(?: [A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40})? trust\Z")
_TRUST_ROW = lazy(rf"{_PORT} +(COS|DSCP|UNTRUSTED) +(?:COS|DSCP|UNTRUSTED|DEFAULT)", 2)
"""What is in force, and what is configured."""
_LINK_PAUSE = lazy(r"show (?:interfaces? )?(?:[A-Za-z][A-Za-z-]{1,14} ?\d[\d/,-]{0,40} )?flow-?control\Z")
_PAUSE_ROW = lazy(
    rf"{_PORT}(?: +(?:on|off|desired|unsupp\S{{0,8}}) +(on|off))(?: +(?:on|off|desired|unsupp\S{{0,8}}) +(on|off))(?: +\d{{1,20}}){{2}}"
)
"""Sending and receiving, as configured and as in force."""
_PHY = lazy(r"show interfaces?(?: \S{1,30}){0,2} phy detail\Z")
_HEAD_OF_PHY = lazy(r"(Ethernet\d{1,3}(?:/\d{1,3}){0,3})")
_CODE = lazy(r"Forward Error Correction +(Reed-Solomon|Fire-code|Disabled)")
_LINK_UP = lazy(r"PHY state +linkUp .{0,60}")
_ALL_OFF = lazy(r"Global PFC ?: Disabled\s{0,8}")
_ON = {"Yes": "on", "E": "on", "No": "off", "D": "off"}
_MEGABITS = {"G": 1_000, "M": 1}

Answer = tuple[str, int, str]
"""Port as written, line, statement of mode "state"."""


def answers(document: Document) -> Iterator[Answer]:
    """(port as written, line, statement) of all that an answer tells of ports; nothing for the answers of other commands."""
    command = document.command or ""
    if _INTERFACES.match(command):
        for head, number, odd in rows(document, _HEAD):
            if not odd:
                yield head[1], number, without_link(head[2])
        yield from _mtu(document)
    elif is_about_channels(command):
        yield from unused_members(document)
    elif _QOS.match(command):
        yield from _qos(document)
    elif _TRUSTS.match(command):
        for row, number, odd in rows(document, _TRUST_ROW):
            yield row[1], number, f"trusts {row[2].lower()}{odd}"
    elif _LINK_PAUSE.match(command):
        for row, number, odd in rows(document, _PAUSE_ROW):
            yield row[1], number, f"flowcontrol send {row[2]}{odd}"
            yield row[1], number, f"flowcontrol receive {row[3]}{odd}"
    elif _PHY.match(command):
        yield from _phy(document)
    pfc, status = _FLOW_CONTROL.match(command), _STATUS.match(command)
    if pfc is None and status is None and not _INTERFACES_JSON.match(command):
        return
    if document.text.lstrip()[:1] == "{":
        yield from _entries(document, of_pfc=pfc is not None)
    elif pfc is not None:
        yield from _flow_control(document)
    else:
        yield from _status(document, tells_reason=status is not None and bool(status["shut"]))


def _flow_control(document: Document) -> Iterator[Answer]:
    """The tables of PFC, of older releases (`Yes`) and of newer ones (letters)."""
    everywhere: int | None = None
    """The line by which PFC is off for the whole switch."""
    for number, line in document.numbered():
        if _ALL_OFF.fullmatch(line):
            everywhere = number
        letters, row = _LETTERS.match(line), _ROW.match(line)
        if letters is not None:
            yield from _by_letters(document, letters, number, everywhere)
        elif row is not None:
            yield row.group(1), number, f"{SWITCHED}{_ON[row.group(2)]}"
            shown = _ACTIVE.match(row.group(3)) if row.group(2) == "Yes" else None
            if shown is not None:
                yield row.group(1), number, f"{SWITCHED}priorities {_numbers(shown.group(1))}"
            yield row.group(1), number, f"pfc {_pfc(row.group(3))}"
            if row.group(2) == "No":
                yield row.group(1), number, "pfc shown off"


def _by_letters(document: Document, letters: re.Match[str], number: int, everywhere: int | None) -> Iterator[Answer]:
    """One row of letters; `everywhere` is the line by which PFC is off for the whole switch."""
    port, enabled, active, priorities = letters.groups()
    line = letters.string
    is_cut = _ACTION_COLUMN in document.text and not line[letters.end() :].lstrip().startswith(_ACTIONS)
    if enabled == "E" and priorities is None and is_cut:
        yield port, number, f"pfc {' '.join(line.split()[1:])}"
        return
    yield port, number, f"{SWITCHED}{_ON[enabled]}"
    if enabled == "E" and priorities is not None:
        yield port, number, f"{SWITCHED}priorities {_numbers(priorities)}"
    runs = "A" in active and priorities not in (None, "", "-") and everywhere is None
    yield port, everywhere or number, f"pfc {_listed(priorities)}" if runs else "pfc inactive"
    if enabled == "D" or everywhere is not None:
        yield port, everywhere or number, "pfc shown off"
    if runs and "W" not in active and "W: PFC Watchdog" in document.text:
        yield port, number, "watchdog inactive"


def _status(document: Document, *, tells_reason: bool) -> Iterator[Answer]:
    """The table of links; `tells_reason` says that it names why a port is down."""
    for number, line in document.numbered():
        row = _STATUS_ROW.match(line)
        if row is not None and row.group(2) == "connected":
            yield row.group(1), number, f"connected {_speed(row.group(3))}"
        elif row is not None and row.group(2) in _NO_LINK:
            reason = row.group(3).strip() if tells_reason else ""
            yield row.group(1), number, without_link(f"{row.group(2)} {reason}")


def _mtu(document: Document) -> Iterator[Answer]:
    """The speed of ports that are up, and the IP MTU of routed ones; what a switched port shows is the switch's own."""
    for port, line, number in below(document, _IS_UP):
        mtu, runs = _MTU.fullmatch(line), _RUNS.fullmatch(line)
        if mtu is not None:
            yield port[1], number, f"mtu {mtu[1]}{doubt(line)}"
        elif runs is not None:
            yield port[1], number, f"connected {int(runs[1]) * _MEGABITS[runs[2]]}{doubt(line)}"


def _qos(document: Document) -> Iterator[Answer]:
    has_legend = _LEGEND in document.text
    for port, line, number in below(document, _OF_PORT):
        trust, queue = _TRUST.fullmatch(line), _MARKING.fullmatch(line) if has_legend else None
        if trust is not None:
            yield port[1], number, f"trusts {trust[1].lower()}{doubt(line)}"
        elif queue is not None:
            yield port[1], number, f"queue {queue[1]} {_INSTEAD[queue[2]]}{doubt(line)}"


def _phy(document: Document) -> Iterator[Answer]:
    up = ""
    for port, line, number in below(document, _HEAD_OF_PHY):
        code = _CODE.fullmatch(line)
        if _LINK_UP.fullmatch(line):
            up = port[1]
        elif code is not None and up == port[1]:
            yield port[1], number, f"fec {code[1].lower()}{doubt(line)}"


def _pfc(rest: str) -> str:
    """What stands behind the second column; text of another form is handed on, for the grammar to refuse."""
    found = _ACTIVE.match(rest)
    if found is None:
        return " ".join(rest.split())
    return _listed(found.group(1) or "") if found.group(2) == "Yes" else "inactive"


def _listed(priorities: str) -> str:
    return f"active {_numbers(priorities)}"


def _numbers(priorities: str | None) -> str:
    """The priorities that are no-drop, whether or not PFC is active."""
    return " ".join((priorities or "").replace(",", " ").replace("-", " ").split()) or "none"


def _speed(rest: str) -> str:
    """What stands behind the status: Mbit/s; text of another form is handed on, for the grammar to refuse."""
    found = _SPEED.match(rest)
    return " ".join(rest.split()) if found is None else str(int(found.group(1)) * _MEGABITS[found.group(2)])


def _entries(document: Document, *, of_pfc: bool) -> Iterator[Answer]:
    try:
        parsed = jsontext.parse(document.text, first_line=document.first_line)
    except jsontext.JsonError:
        return
    for table, ports in parsed.value.items():
        for port, entry in ports.items() if isinstance(ports, dict) else ():
            if not isinstance(entry, dict):
                continue
            path = (table, port)
            if of_pfc:  # no source shows the keys of this answer: handed on, for the grammar to refuse
                yield port, parsed.line_of(path), f"pfc {json.dumps(entry)}"
                continue
            state = _state(entry)
            if state == "connected" and entry.get("bandwidth") != 0:  # virtual switches count none
                line = parsed.line_of((*path, "bandwidth")) if "bandwidth" in entry else parsed.line_of(path)
                yield port, line, f"connected {_megabits(entry.get('bandwidth'))}"
            elif state in _NO_LINK:
                yield port, parsed.line_of(path), without_link(_why(entry))
            if entry.get("forwardingModel") == "routed" and "mtu" in entry:
                yield port, parsed.line_of((*path, "mtu")), f"mtu {entry['mtu']}"


def _state(entry: dict[str, object]) -> object:
    """The state of a port, by the name that one of these answers has for it."""
    return next((entry[name] for name in ("linkStatus", "status", "interfaceStatus") if name in entry), None)


def _why(entry: dict[str, object]) -> str:
    """The state of a port, and what made the switch shut it."""
    causes = entry.get("causes")
    words = [cause for cause in causes if isinstance(cause, str)] if isinstance(causes, list) else []
    return " ".join([str(_state(entry)), *words[:4]])


def _megabits(bps: object) -> object:
    """Mbit/s of a whole number of bits a second; anything else is handed on, for the grammar to refuse."""
    return bps // 1_000_000 if isinstance(bps, int) and bps % 1_000_000 == 0 else bps
