"""The text forms of NX-OS: flat pastes, banners, ranges, names, completeness, recognition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.sources.detect import Choice, choose
from roce_audit.text.document import Document

Read = Callable[..., DeviceReading]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("interface Ethernet1/1-3", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]),
        ("interface Ethernet 1/17-1/18", ["Ethernet1/17", "Ethernet1/18"]),
        ("interface Eth1/1/1-2,Eth1/2/1-2", ["Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/2/1", "Ethernet1/2/2"]),
        ("int eth1/5", ["Ethernet1/5"]),
        ("interface po10", ["port-channel10"]),
        ("interface Ethernet1/1.10-11", ["Ethernet1/1.10", "Ethernet1/1.11"]),
        ("interface Ethernet101/1/7", ["Ethernet101/1/7"]),
        ("interface vlan 20", ["Vlan20"]),
    ],
)
def test_interface_names(read: Read, header: str, names: list[str]) -> None:
    assert [p.name for p in read(header + "\n  mtu 9216\n").ports] == names


def test_foreign_interface_names_are_told_and_loopbacks_are_not(read: Read) -> None:
    reading = read("interface TenGigE 1/3\n  mtu 9216\ninterface loopbackloopback0\n  mtu 9216\n")
    assert [s.quote for s in reading.seen] == ["interface TenGigE 1/3"]
    assert reading.ports == ()


@pytest.mark.parametrize("statement", ["interface breakout module 1 port 3-4 map 100g-4x", "interface Ethernet1/4/1"])
def test_breakout_parent(read: Read, statement: str) -> None:
    reading = read(f"{statement}\ninterface Ethernet1/4\n  priority-flow-control mode on\n")
    parent = next(p for p in reading.ports if p.name == "Ethernet1/4")
    assert parent.facts.kind.get() == "breakout-parent"


FLAT = """\
class-map type qos match-any R
match dscp 26
exit
policy-map type qos IN
class R
set qos-group 3
exit
class class-default
set qos-group 1
exit
exit
interface Ethernet1/1
priority-flow-control watch-dog-interval on
service-policy type qos input IN
mtu 9216
exit
priority-flow-control watch-dog-interval on
"""


def test_flat_paste_reads_as_the_indented_text_does(read: Read) -> None:
    indented = """\
class-map type qos match-any R
  match dscp 26
policy-map type qos IN
  class R
    set qos-group 3
  class class-default
    set qos-group 1
interface Ethernet1/1
  priority-flow-control watch-dog-interval on
  service-policy type qos input IN
  mtu 9216
