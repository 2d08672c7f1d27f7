"""How AOS-CX changes are written, and taken back."""

from __future__ import annotations

from roce_audit.platforms import platform
from roce_audit.platforms.aoscx.repair import REPAIRS
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

TEXT = """\
!Version AOS-CX GL.10.15.1020
hostname leaf1
interface 1/1/1
    no shutdown
    flow-control priority rx 3
interface 1/1/2
    no shutdown
"""
TEXTS = {"leaf1.cfg": TEXT.split("\n")}


def changed(port: str, path: str, value: object, line: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is typed, and what takes it back."""
    reading = platform("aoscx").read(DeviceInput("leaf1", "aoscx", (Document("leaf1.cfg", TEXT),)))
    found = next(one for one in reading.ports if one.name == port)
    (change,) = REPAIRS.say(path, value, (Place("leaf1.cfg", line),), found, TEXTS)
    return tuple(change.do), tuple(change.undo)


def test_one_direction_is_replaced_by_both_and_comes_back() -> None:
    typed, back = changed("1/1/1", "port.pfc.priorities", frozenset({3}), 5)
    assert typed == ("interface 1/1/1", "flow-control priority rxtx 3")
    assert back == ("interface 1/1/1", "flow-control priority rx 3")


def test_pfc_that_is_not_there_is_added() -> None:
    typed, back = changed("1/1/2", "port.pfc.priorities", frozenset({3, 4}), 6)
    assert typed == ("interface 1/1/2", "flow-control priority rxtx 3,4")
    assert back == ("interface 1/1/2", "no flow-control priority rxtx 3,4")


def test_values_have_the_words_of_the_device() -> None:
    assert changed("1/1/2", "port.trust", "pcp", 6)[0][-1] == "qos trust cos"
    assert changed("1/1/2", "port.trust", "dscp", 6) == (
        ("interface 1/1/2", "qos trust dscp"),
        ("interface 1/1/2", "no qos trust"),
    )
    assert changed("1/1/2", "port.cable_m", 30, 6)[0][-1] == "flow-control buffer cable-length 30"
