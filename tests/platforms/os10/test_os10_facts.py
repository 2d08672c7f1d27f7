"""What OS10 statements mean: trust, PFC, groups, queues, ECN, precedence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

Read = Callable[..., DeviceReading]
PORT = "ethernet1/1/1"
PFC = """\
class-map type network-qos C
 match qos-group 3
policy-map type network-qos PFC
 class C
  {lines}
interface ethernet1/1/1
 service-policy input type network-qos PFC
 priority-flow-control mode on
"""


def cell(reading: DeviceReading, path: str, port: str = PORT) -> Cell[Any]:
    """The cell of a port by its dotted path."""
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


def value(reading: DeviceReading, path: str, port: str = PORT) -> Any:
    """The value of a cell that must be known."""
    found = cell(reading, path, port)
    assert found.is_known, (path, found)
    return found.get()


@pytest.mark.parametrize(
    ("lines", "priorities", "lossless"),
    [
        ("pause\n  pfc-cos 3", {3}, True),
        ("pause\n  pfc-cos 3,5-6", {3, 5, 6}, True),
        ("pause", set(), True),
        ("pfc-cos 3", {3}, False),
        ("pause\n  pfc-cos 3\n  no pause", {3}, False),
        ("pause\n  pfc-cos 3\n  no pfc-cos", set(), True),
        ("pause\n  pfc-cos 3\n  pfc-cos 4", {4}, True),
    ],
)
def test_a_priority_is_paused_by_pfc_cos_and_buffered_by_pause(
    read: Read, lines: str, priorities: set[int], lossless: bool
) -> None:
    reading = read(PFC.format(lines=lines))
    assert value(reading, "pfc.priorities") == priorities
    assert value(reading, "groups.3.lossless") is lossless


@pytest.mark.parametrize(
    ("line", "mode", "known"),
    [
        ("", "off", True),
        ("priority-flow-control mode off", "off", True),
        ("priority-flow-control mode auto", "auto", False),
        ("priority-flow-control mode on", "on", True),
        ("priority-flow-control mode on\n no priority-flow-control mode", "off", True),
    ],
)
def test_pfc_mode(read: Read, line: str, mode: str, known: bool) -> None:
    text = PFC.format(lines="pause\n  pfc-cos 3").replace("priority-flow-control mode on", line)
    reading = read(text)
    assert value(reading, "pfc.mode") == mode
    assert cell(reading, "pfc.priorities").is_known is known


def test_thresholds_are_kilobytes_and_headroom_is_what_lies_above_xoff(read: Read) -> None:
    reading = read(PFC.format(lines="pause buffer-size 160 pause-threshold 60 resume-threshold 45\n  pfc-cos 3"))
    names = ("reserved_bytes", "headroom_bytes", "xoff_at_bytes", "xon_at_bytes")
    assert [value(reading, f"groups.3.{name}") for name in names] == [160_000, 100_000, 60_000, 45_000]
    assert value(reading, "classes.3.group") == 3
    assert {value(reading, f"classes.{n}.group") for n in (0, 1, 2, 4, 5, 6, 7)} == {7}


def test_the_default_group_makes_room_for_a_lossless_class_seven(read: Read) -> None:
    reading = read(PFC.format(lines="pause\n  pfc-cos 7").replace("qos-group 3", "qos-group 7"))
    assert value(reading, "classes.7.group") == 7
    assert value(reading, "classes.0.group") == 6
    assert value(reading, "groups.6.lossless") is False


def test_classes_of_one_network_qos_class_share_a_group(read: Read) -> None:
    reading = read(PFC.format(lines="pause\n  pfc-cos 3-4").replace("qos-group 3", "qos-group 3-4"))
    assert [value(reading, f"classes.{n}.group") for n in (3, 4)] == [3, 3]
    assert [value(reading, f"priorities.{n}.group") for n in (3, 4)] == [3, 3]
    assert cell(reading, "priorities.3.queue").why is Why.CONFLICT


def test_a_shared_limit_moves_the_thresholds_by_an_unknown_amount(read: Read) -> None:
    lines = (
        "pause buffer-size 160 pause-threshold 60 resume-threshold 45\n  queue-limit thresh-mode dynamic 8\n  pfc-cos 3"
    )
    reading = read(PFC.format(lines=lines))
    assert value(reading, "groups.3.lossless") is True
    assert cell(reading, "groups.3.xoff_at_bytes").why is Why.NO_DEFAULT
    assert cell(reading, "groups.3.headroom_bytes").why is Why.NO_DEFAULT


TRUST = """\
trust dot1p-map TAGS
 qos-group 3 dot1p 3
 qos-group {zero} dot1p 0
