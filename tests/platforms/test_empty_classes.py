"""A class-map that a port leans on and that has no `match` line takes nothing, or all: either is no class of RoCE."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

_HEADS = {
    "nxos": "!Command: show running-config\n!Time: now\nversion 10.3(3)\n",
    "eos": "! device: leaf1 (DCS, EOS-4.30.1F)\n",
    "os10": "! Version 10.5.4\n",
}
_BINDS = {"nxos": "interface Ethernet1/1\n", "eos": "interface Ethernet1\n", "os10": "interface ethernet1/1/1\n"}
_INPUT = {
    "nxos": "service-policy type qos input P",
    "eos": "service-policy type qos input P",
    "os10": "service-policy input type qos P",
}


@pytest.mark.parametrize("name", ["nxos", "eos", "os10"])
@pytest.mark.parametrize(
    ("match", "told"),
    [
        ("", True),
        ("match vlan 10", False),
        ("match mac access-group A", False),
        ("match ipv6 access-group A", False),
        ("match any", False),
        ("match ip dscp 26", False),
        ("match cos 3", False),
        ("match inner vlan 10", False),
        ("match protocol arp", False),
        ("match packet length 100", False),
    ],
)
def test_a_class_that_is_applied_and_matches_nothing_is_told(name: str, match: str, told: bool) -> None:
    text = (
        f"{_HEADS[name]}hostname leaf1\nclass-map type qos match-any C\n{f'  {match}' if match else '!'}\n"
        f"policy-map type qos P\n  class C\n    set traffic-class 3\n{_BINDS[name]}  {_INPUT[name]}\n!\nend\n"
    )
    document = Document("leaf1.cfg", text, declared_complete=True)
    reading = platform(name).read(DeviceInput("leaf1", name, (document,)))
    assert ("C" in [one.observation.name for one in reading.seen if one.observation.kind == "conflict"]) is told


@pytest.mark.parametrize("name", ["nxos", "os10"])
def test_the_class_of_all_else_needs_no_match(name: str) -> None:
    """`show running-config all` writes it out."""
    text = (
        f"{_HEADS[name]}hostname leaf1\nclass-map type qos match-any C\n  match dscp 26\nclass-map type qos match-any class-default\n"
        "policy-map type qos P\n  class C\n    set qos-group 3\n  class class-default\n    set qos-group 0\n"
        f"{_BINDS[name]}  {_INPUT[name]}\n!\nend\n"
    )
    document = Document("leaf1.cfg", text, declared_complete=True)
    reading = platform(name).read(DeviceInput("leaf1", name, (document,)))
    assert [one.observation.name for one in reading.seen if one.observation.kind == "conflict"] == []
