"""Damaged SR Linux configurations: no exception, no relevant line lost; and the public files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.srlinux import PLATFORM
from roce_audit.platforms.srlinux.table import TABLE
from roce_audit.text.decode import decode
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures" / "srlinux"
CORPUS = sorted((ROOT.parent / "shared" / "corpus" / "srlinux").glob("*"))
CORPUS = [p for p in CORPUS if p.suffix not in (".tsv", ".yaml") and p.stat().st_size > 1]


def read(text: str) -> DeviceReading:
    return PLATFORM.read(DeviceInput("leaf", "srlinux", (Document("a.cfg", text),)))


_PATHS = [*TABLE.modes["top"].opens, *[row.leaf for mode in TABLE.modes.values() for row in mode.rows]]
_NODES = sorted({word for path in _PATHS for word in path.split()} - {"*"})
_WORDS = st.sampled_from([*_NODES, "[", "]", "{", "}", "ethernet-1/1", "fc3", "0", "true", "{1..9}", "{1..99999}", '"'])


@given(st.lists(st.lists(_WORDS, max_size=12), max_size=6))
@settings(max_examples=150)
def test_any_words_of_ours_are_read_without_an_exception(lines: list[list[str]]) -> None:
    reading = read("\n".join(" ".join(["set", "/", *line]) for line in lines))
    assert all(1 <= seen.place.line <= max(len(lines), 1) for seen in reading.seen)


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from(["ethernet-1/1", "fc3"])
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NODES), inner, max_size=3)
)


@given(st.dictionaries(st.sampled_from(["interface", "srl_nokia-qos:qos", "system"]), _VALUES, max_size=3))
@settings(max_examples=150)
def test_any_json_below_our_roots_is_read_without_an_exception(data: dict[str, Any]) -> None:
    assert all(seen.place.line == 1 for seen in read(json.dumps(data)).seen)


@given(st.text(alphabet="abcxyz-", min_size=1, max_size=12))
@settings(max_examples=60)
def test_no_unknown_line_under_qos_is_lost(word: str) -> None:
    known = set(TABLE.modes["qos"].leads.below) | TABLE.modes["qos"].ignored
    reading = read(f"set / interface ethernet-1/1 mtu 9000\nset / qos {word} 3")
    told = [s for s in reading.seen if s.place.line == 2]
    assert word in known or told


@pytest.mark.skipif(not CORPUS, reason="the corpus of public files is not here")
@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_public_files_are_ours_and_read_without_false_alarms(path: Path) -> None:
    document = Document(path.name, decode(path.read_bytes()).text)
    assert PLATFORM.recognise(document) >= 90
    assert not any(platforms.platform(n).recognise(document) for n in platforms.names() if n != "srlinux")
    reading = PLATFORM.read(DeviceInput(path.stem, "srlinux", (document,)))
    assert reading.ports
    assert not [s for s in reading.seen if s.observation.kind in ("unread-line", "unreadable")]
