"""Comware: statements are taken back with `undo`, and a section's own statements stand below nothing."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.comware.repair import REPAIRS
from roce_audit.platforms.shared.cli.negation import negated
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

TEXT = """\
#
 version 7.1.070, Release 6710
#
 sysname x
#
interface HundredGigE1/0/2
 port link-mode route
#
 lldp global enable
#
interface HundredGigE1/0/1
 priority-flow-control enable
 qos trust dscp
#
return
"""


@pytest.mark.parametrize(
    ("statement", "taken_back"),
    [
        ("priority-flow-control enable", "undo priority-flow-control"),
        ("priority-flow-control deadlock enable", "undo priority-flow-control deadlock enable"),
        ("priority-flow-control no-drop dot1p 3", "undo priority-flow-control no-drop dot1p"),
        ("priority-flow-control dot1p 3 headroom 500", "undo priority-flow-control dot1p 3 headroom"),
        ("qos wred queue 3 low-limit 10 high-limit 20", "undo qos wred queue 3"),
        ("qos wred queue 3 ecn", "undo qos wred queue 3 ecn"),
        ("undo qos trust", "qos trust"),
        ("shutdown", "undo shutdown"),
    ],
)
def test_a_statement_is_taken_back_as_the_manual_says(statement: str, taken_back: str) -> None:
    assert negated(statement, REPAIRS.shortened, REPAIRS.negation) == taken_back


def read() -> DeviceReading:
    return platform("comware").read(DeviceInput("x", "comware", (Document("x.cfg", TEXT),)))


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        (" lldp global enable", ("undo lldp global enable",)),
        (" qos trust dscp", ("interface HundredGigE1/0/1", "undo qos trust")),
    ],
)
def test_a_statement_of_the_system_view_is_typed_there(line: str, typed: tuple[str, ...]) -> None:
    lines = TEXT.split("\n")
    port = next(p for p in read().ports if p.name == "HundredGigE1/0/1")
    (change,) = REPAIRS.drop(port, Place("x.cfg", lines.index(line) + 1), {"x.cfg": lines})
    assert change.do == typed


def test_a_mode_is_said_in_place_of_the_old_one() -> None:
    lines = TEXT.split("\n")
    port = next(p for p in read().ports if p.name == "HundredGigE1/0/1")
    place = Place("x.cfg", lines.index(" priority-flow-control enable") + 1)
    (change,) = REPAIRS.say("port.pfc.mode", "auto", [place], port, {"x.cfg": lines})
    assert change.do == ("interface HundredGigE1/0/1", "priority-flow-control auto")
    assert [(edit.old, edit.new) for edit in change.edits] == [
        (" priority-flow-control enable", " priority-flow-control auto")
    ]
