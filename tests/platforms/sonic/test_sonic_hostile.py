"""Damaged CONFIG_DB: no exception, nothing silently believed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.model.walk import Path as ModelPath
from roce_audit.model.walk import cells, follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.sonic import PLATFORM
from roce_audit.text.block import resolve
from roce_audit.text.decode import decode
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Place

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = sorted((ROOT / "fixtures" / "sonic").glob("*/*.json"))
GOOD = (ROOT / "fixtures" / "sonic" / "lossless" / "config_db.json").read_text(encoding="utf-8")
CORPUS = sorted((ROOT.parent / "shared" / "corpus" / "sonic").glob("*.json"))
_FIELD = re.compile(r'^(\s*"[^"]+": )"?([^"{}\[\]]*?)"?(,?)$')
_IGNORED = re.compile(r'"(hostname|hwsku|platform|type|alias|lanes|description|tagging_mode|vrf_name|name|port)":')


def read(text: str) -> DeviceReading:
    return PLATFORM.read(DeviceInput("leaf", "sonic", (Document("db.json", text),)))


def said_on(reading: DeviceReading, line: int) -> Iterator[tuple[str, ModelPath, Cell[Any]]]:
    for port in reading.ports:
        for path, cell in cells(port.facts):
            places = [resolve(at, port.parts) for at in cell.at]
            if cell.why is None and any(isinstance(p, Place) and p.line == line for p in places):
                yield port.name, path, cell


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.parent.name)
def test_a_corrupted_value_is_never_believed(path: Path) -> None:
    """Each field's value gets a tail: cells that leant on its line become unknown, not the default, not the old value."""
    lines = path.read_text(encoding="utf-8").split("\n")
    before = read("\n".join(lines))
    for index, line in enumerate(lines):
        found = _FIELD.match(line)
        if found is None:
            continue
        broken = f'{found.group(1)}"{found.group(2)}~x"{found.group(3)}'
        after = read("\n".join([*lines[:index], broken, *lines[index + 1 :]]))
        ports = {p.name: p for p in after.ports}
        for name, where, _ in said_on(before, index + 1):
            cell = follow(ports[name].facts, where) if name in ports else None
            assert cell is None or cell.is_unknown, (line, name, where, cell)


def relevant_fields() -> Iterator[tuple[int, re.Match[str]]]:
    """(index of its line, name and value) of each field that is not ignored."""
    for index, line in enumerate(GOOD.split("\n")):
        found = _FIELD.match(line)
        if found is not None and not _IGNORED.search(line):
            yield index, found


def with_line(index: int, line: str) -> DeviceReading:
    lines = GOOD.split("\n")
    lines[index] = line
    return read("\n".join(lines))


def test_every_garbled_relevant_field_is_seen() -> None:
    unseen = []
    for index, found in relevant_fields():
        after = with_line(index, f'{found.group(1)}"{found.group(2)} ?"{found.group(3)}')
        if index + 1 not in {seen.place.line for seen in after.seen}:
            unseen.append(found.string)
    assert unseen == []


def test_a_garbled_field_name_is_seen_and_its_default_not_assumed() -> None:
    before = read(GOOD)
    unseen, believed = [], []
    for index, found in relevant_fields():
        if '"Ethernet' in found.string:
            continue
        after = with_line(index, found.string.replace('":', '~x":', 1))
        ports = {p.name: p for p in after.ports}
        for name, where, _ in said_on(before, index + 1):
            cell = follow(ports[name].facts, where)
            if cell is None or not cell.is_unknown:
                believed.append((found.string, name, where, cell))
        if index + 1 not in {seen.place.line for seen in after.seen}:
            unseen.append(found.string)
    assert believed == []
    assert unseen == []


_SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9)
)
_TABLES = [
    *json.loads(GOOD),
    "DOT1P_TO_TC_MAP",
    "TUNNEL",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "LOSSLESS_TRAFFIC_PATTERN",
]
_KEYS = st.sampled_from(
    ["Ethernet0", "Ethernet0|3", "a|b|Ethernet0|3-4", "global", "GLOBAL", "|", "", "localhost", "3"]
)
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3))


@given(st.dictionaries(st.sampled_from(_TABLES), _VALUES | st.dictionaries(_KEYS, _VALUES, max_size=3), max_size=4))
@settings(max_examples=200)
def test_any_json_in_our_tables_never_raises(tables: dict[str, Any]) -> None:
    read(json.dumps(json.loads(GOOD) | tables))
    read(json.dumps(tables))


def test_equal_ports_share_their_facts() -> None:
    tables = json.loads(GOOD)
    for table in ("PORT", "PORT_QOS_MAP", "PFC_WD"):
        tables[table] |= {f"Ethernet{n}": tables[table]["Ethernet0"] for n in range(1000, 1500)}
    for table in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
        keys = [key for key in tables[table] if key.startswith("Ethernet0|")]
        for n in range(1000, 1500):
            tables[table] |= {f"Ethernet{n}|{key.partition('|')[2]}": tables[table][key] for key in keys}
    text = json.dumps(tables, indent=1)
    reading = read(text)
    assert len({id(p.facts) for p in reading.ports}) <= 4


@pytest.mark.skipif(not CORPUS, reason="the corpus of public files is not here")
@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_public_files_read_without_false_alarms(path: Path) -> None:
    document = Document(path.name, decode(path.read_bytes()).text)
    assert PLATFORM.recognise(document) >= 50
    reading = PLATFORM.read(DeviceInput(path.stem, "sonic", (document,)))
    for seen in reading.seen:
        print(f"{seen.observation.kind} {path.name}:{seen.place.line} {seen.quote}")
    assert not [s for s in reading.seen if s.observation.kind in ("unread-line", "unreadable")]
