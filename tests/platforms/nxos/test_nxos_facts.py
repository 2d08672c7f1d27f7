"""What NX-OS statements mean: layers, precedence, classification, thresholds, watchdog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

Read = Callable[..., DeviceReading]

NETWORK = """\
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type network-qos NQ
"""


def cell(reading: DeviceReading, port: str, path: str) -> Cell[Any]:
    """The cell of a port by its dotted path."""
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


def value(reading: DeviceReading, port: str, path: str) -> Any:
    """The value of a cell that must be known."""
    found = cell(reading, port, path)
    assert found.is_known, (path, found)
    return found.get()


def roles(reading: DeviceReading, port: str, path: str) -> set[str]:
    """The roles of the parts that a cell's places lie in."""
    found = next(p for p in reading.ports if p.name == port)
    return {found.parts[at.part].role for at in cell(reading, port, path).at if hasattr(at, "part")}


@pytest.mark.parametrize(
    ("line", "mode", "priorities"),
    [
        ("priority-flow-control mode on", "on", frozenset({3})),
        ("priority-flow-control mode on send-tlv", "on", frozenset({3})),
        ("priority-flow-control mode off", "off", frozenset()),
        ("priority-flow-control mode auto", "auto", None),
        ("no priority-flow-control mode", "auto", None),
        ("", "auto", None),
    ],
)
def test_pfc_mode(read: Read, line: str, mode: str, priorities: frozenset[int] | None) -> None:
    reading = read(f"{NETWORK}interface Ethernet1/1\n  {line}\n")
    assert value(reading, "Ethernet1/1", "pfc.mode") == mode
    found = cell(reading, "Ethernet1/1", "pfc.priorities")
    assert (found.get() if found.is_known else None) == priorities
    if priorities is None:
        assert found.why is Why.NOT_VISIBLE


def test_pfc_without_pause_class_pauses_nothing(read: Read) -> None:
    reading = read("interface Ethernet1/1\n  priority-flow-control mode on\n")
    assert value(reading, "Ethernet1/1", "pfc.priorities") == frozenset()
    fragment = read("interface Ethernet1/1\n  priority-flow-control mode on\n", whole=False)
    assert cell(fragment, "Ethernet1/1", "pfc.priorities").why is Why.NOT_VISIBLE


def test_device_wide_and_own_statements_keep_their_roles(read: Read) -> None:
    text = NETWORK + (
        "policy-map type queuing A\n  class type queuing c-out-8q-q3\n    bandwidth percent 10\n"
        "policy-map type queuing B\n  class type queuing c-out-8q-q3\n    bandwidth percent 20\n"
        "system qos\n  service-policy type queuing output A\n"
        "interface Ethernet1/1-2\n  priority-flow-control mode on\n"
        "interface Ethernet1/2\n  service-policy type queuing output B\n"
    )
    reading = read(text)
    assert value(reading, "Ethernet1/1", "queues.3.share") == 10
    assert roles(reading, "Ethernet1/1", "queues.3.share") == {"device"}
    assert value(reading, "Ethernet1/2", "queues.3.share") == 20
    assert roles(reading, "Ethernet1/2", "queues.3.share") == {"bound"}
    assert roles(reading, "Ethernet1/1", "groups.3.lossless") == {"device"}


def test_policy_bound_both_ways_counts_as_the_ports_own(read: Read) -> None:
    policy = "policy-map type queuing A\n  class type queuing c-out-8q-q3\n    bandwidth percent 10\n"
    system = "system qos\n  service-policy type queuing output A\n"
    reading = read(policy + system + "interface Ethernet1/1\n  service-policy type queuing output A\n")
    assert roles(reading, "Ethernet1/1", "queues.3.share") == {"bound"}


