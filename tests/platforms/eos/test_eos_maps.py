"""`show qos maps` against the maps of the configuration."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.eos import PLATFORM
from roce_audit.text.document import DeviceInput, Document

CONFIGURED = """! device: leaf1 (DCS-7060DX5-64S, EOS-4.32.2F)
hostname leaf1
qos map dscp 26 to traffic-class 3
qos profile P
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
interface Ethernet1/1
   mtu 9214
   no switchport
   service-profile P
end
"""
MAPS = """   Number of Traffic Classes supported: 8
   Dscp Rewrite: Disabled

   Cos-tc map:
     cos:  0  1  2  3  4  5  6  7
     ----------------------------
     tc:   1  0  2  3  4  5  6  7

   Dscp-tc map:
     d1 :  d2 0  1  2  3  4  5  6  7  8  9
     --------------------------------------
      0 :     1  1  1  1  1  1  1  1  0  0
      1 :     0  0  0  0  0  0  2  2  2  2
      2 :     2  2  2  2  3  3  3  3  3  3
      3 :     3  3  4  4  4  4  4  4  4  4
      4 :     5  5  5  5  5  5  5  5  6  6
      5 :     6  6  6  6  6  6  7  7  7  7
      6 :     7  7  7  7

   Tc-cos map:
     tc:   0  1  2  3  4  5  6  7
     ----------------------------
     cos:  1  0  2  3  4  5  6  7

   Tc-tx-queue map:
     tc:          0  1  2  3  4  5  6  7
     -----------------------------------
     tx-queue:    0  1  2  3  4  5  6  7
"""


def reading(old: str = "", new: str = "", first_line: int = 1) -> DeviceReading:
    documents = (
        Document("leaf1.log", CONFIGURED, "show running-config"),
        Document("leaf1.log", MAPS.replace(old, new, 1) if old else MAPS, "show qos maps", first_line=first_line),
    )
    return PLATFORM.read(DeviceInput("leaf1", "eos", documents))


def told(found: DeviceReading) -> list[tuple[str, int]]:
    return [(one.observation.text, one.place.line) for one in found.seen if one.observation.kind == "conflict"]


def fact(found: DeviceReading, *path: Any) -> Any:
    cell = follow(found.ports[0].facts, path)
    assert cell is not None
    return cell.value


def test_maps_that_agree_say_nothing() -> None:
    alone = PLATFORM.read(DeviceInput("leaf1", "eos", (Document("leaf1.log", CONFIGURED, "show running-config"),)))
    found = reading(first_line=100)
    assert told(found) == []
    assert found.ports[0].facts == alone.ports[0].facts


@pytest.mark.parametrize(
    ("old", "new", "path", "value", "words"),
    [
        ("2  2  2  2  3  3  3", "2  2  2  2  3  3  1", ("dscp", 26), 1, "DSCP 26 -> traffic class 3 is configured"),
        ("5  5  6  6\n      5", "5  5  0  6\n      5", ("dscp", 48), 0, ""),
        ("tx-queue:    0  1  2  3", "tx-queue:    0  1  2  2", ("classes", 3, "queue"), 2, ""),
    ],
)
def test_what_runs_counts(old: str, new: str, path: tuple[Any, ...], value: int, words: str) -> None:
    found = reading(old, new, first_line=100)
    assert fact(found, *path) == value
    assert [(words in text, line) for text, line in told(found)] == [(True, 113)] * bool(words)


@pytest.mark.parametrize(
    ("row", "configured", "runs"),
    [
        ("Et1/1  E A W  3          drop", {3}, {3}),
        ("Et1/1  E   W  3 4        drop", {3, 4}, set()),
        ("Et1/1  E A W             drop", set(), set()),
        ("Et1/1  E - -  -          -", set(), set()),
        ("Ethernet1/1  Yes  3      Yes     DCBX disabled", {3}, {3}),
        ("Ethernet1/1  Yes  3      No      DCBX incompatible", {3}, set()),
    ],
)
def test_answers_alone_say_what_is_led_where_and_paused(row: str, configured: set[int], runs: set[int]) -> None:
    documents = (
        Document("pfc.txt", f"Port  Status Priorities Action\n{row}\n", "show priority-flow-control"),
        Document("maps.txt", MAPS, "show qos maps"),
    )
    found = PLATFORM.read(DeviceInput("leaf1", "eos", documents))
    assert fact(found, "pfc", "mode") == "on"
    assert fact(found, "pfc", "priorities") == configured
    assert fact(found, "pfc", "operational") == runs
    assert fact(found, "classes", 3, "queue") == 3


def test_maps_in_which_nothing_is_found_are_told() -> None:
    documents = (
        Document("leaf1.cfg", CONFIGURED, "show running-config"),
        Document("maps.txt", "QoS maps:\n  none of this form\n", "show qos maps"),
    )
    found = PLATFORM.read(DeviceInput("leaf1", "eos", documents))
    assert found.unrecognised == (("maps.txt", "an answer in this form is not read"),)
