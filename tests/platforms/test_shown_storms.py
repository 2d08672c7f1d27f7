"""What answers show of storms that a switch has acted on: a queue without pause, a port shut, a watchdog told to act on all queues."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

VRP = """sysname leaf1
#
interface 100GE1/0/1
 dcb pfc enable mode manual
#
interface 100GE1/0/2
 dcb pfc enable mode manual
#
return
"""
TRIGGERED = """Interface      Queue  TriggerMode Threshold  Status
------------------------------------------------------
100GE1/0/1         3  TurnOff           100  TurnOff
                   4  TurnOff           100  LinkUp
100GE1/0/2         5  ErrorDown          30  ErrorDown
"""
SONIC = (
    '{"PORT": {"Ethernet0": {"lanes": "1"}, "Ethernet8": {"lanes": "2"}}, "PFC_WD": {"Ethernet0": {"action": "drop"}}}'
)
WATCHED = """Changed polling interval to 200ms
BIG_RED_SWITCH status is {}
     PORT  ACTION      DETECTION TIME    RESTORATION TIME
---------  --------  ----------------  ------------------
Ethernet0  drop                   200                 200
"""


def read(name: str, *documents: Document) -> DeviceReading:
    return platform(name).read(DeviceInput("leaf1", name, documents))


def test_vrp_turns_pfc_off_or_shuts_the_port() -> None:
    configuration = Document("a.cfg", VRP, "display current-configuration")
    reading = read("vrp", configuration, Document("b.txt", TRIGGERED, "display dcb pfc deadlock trigger status"))
    told = [(one.observation.kind, one.observation.name, one.place.line) for one in reading.seen]
    assert ("not-in-force", "100GE1/0/1", 3) in told
    assert [kind for kind, _, _ in told].count("not-in-force") == 1
    assert [(name, line) for kind, name, line in told if kind == "error-disabled"] == [("100GE1/0/2", 5)]


@pytest.mark.parametrize(("state", "told"), [("enable", [2]), ("disable", []), ("enable on asic0", [2])])
def test_sonic_acts_on_all_queues_at_once(state: str, told: list[int]) -> None:
    answer = Document("b.txt", WATCHED.format(state), "show pfcwd config")
    reading = read("sonic", Document("config_db.json", SONIC), answer)
    assert [one.place.line for one in reading.seen if one.observation.kind == "stuck"] == told


def test_sonic_leaves_the_cell_of_a_port_empty_that_pauses_nothing() -> None:
    table = "Interface    Lossless priorities\n-----------  ---------------------\nEthernet0    3\nEthernet8\n"
    reading = read("sonic", Document("leaf.log", table, "show pfc priority"))
    assert [port.facts.pfc.get().priorities.get() for port in reading.ports] == [frozenset({3}), frozenset()]