def test_stanzas_of_one_name_merge_and_the_last_line_wins(read: Read) -> None:
    reading = read(
        "class-map type qos match-any R\n  match cos 3\nclass-map type qos match-any R\n  match cos 4\n"
        "policy-map type qos IN\n  class R\n    set qos-group 4\n"
        "policy-map type qos IN\n  class R\n    set qos-group 3\n  class class-default\n    set qos-group 1\n"
        "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n    mtu 1500\n"
        "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    mtu 9216\n"
        "system qos\n  service-policy type network-qos NQ\n"
        "interface Ethernet1/1\n  mtu 9000\n  priority-flow-control mode on\n"
        "interface Ethernet1/1-2\n  mtu 9216\n  service-policy type qos input IN\n"
    )
    assert [value(reading, "Ethernet1/1", f"pcp.{p}") for p in (3, 4, 5)] == [3, 3, 1]
    assert value(reading, "Ethernet1/1", "pfc.priorities") == frozenset({3})
    assert value(reading, "Ethernet1/1", "classes.3.mtu_bytes") == 9216
    assert value(reading, "Ethernet1/1", "ip_mtu_bytes") == 9216


@pytest.mark.parametrize("header", ["system qos~x", "policy-map type network-qos NQ~x"])
def test_a_garbled_header_leaves_no_default(read: Read, header: str) -> None:
    text = NETWORK.replace(header.removesuffix("~x"), header, 1)
    reading = read(text + "interface Ethernet1/1\n  priority-flow-control mode on\n")
    found = cell(reading, "Ethernet1/1", "pfc.priorities")
    assert found.is_unknown
    assert reading.seen


def test_a_garbled_interface_name_darkens_the_ports_it_begins_with(read: Read) -> None:
    reading = read("interface Ethernet1/1-3\n  mtu 9216\ninterface Ethernet1/2~x\n  mtu 1500\n")
    assert cell(reading, "Ethernet1/2", "ip_mtu_bytes").why is Why.NOT_PARSED
    assert value(reading, "Ethernet1/1", "ip_mtu_bytes") == 9216
    assert [(s.observation.kind, s.ports) for s in reading.seen] == [("unread-line", ("Ethernet1/2",))]


def test_channel_governs_its_members(read: Read) -> None:
    text = (
        "class-map type qos match-all R\n  match cos 3\n"
        "policy-map type qos IN\n  class R\n    set qos-group 3\n"
        "interface port-channel7\n  mtu 9216\n  vpc peer-link\n  service-policy type qos input IN\n"
        "interface Ethernet1/1\n  priority-flow-control mode on\n  channel-group 7 mode active\n"
    )
    reading = read(NETWORK + text)
    assert value(reading, "Ethernet1/1", "pcp.3") == 3
    assert value(reading, "Ethernet1/1", "dscp.26") == 0
    assert value(reading, "Ethernet1/1", "ip_mtu_bytes") == 9216
    assert roles(reading, "Ethernet1/1", "ip_mtu_bytes") == {"lag"}
    port = next(p for p in reading.ports if p.name == "Ethernet1/1")
    assert (port.labels.lag, port.labels.peer_link) == ("port-channel7", True)


@pytest.mark.parametrize(("allowed", "vlans"), [("\n  switchport trunk allowed vlan 711-712", {711, 712}), ("", {99})])
def test_a_native_vlan_that_is_not_allowed_is_not_bridged(read: Read, allowed: str, vlans: set[int]) -> None:
    text = f"interface Ethernet1/1\n  switchport mode trunk\n  switchport trunk native vlan 99{allowed}\n"
    assert next(p for p in read(text).ports if p.name == "Ethernet1/1").labels.vlans == vlans


