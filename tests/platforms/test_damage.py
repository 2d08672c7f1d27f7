"""Damaged input never raises, on any platform, and what is said of it points into the text."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.model.walk import cells
from roce_audit.proof import golden
from roce_audit.text.block import resolve
from roce_audit.text.decode import decode
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cited

CASES: dict[str, list[Path]] = defaultdict(list)
for case in golden.cases(Path(__file__).parents[2] / "fixtures"):
    CASES[case.parent.name].append(case)
HOW = ("delete", "repeat", "swap", "cut", "noise", "tail", "indent", "negate", "status")
SIGNS = " ab-,0:3{}[]()'#=~*&!?^|\"\\/\u202e\t"


@cache
def loaded(folder: Path) -> DeviceInput:
    return golden.load_case(folder)


def damaged(draw: st.DrawFn, document: Document) -> Document:
    """The document with one line changed, moved, doubled or gone, or with another exit status of its command."""
    lines = document.text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    match draw(st.sampled_from(HOW)):
        case "delete":
            del lines[at]
        case "repeat":
            lines.insert(draw(st.integers(0, len(lines))), lines[at])
        case "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        case "cut":
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
        case "noise":
            lines[at] = draw(st.text(max_size=40)) + lines[at][draw(st.integers(0, 20)) :]
        case "tail":
            lines[at] += draw(st.text(alphabet=SIGNS, max_size=12))
        case "indent":
            lines[at] = " " * draw(st.integers(0, 9)) + lines[at].lstrip()
        case "negate":
            lines[at] = "no " + lines[at].lstrip()
        case _:
            return replace(document, exit_status=draw(st.sampled_from((None, 0, 1, 127))))
    text = decode("\n".join(lines).encode("utf-8", "replace")).text
    return replace(document, text=text)


@st.composite
def devices(draw: st.DrawFn, platform: str) -> DeviceInput:
    device = loaded(draw(st.sampled_from(CASES[platform])))
    documents = list(device.documents)
    for _ in range(draw(st.integers(1, 6))):
        which = draw(st.integers(0, len(documents) - 1))
        documents[which] = damaged(draw, documents[which])
    return replace(device, documents=tuple(documents))


def test_every_platform_has_cases() -> None:
    assert set(CASES) == set(platforms.names())


@pytest.mark.parametrize("platform", sorted(CASES))
@settings(max_examples=120)
@given(st.data())
def test_damaged_texts_are_read(platform: str, data: st.DataObject) -> None:
    device = data.draw(devices(platform))
    asked = platforms.platform(platform)
    for document in device.documents:
        assert 0 <= asked.recognise(document) <= 100
        asked.hostname(document)
    reading = asked.read(device)
    last = {d.path: d.first_line + d.text.count("\n") for d in device.documents}
    for seen in reading.seen:
        assert 0 <= seen.place.line <= last[seen.place.path] + 1, seen
    for port in reading.ports:
        for path, cell in cells(port.facts):
            for at in cell.at:
                place = resolve(at, port.parts)
                assert isinstance(place, Cited) or place.path in last, (port.name, path, place)
