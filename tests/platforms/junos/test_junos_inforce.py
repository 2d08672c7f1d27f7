"""Objects of class-of-service as answers show them in force, against the configuration and without one."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.junos import PLATFORM
from roce_audit.text.document import DeviceInput, Document

CONFIGURED = """set version 23.4R2
set system host-name leaf1
set class-of-service classifiers dscp ROCE forwarding-class roce loss-priority low code-points af31
set class-of-service classifiers dscp ROCE forwarding-class cnp loss-priority low code-points 110000
set class-of-service classifiers dscp OLD forwarding-class cnp loss-priority low code-points 011010
set class-of-service forwarding-classes class roce queue-num 4 no-loss pfc-priority 3
set class-of-service forwarding-classes class cnp queue-num 5
set class-of-service congestion-notification-profile PAUSE input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile PAUSE output ieee-802.1 code-point 011 flow-control-queue 4
set class-of-service interfaces et-* congestion-notification-profile PAUSE
set class-of-service interfaces et-* unit * classifiers dscp ROCE
set interfaces et-0/0/1 unit 0 family inet address 10.0.1.0/31
set interfaces et-0/0/2 gigether-options 802.3ad ae1
"""
CLASSES = """Forwarding class                       ID    Queue  Policing priority   No-Loss   PFC priority
  best-effort                           0      0          normal         Disabled
  roce                                  3      4          normal         Enabled        3
  cnp                                   5      5          normal         Disabled
"""
PROFILES = """Type: Input, Name: PAUSE, Index: 60305
Cable Length: 100 m
  DSCP        PFC          MRU
  011010      Enabled      9216
Type: Output, Name: PAUSE, Index: 60305
  Priority    Flow-Control-Queues
  000
              0
  011
              4
"""
CLASSIFIER = """Classifier: ROCE, Code point type: dscp, Index: 10
  Code point         Forwarding class                    Loss priority
  011010             roce                                low
  110000             cnp                                 low
"""
PORT = """Physical interface: et-0/0/1, Index: 1012
Scheduler map: <default>
Congestion-notification: Enabled, Name: PAUSE, Index: 1
  Logical interface: et-0/0/1.0, Index: 1020
Object                  Name                   Type                    Index
Classifier              ROCE                   dscp                        10
"""
BUFFERS = """Ingress:
  Total Buffer     :  12480.00 KB
  Dedicated Buffer :  2912.81 KB
  Shared Buffer    :  9567.19 KB
    Lossless          :  861.05 KB
    Lossless Headroom :  4305.23 KB
    Lossy             :  4400.91 KB

  Lossless Headroom Utilization:
  Node Device         Total          Used           Free
  0                   4305.23 KB     0.00 KB        4305.23 KB

Egress:
  Total Buffer     :  12480.00 KB
    Lossless          :  4305.23 KB
    Lossy             :  0.00 KB
