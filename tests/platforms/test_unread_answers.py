"""Answers that are asked for and in which nothing could be read, though they name ports: they are no silent agreement."""

from __future__ import annotations

import pytest

from roce_audit import platforms
from roce_audit.text.document import DeviceInput, Document

NXOS = "version 10.3(4a)\nhostname a\ninterface Ethernet1/2\n  priority-flow-control mode on\n"
EOS = (
    "! device: a (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname a\ninterface Ethernet1/2\n   priority-flow-control on\nend\n"
)


@pytest.mark.parametrize(
    ("platform", "configured", "command", "read", "other"),
    [
        (
            "nxos",
            NXOS,
            "show interface priority-flow-control",
            "Ethernet1/2        On   On  (8)        0          12\n",
            "Ethernet1/2  PFC=enabled  lossless-cos=3\n",
        ),
        (
            "eos",
            EOS,
            "show priority-flow-control",
            "Ethernet1/2  Yes      3           Yes     DCBX disabled\n",
            "Ethernet1/2: PFC for 3\n",
        ),
    ],
)
def test_an_answer_of_another_form_is_told(platform: str, configured: str, command: str, read: str, other: str) -> None:
    for text, told in ((read, ()), (other, ("b.txt",)), ("no port has it\n", ())):
        documents = (Document("a.cfg", configured), Document("b.txt", text, command))
        found = platforms.platform(platform).read(DeviceInput("a", platform, documents))
        assert tuple(path for path, _ in found.unrecognised) == told


@pytest.mark.parametrize(
    ("platform", "command", "told"),
    [
        ("eos", "show interfaces Ethernet1/2", False),
        ("eos", "show interfaces Ethernet1/2 priority-flow-control", True),
        ("nxos", "show interface brief", False),
        ("nxos", "show queuing interface Ethernet1/2 summary buffer", True),
    ],
)
def test_an_answer_that_tells_more_than_is_asked_for(platform: str, command: str, told: bool) -> None:
    documents = (
        Document("a.cfg", NXOS if platform == "nxos" else EOS),
        Document("b.txt", "PFC of Ethernet1/2 is off\n", command),
    )
    found = platforms.platform(platform).read(DeviceInput("a", platform, documents))
    assert [path for path, _ in found.unrecognised] == ["b.txt"] * told


@pytest.mark.parametrize(
    ("name", "command", "text", "told"),
    [
        ("get_interfaces.json", None, '{"Ethernet1/2": {"is_up": false, "mtu": 1500}}\n', True),
        ("b.txt", "show interfaces status", '[{"port": "Et1/2", "status": "errdisabled"}]\n', True),
        ("b.txt", "show interfaces extensive | json", '{"Ethernet1/2": {"mtu": 1500}}\n', True),
        ("b.txt", "show interfaces status | json", '{"interfaceStatuses": {"Ethernet1/2": {"linkStatus": "disabled"}}}\n', False),
        ("b.txt", "show qos interfaces", '{"intfTrust": {"Ethernet1/2": {"mode": "cos"}}}\n', True),
        ("b.txt", "show hardware counter drop", "C  Tomahawk4  EgressQueueDrop : 881221\n", True),
        ("b.txt", "show interfaces counters discards", "Et1/2  99122  0\n", True),
        ("b.txt", "show clock", "Sun Nov 29 08:00:00 2026\n", False),
        ("b.txt", None, "", False),
    ],
)  # fmt: skip
def test_what_programs_made_of_answers_is_told(name: str, command: str | None, text: str, told: bool) -> None:
    documents = (
        Document("a.cfg", EOS),
        Document("v.txt", "Arista DCS-7060DX5-64S\n", "show version"),
        Document(name, text, command),
    )
    found = platforms.platform("eos").read(DeviceInput("a", "eos", documents))
    assert [path for path, _ in found.unrecognised] == [name] * told


@pytest.mark.parametrize(
    ("row", "unread"),
    [
        ("Et1/2   E A", True),
        ("Et1/2   E", True),
        ("Et1/2   E A W     drop        0.2      0.2 / auto", False),
        ("Et1/2   D", False),
    ],
)
def test_a_row_that_ends_before_its_priorities_is_not_read(row: str, unread: bool) -> None:
    table = f"Port    Status Priorities Action      Timeout\n{row}\n"
    documents = (Document("a.cfg", EOS), Document("b.txt", table, "show priority-flow-control"))
    found = platforms.platform("eos").read(DeviceInput("a", "eos", documents))
    assert any(one.observation.kind == "unread-line" for one in found.seen) == unread