trust dscp-map MARKS
 qos-group 4 dscp 24-31
system qos
 {system}
interface ethernet1/1/1
 {own}
"""


@pytest.mark.parametrize(
    ("system", "own", "dscp_26", "pcp_3", "trust"),
    [
        ("ets mode on", "no shutdown", 0, 0, "none"),
        ("trust-map dot1p TAGS", "no shutdown", 0, 3, "pcp"),
        ("trust-map dscp MARKS", "no shutdown", 4, Why.NOT_VISIBLE, "dscp"),
        ("ets mode on", "trust-map dscp MARKS", 4, Why.NOT_VISIBLE, "dscp"),
        ("trust-map dot1p TAGS", "trust-map dscp MARKS", 4, Why.NO_DEFAULT, "both"),
        ("trust-map dscp default", "no shutdown", 3, Why.NOT_VISIBLE, "dscp"),
        ("trust-map dscp default", "trust-map dscp MARKS", 4, Why.NOT_VISIBLE, "dscp"),
        ("trust-map dscp default\n no trust-map dscp", "no shutdown", 0, 0, "none"),
    ],
)
def test_trust(read: Read, system: str, own: str, dscp_26: int, pcp_3: int | Why, trust: str) -> None:
    reading = read(TRUST.format(system=system, own=own, zero=0))
    assert value(reading, "dscp.26") == dscp_26
    tagged = cell(reading, "pcp.3")
    assert (tagged.get() if tagged.is_known else tagged.why) == pcp_3
    assert value(reading, "trust") == trust


def test_untagged_packets_where_tags_are_trusted(read: Read) -> None:
    text = TRUST.format(system="trust-map dot1p TAGS", own="no shutdown", zero=2)
    assert cell(read(text), "dscp.26").why is Why.NO_DEFAULT
    default = TRUST.format(system="trust-map dot1p default", own="no shutdown", zero=0)
    assert cell(read(default), "dscp.26").why is Why.NO_DEFAULT
    assert [value(read(default), f"pcp.{n}") for n in range(8)] == [1, 0, 2, 3, 4, 5, 6, 7]


def test_a_policy_beside_a_trust_map_counts_where_both_agree(read: Read) -> None:
    text = (
        "class-map type qos {logic}R\n match dscp 26\n match cos 3\npolicy-map type qos IN\n class R\n  set qos-group 4\n"
    ) + TRUST.format(system="trust-map dscp MARKS", own="service-policy input type qos IN", zero=0)
    assert value(read(text.format(logic="match-any ")), "dscp.26") == 4
    reading = read(text.format(logic="match-any ").replace("set qos-group 4", "set qos-group 5"))
    assert cell(reading, "dscp.26").why is Why.CONFLICT
    assert value(reading, "dscp.27") == 4
    # whether a class-map needs all of its criteria is not documented where it does not say
    alone = text.replace(" trust-map dscp MARKS\n", "")
    assert cell(read(alone.format(logic="")), "dscp.26").why is Why.NO_DEFAULT
    assert value(read(alone.format(logic="")), "dscp.27") == 0


@pytest.mark.parametrize(
    ("system", "own", "queue"),
    [
        ("ets mode on", "no shutdown", 3),
        ("qos-map traffic-class A", "no shutdown", 5),
        ("qos-map traffic-class A", "qos-map traffic-class B", 6),
        ("qos-map traffic-class A", "qos-map traffic-class B\n no qos-map traffic-class", 5),
        ("ets mode on", "qos-map traffic-class PART", None),
    ],
)
def test_qos_map(read: Read, system: str, own: str, queue: int | None) -> None:
    reading = read(
        "qos-map traffic-class A\n queue 5 qos-group 3\nqos-map traffic-class B\n queue 6 qos-group 3\n"
        "qos-map traffic-class PART\n queue 3 qos-group 3 type mcast\n"
        f"system qos\n {system}\ninterface ethernet1/1/1\n {own}\n"
    )
    found = cell(reading, "classes.3.queue")
    assert found.why is Why.NO_DEFAULT if queue is None else found.get() == queue


WRED = """\
wred W
 random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 20
 {profile}
class-map type queuing Q3
 match queue 3
policy-map type queuing OUT
 class Q3
  random-detect W
system qos
 {system}
interface ethernet1/1/1
 service-policy output type queuing OUT
