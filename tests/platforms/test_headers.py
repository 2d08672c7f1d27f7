"""A stanza whose header is misspelt is told, and its lines are not taken for those of the stanza before."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

PLATFORMS = Path(__file__).parents[2] / "roce_audit/platforms"
BASES = {
    "nxos": "leaf1.cfg",
    "eos": "leaf1.cfg",
    "os10": "leaf1.cfg",
}


def read(name: str, text: str) -> DeviceReading:
    return platform(name).read(DeviceInput("leaf1", name, (Document("leaf1.cfg", text),)))


@pytest.mark.parametrize("name", BASES)
def test_a_misspelt_header_is_told_and_changes_no_other_port(name: str) -> None:
    text = (PLATFORMS / name / "examples/base" / BASES[name]).read_text(encoding="utf-8")
    lines = text.split("\n")
    headers = [i for i, line in enumerate(lines) if line.lower().startswith("interface ethernet")]
    wrong = headers[1]
    whole = read(name, text)
    lines[wrong] = lines[wrong].replace("interface", "interfac")
    damaged = read(name, "\n".join(lines))
    assert wrong + 1 in {s.place.line for s in damaged.seen if s.observation.kind == "unread-line"}
    assert damaged.ports[0].name == whole.ports[0].name
    assert damaged.ports[0].facts == whole.ports[0].facts
