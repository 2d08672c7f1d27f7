"""Hostile and real text: nothing raises, garbled relevant lines are told, the public corpus is recognised and read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus" / "onyx"
TEXTS = [
    (ROOT / f"fixtures/onyx/{case}/leaf.cfg").read_text(encoding="utf-8").split("\n")
    for case in ("plain", "nested", "roce", "advanced")
]
ANSWERS = sorted((ROOT / "fixtures/onyx/answers/rack2-tor1").glob("show_*"))
CLAIMED = re.compile(r"   .*\b(mtu|speed|dcb|qos|traffic-class|fec-override|flowcontrol|pfc-wd|traffic pool)\b")
FREE = re.compile(r"interface vlan|application-priority|bandwidth shape")
"""What these say has no meaning for the model, so their tails may be anything."""
RELEVANT = [i for i, line in enumerate(TEXTS[0]) if CLAIMED.match(line) and not FREE.search(line)]


def read(*documents: Document) -> DeviceReading:
    return platform("onyx").read(DeviceInput("x", "onyx", documents))


@settings(max_examples=150)
@given(st.data())
def test_mutated_configurations_never_raise(data: st.DataObject) -> None:
    lines = list(data.draw(st.sampled_from(TEXTS)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(lines) - 1))
        what = data.draw(st.sampled_from(["delete", "double", "swap", "garble", "outdent", "negate"]))
        if what == "delete" and len(lines) > 1:
            del lines[at]
        elif what == "double":
            lines.insert(data.draw(st.integers(0, len(lines))), lines[at])
        elif what == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif what == "outdent":
            lines[at] = lines[at].lstrip()
        elif what == "negate":
            lines[at] = "no " + lines[at].lstrip()
        else:
            junk = data.draw(st.text(alphabet=" abc-019,?#!^/", max_size=30))
            lines[at] = junk + lines[at][data.draw(st.integers(0, 9)) :]
    assert read(Document("x.cfg", "\n".join(lines))).platform == "onyx"


@settings(max_examples=100)
@given(st.data())
def test_mutated_answers_never_raise(data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(ANSWERS))
    text = file.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text)))
    text = (
        text[:at]
        + data.draw(st.text(alphabet=' "{}[]:,Eth1/TC-', max_size=8))
        + text[at + data.draw(st.integers(0, 9)) :]
    )
    command = file.stem.replace("_", " ").replace("1-1", "1/1")
    config = Document("x.cfg", "\n".join(TEXTS[2]))
    assert read(config, Document(file.name, text, command)).platform == "onyx"


@pytest.mark.parametrize("index", RELEVANT, ids=lambda i: TEXTS[0][i].strip().replace(" ", "_"))
@pytest.mark.parametrize("tail", ["~zz", " zzz"])
def test_garbled_relevant_lines_are_told(index: int, tail: str) -> None:
    lines = list(TEXTS[0])
    lines[index] += tail
    seen = [s for s in read(Document("x.cfg", "\n".join(lines))).seen if s.observation.kind == "unread-line"]
    assert [s.place.line for s in seen] == [index + 1]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the public corpus is not at hand")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.[ct]*")) if CORPUS.is_dir() else [], ids=lambda p: p.name)
def test_public_files_are_recognised_and_read(path: Path) -> None:
    if path.suffix == ".tsv" or path.name.startswith(("show_onyx_buffer", "show_onyx_lldp", "show_onyx_protocols")):
        return
    document = Document(path.name, path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"))
    assert platform("onyx").recognise(document) >= 60
    assert all(port.header.line > 0 for port in read(document).ports)
    assert not read(document).seen
