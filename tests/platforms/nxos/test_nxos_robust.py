"""Hostile and real text: nothing raises, garbled relevant lines are told, the public corpus reads fast."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).parents[3]
GOOD = (ROOT / "fixtures/nxos/plain/leaf.cfg").read_text(encoding="utf-8").split("\n")
CORPUS = ROOT.parent / "shared" / "corpus" / "nxos"
# lines that the grammar claims, wherever they stand in the good fixture (names and headers of stanzas are free text)
RELEVANT = [
    i
    for i, line in enumerate(GOOD)
    if line.split(" ")[-1].strip("#") != ""
    and line.lstrip().startswith(
        ("pause", "priority", "random-detect", "bandwidth", "mtu", "match", "set", "fec", "speed")
    )
    and not (22 > i > 13)
]


def read(text: str) -> DeviceReading:
    return platform("nxos").read(DeviceInput("x", "nxos", (Document("x.cfg", text),)))


@pytest.mark.parametrize("tail", ["~zz", " zzz"])
def test_garbled_relevant_lines_are_told(tail: str) -> None:
    wrong = []
    for index in RELEVANT:
        lines = list(GOOD)
        lines[index] += tail
        seen = [s for s in read("\n".join(lines)).seen if s.observation.kind == "unread-line"]
        line = lines[index].strip()
        told = [(s.place.line, s.quote) for s in seen] == [(index + 1, line)]
        if not told or not ("Ethernet1/1" in seen[0].ports or line.startswith("priority-flow-control mode")):
            wrong.append((line, seen))
    assert wrong == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the public corpus is not at hand")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.[ctr]*")) if CORPUS.is_dir() else [], ids=lambda p: p.name)
def test_public_files_read(path: Path, record: Callable[[DeviceReading], None]) -> None:
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    reading = read(text)
    assert all(port.header.line > 0 for port in reading.ports)
    record(reading)


@pytest.fixture
def record() -> Callable[[DeviceReading], None]:
    """Prints what was not understood, for those who look at the output."""

    def show(reading: DeviceReading) -> None:
        for seen in reading.seen:
            print(f"{seen.observation.kind} {seen.place.path}:{seen.place.line} {seen.quote}")

    return show