priority-flow-control watch-dog-interval on
"""
    flat = read(FLAT)
    assert flat.ports[0].facts == read(indented).ports[0].facts
    assert flat.ports[0].facts.pfc.get().watchdog.get().on.get() is True
    assert not flat.seen


def test_a_line_of_nobodys_does_not_end_a_block_of_a_flat_paste(read: Read) -> None:
    reading = read(
        "interface Ethernet1/1\nno cdp enable\nlogging event port link-status\npriority-flow-control mode on\nmtu 9216\n"
        "line console\nspeed 9600\nsystem jumbomtu 9000\npriority-flow-control watch-dog-interval off\n"
    )
    facts = reading.ports[0].facts
    assert facts.pfc.get().mode.get() == "on"
    assert facts.ip_mtu_bytes.get() == 9216
    assert facts.pfc.get().watchdog.get().on.get() is False
    assert not facts.speed_bps.is_known
    assert not reading.seen


def test_only_the_last_block_is_flat(read: Read) -> None:
    reading = read(
        "vlan 5\n  name x\ninterface Ethernet1/1\npriority-flow-control mode on\n"
        "priority-flow-control watch-dog-interval on\nmtu 9216\n"
    )
    assert reading.ports[0].facts.ip_mtu_bytes.get() == 9216
    assert reading.ports[0].facts.pfc.get().mode.get() == "on"


def test_line_after_an_indented_interface_is_a_global_one(read: Read) -> None:
    reading = read("interface Ethernet1/1\n  mtu 9216\npriority-flow-control watch-dog-interval off\n")
    assert reading.ports[0].facts.pfc.get().watchdog.get().on.get() is False


@pytest.mark.parametrize(
    "banner",
    [
        "banner motd #\nhostname b\n#",
        "banner exec *hostname b\nhostname b*rest",
        "banner motd  ^hostname b^",
        "banner exec **",
    ],
)
def test_banner_is_no_configuration(read: Read, banner: str) -> None:
    text = f"!Command: show running-config\n{banner}\nhostname a\ninterface Ethernet1/1\n  mtu 9216\n"
    assert platform("nxos").hostname(Document("x", text)) == "a"
    assert [p.name for p in read(f"{banner}\ninterface Ethernet1/1\n").ports] == ["Ethernet1/1"]


def test_relevant_words_in_a_banner_are_not_read(read: Read) -> None:
    reading = read("banner motd #\ninterface Ethernet1/9\n  priority-flow-control mode on\necn enable\n#\nhostname a\n")
    assert reading.ports == ()
    assert reading.seen == ()


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("!Command: show running-config\nhostname a\ninterface Ethernet1/1\n", True),
        ("!Command: show running-config all\nhostname a\ninterface Ethernet1/1\n", True),
        ("!Command: show running-config\nhostname a\ninterface Ethernet1/1\nleaf1# exit\nlogout", True),
        ("!Command: show running-config\nhostname a\n", False),
        ("!Command: show running-config interface Ethernet1/1\ninterface Ethernet1/1\n", False),
        ("!Command: show running-config\nhostname a\ninterface Ether", False),
        ("hostname a\n", False),
    ],
)
def test_completeness(text: str, whole: bool) -> None:
    from roce_audit.text.document import DeviceInput

    reading = platform("nxos").read(DeviceInput("a", "nxos", (Document("a.cfg", text),)))
    assert bool(reading.complete_because) is whole


@pytest.mark.parametrize(("command", "whole"), [("show running-config", True), ("show running-config ipqos", False)])
def test_completeness_of_an_answer(command: str, whole: bool) -> None:
    from roce_audit.text.document import DeviceInput

    document = Document("a.cfg", "hostname a\n", command)
    assert bool(platform("nxos").read(DeviceInput("a", "nxos", (document,))).complete_because) is whole


def test_other_answers_of_the_device_are_no_configuration() -> None:
    from roce_audit.text.document import DeviceInput

    documents = (Document("v.txt", "interface Ethernet1/1\n  mtu 9216\n", "show interface brief"),)
    assert platform("nxos").read(DeviceInput("a", "nxos", documents)).ports == ()


def test_control_plane_policing_is_set_aside(read: Read) -> None:
    reading = read(
        "class-map type control-plane match-any A\n  match exception glean\n"
        "policy-map type control-plane P\n  class A\n    police cir 1 kbps\n"
        "control-plane\n  service-policy input P\ninterface Ethernet1/1\n"
    )
    assert reading.seen == ()
    assert reading.ports[0].facts.policed.get() is False


def test_pasted_help_is_no_finding(read: Read) -> None:
    reading = read(
        "system qos\n  service-policy type network-qos default-nq-policy\n"
        "leaf(config)# class-map ?\n  WORD   Class-map name\n  type   Specify the type\n"
        "  leaf(config)# policy-map type qos ?\n  WORD   Policy-map name\ninterface Ethernet1/1\n"
    )
    assert reading.seen == ()


def test_port_described_in_two_ways_is_a_conflict(read: Read) -> None:
    text = "interface Ethernet1/1-4\n  description spare\ninterface Ethernet1/2\n  description host\n"
    assert read(text).seen == ()
    seen = read(text + "interface Ethernet1/2\n  description peer link\n").seen
    assert [(s.observation.kind, s.ports, s.place.line) for s in seen] == [("conflict", ("Ethernet1/2",), 6)]


def test_recognition_leaves_dells_alone() -> None:
    nxos = platform("nxos")
    dell = (
        "! Version 10.5.3.2\nsystem qos\n trust-map dot1p T\ninterface ethernet1/1/1\n priority-flow-control mode on\n"
        " service-policy input type network-qos P\npolicy-map type network-qos P\n"
    )
    assert choose((Document("d", dell),)) == Choice("os10")
    assert choose((Document("d", dell.partition("\n")[2]),)) == Choice("os10")
    own = "policy-map type network-qos P\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
    assert nxos.recognise(Document("n", own)) > 50
    assert nxos.recognise(Document("n", own, "show version")) == 0


@pytest.mark.parametrize("version", ["9.2(3) Bios:version", "10.3(4a) Bios:version 05.51", "9.3(3)"])
def test_release_with_and_without_a_bios(read: Read, version: str) -> None:
    reading = read(f"version {version} \ninterface Ethernet1/1\n")
    assert (reading.seen, reading.device.os_version.get()) == ((), version.split()[0])


def test_remark_behind_a_statement_is_none_of_it(read: Read) -> None:
    text = "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3   ! lossless class\n"
    reading = read(f"{text}system qos\n  service-policy type network-qos NQ\ninterface Ethernet1/1\n  mtu 9216!\n")
    assert [s.observation.name for s in reading.seen] == ["mtu 9216!"]


def test_a_flat_stanza_in_an_indented_text_reaches_over_lines_that_nobody_lists(read: Read) -> None:
    text = (
        "hostname tor1\npolicy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
        "system qos\n  service-policy type network-qos NQ\n"
        "interface Ethernet1/1\ndescription node1\nswitchport mode trunk\nspanning-tree port type edge trunk\n"
        "priority-flow-control mode on\nmtu 9216\n"
        "interface Ethernet1/2\n\nntp server 10.0.0.1\npriority-flow-control watch-dog-interval on\n"
    )
    reading = read(text, whole=False)
    first, second = (port.facts for port in reading.ports)
    assert (first.pfc.get().mode.or_else(None), first.ip_mtu_bytes.or_else(None)) == ("on", 9216)
    assert second.pfc.get().mode.is_unknown
    assert reading.seen == ()


def test_a_line_that_only_a_port_knows_shows_that_a_flat_block_goes_on(read: Read) -> None:
    """The watchdog's line is one of the switch as well; behind lines of nobody's it would end the block."""
    reading = read(
        "interface Ethernet1/1\nspanning-tree port type edge trunk\npriority-flow-control mode on\n"
        "priority-flow-control watch-dog-interval on\nmtu 9216\nservice-policy type qos input IN no-stats\n"
    )
    assert reading.ports[0].facts.ip_mtu_bytes.get() == 9216
    assert not [seen for seen in reading.seen if seen.observation.kind == "unread-line"]


@pytest.mark.parametrize("feature", ["password encryption aes", "nv overlay", "hardware-telemetry", "lacp"])
def test_features_of_several_words_are_known(read: Read, feature: str) -> None:
    assert read(f"feature {feature}\ninterface Ethernet1/1\n  mtu 9216\n").seen == ()