def test_a_members_own_policies_are_told(read: Read) -> None:
    """They take effect while the port is in no channel; whether the switch gave them to the channel a file does not show."""
    policies = (
        "class-map type qos match-all R\n  match dscp 26\n"
        "policy-map type qos IN\n  class R\n    set qos-group 3\n"
        "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    bandwidth percent 10\n"
    )
    own = (
        "  service-policy type qos input IN\n  service-policy type queuing output OUT\n  channel-group 7 mode active\n"
    )
    channel = "interface port-channel7\n  vpc 7\n"
    member = f"interface Ethernet1/1\n{own}"

    def told(text: str) -> list[str]:
        return [one.quote for one in read(NETWORK + policies + text).seen if "take effect" in one.observation.text]

    assert value(read(NETWORK + policies + channel + member), "Ethernet1/1", "dscp.26") == 3
    assert told(channel + member) == ["service-policy type qos input IN", "service-policy type queuing output OUT"]
    assert told(f"{channel}  service-policy type qos input IN\n{member}") == ["service-policy type queuing output OUT"]
    assert told(member) == []  # nothing shows the channel: its policies may be these
    assert told(channel + member.replace("  channel-group 7 mode active\n", "")) == []


@pytest.mark.parametrize(
    ("criteria", "dscp", "group"),
    [
        ("match-any X\n  match dscp 24-31", 26, 3),
        ("match-any X\n  match dscp 24-31", 32, 0),
        ("match-any X\n  match dscp af31,cs6", 48, 3),
        ("match-any X\n  match dscp 18, 20", 20, 3),
        ("match-all X\n  match dscp 26\n  match cos 3", 26, 0),
        ("match-all X\n  match dscp 26\n  match precedence 3", 26, 3),
        ("X\n  match dscp 26\n  match precedence 4", 26, 0),
        ("match-any X\n  match dscp 26\n  match precedence 4", 26, 3),
        ("match-all X\n  match not dscp 0-25,27-63", 26, 3),
        ("match-any X\n  match protocol arp", 26, 0),
        ("match-any X\n  match cos 3", 26, 0),
        ("match-any X\n  match cos 0", 26, None),
        ("match-any X\n  match access-group name L", 26, 3),
        ("match-any X\n  match packet length 100", 26, None),
    ],
)
def test_classification(read: Read, criteria: str, dscp: int, group: int | None) -> None:
    reading = read(
        f"ip access-list L\n  10 permit udp any any eq 4791\nclass-map type qos {criteria}\n"
        "policy-map type qos IN\n  class X\n    set qos-group 3\n"
        "interface Ethernet1/1\n  service-policy type qos input IN\n"
    )
    found = cell(reading, "Ethernet1/1", f"dscp.{dscp}")
    assert found.is_unknown if group is None else found.get() == group


def test_first_class_wins_and_class_default_is_last(read: Read) -> None:
    reading = read(
        "class-map type qos match-any A\n  match dscp 26\nclass-map type qos match-any B\n  match dscp 24-31\n"
        "policy-map type qos IN\n  class class-default\n    set qos-group 7\n  class A\n    set qos-group 1\n"
        "  class B\n    set qos-group 2\npolicy-map type qos IN\n  class B insert-before A\n    set qos-group 4\n"
        "interface Ethernet1/1\n  service-policy type qos input IN\n"
    )
    assert [value(reading, "Ethernet1/1", f"dscp.{d}") for d in (26, 25, 0)] == [1, 4, 7]


def test_unclassified_traffic_is_in_group_zero_by_default(read: Read) -> None:
    assert value(read("interface Ethernet1/1\n"), "Ethernet1/1", "dscp.26") == 0
    assert cell(read("interface Ethernet1/1\n", whole=False), "Ethernet1/1", "dscp").why is Why.NOT_VISIBLE


def test_vlan_policy_yields_to_the_ports_and_doubts_where_it_differs(read: Read) -> None:
    text = (
        "policy-map type qos V\n  class class-default\n    set qos-group 2\n"
        "policy-map type qos P\n  class class-default\n    set qos-group 5\n"
        "vlan configuration 10-12\n  service-policy type qos input V\n"
        "interface Ethernet1/1\n  switchport access vlan 11\n  service-policy type qos input P\n"
        "interface Ethernet1/2\n  switchport access vlan 11\n"
        "interface Ethernet1/3\n  switchport access vlan 13\n"
        "interface Ethernet1/4\n  switchport mode trunk\n"
    )
    reading = read(text)
    assert value(reading, "Ethernet1/1", "dscp.26") == 5
    assert cell(reading, "Ethernet1/2", "dscp.26").why is Why.CONFLICT
    assert value(reading, "Ethernet1/3", "dscp.26") == 0
    assert cell(reading, "Ethernet1/4", "dscp.26").why is Why.CONFLICT
    assert not reading.seen


