"""Buffers of another priority than the one that is no-drop, on a port of Comware."""

from __future__ import annotations

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

PORT = (
    "interface FourHundredGigE1/0/1\n priority-flow-control enable\n priority-flow-control no-drop dot1p {no_drop}\n"
    " priority-flow-control dot1p 5 headroom 2000\n priority-flow-control dot1p 5 ingress-buffer dynamic 6\n#\n"
)


def told(no_drop: str) -> list[tuple[str, int]]:
    documents = (Document("x.cfg", PORT.format(no_drop=no_drop), declared_complete=False),)
    reading = platform("comware").read(DeviceInput("x", "comware", documents))
    return [(one.observation.text, one.place.line) for one in reading.seen if one.observation.kind == "conflict"]


def test_a_priority_that_is_not_no_drop_is_told_at_its_buffers() -> None:
    ((text, line),) = told("4")
    assert text.startswith("buffers are set for priority 5 here, and no-drop is priority 4: ")
    assert line == 4


def test_one_that_is_among_them_is_not() -> None:
    assert told("5") == told("3,5") == told("3 to 5") == []
