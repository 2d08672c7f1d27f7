"""The text forms of OS10: flat scripts, banners, ranges, breakouts, completeness, recognition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.sources.detect import Choice, choose
from roce_audit.text.document import DeviceInput, Document

Read = Callable[..., DeviceReading]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("interface ethernet1/1/1", ["ethernet1/1/1"]),
        ("interface Ethernet 1/1/1", ["ethernet1/1/1"]),
        ("interface range ethernet1/1/13-1/1/15", ["ethernet1/1/13", "ethernet1/1/14", "ethernet1/1/15"]),
        ("interface range Ethernet 1/1/1-1/1/2,1/1/9", ["ethernet1/1/1", "ethernet1/1/2", "ethernet1/1/9"]),
        ("interface range ethernet1/1/5:1-1/1/5:2", ["ethernet1/1/5:1", "ethernet1/1/5:2"]),
        ("interface port-channel 10", ["port-channel10"]),
        ("interface Vlan 711", ["vlan711"]),
        ("interface mgmt 1/1/1", ["mgmt1/1/1"]),
    ],
)
def test_interface_names(read: Read, header: str, names: list[str]) -> None:
    assert [p.name for p in read(header + "\n mtu 9216\n").ports] == names


def test_foreign_interface_names_are_told_and_loopbacks_are_not(read: Read) -> None:
    reading = read("interface fortyGigE 1/3\n mtu 9216\ninterface loopbackloopback0\n mtu 9216\n")
    assert [s.quote for s in reading.seen] == ["interface fortyGigE 1/3"]
    assert reading.ports == ()


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("interface breakout 1/1/4 map 25g-4x", "breakout-parent"),
        ("interface breakout 1/1/4 map 100g-1x", "ethernet"),
        ("interface ethernet1/1/4:1", "breakout-parent"),
        ("interface ethernet1/1/5:1", "ethernet"),
    ],
)
def test_breakout_parent(read: Read, statement: str, kind: str) -> None:
    reading = read(f"{statement}\ninterface ethernet1/1/4\n priority-flow-control mode on\n")
    parent = next(p for p in reading.ports if p.name == "ethernet1/1/4")
    assert parent.facts.kind.get() == kind


INDENTED = """\
trust dscp-map MARKS
 qos-group 3 dscp 26
!
qos-map traffic-class QUEUES
 queue 3 qos-group 3
!
class-map type network-qos C
 match qos-group 3
!
policy-map type network-qos PFC
 !
 class C
  pause
  pfc-cos 3
!
system qos
 trust-map dscp MARKS
 qos-map traffic-class QUEUES
 ets mode on
!
interface ethernet1/1/1
 mtu 9216
 qos-map traffic-class QUEUES
 service-policy input type network-qos PFC
 priority-flow-control mode on
!
lldp enable
"""


def spoken(reading: DeviceReading) -> tuple[object, ...]:
    return (reading.ports[0].facts, [s.observation for s in reading.seen])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\n".join(line.strip() for line in text.split("\n")),
        lambda text: text.replace("\n  ", "\n "),
        lambda text: text.replace("\nsystem qos", "\n system qos").replace("\nlldp", "\n lldp"),
        lambda text: text.replace("\ninterface", "\n  interface").replace("\npolicy-map", "\n policy-map"),
        lambda text: text.replace("\n!", ""),
        lambda text: text.replace("\n!", "\nexit"),
        lambda text: text.replace("\n  pause\n  pfc-cos", "\n pause\npfc-cos"),
    ],
    ids=["flat", "level", "shifted", "shifted stanzas", "no marks", "exits", "one line of a class"],
)
def test_indentation_does_not_matter(read: Read, change: Callable[[str], str]) -> None:
    assert spoken(read(change(INDENTED))) == spoken(read(INDENTED))


def test_a_binding_right_below_a_flat_header_leaves_the_script_flat(read: Read) -> None:
    text = "interface ethernet1/1/1\n{}qos-map traffic-class QUEUES\n{}service-policy output type queuing OUT\n"
    flat, indented = read(text.format("", "")), read(text.format(" ", " "))
    assert spoken(flat) == spoken(indented)


def test_a_qos_map_without_lines_below_a_stanza_that_cannot_bind_it_is_a_definition(read: Read) -> None:
    reading = read("class-map type queuing Q\nmatch queue 3\nqos-map traffic-class EMPTY\ninterface ethernet1/1/1\n")
    names = {s.observation.name: s.observation.kind for s in reading.seen}
    assert names == {"Q": "unapplied", "EMPTY": "unapplied"}


@pytest.mark.parametrize("mark", ["^C", "#", "%"])
def test_banners_are_no_configuration(read: Read, mark: str) -> None:
    reading = read(f"banner motd {mark}\nhostname fake\ninterface ethernet1/1/9\n{mark}\nhostname real\n")
    assert reading.ports == ()
    document = Document("x.cfg", f"banner motd {mark}\nhostname fake\n{mark}\nhostname real\n")
    assert platform("os10").hostname(document) == "real"


@pytest.mark.parametrize(
    ("text", "command", "because"),
    [
        ("! Version 10.5.3.2\nhostname x\ninterface ethernet1/1/1\n", None, "capture header"),
        ("! Version 10.5.3.2\nhostname x", None, None),
        ("hostname x\n", "show running-config", "the whole answer of the command"),
        ("hostname x\n", "show running-config interface", None),
        ("hostname x\n", None, None),
    ],
)
def test_completeness(text: str, command: str | None, because: str | None) -> None:
    document = Document("x.cfg", text, command)
    reading = platform("os10").read(DeviceInput("x", "os10", (document,)))
    assert reading.complete_because.get("x.cfg") == because


def test_a_script_with_a_name_and_several_ports_looks_complete(read: Read) -> None:
    reading = read(
        "hostname x\ninterface range ethernet1/1/1-1/1/9\ninterface range ethernet1/1/10-1/1/12\n", whole=False
    )
    assert reading.assumed_whole == ("x.cfg",)


NXOS = """\
feature lldp
class-map type qos match-any R
  match dscp 26
policy-map type network-qos N
  class type network-qos c-8q-nq3
    pause pfc-cos 3
interface Ethernet1/1
  priority-flow-control mode on
"""
EOS = "! device: leaf1 (DCS-7060X, EOS-4.31.2F)\ninterface Ethernet1/1/1\n   priority-flow-control on\n"


def test_recognition() -> None:
    os10 = platform("os10")
    assert os10.recognise(Document("x", INDENTED)) >= 60
    assert os10.recognise(Document("x", "! Version 10.5.4.5\n")) == 95
    assert os10.recognise(Document("x", "Dell EMC Networking OS10 Enterprise\n", "show version")) == 90
    assert os10.recognise(Document("x", INDENTED, "show interface status")) == 0
    for foreign in (NXOS, EOS):
        assert os10.recognise(Document("x", foreign)) < 20
    assert choose((Document("x", INDENTED),)) == Choice("os10")


def test_a_channel_of_vlt_is_no_nexus() -> None:
    """What else stands in it, NX-OS has as well."""
    text = (
        "interface port-channel101\n description peer\n vlt-port-channel 101\n priority-flow-control mode on\n"
        "interface Ethernet 1/1/49\n channel-group 101 mode active\n spanning-tree port type network\n"
    )
    assert choose((Document("port_channel.cfg", text),)).platform == "os10"
    assert choose((Document("port_channel.cfg", text.replace("vlt-port-channel", "vpc")),)).platform == "nxos"
