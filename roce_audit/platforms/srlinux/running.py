"""PFC of interfaces as the state datastore shows it: `info from state / qos interfaces interface * pfc | as json`.

Nokia, srl_nokia-qos.yang, container pfc: `oper-state` is read-only, and is up where PFC runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.srlinux.lines import Line
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.structured.jsontext import JsonError
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.text.structured.positions import Path
from roce_audit.values import Cell, Place, known

_COMMAND = re.compile(
    r"info from state (?:/ ?)?qos interfaces interface \S{1,40}(?: pfc)?(?: statistics)? ?\| ?as json"
)
_ATTACHED = ("qos", "interfaces", "interface")
_DOWN = ("pfc", "oper-state", "down")
_OFF = ("pfc", "pfc-enable", "false")
_ROOTS = ("qos", "srl_nokia-qos:qos")


def pfc_of_ports(document: Document) -> Iterator[tuple[str, Path, dict[str, Any], Callable[[Path], int]]]:
    """(port, where its `pfc` stands, what stands there, path -> line) of an answer; nothing for other documents."""
    if _COMMAND.fullmatch(document.command or "") is None or document.text.lstrip()[:1] != "{":
        return
    try:
        text = parse_json(document.text, first_line=document.first_line)
    except JsonError:
        return
    for root in _ROOTS:
        where: Path = (root, "interfaces", "interface")
        rows: Any = text.value
        for step in where:
            rows = rows.get(step) if isinstance(rows, dict) else None
        for at, row in enumerate(rows if isinstance(rows, list) else ()):
            pfc = row.get("pfc") if isinstance(row, dict) else None
            if isinstance(pfc, dict) and isinstance(row.get("interface-id"), str):
                yield row["interface-id"], (*where, at, "pfc"), pfc, text.line_of


Without = dict[str, tuple[Place, bool]]
"""Port -> where the state datastore says that PFC does not run on it, and whether it is off rather than down."""


def without_pfc(path: str, lines: Iterable[Line]) -> Without:
    """Ports on which PFC does not run, as lines of the state datastore say; an attachment says for which port it is."""
    ports: dict[str, str] = {}
    found: Without = {}
    for line in lines:
        if line.words[:3] != _ATTACHED or len(line.words) < 6:
            continue
        leaf = line.words[4:]
        if leaf[:2] == ("interface-ref", "interface"):
            ports[line.words[3]] = leaf[-1]
        elif leaf == _OFF or (leaf == _DOWN and line.words[3] not in found):
            found[line.words[3]] = Place(path, line.lines[-1]), leaf == _OFF
    return {ports.get(name, name): said for name, said in found.items()}


def with_running(ports: Iterable[PortReading], device: DeviceInput, without: Without) -> Iterator[PortReading]:
    """The ports with what the state datastore says of their PFC: for no priority where it is down; off where it is off."""
    down = {name: place for name, (place, _) in without.items()}
    off = {name for name, (_, is_off) in without.items() if is_off}
    for document in device.documents:
        for name, path, pfc, line in pfc_of_ports(document):
            if pfc.get("oper-state") == "down":
                down[name] = Place(document.path, line((*path, "oper-state")))
    nothing: frozenset[int] = frozenset()
    for port in ports:
        place = down.get(port.name)
        facts = port.facts if place is not None else None
        if place is None or facts is None or not facts.pfc.is_known:
            yield port
        else:
            running = replace(facts.pfc.get(), operational=known(nothing, place))
            if port.name in off:
                running = replace(running, mode=known("off", place), priorities=known(nothing, place))
            yield replace(port, facts=replace(facts, pfc=Cell(running, None, facts.pfc.at)))
