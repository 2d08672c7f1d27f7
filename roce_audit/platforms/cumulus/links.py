"""Answers of `nv show interface`, of one port or of all: which have no link or are held down (protodown), and what runs.

NVIDIA Cumulus Linux User Guide, Switch Port Attributes and NVUE CLI: of a port, names stand beside the columns `operational` and
`applied`, those of its link with or without `link` above them; with `-o json` they are the keys of an object. Of all ports there is a
table with a row each, whose columns went by other names before 5.7.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.model.counts import Count
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import number
from roce_audit.platforms.cumulus.values import speed
from roce_audit.platforms.shared.linkstate import LinkState, Runs
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.structured.jsontext import JsonError
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.values import Place

_ASKED = lazy(
    r"nv show interface(?: (?P<port>swp\S{1,12})(?: link(?: state| status)?)?| --view[ =]?\S{1,20})?"
    r"(?: (?:--output|-o)[ =](?:json|auto))?"
)
_LISTED = lazy(r"ip(?: -(?:j|d|s|json|details|statistics)){1,4} (?:link|addr)(?: show)?")
_ROW = lazy(r" *(\[?[a-z][a-z-]{1,30}\]?) {2,}(\S.{0,60}?)(?: {2,}\S.{0,60})?")
_DASHES = lazy(r"-{2,}(?: +-{2,})+ *")
_COLUMN = lazy(r"-+")
_FEC = {"rs": "rs", "baser": "fc", "off": "none", "none": "none", "llrs": "rs"}
_HELD = "protodown"
_WHY = "protodown-reason"
_HEADINGS = {
    "Admin Status": "admin-status",
    "Oper Status": "oper-status",
    "State": "oper-status",
    "Speed": "speed",
    "MTU": "mtu",
}
_NAMES = ("admin-status", "oper-status", _HELD, _WHY, "speed", "fec", "mtu")
_SOURCE = "nv show interface"
_COUNTED = ("in-errors", "carrier-transitions")
_ON = frozenset({"enabled", "on", "true", "yes"})

_Said = dict[str, tuple[str, int]]
"""What an answer says of one port: name -> (word, line)."""


def links_of(device: DeviceInput) -> LinkState:
    """What the answers of a switch say of its links."""
    links = LinkState()
    for document, port, said in _answers(device):
        _take(links, document.path, port, said)
    return links


def counted(device: DeviceInput) -> Iterator[Count]:
    """How often links went down, and frames that came in wrong. Ups and downs take turns; the last of them led to what is shown."""
    for document, port, said in _answers(device):
        wrong, changes = said.get("in-errors"), said.get("carrier-transitions")
        if wrong is not None:
            yield Count(port, "receive_errors", number(wrong[0]), Place(document.path, wrong[1]), _SOURCE)
        if changes is not None and "oper-status" in said:
            all_of_them = number(changes[0])
            is_up = said["oper-status"][0] == "up"
            downs = None if all_of_them is None else (all_of_them + (0 if is_up else 1)) // 2
            yield Count(port, "link_downs", downs, Place(document.path, changes[1]), _SOURCE)


def _answers(device: DeviceInput) -> Iterator[tuple[Document, str, _Said]]:
    for document in device.documents:
        if _LISTED.fullmatch(document.command or ""):
            yield from ((document, port, said) for port, said in _of_kernel(document))
        asked = _ASKED.fullmatch(document.command or "")
        if asked is None:
            continue
        of_port = asked["port"] or ""
        if document.text.lstrip()[:1] == "{":
            found = _from_json(document, of_port)
        else:
            found = iter([(of_port, _of_port(document))]) if of_port else _of_all(document)
        yield from ((document, port, said) for port, said in found)


def _take(links: LinkState, path: str, port: str, said: Mapping[str, tuple[str, int]]) -> None:
    words = {name: word for name, (word, _) in said.items()}
    if words.get("admin-status") == "down":
        return
    if words.get(_HELD) in _ON:
        reason = words.get(_WHY, "")
        links.shut.setdefault(port, (f"{_HELD} {reason}".strip(), Place(path, said[_HELD][1])))
    elif words.get("oper-status") == "down":
        links.without_link.setdefault(port, Place(path, said["oper-status"][1]))
    for name, field, value in (
        ("speed", "speed_bps", _speed(words.get("speed", ""))),
        ("fec", "fec", _FEC.get(words.get("fec", ""))),
        ("mtu", "ip_mtu_bytes", int(words["mtu"]) if re.fullmatch(r"\d{2,5}", words.get("mtu", "")) else None),
    ):
        if value is not None:
            links.runs.setdefault((port, field), Runs(value, f"{name} {words[name]}", Place(path, said[name][1])))


def _speed(word: str) -> int | None:
    try:
        return speed(word)
    except ValueError:
        return None


def _of_port(document: Document) -> _Said:
    said: _Said = {}
    for at_line, line in document.numbered():
        row = _ROW.fullmatch(line.rstrip())
        if row is not None:
            said.setdefault(row[1].strip("[]"), (row[2], at_line))
    return said


def _of_all(document: Document) -> Iterator[tuple[str, _Said]]:
    lines = document.text.split("\n")
    columns: list[tuple[str, int, int | None]] = []
    for index, line in enumerate(lines):
        if index and _DASHES.fullmatch(line):
            starts = [column.start() for column in _COLUMN.finditer(line)]
            ends = [*starts[1:], None]
            columns = [(lines[index - 1][a:b].strip(), a, b) for a, b in zip(starts, ends, strict=True)]
        elif columns and line.strip():
            cells = {name: line[a:b].strip() for name, a, b in columns}
            at_line = document.first_line + index
            said = {key: (cells[name], at_line) for name, key in _HEADINGS.items() if cells.get(name)}
            yield cells.get("Interface", ""), said


def _from_json(document: Document, of_port: str) -> Iterator[tuple[str, _Said]]:
    try:
        text = parse_json(document.text, first_line=document.first_line)
    except JsonError:
        return
    value: Any = text.value
    ports = {of_port: ((), value)} if of_port else {str(name): ((name,), one) for name, one in value.items()}
    for port, (above, one) in ports.items():
        if isinstance(one, dict) and isinstance(one.get("link"), dict):
            above, one = (*above, "link"), one["link"]
        if isinstance(one, dict):
            said = {name: (_word(one[name]), text.line_of((*above, name))) for name in _NAMES if name in one}
            stats = one.get("stats")
            numbers = stats if isinstance(stats, dict) else {}
            said |= {n: (_word(numbers[n]), text.line_of((*above, "stats", n))) for n in _COUNTED if n in numbers}
            yield port, said


def _of_kernel(document: Document) -> Iterator[tuple[str, _Said]]:
    """Ports as the kernel lists them (iproute2, ip -j link show): UP is what was asked for, UNKNOWN says nothing."""
    try:
        text = parse_json(document.text, first_line=document.first_line)
    except JsonError:
        return
    for index, one in enumerate(text.value if isinstance(text.value, list) else ()):
        port = one.get("ifname") if isinstance(one, dict) else None
        if isinstance(port, str) and port.startswith("swp") and isinstance(one.get("mtu"), int):
            said = {"mtu": (str(one["mtu"]), text.line_of((index, "mtu")))}
            flags = one.get("flags")
            if one.get("operstate") == "DOWN" and isinstance(flags, list) and "UP" in flags:
                said["oper-status"] = ("down", text.line_of((index, "operstate")))
            yield port, said


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