@pytest.mark.parametrize(
    ("line", "marks", "drops", "low"),
    [
        ("random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes ecn", True, False, 150_000),
        ("random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes", False, True, 150_000),
        (
            "random-detect minimum-threshold 9000 bytes maximum-threshold 1 mbytes drop-probability 7 ecn",
            True,
            False,
            9000,
        ),
        ("random-detect threshold burst-optimized ecn", True, False, None),
        ("random-detect minimum-threshold 10 us maximum-threshold 20 us ecn", True, False, None),
        ("afd queue-desired 150 kbytes ecn", True, False, None),
    ],
)
def test_ecn_and_wred(read: Read, line: str, marks: bool, drops: bool, low: int | None) -> None:
    reading = read(
        f"policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    {line}\n"
        "system qos\n  service-policy type queuing output OUT\ninterface Ethernet1/1\n"
    )
    base = "queues.3.ecn."
    assert value(reading, "Ethernet1/1", base + "marks") is marks
    assert value(reading, "Ethernet1/1", base + "drops") is drops
    found = cell(reading, "Ethernet1/1", base + "min_bytes")
    assert found.why is Why.NO_DEFAULT if low is None else found.get() == low


def test_half_a_curve_is_not_understood(read: Read) -> None:
    reading = read(
        "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    random-detect minimum-threshold 150 kbytes ecn\n"
        "system qos\n  service-policy type queuing output OUT\ninterface Ethernet1/1\n"
    )
    assert cell(reading, "Ethernet1/1", "queues.3.ecn").why is Why.NOT_PARSED
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]
    assert reading.seen[0].ports == ("Ethernet1/1",)


def test_ingress_thresholds_are_bytes_and_headroom_is_what_lies_above(read: Read) -> None:
    reading = read(
        "policy-map type queuing INQ\n  class type queuing c-in-q3\n"
        "    pause buffer-size 101920 pause-threshold 46800 resume-threshold 34320\n"
        "system qos\n  service-policy type queuing input INQ\ninterface Ethernet1/1\n"
    )
    names = ("xoff_at_bytes", "xon_at_bytes", "headroom_bytes")
    assert [value(reading, "Ethernet1/1", f"groups.3.{n}") for n in names] == [46800, 34320, 55120]
    assert cell(reading, "Ethernet1/1", "groups.2.headroom_bytes").why is Why.NO_DEFAULT


@pytest.mark.parametrize(
    ("everywhere", "here", "on"),
    [
        ("on", "on", True),
        ("on", "off", False),
        ("off", "on", False),
        ("on", "", None),
        ("", "on", None),
        ("", "", False),
    ],
)
def test_watchdog_needs_both(read: Read, everywhere: str, here: str, on: bool | None) -> None:
    word = "priority-flow-control watch-dog-interval "
    top = word + everywhere if everywhere else ""
    own = word + here if here else ""
    found = cell(read(f"{top}\ninterface Ethernet1/1\n  {own}\n"), "Ethernet1/1", "pfc.watchdog.on")
    assert found.is_unknown if on is None else found.get() is on


@pytest.mark.parametrize(
    ("top", "own", "up"),
    [
        ("", "switchport", True),
        ("system default switchport shutdown", "switchport", False),
        ("system default switchport", "mtu 9216", True),
        ("", "no switchport", None),
        ("", "mtu 9216", None),
        ("system default switchport shutdown", "no shutdown", True),
        ("", "shutdown", False),
        ("", "shutdown force", False),
    ],
)
def test_admin_state(read: Read, top: str, own: str, up: bool | None) -> None:
    found = cell(read(f"{top}\ninterface Ethernet1/1\n  {own}\n"), "Ethernet1/1", "admin_up")
    assert found.is_unknown if up is None else found.get() is up


