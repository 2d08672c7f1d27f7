"""What NX-OS shows as programmed, against its configuration: the network-qos policy, the buffer and share of a no-drop group, PFC."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.nxos import PLATFORM
from roce_audit.platforms.nxos.counters import read
from roce_audit.policy import load_text
from roce_audit.text.document import DeviceInput, Document

CONFIGURED = """!Command: show running-config
version 10.4(3) Bios:version 05.52
hostname leaf1
class-map type qos match-all RDMA
  match dscp 26
policy-map type qos IN
  class RDMA
    set qos-group 3
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 70
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 30
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
system qos
  service-policy type network-qos NQ
  service-policy type queuing output OUT
interface Ethernet1/1
  mtu 9216
  priority-flow-control mode on
  service-policy type qos input IN
  no shutdown
"""
POLICY = """

  Type network-qos policy-maps
  ===============================

  policy-map type network-qos NQ
    class type network-qos c-8q-nq3
      match qos-group 3
      pause pfc-cos 3
      mtu 9216
    class type network-qos c-8q-nq-default
      match qos-group 0
      mtu 9216
"""
QUEUES = """Egress Queuing for Ethernet1/1 [System]
------------------------------------------------------------------------------
QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit
                                   Min          Max        Units
------------------------------------------------------------------------------
      3            70         -           -            -     -            9(D)
      0            30         -           -            -     -            9(D)

Ingress Queuing for Ethernet1/1
-----------------------------------------------------
QoS-Group#                 Pause
           Buff Size       Pause Th      Resume Th
-----------------------------------------------------
      3         748608       377376       375712
      0              -            -            -
"""
DETAIL = """Ethernet1/1
    Admin Mode: On
    Oper Mode: On
    VL bitmap: (8)
    Total Rx PFC Frames: 12
    Total Tx PFC Frames: 0
    Rx  |0            |0            |0            |12           |0            |0            |0            |0
    Tx  |0            |0            |0            |0            |0            |0            |0            |0
"""
PORT = """Ethernet1/1 is up
admin state is up, Dedicated Interface
  MTU 9216 bytes, BW 400000000 Kbit , DLY 10 usec
  full-duplex, 400 Gb/s, media type is 400G
"""
COMMANDS = {
    "show policy-map system type network-qos": POLICY,
    "show queuing interface": QUEUES,
    "show interface priority-flow-control detail": DETAIL,
    "show interface": PORT,
}


def device(*changes: tuple[str, str], configured: str = CONFIGURED, without: str = "") -> DeviceInput:
    documents = [Document("leaf1/run.txt", configured, "show running-config")] if configured else []
    for number, (command, text) in enumerate(COMMANDS.items()):
        for old, new in changes:
            text = text.replace(old, new)
        if command != without:
            documents.append(Document(f"leaf1/{number}.txt", text, command))
    return DeviceInput("leaf1", "nxos", tuple(documents))


def fact(found: DeviceReading, *path: Any) -> Any:
    cell = follow(found.ports[0].facts, path)
    assert cell is not None
    return cell.value


def told(found: DeviceReading) -> list[str]:
    return [one.observation.text for one in found.seen if one.observation.kind == "conflict"]


def test_what_agrees_says_nothing() -> None:
    found = PLATFORM.read(device())
    assert told(found) == []
    assert not found.unrecognised
    assert fact(found, "pfc", "operational") == frozenset({3})
    assert fact(found, "link_up") is True


@pytest.mark.parametrize(
    ("change", "path", "value", "words"),
    [
        (("pause pfc-cos 3", "pause pfc-cos 4"), ("pfc", "priorities"), {4}, "pause pfc-cos 4 runs"),
        (("      pause pfc-cos 3\n", ""), ("pfc", "priorities"), set(), "no pause runs"),
        (
            ("network-qos NQ", "network-qos default-8q-nq-policy"),
            ("pfc", "priorities"),
            set(),
            "default-8q-nq-policy runs",
        ),
        (("network-qos NQ", "network-qos OTHER"), ("pfc", "priorities"), {3}, "NQ is applied, and OTHER runs"),
        (
            ("      3            70", "      3             0"),
            ("queues", 3, "share"),
            0,
            "70 % is configured, and 0 % runs",
        ),
        (
            ("748608       377376       375712", "     -            -            -"),
            ("groups", 3, "headroom_bytes"),
            0,
            "",
        ),
        (("VL bitmap: (8)", "VL bitmap: (10)"), ("pfc", "operational"), {4}, ""),
        (("Oper Mode: On", "Oper Mode: Off"), ("pfc", "operational"), set(), ""),
    ],
)
def test_what_runs_counts(change: tuple[str, str], path: tuple[Any, ...], value: Any, words: str) -> None:
    found = PLATFORM.read(device(change))
    assert fact(found, *path) == value
    assert [words in text for text in told(found)] == [True] * bool(words)


def test_without_link_or_pfc_a_group_may_show_no_buffer() -> None:
    change = ("748608       377376       375712", "     -            -            -")
    for without in (
        ("is up", "is down (Link not connected)"),
        ("full-duplex, 400 Gb/s, ", "auto-duplex, auto-speed, "),
        ("Oper Mode: On", "Oper Mode: Off"),
    ):
        assert fact(PLATFORM.read(device(change, without)), "groups", 3, "headroom_bytes") is None


def test_a_pause_that_names_no_priority_is_no_other_one() -> None:
    assert told(PLATFORM.read(device(("pause pfc-cos 3", "pause no-drop")))) == []


def test_the_policy_alone_is_a_configuration() -> None:
    found = PLATFORM.read(device(configured=""))
    assert fact(found, "groups", 3, "lossless") is True
    assert fact(found, "pfc", "priorities") == {3}


def test_an_answer_without_a_policy_is_told() -> None:
    found = PLATFORM.read(device(("policy-map type network-qos NQ", "NQ")))
    assert found.unrecognised == (("leaf1/0.txt", "an answer in this form is not read"),)


def test_frames_by_priority_are_counted() -> None:
    found = {count.name: count.value for count in read(device()) if count.value}
    assert found["priorities.3.pause_received"] == 12


def test_a_buffer_that_is_shown_at_every_port_makes_none_carry_roce(tmp_path: Path) -> None:
    web = "interface Ethernet1/2\n  description web 4\n  switchport access vlan 20\n  no shutdown\n"
    (tmp_path / "show_running-config.txt").write_text(CONFIGURED + web, encoding="utf-8")
    shown = QUEUES + QUEUES.replace("Ethernet1/1", "Ethernet1/2")
    (tmp_path / "show_queuing_interface.txt").write_text(shown, encoding="utf-8")
    report = check(Request((str(tmp_path),), policy=load_text("{}", "roce-audit.yaml"))).report
    assert report.coverage.ports_roce["yes"] == 1
    assert not [one for one in report.findings if one.verdict == "fails" and one.severity == "error"]


def test_the_policies_of_the_switch_without_their_type_say_the_same() -> None:
    asked, whole = "show policy-map system type network-qos", "show policy-map system"
    read = device(("pause pfc-cos 3", "pause pfc-cos 4"))
    documents = tuple(
        Document(one.path, f"{one.text}\n  Service-policy (queuing) output:   OUT\n", whole)
        if one.command == asked
        else one
        for one in read.documents
    )
    assert told(PLATFORM.read(DeviceInput("leaf1", "nxos", documents))) == told(PLATFORM.read(read)) != []