"""


@pytest.mark.parametrize(
    ("profile", "system", "marks"),
    [
        ("random-detect ecn", "ets mode on", True),
        ("random-detect weight 0", "ets mode on", False),
        ("random-detect weight 0", "random-detect ecn", True),
        ("random-detect ecn", "no random-detect ecn", True),
    ],
)
def test_both_meanings_of_random_detect_ecn(read: Read, profile: str, system: str, marks: bool) -> None:
    reading = read(WRED.format(profile=profile, system=system))
    assert value(reading, "queues.3.ecn.marks") is marks
    assert value(reading, "queues.3.ecn.drops") is not marks
    assert value(reading, "queues.3.ecn.min_bytes") == 150_000
    assert cell(reading, "queues.2.ecn").is_absent


def test_a_wred_profile_of_the_port_leaves_its_queues_open(read: Read) -> None:
    text = WRED.format(profile="random-detect ecn", system="ets mode on")
    reading = read(text.replace(" service-policy output", " random-detect W\n service-policy output"))
    assert value(reading, "queues.3.ecn.marks") is True
    assert cell(reading, "queues.2.ecn").why is Why.NO_DEFAULT


def test_the_port_hides_the_system_and_the_channel_hides_the_port(read: Read) -> None:
    reading = read(
        "class-map type queuing Q3\n match queue 3\n"
        + "".join(f"policy-map type queuing P{n}\n class Q3\n  bandwidth percent {n}\n" for n in (10, 20, 30))
        + "system qos\n service-policy output type queuing P10\n"
        "interface port-channel7\n service-policy output type queuing P30\n mtu 9216\n"
        "interface ethernet1/1/1\n no shutdown\n"
        "interface ethernet1/1/2\n service-policy output type queuing P20\n"
        "interface ethernet1/1/3\n service-policy output type queuing P20\n channel-group 7 mode active\n mtu 1532\n"
    )
    assert [value(reading, "queues.3.share", f"ethernet1/1/{n}") for n in (1, 2, 3)] == [10, 20, 30]
    assert value(reading, "ip_mtu_bytes", "ethernet1/1/3") == 9184


@pytest.mark.parametrize(
    ("top", "own", "mode"),
    [
        ("", "no shutdown", "off"),
        ("dcbx enable", "no shutdown", "auto"),
        ("dcbx enable", "dcbx version cee", "cee"),
        ("dcbx enable", "no lldp tlv-select dcbxp", "off"),
        ("no dcbx enable", "dcbx version cee", "off"),
    ],
)
def test_dcbx_needs_switch_and_port(read: Read, top: str, own: str, mode: str) -> None:
    assert value(read(f"{top}\ninterface ethernet1/1/1\n {own}\n"), "dcbx.mode") == mode


def test_what_guides_disagree_on_is_unknown(read: Read) -> None:
    reading = read("interface ethernet1/1/1\n mtu 9216\n")
    assert cell(reading, "link_pause_rx").why is Why.NO_DEFAULT
    assert value(reading, "link_pause_tx") is False
    assert cell(reading, "admin_up").why is Why.NO_DEFAULT
    assert cell(reading, "pfc.watchdog").is_absent


def test_peer_links_are_what_the_vlt_domain_names(read: Read) -> None:
    reading = read(
        "interface range ethernet1/1/49-1/1/52\n no shutdown\n"
        "vlt-domain 1\n discovery-interface ethernet1/1/49-1/1/50\n discovery-interface ethernet1/1/52\n"
    )
    assert [p.name for p in reading.ports if p.labels.peer_link] == [
        "ethernet1/1/49",
        "ethernet1/1/50",
        "ethernet1/1/52",
    ]


@pytest.mark.parametrize(("system", "known"), [("S5248F-ON", True), ("S4248FB-ON", False)])
def test_the_model_tells_how_buffers_are_organised(system: str, known: bool) -> None:
    documents = (
        Document("show_running-configuration.txt", "hostname x\n", "show running-config"),
        Document("show_version.txt", f"Dell SmartFabric OS10\nSystem Type: {system}\n", "show version"),
    )
    device = platform("os10").read(DeviceInput("x", "os10", documents)).device
    assert device.model_name.get() == system
    assert device.buffer_architecture.is_known is known


@pytest.mark.parametrize(
    ("lines", "bps"),
    [("mtu 9216", 50_000_000_000), ("speed 25000", 25_000_000_000)],
)
def test_a_breakout_gives_its_children_their_speed_unless_they_say_another(read: Read, lines: str, bps: int) -> None:
    reading = read(f"interface breakout 1/1/29 map 50g-2x\ninterface ethernet1/1/29:2\n no shutdown\n {lines}\n")
    assert value(reading, "speed_bps", "ethernet1/1/29:2") == bps
    assert [port.name for port in reading.ports] == ["ethernet1/1/29:2"]


def test_a_breakout_that_is_not_understood_leaves_the_speed_in_doubt(read: Read) -> None:
    reading = read("interface breakout 1/1/29 map wide\ninterface ethernet1/1/29:2\n no shutdown\n")
    assert cell(reading, "speed_bps", "ethernet1/1/29:2").why is Why.NOT_PARSED
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtuu 9216", "ip_mtu_bytes"),
        ("mut 9216", "ip_mtu_bytes"),
        ("shutdwon", "admin_up"),
        ("flowcontorl receive off", "link_pause_rx"),
        ("qso-map traffic-class QUEUES", "classes"),
        ("service-polcy output type queuing OUT", "queues"),
        ("priority-flow-control moed on", "pfc"),
    ],
)
def test_a_misspelt_statement_is_told_and_what_it_would_have_set_is_unknown(read: Read, line: str, path: str) -> None:
    reading = read(f"interface {PORT}\n mtu 9216\n no shutdown\n {line}\n")
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]
    assert cell(reading, path).why is Why.NOT_PARSED


def test_a_slip_behind_the_first_word_is_told_where_nothing_would_be_set(read: Read) -> None:
    reading = read(f"interface {PORT}\n ets moed on\n etss\n")
    assert [s.place.line for s in reading.seen] == [3]


def test_a_port_group_behind_an_extender_leaves_the_speed_in_doubt() -> None:
    config = f"! Version 10.5.4.5\ninterface {PORT}\n no shutdown\n"
    groups = "Port-group Mode Ports FEM\nport-group1/1/1 Eth 25g-4x 1 2 3 4 fex101\n"
    documents = (
        Document("running.cfg", config, "show running-configuration"),
        Document("groups.txt", groups, "show port-group"),
    )
    reading = platform("os10").read(DeviceInput("x", "os10", documents))
    assert cell(reading, "speed_bps").why is Why.NOT_PARSED
    assert [s.place.line for s in reading.seen] == [2]


@pytest.mark.parametrize("line", ["negotiation auto", "no negotiation on"])
def test_what_a_statement_sets_and_nobody_documents_is_unknown(read: Read, line: str) -> None:
    found = cell(read(f"interface {PORT}\n negotiation on\n {line}\n"), "autoneg")
    assert found.why is Why.NO_DEFAULT
    assert found.at


@pytest.mark.parametrize(
    ("word", "running"),
    [("Off", frozenset()), ("false", frozenset()), ("On", frozenset({3})), ("maybe", None)],
)
def test_what_runs_is_read_where_the_answer_says_whether_it_does(word: str, running: frozenset[int] | None) -> None:
    config = f"! Version 10.5.4.5\ninterface {PORT}\n no shutdown\n priority-flow-control mode on\n"
    answer = f"{PORT}\nAdmin Mode: On\nOperStatus: {word}\nPFC Priorities: 3\nCos   Rx     Tx\n0     0      0\n"
    documents = (
        Document("run.txt", config, "show running-configuration"),
        Document("pfc.txt", answer, "show interface ethernet 1-1-1 priority-flow-control details"),
    )
    reading = platform("os10").read(DeviceInput("leaf", "os10", documents))
    found = cell(reading, "pfc.operational")
    assert (found.value if found.is_known else None) == running
    assert not reading.seen


@pytest.mark.parametrize(("queue", "told"), [("queue 3 qos-group 3", []), ("queue 3 qos-group 4", ["QUEUES"])])
def test_a_map_of_queues_that_leaves_a_no_drop_class_out_is_told(read: Read, queue: str, told: list[str]) -> None:
    reading = read(
        f"class-map type network-qos C\n match qos-group 3\nqos-map traffic-class QUEUES\n queue 0 qos-group 0-2\n {queue}\n"
        "policy-map type network-qos PFC\n !\n class C\n  pause\n  pfc-cos 3\n"
        "interface ethernet1/1/1\n priority-flow-control mode on\n service-policy input type network-qos PFC\n"
        " qos-map traffic-class QUEUES\n"
    )
    assert [one.observation.name for one in reading.seen if one.observation.kind == "conflict"] == told