TAGGED = (
    "class-map type qos match-any R\n  match cos {}\n"
    "policy-map type qos IN\n  class R\n    set qos-group {}\n"
    "class-map type network-qos N\n  match qos-group 3\n"
    "policy-map type network-qos NQ\n  class type network-qos N\n    pause no-drop\n"
    "system qos\n  service-policy type network-qos NQ\n  service-policy type qos input IN\n"
    "interface Ethernet1/1\n  priority-flow-control mode on\n"
)


@pytest.mark.parametrize(("tag", "group", "paused"), [("3", 3, {3}), ("3-4", 3, {3, 4}), ("3", 2, set())])
def test_a_no_drop_class_without_a_priority_pauses_what_tags_lead_to_it(
    read: Read, tag: str, group: int, paused: set[int]
) -> None:
    reading = read(TAGGED.format(tag, group))
    assert value(reading, "Ethernet1/1", "pfc.priorities") == paused
    for priority in paused:
        assert value(reading, "Ethernet1/1", f"priorities.{priority}.group") == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("match cos 3", "match dscp 26"),
        ("match cos 3", "match access-group name ROCE"),
        ("  service-policy type qos input IN\n", ""),
    ],
)
def test_a_no_drop_class_without_a_priority_that_more_than_tags_lead_to(read: Read, old: str, new: str) -> None:
    reading = read(TAGGED.format("3", 3).replace(old, new))
    assert cell(reading, "Ethernet1/1", "pfc.priorities").is_unknown
    assert cell(reading, "Ethernet1/1", "priorities.3.group").is_unknown


def test_undefined_pause_class_darkens_only_what_it_could_set(read: Read) -> None:
    reading = read(
        "policy-map type network-qos NQ\n  class type network-qos GHOST\n    pause pfc-cos 3\n"
        "  class type network-qos PHANTOM\n    mtu 9216\n"
        "system qos\n  service-policy type network-qos NQ\n"
        "interface Ethernet1/1\n  priority-flow-control mode on\n"
    )
    assert cell(reading, "Ethernet1/1", "pfc.priorities").why is Why.UNDEFINED
    assert cell(reading, "Ethernet1/1", "groups.3.lossless").why is Why.UNDEFINED
    assert cell(reading, "Ethernet1/1", "groups.3.profile").is_absent
    assert cell(reading, "Ethernet1/1", "queues.3.ecn").is_absent
    seen = [(s.observation.kind, s.observation.name, s.ports) for s in reading.seen]
    assert seen == [("undefined", "GHOST", ("Ethernet1/1",)), ("undefined", "PHANTOM", ("Ethernet1/1",))]


def test_places_resolve_to_the_lines_that_said_it(read: Read) -> None:
    reading = read(NETWORK + "interface Ethernet1/1\n  priority-flow-control mode on\n")
    port = reading.ports[0]
    lines = [resolve(at, port.parts).line for at in cell(reading, "Ethernet1/1", "pfc.priorities").at]  # type: ignore[union-attr]
    assert lines == [4, 9]


def test_a_no_drop_class_without_an_mtu_is_no_class_without_a_limit(read: Read) -> None:
    ports = "interface Ethernet1/1\n  mtu 9216\n"
    assert value(read(NETWORK + ports), "Ethernet1/1", "classes.3.mtu_bytes") == 9216
    silent = read(NETWORK.replace("    mtu 9216\n", "") + ports)
    assert cell(silent, "Ethernet1/1", "classes.3.mtu_bytes").why is Why.NO_DEFAULT
    assert cell(silent, "Ethernet1/1", "classes.2.mtu_bytes").is_absent