"""
COMMANDS = {
    "show class-of-service forwarding-class": CLASSES,
    "show class-of-service congestion-notification | no-more": PROFILES,
    "show class-of-service classifier name ROCE": CLASSIFIER,
    "show class-of-service interface": PORT,
    "show class-of-service shared-buffer": BUFFERS,
}


def reading(*changes: tuple[str, str], configured: str = CONFIGURED) -> DeviceReading:
    documents = [Document("leaf1/config.txt", configured)] if configured else []
    for number, (command, text) in enumerate(COMMANDS.items()):
        for old, new in changes:
            text = text.replace(old, new)
        documents.append(Document(f"leaf1/{number}.txt", text, command))
    return PLATFORM.read(DeviceInput("leaf1", "junos", tuple(documents)))


def fact(found: DeviceReading, *path: Any) -> Any:
    cell = follow(found.ports[0].facts, path)
    assert cell is not None
    return cell.value


def told(found: DeviceReading) -> list[str]:
    return [one.observation.text for one in found.seen if one.observation.kind == "conflict"]


def test_what_agrees_says_nothing_and_changes_nothing() -> None:
    found = reading()
    assert told(found) == []
    configured = PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1/config.txt", CONFIGURED),)))
    assert [port.facts for port in found.ports] == [port.facts for port in configured.ports]


@pytest.mark.parametrize(
    ("change", "path", "value", "words"),
    [
        (("4          normal         Enabled ", "6          normal         Enabled "), ("dscp", 26), 6, "queue 6"),
        (("Enabled        3", "Disabled"), ("pfc", "priorities"), frozenset(), "lossy runs"),
        (("Enabled        3", "Enabled        4"), ("pfc", "priorities"), frozenset(), "priority 4 runs"),
        (("011010      Enabled      9216", "011010      Disabled"), ("pfc", "priorities"), frozenset(), "nothing runs"),
        (("011010      Enabled", "101110      Enabled"), ("pfc", "priorities"), frozenset(), "DSCP 46 runs"),
        (("              4\n", "              5\n"), ("priorities", 3, "queue"), 5, "queue 5 for priority 3 runs"),
        (("011010             roce", "011010             cnp "), ("dscp", 26), 5, "DSCP 26: roce is configured"),
        (("ROCE                   dscp", "OLD                    dscp"), ("dscp", 26), 5, "shows OLD"),
        (("ROCE                   dscp", "ipprec-compatibility   ip  "), ("dscp", 26), 0, "shows the default one"),
    ],
)
def test_what_is_in_force_counts(change: tuple[str, str], path: tuple[Any, ...], value: Any, words: str) -> None:
    found = reading(change)
    assert fact(found, *path) == value
    (text,) = told(found)
    assert words in text


def test_headroom_that_is_nothing_counts() -> None:
    change = ("Lossless Headroom :  4305.23 KB", "Lossless Headroom :  0.00 KB")
    assert fact(reading(change), "groups", 3, "headroom_bytes") == 0
    configured = (
        f"{CONFIGURED}set class-of-service shared-buffer ingress buffer-partition lossless-headroom percent 40\n"
    )
    found = reading(change, configured=configured)
    assert fact(found, "groups", 3, "headroom_bytes") == 0
    assert "lossless headroom: 40 % is configured, and 0 KB runs" in told(found)


def test_headroom_that_is_used_up_is_told() -> None:
    found = reading(("0.00 KB        4305.23 KB", "4305.23 KB     0.00 KB"))
    assert [one.place.line for one in found.seen if one.observation.kind == "headroom-full"] == [11]


def test_what_an_answer_leaves_out_is_not_compared() -> None:
    shorter = ("  roce                                  3      4          normal         Enabled        3\n", "")
    assert told(reading(shorter, ("  011010             roce                                low\n", ""))) == []


def test_no_port_of_another_name_and_no_member_is_asked_by_a_pattern() -> None:
    for port in ("et-0/0/2", "et-0/0/9"):
        assert told(reading(("et-0/0/1", port), ("ROCE                   dscp", "OLD                    dscp"))) == []


def test_the_units_of_the_system_itself_are_not_asked() -> None:
    own = "et-0/0/1.16386, Index: 1021\nClassifier              ipprec-compatibility   ip                          13\n"
    assert (
        told(
            reading(
                (
                    "ROCE                   dscp                        10\n",
                    f"ROCE  dscp  10\n  Logical interface: {own}",
                )
            )
        )
        == []
    )


@pytest.mark.parametrize(("link", "runs"), [("Up", frozenset()), ("Down", None)])
def test_without_link_nobody_asks_what_runs(link: str, runs: object) -> None:
    documents = (
        Document("config.txt", CONFIGURED),
        Document("link.txt", f"Physical interface: et-0/0/1, Enabled, Physical link is {link}\n", "show interfaces"),
        Document("cos.txt", PORT.replace("Enabled, Name: PAUSE", "Disabled"), "show class-of-service interface"),
    )
    assert fact(PLATFORM.read(DeviceInput("leaf1", "junos", documents)), "pfc", "operational") == runs


def test_answers_alone_are_all_that_there_is() -> None:
    found = reading(configured="")
    assert [port.name for port in found.ports] == ["et-0/0/1"]
    assert fact(found, "dscp", 26) == 4
    assert fact(found, "pfc", "priorities") == frozenset({3})
    assert fact(found, "priorities", 3, "queue") == 4
    assert fact(found, "queues", 4, "share") is None
    assert told(found) == []


def test_answers_alone_that_pause_a_lossy_class() -> None:
    (text,) = told(reading(("Enabled        3", "Disabled"), configured=""))
    assert "its class roce is lossy" in text


def test_an_answer_in_which_nothing_is_found_is_told() -> None:
    found = reading(("No-Loss", "Lossless"))
    assert found.unrecognised == (("leaf1/0.txt", "an answer in this form is not read"),)
