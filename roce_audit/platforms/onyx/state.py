"""What show commands tell of ports, as JSON (`| json-print`) or as a table.

`show dcb priority-flow-control`: whether PFC runs on each port, and (in the table) for which priorities it is on.
`show interfaces ... congestion-control` and `show dcb ets`: the effective curve and scheduling of each traffic class.
`show interfaces ethernet`: the MTU of each port, the speed of those that are up, and which have no link.
`show interfaces ethernet status`: the speed of ports that are up; columns port, operational state, speed, negotiation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from roce_audit.platforms.shared.cli.running import NO_LINK, without_link
from roce_audit.platforms.shared.shown import rows
from roce_audit.text.block import CONTEXT
from roce_audit.text.document import Document
from roce_audit.text.structured import jsontext
from roce_audit.text.structured.positions import Path

_COMMAND = re.compile(r"show (dcb (priority-flow-control|ets)|interfaces? .*congestion-control)\b")
_STATUS = re.compile(r"show interfaces? ethernet (?:\S{1,20} )?status\Z")
_ETHERNET = re.compile(r"show interfaces? ethernet(?: \d{1,3}(?:/\d{1,3}){1,3})?\Z")
_TITLE = re.compile(r"(Eth\d\S{0,10}):[ \t]*\Z")
_STATE = re.compile(r"[ \t]+Operational state[ \t]*: (\S.{0,60}?)[ \t]*\Z")
_ACTUAL = re.compile(r"[ \t]+Actual speed[ \t]*: (\d{1,4}) ?G(?:bps)?[ \t]*\Z")
_MTU = re.compile(r"[ \t]+MTU[ \t]*: (\d{1,5}) bytes\b")
_UP = re.compile(r"((?:Eth|Po|Mpo)\d\S{0,10})\s+Up\s+(\S{1,20})(?: Gbps)?(?:\s.{0,60})?")
_DOWN = re.compile(r"((?:Eth|Po|Mpo)\d\S{0,10})\s+(?:Down|Disabled)(?:\s.{0,80})?")
_SPEED = re.compile(r"(\d{1,4})G?")
_PORT = re.compile(r"(?:Eth|Po|Mpo)\d{1,4}(?:/\d{1,3}){0,2}\Z")
_LIST = re.compile(r"\s*Priority Enabled List\s*:((?:\s+\d){0,8})\s*\Z")
_ROW = re.compile(r"\s*((?:Eth|Po|Mpo)\d\S{0,10})\s+(?:on|off|auto)\s+(\S.{0,60})\Z", re.I)
_THRESHOLD = re.compile(r"(\d{1,9}) ?(KB|%)\Z")
_CLASS = re.compile(r"TC-([0-7])\Z")
_CURVES_OF = re.compile(r"Interface ethernet ?:? +(\d\S{0,10})")
_CURVE_OF = re.compile(r"TC-([0-7]) ?:?")
_CURVE_FIELD = re.compile(r"(Mode|M(?:in|ax)imum threshold) ?: +(\S.{0,30})")
_MODES = {"ECN": "ecn", "RED": "red", "both": "both"}

Answer = tuple[str, int, str]
"""Port as written, line, statement of mode "state"."""


def answers(document: Document) -> Iterator[Answer]:
    """(port as written, line, statement) of all that an answer tells of ports; nothing for other texts."""
    if document.command is not None and _STATUS.match(document.command):
        yield from _speeds(document)
        yield from _without_link(document)
        return
    if document.command is not None and _ETHERNET.match(document.command):
        yield from _details(document)
        return
    if document.command is not None and not _COMMAND.match(document.command):
        return
    text = document.text
    if text.lstrip()[:1] not in ("{", "["):
        if document.command is not None:
            yield from _table(text, document.first_line)
            yield from _curves_of_text(document)
        return
    try:
        parsed = jsontext.parse(text, first_line=document.first_line)
    except jsontext.JsonError:
        return
    yield from _congestion(parsed)
    for path, port, entries in _ports(parsed.value):
        yield from _flow_control(parsed, path, port, entries)
        yield from _scheduling(parsed, path, port, entries)


def _speeds(document: Document) -> Iterator[Answer]:
    for row, number, odd in rows(document, _UP):
        speed = _SPEED.fullmatch(row[2])
        yield row[1], number, f"connected {row[2] if speed is None else int(speed[1]) * 1_000}{odd}"


def _details(document: Document) -> Iterator[Answer]:
    """A port that is down shows the speed that it would have."""
    port, is_up = "", False
    for number, line in document.numbered():
        title, state, mtu, actual = (pattern.match(line) for pattern in (_TITLE, _STATE, _MTU, _ACTUAL))
        if title is not None:
            port, is_up = title[1], False
        elif not port:
            continue
        elif state is not None:
            is_up = state[1] == "Up"
            if state[1].startswith("Down"):
                yield port, number, without_link(state[1])
        elif mtu is not None:
            yield port, number, f"mtu {mtu[1]}"
        elif actual is not None and is_up:
            yield port, number, f"connected {int(actual[1]) * 1_000}"


def _without_link(document: Document) -> Iterator[Answer]:
    for row, number, odd in rows(document, _DOWN):
        if not odd:
            yield row[1], number, NO_LINK


def _table(text: str, first_line: int) -> Iterator[Answer]:
    priorities = ""
    for number, line in enumerate(text.split("\n"), first_line):
        listed = _LIST.match(line)
        if listed is not None:
            priorities = " ".join(listed.group(1).split())
        row = _ROW.match(line)
        if row is not None:
            yield row.group(1), number, _said("pfc", row.group(2).lower(), priorities)


def _ports(value: Any) -> Iterator[tuple[Path, str, list[Any]]]:
    """The lists that stand under the name of a port, in an object or in a list of objects."""
    for at, found in enumerate(value) if isinstance(value, list) else (("", value),):
        if not isinstance(found, dict):
            continue
        before: Path = (at,) if isinstance(at, int) else ()
        for name, entries in found.items():
            if _PORT.match(name) and isinstance(entries, list):
                yield (*before, name), name, entries


def _flow_control(parsed: jsontext.JsonText, path: Path, port: str, entries: list[Any]) -> Iterator[Answer]:
    for index, entry in enumerate(entries):
        state = entry.get("PFC oper") if isinstance(entry, dict) else None
        if isinstance(state, str):
            yield port, parsed.line_of((*path, index, "PFC oper")), _said("pfc", state.lower())


def _scheduling(parsed: jsontext.JsonText, path: Path, port: str, entries: list[Any]) -> Iterator[Answer]:
    for index, entry in enumerate(entries):
        tables = entry.get("ETS per TC") if isinstance(entry, dict) else None
        for row, table in enumerate(tables if isinstance(tables, list) else ()):
            for number, cells in table.items() if isinstance(table, dict) else ():
                cell = cells[0] if isinstance(cells, list) and cells else None
                if isinstance(cell, dict) and isinstance(cell.get("S.Mode"), str):
                    line = parsed.line_of((*path, index, "ETS per TC", row, number, 0, "S.Mode"))
                    yield port, line, _said("traffic-class", f"{number}{CONTEXT}dcb ets", *_scheduled(cell))


def _scheduled(cell: dict[str, Any]) -> tuple[str, ...]:
    mode = str(cell["S.Mode"]).lower()
    return (mode,) if mode == "strict" else (mode, str(cell.get("W")))


def _congestion(parsed: jsontext.JsonText) -> Iterator[Answer]:
    if not isinstance(parsed.value, list):
        return
    port = ""
    for index, entry in enumerate(parsed.value):
        if not isinstance(entry, dict):
            continue
        name, header = entry.get("Interface ethernet"), entry.get("header")
        if isinstance(name, str):
            port = f"Eth{name}"
        found = _CLASS.match(header) if isinstance(header, str) else None
        if port and found is not None and isinstance(entry.get("Mode"), str):
            line = parsed.line_of((index, "Mode"))
            yield port, line, _said("traffic-class", f"{found.group(1)}{CONTEXT}{_curve(entry)}")


def _curves_of_text(document: Document) -> Iterator[Answer]:
    """The same as text: the fields of a traffic class stand below it."""
    port, number, at = "", "", 0
    entry: dict[str, Any] = {}
    for line, text in enumerate([*document.text.split("\n"), "TC-0"], document.first_line):
        words = text.strip()[:200]
        of_port, of_class, given = (one.fullmatch(words) for one in (_CURVES_OF, _CURVE_OF, _CURVE_FIELD))
        if given is not None:
            entry[given[1]] = given[2]
            at = line if given[1] == "Mode" else at
            continue
        if of_port is None and of_class is None:
            continue
        if port and number and "Mode" in entry:
            yield port, at, _said("traffic-class", f"{number}{CONTEXT}{_curve(entry)}")
        entry = {}
        port, number = (f"Eth{of_port[1]}", "") if of_port is not None else (port, of_class[1] if of_class else "")


def _curve(entry: dict[str, Any]) -> str:
    """The curve as a statement; what is no curve is handed on as it is, for the grammar to refuse."""
    mode = str(entry["Mode"])
    if mode == "none":
        return "no congestion-control"
    low, high = str(entry.get("Minimum threshold")), str(entry.get("Maximum threshold"))
    ends = _THRESHOLD.match(low), _THRESHOLD.match(high)
    if mode not in _MODES or ends[0] is None or ends[1] is None or ends[0].group(2) != ends[1].group(2):
        return f"congestion-control {mode} {low} {high}"
    basis = "absolute" if ends[0].group(2) == "KB" else "relative"
    return f"congestion-control {_MODES[mode]} minimum-{basis} {ends[0].group(1)} maximum-{basis} {ends[1].group(1)}"


def _said(*words: str) -> str:
    """A statement of these words, of bounded length and without doubled blanks."""
    return re.sub(r"\s*[ \n\t]\s*", " ", " ".join(words)[:200]).strip()
