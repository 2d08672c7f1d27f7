"""What stands outside a port's stanza: breakouts and `show port-group` tell speeds, `show version` model and release.

Columns of `show port-group`: the group, its mode (`Eth 25g-4x`: ports of 25 Gbit/s), the numbers of its ports, and a fabric
extender, whose ports are not read.

`show interface PORT priority-flow-control details`: a port that does not run PFC says `OperStatus: Off` (or `false`); one that
does lists its priorities. `show lldp dcbx interface PORT pfc detail`: what `Local` has on is what holds after DCBX. `show interface
status`: which ports have no link, and the speed of those that have one. `show interface`: the same, what MTU, FEC and link pause run,
and which ports the switch has shut. `show qos interface`: link pause that is on, and no more. `show port-channel summary`: members that
their channel does not use. (The forms are those of the OS10 User Guide.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_switch
from roce_audit.platforms.os10.defaults import SHARED_ON_CHIP
from roce_audit.platforms.shared.cli.channels import is_about_channels, unused_members
from roce_audit.platforms.shared.cli.running import without_link
from roce_audit.platforms.shared.neighbours.dell import settled
from roce_audit.platforms.shared.shown import Shown, below, doubt, rows
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cited, Place, known

_GROUP = re.compile(
    r"port-group ?(\d{1,3}/\d{1,3}/)\d{1,3} +Eth +(\d{1,4})g-\dx +((?:\d{1,3}(?::\d)? +){1,16})(.{0,20})", re.I
)
_BREAKOUT = re.compile(r"interface breakout (\d{1,3}/\d{1,3}/\d{1,3}) map (\S{1,40})[ \t]*", re.I)
_MAP = re.compile(r"(\d{1,4})g-[1-8]x", re.I)
_PFC = re.compile(r"show interface (?:\S.{0,80} )?priority-flow-control details?\Z")
_PORT = re.compile(r"[A-Za-z]{5,24} ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?)[ \t]*")
_LISTED = re.compile(r"PFC Priorities *: ?(?:([0-7](?:[ ,-]{1,2}[0-7]){0,7})|none|-)?", re.I)
_DCBX = re.compile(r"show lldp dcbx interface \S.{0,40} pfc details?\Z")
_DCBX_PORT = re.compile(r"Interface (?:ethernet)?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?)")
_STATUS = re.compile(r"show interface status(?: \S.{0,40})?\Z")
_DOWN = re.compile(r"Eth ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?) .{0,60}\b(down|err\S{4,14}) +.{0,80}")
_UP = re.compile(r"Eth ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?) .{0,60}\bup +([0-9]{1,4})G +full\b.{0,80}")
_WHOLE = re.compile(r"show interface(?: ethernet ?\S{1,20})?(?: ?\| ?no-more)?\Z")
_HEAD = re.compile(r"Ethernet (\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?) is (up|down), line protocol is (up|down)(.{0,60})")
_MTU = re.compile(r"MTU ([0-9]{1,6}) bytes, IP MTU [0-9]{1,6} bytes")
_LINE_SPEED = re.compile(r"LineSpeed ([0-9]{1,4})G(?:, .{1,60})?")
_FEC = re.compile(r"Configured FEC is \S{1,20}, Negotiated FEC is (\S{1,20})")
_PAUSED = re.compile(r"Flowcontrol rx (on|off) tx (on|off)")
_QOS = re.compile(r"show qos interface ethernet ?\S{1,20}\Z")
_QOS_PORT = re.compile(r"(?:Interface )?Ethernet ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?)", re.I)
_LINK_PAUSE = re.compile(r"flow-?control-(rx|tx) *: *Enabled?", re.I)
_WAYS = {"rx": "receive", "tx": "transmit"}
_RUNS = re.compile(r"Oper ?Status *: *(on|off|true|false|up|down)", re.I)
_ADMIN = re.compile(r"Admin Mode *: *(off|false)", re.I)
_NOT = frozenset({"off", "false", "down"})
_NO_EXTENDER = ("", "-")
_LANES = ("", *(f":{number}" for number in range(1, 9)))
_SYSTEM = re.compile(r"^System Type: +(\S{1,60})[ \t]*$", re.M)
_RELEASE = re.compile(r"^(?:! Version|OS Version:) +(10\.\S{1,40})[ \t]*$", re.M)
_DEEP_BUFFERS = ("S42",)
"""S4200 series: packets wait at the ingress, in memory beside the chip."""
_TOP = 4000
_MEGABITS = 1_000


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of each port of a breakout or of an answer; nothing for other commands."""
    if _PFC.match(document.command or ""):
        yield from _pfc(document)
        return
    if _DCBX.match(document.command or ""):
        yield from ((f"ethernet{port[1]}", number, word) for port, number, word in settled(document, _DCBX_PORT))
        return
    if _STATUS.match(document.command or ""):
        for up, place, odd in rows(document, _UP):
            yield f"ethernet{up[1]}", place, f"connected {int(up[2]) * _MEGABITS}{odd}"
        for down, place, odd in rows(document, _DOWN):
            if not odd:
                yield f"ethernet{down[1]}", place, without_link(down[2])
        return
    if _WHOLE.match(document.command or ""):
        yield from _interfaces(document)
        return
    if _QOS.match(document.command or ""):
        for head, line, place in below(document, _QOS_PORT):
            way = _LINK_PAUSE.fullmatch(line)
            if way is not None:
                yield f"ethernet{head[1]}", place, f"flowcontrol {_WAYS[way[1]]} on{doubt(line)}"
        return
    if is_about_channels(document.command):
        yield from unused_members(document, "ethernet")
        return
    if document.command != "show port-group":
        yield from _breakouts(document)
        return
    for number, line in document.numbered():
        row = _GROUP.fullmatch(f"{line} ")
        if row is not None:
            unit, speed, ports, extender = row.groups()
            behind = extender.strip()
            statement = f"port-group {speed}" if behind in _NO_EXTENDER else f"port-group {speed} behind {behind}"
            for port in ports.split():
                for lane in _LANES:  # a port of four lanes that runs one of them is written 1/1/17:1
                    yield f"ethernet{unit}{port}{lane}", number, statement


