"""Plans of cables that other programs write: tables as CSV (NetBox, spreadsheets) and graphs in the language of dot (PTM).

Both are recognised by what is in them, whatever the file is called.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from roce_audit.patterns import lazy
from roce_audit.sources.topology.own import LONGEST_CABLE_M, End, Topology, TopologyLink
from roce_audit.values import Place

_COLUMNS: Mapping[str, str] = {
    heading: meaning
    for meaning, headings in {
        "a_device": "side_a_device device_a a_device",
        "a_port": "side_a_name termination_a interface_a a_port a_interface",
        "a_type": "side_a_type",
        "b_device": "side_b_device device_b b_device",
        "b_port": "side_b_name termination_b interface_b b_port b_interface",
        "b_type": "side_b_type",
        "length": "length length_m",
        "unit": "length_unit",
        "status": "status",
    }.items()
    for heading in headings.split()
}
"""Heading in lower case, with `_` for blanks, as NetBox imports and exports it -> what stands below it."""
_OF_ENDS: Mapping[str, str] = {
    word: end
    for end, words in {
        "a": "a 1 local left source src from near start",
        "b": "b z 2 remote right destination dest dst target to far end peer",
    }.items()
    for word in words.split()
}
_OF_DEVICES = frozenset({"device", "host", "hostname", "switch", "node", "system"})
_OF_PORTS = frozenset({"port", "interface", "intf", "int", "ifname"})
_OF_FLOWS = frozenset({"source", "src", "destination", "dest", "dst"})
"""With hosts these are the headings of a list of flows, whose ports are numbers of TCP."""
_ENDS = frozenset({"a_device", "a_port", "b_device", "b_port"})
_NOT_THERE = frozenset({"planned", "decommissioning"})
_METRES: Mapping[str, float] = {
    "": 1,
    "m": 1,
    "metres": 1,
    "meters": 1,
    "cm": 0.01,
    "km": 1000,
    "ft": 0.3048,
    "in": 0.0254,
}
_LENGTH = lazy(r"(\d{1,7}(?:\.\d{1,6})?) ?([a-z]{0,6})", re.I)
_WORDS = lazy(r"[a-z]{1,20}|[0-9]{1,3}")
_LONGEST_WORDS = 60
_MOST_WORDS = 3
_LONGEST_HEADING = 2_000
_COMMENT = r"(?:(?://|#)[^\n]*+\n|/\*(?:[^*]|\*(?!/)){0,4000}+\*/)"
_GRAPH = lazy(rf"(?:\s*+{_COMMENT})*+\s*+(?:strict\s++)?(?:di)?graph\b[^{{\n]{{0,200}}\{{", re.I)
_NAME = r'(?:"([^"\n]{1,253})"|([\w.-]{1,253}))'
_EDGE = lazy(rf"[ \t]*{_NAME}[ \t]*:[ \t]*{_NAME}[ \t]*-[->][ \t]*{_NAME}[ \t]*:[ \t]*{_NAME}[ \t]*(?:[\[;/#].*)?")


def reader_of(text: str) -> Callable[[str, str], Topology] | None:
    """What reads this plan: a function of (text, path); None for a text that is none."""
    if _headings(text) is not None:
        return _table
    if _GRAPH.match(text) is not None and any(_EDGE.fullmatch(line) for line in text.split("\n")):
        return _graph
    return None


def _headings(text: str) -> Sequence[str] | None:
    """What stands in each column of a table of cables; None for any other text."""
    first = text[:_LONGEST_HEADING].lstrip("\ufeff").partition("\n")[0]
    if "," not in first and ";" not in first:
        return None
    names = ["_".join(cell.split()).strip('"').lower() for cell in first.split(_separator(first))]
    meanings = [_COLUMNS.get(name) or _as_people_write(name) for name in names]
    is_one = set(meanings) >= _ENDS and all(meanings.count(end) == 1 for end in _ENDS)
    return meanings if is_one else None


def _as_people_write(heading: str) -> str:
    """What a heading of two or three words says: `local_port`, `Switch A`, `to_device`, `port1`, `cable_length_(m)`; else nothing."""
    words = _WORDS.findall(heading[:_LONGEST_WORDS])
    if "length" in words:
        units = [word for word in words if word not in ("length", "cable")]
        return "length" if all(unit in ("m", "metres", "meters") for unit in units) else ""
    ends = {end for word in words if (end := _OF_ENDS.get(word))}
    devices, ports = _OF_DEVICES.intersection(words), _OF_PORTS.intersection(words)
    is_flow = bool(_OF_FLOWS.intersection(words)) and bool({"host", "hostname", "port"}.intersection(words))
    if len(ends) != 1 or bool(devices) == bool(ports) or len(words) > _MOST_WORDS or is_flow:
        return ""
    return f"{ends.pop()}_{'device' if devices else 'port'}"


def _separator(line: str) -> str:
    return ";" if line.count(";") > line.count(",") else ","


def _table(text: str, path: str) -> Topology:
    """Cables that are planned or being taken away are none; nor is one that ends in anything but an interface."""
    meanings = _headings(text) or ()
    reader = csv.reader(text.lstrip("\ufeff").split("\n"), delimiter=_separator(text.partition("\n")[0]))
    next(reader)
    return Topology(tuple(_rows(reader, meanings, path)))


def _rows(reader: Iterator[list[str]], meanings: Sequence[str], path: str) -> Iterator[TopologyLink]:
    number = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:  # a cell beyond all measure
            cells = []
        number += 1
        row = {meaning: cell.strip() for meaning, cell in zip(meanings, cells, strict=False) if meaning}
        if not all(row.get(end) for end in _ENDS) or row.get("status", "").lower() in _NOT_THERE:
            continue
        if any(kind and not kind.lower().endswith("interface") for kind in (row.get("a_type"), row.get("b_type"))):
            continue
        a, b = End(row["a_device"], row["a_port"]), End(row["b_device"], row["b_port"])
        if a != b:
            yield TopologyLink(a, b, Place(path, number), _length(row.get("length", ""), row.get("unit", "")))


def _length(text: str, unit: str) -> float | None:
    """Metres; None where the table does not say, or says what no cable is."""
    found = _LENGTH.fullmatch(text)
    factor = _METRES.get((found.group(2) or unit).lower()) if found is not None else None
    metres = float(found.group(1)) * factor if found is not None and factor is not None else 0.0
    return metres if 0 < metres <= LONGEST_CABLE_M else None


def _graph(text: str, path: str) -> Topology:
    """`"leaf1":"swp51" -- "spine1":"swp1"`, an edge a line; what stands behind it in brackets is passed over."""
    links = []
    for number, line in enumerate(text.split("\n"), 1):
        edge = _EDGE.fullmatch(line)
        if edge is not None:
            a, a_port, b, b_port = (edge.group(i) or edge.group(i + 1) for i in (1, 3, 5, 7))
            if (a, a_port) != (b, b_port):
                links.append(TopologyLink(End(a, a_port), End(b, b_port), Place(path, number)))
    return Topology(tuple(links))
