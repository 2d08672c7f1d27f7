"""Damaged and public texts of Cumulus Linux: no exception, no relevant line lost without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.cumulus import PLATFORM
from roce_audit.platforms.cumulus.table import KINDS, PROFILED, TABLE
from roce_audit.platforms.shared.path.builder import touched
from roce_audit.text.decode import decode
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures" / "cumulus"
GOOD = (FIXTURES / "commands" / "nv_config_show_-o_commands.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
RELEVANT = [i for i, line in enumerate(GOOD) if line.startswith("nv set ") and (" qos " in line or " link " in line)]
CORPUS = sorted(p for p in (ROOT.parent / "shared" / "corpus" / "cumulus").glob("*") if p.suffix != ".tsv")


def read(text: str, command: str | None = None) -> DeviceReading:
    clean = decode(text.encode("utf-8", "replace")).text
    return PLATFORM.read(DeviceInput("x", "cumulus", (Document("x", clean, command),)))


_KEYS = st.sampled_from(
    [
        "header",
        "set",
        "unset",
        "interface",
        "swp1-2",
        "swp1",
        "qos",
        "link",
        "mtu",
        "profile",
        "default-global",
        "3",
        "0,3",
        "",
        *list(KINDS),
    ]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["lossless", "enable", "9216"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=15,
)


@given(st.lists(st.dictionaries(_KEYS, _VALUES, max_size=3), max_size=3))
@settings(max_examples=200)
def test_any_tree_never_raises(tree: list[dict[str, Any]]) -> None:
    read(json.dumps(tree), "nv config show -o json")
    read(json.dumps([{"set": inner} for inner in tree]), "nv config show -o json")


@pytest.mark.parametrize("tail", ["~x", " zzz"])
def test_a_garbled_relevant_line_is_told(tail: str) -> None:
    untold = []
    for index in RELEVANT:
        lines = list(GOOD)
        lines[index] += tail
        if index + 1 not in {s.place.line for s in read("\n".join(lines), "nv config show -o commands").seen}:
            untold.append(lines[index])
    assert untold == []


@given(
    st.sampled_from(sorted(TABLE.modes)),
    st.lists(st.sampled_from(["a", "#", "=", "3", "qos", "tx", "dscp", "?", "profile"]), max_size=5),
)
def test_what_is_not_understood_spoils_something(kind: str, words: list[str]) -> None:
    parsed = TABLE.parse(kind, " ".join(words))
    paths = touched(parsed)
    assert (
        not parsed.unread or paths or kind in ("link-pause", "advance-buffer-config", "remark", "egress-shaper", "port")
    )
    assert all("#" not in path and "*" not in path for path in paths)


def test_every_profile_of_a_port_has_a_kind_of_block() -> None:
    assert set(PROFILED) <= set(KINDS)


@pytest.mark.skipif(not CORPUS, reason="the corpus of public files is not here")
@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_public_files_read_without_false_alarms(path: Path) -> None:
    text = decode(path.read_bytes()).text
    document = Document(path.name, text)
    assert (PLATFORM.recognise(document) >= 50) is ("embedded" not in path.name)
    reading = PLATFORM.read(DeviceInput(path.stem, "cumulus", (document,)))
    assert not [s for s in reading.seen if s.observation.kind in ("unread-line", "unreadable")]
    assert all(port.header.line > 0 for port in reading.ports)