@pytest.mark.parametrize(
    ("ports", "model", "expected"),
    [
        ("interface Ethernet1/1\n", "", "shared_on_chip"),
        ("interface Ethernet1/1\n", "C93180YC-FX3 Chassis", "shared_on_chip"),
        ("interface Ethernet1/1\n", "C36180YC-R Chassis", None),
        ("interface Ethernet1/1\ninterface Ethernet4/1\n", "", None),
    ],
)
def test_line_cards_and_deep_buffers_leave_the_architecture_open(ports: str, model: str, expected: str | None) -> None:
    documents = [Document("x.cfg", "!Command: show running-config\n" + ports)]
    if model:
        documents.append(Document("v.txt", f"Hardware\n  cisco Nexus9000 {model} \n", "show version"))
    found = platform("nxos").read(DeviceInput("x", "nxos", tuple(documents))).device.buffer_architecture
    assert found.value_or_none() == expected


PROFILES = NETWORK + (
    "policy-map type qos MARKS\n  class c-dflt-mpls-qosgrp3\n    set qos-group 3\n"
    "port-profile type ethernet NODES\n  switchport mode trunk\n  mtu 9216\n  priority-flow-control mode on\n"
    "  priority-flow-control watch-dog-interval on\n  service-policy type qos input MARKS\n  no shutdown\n{state}"
    "port-profile type interface-vlan GATEWAYS\n  ip redirects\n"
)
ENABLED = PROFILES.format(state="  state enabled\n")


def test_a_port_says_what_the_profile_says_that_it_inherits(read: Read) -> None:
    reading = read(ENABLED + "interface Ethernet1/1\n  inherit port-profile NODES\n")
    assert [
        value(reading, "Ethernet1/1", path) for path in ("pfc.mode", "ip_mtu_bytes", "admin_up", "pfc.priorities")
    ] == ["on", 9216, True, frozenset({3})]
    assert reading.seen == ()
    port = reading.ports[0]
    mode = cell(reading, "Ethernet1/1", "pfc.mode")
    assert [resolve(at, port.parts).line for at in mode.at] == [ENABLED[: ENABLED.index("mode on")].count("\n") + 2]  # type: ignore[union-attr]


def test_what_the_port_says_itself_wins_and_a_profile_can_be_taken_away(read: Read) -> None:
    reading = read(
        ENABLED
        + "interface Ethernet1/1\n  inherit port-profile NODES\n  priority-flow-control mode off\n"
        + "interface Ethernet1/2\n  inherit port-profile NODES\n  no inherit port-profile NODES\n"
    )
    assert value(reading, "Ethernet1/1", "pfc.mode") == "off"
    assert value(reading, "Ethernet1/1", "ip_mtu_bytes") == 9216
    assert value(reading, "Ethernet1/2", "pfc.mode") == "auto"
    assert value(reading, "Ethernet1/2", "ip_mtu_bytes") == 1500


def test_a_profile_that_nobody_defines_leaves_its_settings_unknown(read: Read) -> None:
    reading = read(ENABLED + "interface Ethernet1/1\n  inherit port-profile NODE\n")
    for path in ("pfc.mode", "ip_mtu_bytes", "dscp.26"):
        assert cell(reading, "Ethernet1/1", path).why is Why.UNDEFINED
    assert [s.observation.name for s in reading.seen if s.observation.kind == "undefined"] == ["NODE"]


@pytest.mark.parametrize("state", ["", "  state enabled\n  no state enabled\n"], ids=["not enabled", "disabled again"])
def test_a_profile_that_is_not_enabled_is_told_and_sets_nothing(read: Read, state: str) -> None:
    text = PROFILES.format(state=state)
    reading = read(f"{text}interface Ethernet1/1\n  inherit port-profile NODES\ninterface Ethernet1/2\n")
    assert value(reading, "Ethernet1/1", "pfc.mode") == "auto"
    assert value(reading, "Ethernet1/1", "ip_mtu_bytes") == 1500
    (told,) = reading.seen
    assert (told.observation.kind, told.observation.name, told.ports) == ("unapplied", "NODES", ("Ethernet1/1",))
    assert told.place.line == text[: text.index("port-profile")].count("\n") + 2
    assert told.makes == ("pause",)


