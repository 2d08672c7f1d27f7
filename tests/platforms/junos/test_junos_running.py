"""`show class-of-service interface`: what is in force, against what is bound."""

from __future__ import annotations

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.junos import PLATFORM
from roce_audit.text.document import DeviceInput, Document

BOUND = """set system host-name leaf1
set class-of-service classifiers dscp ROCE forwarding-class roce loss-priority low code-points 011010
set class-of-service forwarding-classes class roce queue-num 3 no-loss pfc-priority 3
set class-of-service congestion-notification-profile PAUSE input dscp code-point 011010 pfc
set class-of-service scheduler-maps SM forwarding-class roce scheduler S3
set class-of-service schedulers S3 transmit-rate percent 60
set class-of-service interfaces et-0/0/1 congestion-notification-profile PAUSE
set class-of-service interfaces et-0/0/1 scheduler-map SM
set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp ROCE
set interfaces et-0/0/1 mtu 9216
set interfaces et-0/0/2 mtu 9216
"""
SHOWN = """Physical interface: et-0/0/1, Index: 1009
Maximum usable queues: 8, Queues in use: 5
  Scheduler map: {map}
  Congestion-notification: {pause}

  Logical interface: et-0/0/1.0, Index: 1029
Object                  Name                   Type                    Index
Classifier              {classifier:<22} dscp                    9
Classifier              ieee8021p-untrust      untrust                 16
"""
SAME = {"map": "SM, Index: 2", "pause": "Enabled, Name: PAUSE", "classifier": "ROCE"}


def reading(text: str, command: str = "show class-of-service interface") -> DeviceReading:
    answer = Document("leaf1/cos.txt", text, command)
    return PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1/config.txt", BOUND), answer)))


def told(found: DeviceReading) -> list[str]:
    return [s.observation.text for s in found.seen if s.observation.kind == "conflict"]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({}, ""),
        ({"map": "<default>"}, "shows the default one"),
        ({"classifier": "dscp-default"}, "classifiers dscp ROCE is bound to et-0/0/1"),
        ({"pause": "Enabled, Name: OLD"}, "shows OLD"),
        ({"pause": "Disabled"}, ""),  # told by the port: PFC does not run
        ({"classifier": "RO"}, ""),  # cut off
    ],
)
def test_what_is_in_force_is_held_against_the_binding(other: dict[str, str], words: str) -> None:
    found = told(reading(SHOWN.format(**SAME | other)))
    assert len(found) == bool(words)
    assert all(words in one for one in found)


@pytest.mark.parametrize(
    ("kind", "beside", "is_lost"), [("ieee8021p", "", True), ("ieee8021p", "ROCE", False), ("dscp", "", False)]
)
def test_a_classifier_of_tags_alone_leaves_the_bound_one_out(kind: str, beside: str, is_lost: bool) -> None:
    text = SHOWN.format(**SAME | {"classifier": "ROCE" if kind == "dscp" else "ieee8021p-default"})
    text = text.replace(" dscp  ", f" {kind}  ").replace("Classifier              ieee8021p-untrust", "Rewrite  x")
    text += f"Classifier              {beside}  dscp  10\n" if beside else ""
    found = reading(text)
    assert [("shows ieee8021p-default" in one) for one in told(found)] == [True] * is_lost
    priority = follow(found.ports[0].facts, ("dscp", 26))
    assert priority is not None
    assert priority.or_else(3) == (0 if is_lost else 3)


@pytest.mark.parametrize(("pause", "runs"), [("Disabled", frozenset()), ("Enabled", None)])
def test_a_profile_that_is_not_in_force(pause: str, runs: frozenset[int] | None) -> None:
    found = reading(SHOWN.format(**SAME | {"pause": pause}))
    cell = follow(found.ports[0].facts, ("pfc", "operational"))
    assert cell is not None
    assert cell.value == runs


def test_ports_without_a_binding_and_other_commands_say_nothing() -> None:
    text = SHOWN.format(**SAME | {"map": "<default>", "pause": "Disabled"})
    assert told(reading(text.replace("et-0/0/1", "et-0/0/2"))) == []
    assert told(reading(text, "show class-of-service interface queue et-0/0/1")) == []
