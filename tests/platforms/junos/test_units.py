"""Ports of Junos whose units are disabled: they carry nothing, and what is written of them is read all the same."""

from __future__ import annotations

import pytest

from roce_audit.platforms.junos import PLATFORM
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document

CLASSIFIER = """\
set class-of-service classifiers dscp ROCE forwarding-class no-loss loss-priority low code-points 011010
set class-of-service interfaces et-0/0/1 unit * classifiers dscp ROCE
"""


def port(text: str) -> PortReading:
    document = Document("leaf1.set", text + CLASSIFIER, declared_complete=True)
    (found,) = PLATFORM.read(DeviceInput("leaf1", "junos", (document,))).ports
    return found


def said_down_at(port: PortReading) -> list[int]:
    """The lines that say it."""
    assert port.facts.admin_up.get() is False
    return [resolve(at, port.parts).line for at in port.facts.admin_up.at]


def test_a_port_whose_only_unit_is_disabled_is_down_by_that_line() -> None:
    found = port("set interfaces et-0/0/1 unit 0 family inet\nset interfaces et-0/0/1 unit 0 disable\n")
    assert said_down_at(found) == [2]
    assert found.facts.trust.get() == "dscp"


def test_a_port_with_one_unit_left_is_up_and_classifies_by_it() -> None:
    facts = port("set interfaces et-0/0/1 unit 0 disable\nset interfaces et-0/0/1 unit 100 family inet\n").facts
    assert facts.admin_up.get() is True
    assert facts.trust.get() == "dscp"


def test_units_of_a_disabled_interface_do_not_matter() -> None:
    assert said_down_at(port("set interfaces et-0/0/1 disable\nset interfaces et-0/0/1 unit 0 disable\n")) == [1]


@pytest.mark.parametrize(("mode", "untagged"), [("access", True), ("trunk", False)])
def test_an_access_port_takes_packets_without_a_tag(mode: str, untagged: bool) -> None:
    text = f"set interfaces et-0/0/1 unit 0 family ethernet-switching interface-mode {mode}\n"
    text += "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members storage\n"
    device = DeviceInput("leaf1", "junos", (Document("a.set", text),))
    assert PLATFORM.read(device).ports[0].labels.untagged is untagged
