"""Hostile and real text: nothing raises, garbled relevant lines are told, the public corpus is recognised and read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus" / "onyx"
GOOD = (ROOT / "fixtures/onyx/plain/leaf.cfg").read_text(encoding="utf-8").split("\n")
CLAIMED = re.compile(r"   .*\b(mtu|speed|dcb|qos|traffic-class|fec-override|flowcontrol|pfc-wd|traffic pool)\b")
FREE = re.compile(r"interface vlan|application-priority|bandwidth shape")
"""What these say has no meaning for the model, so their tails may be anything."""
RELEVANT = [i for i, line in enumerate(GOOD) if CLAIMED.match(line) and not FREE.search(line)]


def read(*documents: Document) -> DeviceReading:
    return platform("onyx").read(DeviceInput("x", "onyx", documents))


@pytest.mark.parametrize("tail", ["~zz", " zzz"])
def test_garbled_relevant_lines_are_told(tail: str) -> None:
    wrong = []
    for index in RELEVANT:
        lines = list(GOOD)
        lines[index] += tail
        seen = [s for s in read(Document("x.cfg", "\n".join(lines))).seen if s.observation.kind == "unread-line"]
        if [s.place.line for s in seen] != [index + 1]:
            wrong.append((lines[index], [s.place.line for s in seen]))
    assert wrong == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the public corpus is not at hand")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.[ct]*")) if CORPUS.is_dir() else [], ids=lambda p: p.name)
def test_public_files_are_recognised_and_read(path: Path) -> None:
    if path.suffix == ".tsv" or path.name.startswith(("show_onyx_buffer", "show_onyx_lldp", "show_onyx_protocols")):
        return
    document = Document(path.name, path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"))
    assert platform("onyx").recognise(document) >= 60
    assert all(port.header.line > 0 for port in read(document).ports)
    assert not read(document).seen