def test_a_profile_without_pfc_that_is_not_enabled_takes_nothing_from_lossless_transport(read: Read) -> None:
    text = PROFILES.format(state="")
    bare = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("  priority-flow"))
    (told,) = read(f"{bare}interface Ethernet1/1\n  inherit port-profile NODES\n").seen
    assert told.makes == ()


def test_a_profile_inherits_others_and_the_one_named_first_wins(read: Read) -> None:
    def profile(name: str, *lines: str) -> str:
        return "\n".join(
            (f"port-profile type ethernet {name}", *(f"  {line}" for line in lines), "  state enabled", "")
        )

    text = (
        profile("BASE", "priority-flow-control mode on", "mtu 4200", "speed 100000")
        + profile("NODES", "inherit port-profile BASE", "mtu 9216")
        + profile("OTHER", "priority-flow-control mode off", "speed 400000", "shutdown")
        + "interface Ethernet1/1\n  inherit port-profile NODES\n  inherit port-profile OTHER\n"
        + "interface Ethernet1/2\n  inherit port-profile NODES\n  inherit port-profile OTHER\n"
        "  no inherit port-profile NODES\n"
        + "interface Ethernet1/3\n  inherit port-profile NODES\n  no inherit port-profile\n"
    )
    reading = read(text)
    paths = ("pfc.mode", "ip_mtu_bytes", "speed_bps", "admin_up")
    assert [value(reading, "Ethernet1/1", path) for path in paths] == ["on", 9216, 100_000_000_000, False]
    assert [value(reading, "Ethernet1/2", path) for path in paths] == ["off", 1500, 400_000_000_000, False]
    assert value(reading, "Ethernet1/3", "pfc.mode") == "auto"


def test_profiles_that_inherit_each_other_come_to_an_end(read: Read) -> None:
    text = "".join(
        f"port-profile type ethernet {one}\n  inherit port-profile {other}\n  mtu 9216\n  state enabled\n"
        for one, other in (("A", "B"), ("B", "A"))
    )
    reading = read(text + "interface Ethernet1/1\n  inherit port-profile A\n")
    assert value(reading, "Ethernet1/1", "ip_mtu_bytes") == 9216


def test_members_take_what_the_profile_of_their_channel_says(read: Read) -> None:
    ports = (
        "interface port-channel5\n  inherit port-profile NODES\ninterface Ethernet1/1\n  channel-group 5 mode active\n"
    )
    assert value(read(ENABLED + ports), "Ethernet1/1", "pfc.mode") == "on"


TEMPLATED = """\
class-map type network-qos match-any ND
  match cos 3
policy-map type network-qos NQ template 7e
  class type network-qos ND
    pause
system qos
  service-policy type network-qos {}
interface Ethernet3/1
  priority-flow-control mode on
"""


def test_a_network_qos_policy_is_named_before_its_template(read: Read) -> None:
    assert not [one for one in read(TEMPLATED.format("NQ")).seen if one.observation.kind == "undefined"]


@pytest.mark.parametrize(
    ("no_drop", "port", "told"),
    [
        ("    pause no-drop\n", "", ["ND"]),
        ("    pause no-drop\n    mtu 9216\n", "", []),
        ("    pause no-drop\n", "  mtu 9216\n", []),
        ("    pause pfc-cos 3\n", "", []),
    ],
)
def test_a_no_drop_class_without_an_mtu(read: Read, no_drop: str, port: str, told: list[str]) -> None:
    """Of a Nexus 5000, whose ports have none."""
    policy = (
        "class-map type network-qos ND\n  match qos-group 2\npolicy-map type network-qos NQ\n  class type network-qos ND\n"
        f"{no_drop}  class type network-qos class-default\n    mtu 9216\nsystem qos\n  service-policy type network-qos NQ\n"
    )
    reading = read(f"{policy}interface Ethernet1/1\n  priority-flow-control mode on\n{port}")
    assert [one.observation.name for one in reading.seen if one.observation.kind == "conflict"] == told


