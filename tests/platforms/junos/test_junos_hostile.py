"""Damaged Junos configurations: no exception, no relevant line lost; both forms say the same; and the public files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.junos import PLATFORM
from roce_audit.platforms.junos.table import TABLE
from roce_audit.text.decode import decode
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).resolve().parents[3]
CORPUS = sorted((ROOT.parent / "shared" / "corpus" / "junos").rglob("*"))
CORPUS = [p for p in CORPUS if p.suffix in (".conf", ".set", ".txt", ".raw")]


def read(text: str, path: str = "a.conf") -> DeviceReading:
    return PLATFORM.read(DeviceInput("leaf", "junos", (Document(path, text),)))


_PATHS = [*TABLE.modes["top"].opens, *[row.leaf for mode in TABLE.modes.values() for row in mode.rows]]
_NODES = sorted({word for path in _PATHS for word in path.split()} - {"*"})
_WORDS = st.sampled_from(
    [*_NODES, "groups", "apply-groups", "apply-groups-except", "<*>", "<et-*>", "interface-range", "member", "[", "]",
     "et-0/0/1", "et-*", "A", "0", "3", "011010", '"', "inactive:"]
)  # fmt: skip
_VERBS = st.sampled_from(["set", "delete", "deactivate", "activate", "edit", "top"])


@given(st.lists(st.tuples(_VERBS, st.lists(_WORDS, max_size=12)), max_size=8))
@settings(max_examples=200)
def test_any_words_of_ours_are_read_without_an_exception(lines: list[tuple[str, list[str]]]) -> None:
    reading = read("\n".join(" ".join([verb, *words]) for verb, words in lines))
    assert all(0 <= seen.place.line <= max(len(lines), 1) for seen in reading.seen)


@given(
    st.lists(
        st.sampled_from([*_NODES[:60], "interfaces {", "class-of-service {", "}", ";", "/*", "*/", "A {", "et-0/0/1 {"])
    )
)
@settings(max_examples=200)
def test_any_blocks_are_read_without_an_exception(pieces: list[str]) -> None:
    assert read("\n".join(pieces)).platform == "junos"


@given(st.text(alphabet="abcxyz-", min_size=1, max_size=12))
@settings(max_examples=60)
def test_no_unknown_line_under_class_of_service_is_lost(word: str) -> None:
    known = set(TABLE.modes["cos"].leads.below) | TABLE.modes["cos"].ignored
    reading = read(f"set interfaces et-0/0/1 mtu 9000\nset class-of-service {word} 3")
    assert word in known or [s for s in reading.seen if s.place.line == 2]


def test_both_forms_of_a_configuration_say_the_same() -> None:
    base = ROOT / "roce_audit" / "platforms" / "junos" / "examples" / "base" / "leaf1.set"
    flat = base.read_text(encoding="utf-8").splitlines()
    blocks = "\n".join(
        " { ".join(line.removeprefix("set ").split(" ", 1)).replace("{", "{", 1) + "; }"
        if line.startswith("set ")
        else line
        for line in flat
    )
    one, other = read("\n".join(flat)), read(blocks)
    assert [p.name for p in one.ports] == [p.name for p in other.ports]
    assert [p.facts for p in one.ports] == [p.facts for p in other.ports]


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_the_public_files_are_read(path: Path) -> None:
    text = decode(path.read_bytes()).text
    document = Document(path.name, text)
    best = max(platforms.every(), key=lambda one: one.recognise(document))
    assert best.name == "junos"
    reading = read(text, path.name)
    assert not [s for s in reading.seen if s.observation.kind == "unreadable"]