def _pfc(document: Document) -> Iterator[Shown]:
    runs_below = None
    for port, text, number in below(document, _PORT):
        state, listed = _RUNS.fullmatch(text), _LISTED.fullmatch(text)
        if _ADMIN.fullmatch(text) is not None:
            yield f"ethernet{port[1]}", number, "pfc shown off"
        elif state is not None:
            runs_below = None if state[1].lower() in _NOT else port
            if runs_below is None:
                yield f"ethernet{port[1]}", number, "pfc inactive"
        elif listed is not None and runs_below is port:
            runs = f"active {listed[1].replace(' ', '')}" if listed[1] else "inactive"
            yield f"ethernet{port[1]}", number, f"pfc {runs}"
            if not listed[1]:  # it is on, so the link is up
                yield f"ethernet{port[1]}", number, "pfc shown off"
        elif text.startswith("PFC Priorities") and runs_below is port:
            yield f"ethernet{port[1]}", number, f"pfc active {text.partition(':')[2]}"


def _interfaces(document: Document) -> Iterator[Shown]:
    """What runs on a port that is up; of one that is not, that it is not."""
    port = ""
    for number, raw in document.numbered():
        line = raw.strip()
        head = _HEAD.fullmatch(line)
        if head is not None:
            is_up = head[2] == head[3] == "up"
            port = f"ethernet{head[1]}" if is_up else ""
            if not is_up and not doubt(line):
                yield f"ethernet{head[1]}", number, without_link(head[4].strip(" ,()"))
        elif port:
            yield from ((port, number, f"{statement}{doubt(line)}") for statement in _running(line))


def _running(line: str) -> Iterator[str]:
    mtu, speed, fec, paused = (pattern.fullmatch(line) for pattern in (_MTU, _LINE_SPEED, _FEC, _PAUSED))
    if mtu is not None:
        yield f"mtu {mtu[1]}"
    elif speed is not None:
        yield f"connected {int(speed[1]) * _MEGABITS}"
    elif fec is not None:
        yield f"fec {fec[1].lower()}"
    elif paused is not None:
        ways = zip(("receive", "transmit"), paused.groups(), strict=True)
        yield from (f"flowcontrol {way} on" for way, state in ways if state == "on")


def _breakouts(document: Document) -> Iterator[Shown]:
    for number, line in document.numbered():
        found = _BREAKOUT.fullmatch(line)
        if found is not None:
            speed = _MAP.fullmatch(found.group(2))
            for lane in _LANES:
                statement = f"port-group {found.group(2) if speed is None else speed.group(1)}"
                yield f"ethernet{found.group(1)}{lane}", number, statement


def device_facts(device: DeviceInput) -> Device:
    """Release and model; the running-configuration alone names no model."""
    values = unseen_switch()
    values["pfc_disabled_globally"] = known(False, Cited("OS10 has no statement that turns PFC off on all ports"))
    for document in device.documents:
        release = _RELEASE.search(document.text[:_TOP])
        if release is not None:
            values["os_version"] = known(release.group(1), _place(document, release))
        model = _SYSTEM.search(document.text[:_TOP]) if document.command == "show version" else None
        if model is not None:
            values["model_name"] = known(model.group(1), _place(document, model))
            if not model.group(1).startswith(_DEEP_BUFFERS):
                values["buffer_architecture"] = known("shared_on_chip", Cited(SHARED_ON_CHIP))
    return Device(**values)


def _place(document: Document, found: re.Match[str]) -> Place:
    return Place(document.path, document.line_at(found.start()))