def test_a_class_of_tags_pauses_them(read: Read) -> None:
    """Of a Nexus 7000: no qos-group stands between the tag and its class."""
    lossy = "  class type network-qos REST\n    congestion-control tail-drop\n    mtu 9216\n"
    rest = "class-map type network-qos match-any REST\n  match cos 0-2,4-7\n"
    text = rest + TEMPLATED.format("NQ").replace("    pause\n", "    pause\n    mtu 1500\n" + lossy)
    reading = read(text)
    assert cell(reading, "Ethernet3/1", "pfc.priorities").get() == frozenset({3})
    assert value(reading, "Ethernet3/1", "groups.3.lossless") is True
    assert value(reading, "Ethernet3/1", "classes.3.mtu_bytes") == 1500
    assert value(reading, "Ethernet3/1", "classes.4.mtu_bytes") == 9216
    assert value(reading, "Ethernet3/1", "pcp.3") == 3
    assert cell(reading, "Ethernet3/1", "dscp.26").is_unknown
    unclear = text.replace("  match cos 3\n", "  match cos 3\n  match access-group name X\n")
    assert cell(read(unclear), "Ethernet3/1", "pfc.priorities").is_unknown


@pytest.mark.parametrize(("policy", "pauses"), [("default-nq-8e-policy", False), ("default-nq-7e-policy", None)])
def test_templates_of_the_switch_itself_are_defined(read: Read, policy: str, pauses: bool | None) -> None:
    reading = read(TEMPLATED.format(policy))
    assert not [one for one in reading.seen if one.observation.kind == "undefined"]
    priorities = cell(reading, "Ethernet3/1", "pfc.priorities")
    assert priorities.is_unknown if pauses is None else priorities.get() == frozenset()


def test_multicast_is_optimized_in_a_class_that_is_read(read: Read) -> None:
    text = NETWORK.replace(
        "    mtu 9216\n", "    mtu 9216\n  class type network-qos class-default\n    multicast-optimize\n"
    )
    assert not [one for one in read(text + "interface Ethernet1/1\n").seen if one.observation.kind == "unread-line"]


@pytest.mark.parametrize(
    ("line", "makes"), [("  switchport mode trunk\n", ()), ("  priority-flow-control mode on\n", ("pause",))]
)
def test_a_profile_that_nothing_inherits_makes_a_class_lossless_where_it_sets_pfc(
    read: Read, line: str, makes: tuple[str, ...]
) -> None:
    reading = read(f"port-profile type ethernet VMS\n{line}  state enabled\ninterface Ethernet1/1\n")
    assert [told.makes for told in reading.seen if told.observation.kind == "unapplied"] == [makes]


def test_a_line_that_is_not_understood_may_be_the_match_of_its_class(read: Read) -> None:
    policy = "policy-map type qos IN\n  class RDMA\n    set qos-group 3\ninterface Ethernet1/1\n  service-policy type qos input IN\n"
    for line, is_told in (("  mtach dscp 26\n", False), ("  description none\n", True), ("", True)):
        reading = read(f"class-map type qos match-any RDMA\n{line}{policy}")
        assert any("has no match line" in one.observation.text for one in reading.seen) is is_told


def test_the_policies_of_fcoe_are_the_systems_own_and_hide_what_they_do(read: Read) -> None:
    text = """\
class-map type qos class-fcoe
class-map type queuing class-fcoe
  match qos-group 1
class-map type queuing class-all-flood
  match qos-group 2
class-map type network-qos class-ip-multicast
  match qos-group 2
system qos
  service-policy type qos input {0}
  service-policy type queuing output fcoe-default-out-policy
  service-policy type network-qos fcoe-default-nq-policy
interface Ethernet1/1
  switchport mode trunk
"""
    reading = read(text.format("fcoe-default-in-policy"))
    assert reading.seen == ()
    for path in ("pfc.priorities", "pcp.3"):
        assert cell(reading, "Ethernet1/1", path).is_unknown
    assert [one.observation.kind for one in read(text.format("fcoe-defualt-in-policy")).seen] == ["undefined"]
