"""Hostile and real text: nothing raises, garbled relevant lines are told, the public corpus is recognised and read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.sources.detect import choose
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).parents[3]
GOOD = (ROOT / "fixtures/os10/plain/tor.cfg").read_text(encoding="utf-8").split("\n")
CORPUS = ROOT.parent / "shared" / "corpus" / "os10"
FILES = sorted(p for p in CORPUS.glob("[dm][es]*") if p.suffix in (".cfg", ".txt")) if CORPUS.is_dir() else []
WORDS = (
    "pause",
    "pfc-cos",
    "random-detect",
    "bandwidth",
    "mtu",
    "match queue",
    "match qos-group",
    "queue ",
    "qos-group ",
    "priority-flow-control",
    "flowcontrol",
    "fec",
    "speed",
    "ets mode",
)
RELEVANT = [i for i, line in enumerate(GOOD) if line.lstrip().startswith(WORDS) and i != 12]


def read(text: str) -> DeviceReading:
    return platform("os10").read(DeviceInput("x", "os10", (Document("x.cfg", text),)))


@settings(max_examples=100)
@given(st.sampled_from(RELEVANT), st.text(alphabet=" ~?zZ.;", min_size=1, max_size=5).filter(str.strip))
def test_garbled_relevant_lines_are_told(index: int, tail: str) -> None:
    lines = list(GOOD)
    lines[index] += f"~{tail}"
    told = {s.place.line for s in read("\n".join(lines)).seen}
    assert index + 1 in told


@pytest.mark.skipif(not FILES, reason="the public corpus is not at hand")
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_public_files_are_recognised_and_read(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    if path.name not in ("ms_head_system.cfg", "ms_old_bmc_wansim.cfg"):  # nothing of QoS in them
        assert choose((Document(path.name, text),)).platform == "os10"
    reading = read(text)
    assert all(port.header.line > 0 for port in reading.ports)
    assert reading.ports or "\ninterface " not in text
