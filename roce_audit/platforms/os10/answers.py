"""What stands outside a port's stanza: breakouts and `show port-group` tell speeds, `show version` model and release.

Columns of `show port-group`: the group, its mode (`Eth 25g-4x`: ports of 25 Gbit/s), the numbers of its ports, and a fabric
extender, whose ports are not read.

`show interface PORT priority-flow-control details`: a port that does not run PFC says `OperStatus: Off` (or `false`); one that
does lists its priorities. `show lldp dcbx interface PORT pfc detail`: what `Local` has on is what holds after DCBX. `show interface
status`: which ports have no link. (The forms are those of the OS10 User Guide.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_switch
from roce_audit.platforms.os10.defaults import SHARED_ON_CHIP
from roce_audit.platforms.shared.cli.running import NO_LINK
from roce_audit.platforms.shared.neighbours.dell import settled
from roce_audit.platforms.shared.shown import Shown, below, rows
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cited, Place, known

_GROUP = re.compile(
    r"port-group ?(\d{1,3}/\d{1,3}/)\d{1,3} +Eth +(\d{1,4})g-\dx +((?:\d{1,3}(?::\d)? +){1,16})(.{0,20})", re.I
)
_BREAKOUT = re.compile(r"interface breakout (\d{1,3}/\d{1,3}/\d{1,3}) map (\S{1,40})[ \t]*", re.I)
_MAP = re.compile(r"(\d{1,4})g-[1-8]x", re.I)
_PFC = re.compile(r"show interface (?:\S.{0,80} )?priority-flow-control details?\Z")
_PORT = re.compile(r"[A-Za-z]{5,24} ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?)[ \t]*")
_LISTED = re.compile(r"PFC Priorities ?: ?([0-7](?:[ ,-]{1,2}[0-7]){0,7})?")
_DCBX = re.compile(r"show lldp dcbx interface \S.{0,40} pfc details?\Z")
_DCBX_PORT = re.compile(r"Interface (?:ethernet)?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?)")
_STATUS = re.compile(r"show interface status(?: \S.{0,40})?\Z")
_DOWN = re.compile(r"Eth ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d)?) .{0,60}\bdown +.{0,80}")
_RUNS = re.compile(r"Oper ?Status ?: *(on|off|true|false|up|down)", re.I)
_NOT = frozenset({"off", "false", "down"})
_NO_EXTENDER = ("", "-")
_LANES = ("", *(f":{number}" for number in range(1, 9)))
_SYSTEM = re.compile(r"^System Type: +(\S{1,60})[ \t]*$", re.M)
_RELEASE = re.compile(r"^(?:! Version|OS Version:) +(10\.\S{1,40})[ \t]*$", re.M)
_DEEP_BUFFERS = ("S42",)
"""S4200 series: packets wait at the ingress, in memory beside the chip."""
_HEAD = 4000


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of each port of a breakout or of an answer; nothing for other commands."""
    if _PFC.match(document.command or ""):
        yield from _pfc(document)
        return
    if _DCBX.match(document.command or ""):
        yield from ((f"ethernet{port[1]}", number, word) for port, number, word in settled(document, _DCBX_PORT))
        return
    if _STATUS.match(document.command or ""):
        for down, place, odd in rows(document, _DOWN):
            if not odd:
                yield f"ethernet{down[1]}", place, NO_LINK
        return
    if document.command != "show port-group":
        yield from _breakouts(document)
        return
    for number, line in enumerate(document.text.split("\n"), document.first_line):
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
        if state is not None:
            runs_below = None if state[1].lower() in _NOT else port
            if runs_below is None:
                yield f"ethernet{port[1]}", number, "pfc inactive"
        elif listed is not None and listed[1] and runs_below is port:
            yield f"ethernet{port[1]}", number, f"pfc active {listed[1].replace(' ', '')}"


def _breakouts(document: Document) -> Iterator[Shown]:
    for number, line in enumerate(document.text.split("\n"), document.first_line):
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
        release = _RELEASE.search(document.text[:_HEAD])
        if release is not None:
            values["os_version"] = known(release.group(1), _place(document, release))
        model = _SYSTEM.search(document.text[:_HEAD]) if document.command == "show version" else None
        if model is not None:
            values["model_name"] = known(model.group(1), _place(document, model))
            if not model.group(1).startswith(_DEEP_BUFFERS):
                values["buffer_architecture"] = known("shared_on_chip", Cited(SHARED_ON_CHIP))
    return Device(**values)


def _place(document: Document, found: re.Match[str]) -> Place:
    return Place(document.path, document.line_at(found.start()))
