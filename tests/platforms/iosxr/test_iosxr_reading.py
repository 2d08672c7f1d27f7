"""IOS XR: which profile is for a port, what a group says of it, which policy counts, what answers show."""

from __future__ import annotations

import pytest

from roce_audit import platforms
from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.iosxr.groups import matches
from roce_audit.sources.detect import choose
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import At

HEAD = "!! IOS XR Configuration 24.4.2\nhostname leaf1\n"
PROFILE = (
    "hw-module profile priority-flow-control location {}\n"
    " buffer-internal traffic-class 3 pause-threshold 800000 bytes headroom 400000 bytes{}\n!\n"
)
QUEUES = (
    "class-map match-any TC3\n match traffic-class 3 \n end-class-map\n!\n"
    "policy-map OUT\n class TC3\n  bandwidth remaining ratio 60 \n  random-detect ecn \n !\n class class-default\n !\n end-policy-map\n!\n"
)


def read(text: str, **answers: str) -> DeviceReading:
    documents = [Document("leaf1.cfg", text)]
    documents += [Document(f"{n}.txt", text, command=command) for n, (command, text) in enumerate(answers.items())]
    return platforms.platform("iosxr").read(DeviceInput("leaf1", "iosxr", tuple(documents)))


def port(text: str, name: str = "HundredGigE0/0/0/1") -> Port:
    return next(one.facts for one in read(text).ports if one.name == name)


def interface(*lines: str, name: str = "HundredGigE0/0/0/1") -> str:
    return "".join([f"interface {name}\n", *(f" {line}\n" for line in lines), "!\n"])


@pytest.mark.parametrize(
    ("where", "name", "paused"),
    [
        ("0/0/CPU0", "HundredGigE0/0/0/1", {3}),
        ("0/2/CPU0", "HundredGigE0/0/0/1", set()),
        ("0/2/CPU0", "HundredGigE0/2/0/1", {3}),
        ("0/RP0/CPU0", "HundredGigE0/0/0/1", {3}),
    ],
)
def test_a_profile_is_for_the_ports_of_its_card(where: str, name: str, paused: set[int]) -> None:
    text = HEAD + PROFILE.format(where, "") + interface("priority-flow-control mode on", name=name) + "end\n"
    assert port(text, name).pfc.get().priorities.get() == paused


def test_pfc_is_on_for_nothing_without_a_profile_and_unknown_in_a_part() -> None:
    said = interface("priority-flow-control mode on")
    assert port(HEAD + said + "end\n").pfc.get().priorities.get() == frozenset()
    assert port(said).pfc.get().priorities.is_unknown


def test_a_profile_that_is_typed_in_one_line_is_read() -> None:
    line = PROFILE.format("0/0/CPU0", "").replace("CPU0\n ", "CPU0 ")
    assert port(HEAD + line + interface("priority-flow-control mode on") + "end\n").pfc.get().priorities.get() == {3}


def test_the_mtu_counts_the_ethernet_header_and_that_of_ip_does_not() -> None:
    assert port(HEAD + interface("mtu 9216") + "end\n").ip_mtu_bytes.get() == 9202
    assert port(HEAD + interface("mtu 9216", "ipv4 mtu 4200") + "end\n").ip_mtu_bytes.get() == 4200
    assert port(HEAD + interface("description x") + "end\n").ip_mtu_bytes.get() == 1500


def test_thresholds_of_ecn_stand_in_the_profile_and_the_policy_switches_it_on() -> None:
    bound = interface("service-policy output OUT")
    profile = PROFILE.format("0/0/CPU0", " ecn 200000 bytes max-threshold 600000 bytes probability-percentage 5")
    curve = port(HEAD + profile + QUEUES + bound + "end\n").queues.get()[3].ecn.get()
    assert curve.marks.get() is True
    assert (curve.min_bytes.get(), curve.max_bytes.get()) == (200_000, 600_000)
    without = QUEUES.replace("  random-detect ecn \n", "")
    assert port(HEAD + profile + without + bound + "end\n").queues.get()[3].ecn.is_unknown
    assert port(HEAD + without + bound + "end\n").queues.get()[3].ecn.is_absent


def test_a_class_that_no_output_class_matches_leaves_by_the_default_one() -> None:
    classes = port(HEAD + QUEUES + interface("service-policy output OUT") + "end\n").classes.get()
    assert [one.queue.get() for one in classes] == [0, 0, 0, 3, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("own", "rate"), [("", 50), ("  shape average 20 gbps\n", 20), ("  shape average 80 gbps\n", 50)]
)
def test_a_parent_policy_shapes_every_queue_of_the_port(own: str, rate: int) -> None:
    parent = "policy-map PARENT\n class class-default\n  service-policy OUT\n  shape average 50 gbps \n !\n end-policy-map\n!\n"
    mine = QUEUES.replace("  random-detect ecn \n", f"{own}  random-detect ecn \n")
    queues = port(HEAD + mine + parent + interface("service-policy output PARENT") + "end\n").queues.get()
    assert [queues[number].max_rate_bps.get() for number in (0, 3)] == [50_000_000_000, rate * 1_000_000_000]
    assert queues[3].share.get() == 60


@pytest.mark.parametrize(
    ("asked", "group"),
    [
        ("protocol udp", 3),
        ("protocol tcp udp", 3),
        ("protocol tcp", 0),
        ("not protocol tcp", 3),
        ("protocol 10-20", None),
    ],
)
def test_a_class_that_asks_for_the_protocol_takes_udp(asked: str, group: int | None) -> None:
    text = (
        f"class-map match-all ROCE\n match dscp 26\n match {asked}\n end-class-map\n!\npolicy-map IN\n class ROCE\n"
        "  set traffic-class 3\n !\n class class-default\n !\n end-policy-map\n!\n"
    )
    assert port(HEAD + text + interface("service-policy input IN") + "end\n").dscp.get()[26].value == group


def test_the_watchdog_is_on_of_itself_and_each_value_counts_alone() -> None:
    mine = port(HEAD + interface("mtu 9216") + "end\n").pfc.get().watchdog.get()
    assert (mine.on.get(), mine.poll_ms.get(), mine.detect_ms.get(), mine.restore_ms.get()) == (True, 100, 100, 1000)
    said = "priority-flow-control watchdog interval 200\n" + interface(
        "priority-flow-control watchdog shutdown-multiplier 3"
    )
    mine = port(HEAD + said + "end\n").pfc.get().watchdog.get()
    assert (mine.poll_ms.get(), mine.detect_ms.get(), mine.restore_ms.get()) == (200, 600, 2000)


@pytest.mark.parametrize(
    ("pattern", "name", "covers"),
    [
        ("HundredGigE.*", "HundredGigE0/0/0/1", True),
        ("HundredGigE0/0/0/[0-3]", "HundredGigE0/0/0/4", False),
        ("HundredGigE0/0/0/[0-3]", "HundredGigE0/0/0/3", True),
        (".*GigE0/0/.*", "FourHundredGigE0/0/0/7", True),
        ("HundredGigE0/0/0/1", "HundredGigE0/0/0/10", False),
        ("(Hundred|Ten)GigE.*", "HundredGigE0/0/0/1", None),
    ],
)
def test_patterns_of_groups(pattern: str, name: str, covers: bool | None) -> None:
    assert matches(pattern, name) is covers


def test_what_the_port_says_counts_before_a_group_and_a_pattern_that_is_not_read_leaves_doubt() -> None:
    group = "group G\n interface '{}'\n  mtu 9216\n  priority-flow-control mode on\n !\nend-group\n"
    taken = port(HEAD + group.format("Hundred.*") + interface("apply-group G", "mtu 4214") + "end\n")
    assert taken.ip_mtu_bytes.get() == 4200
    assert taken.pfc.get().mode.get() == "on"
    assert port(HEAD + group.format("Ten.*") + interface("apply-group G") + "end\n").pfc.get().mode.get() == "off"
    assert port(HEAD + group.format("(A|B)") + interface("apply-group G") + "end\n").pfc.is_unknown


def test_interfaces_in_the_formal_form_are_read_on_their_lines() -> None:
    lines = ("mtu 9216", "ipv4 address 10.0.0.0 255.255.255.254", "priority-flow-control mode on")
    blocks = read(HEAD + interface(*lines) + interface("shutdown", name="HundredGigE0/0/0/2") + "end\n")
    stated = "".join(f"interface HundredGigE0/0/0/1 {line}\n" for line in lines)
    formal = read(HEAD + stated + "interface HundredGigE0/0/0/2\ninterface HundredGigE0/0/0/2 shutdown\nend\n")
    assert [(one.name, one.facts) for one in formal.ports] == [(one.name, one.facts) for one in blocks.ports]
    mode = formal.ports[0].facts.pfc.get().mode.at
    assert [resolve(at, formal.ports[0].parts).line for at in mode if isinstance(at, At)] == [5]
    assert not formal.seen


def test_policies_in_the_formal_form_are_read_on_their_lines() -> None:
    formal = (
        "class-map match-any RDMA match dscp 26\nclass-map match-any CNP\nclass-map match-any CNP match dscp 48\n"
        "policy-map IN class RDMA set traffic-class 3\npolicy-map IN class CNP\npolicy-map IN class CNP set traffic-class 6\n"
        "policy-map IN class class-default\n"
    )
    binding = interface("service-policy input IN").replace("\n service", "\ninterface HundredGigE0/0/0/1 service")
    reading = read(HEAD + formal + binding.removesuffix("!\n") + "end\n")
    facts = reading.ports[0].facts
    assert [facts.dscp.get()[d].get() for d in (26, 48, 0)] == [3, 6, 0]
    lines = [resolve(at, reading.ports[0].parts).line for at in facts.dscp.get()[48].at if isinstance(at, At)]
    assert 3 + HEAD.count("\n") in lines
    assert not [one for one in reading.seen if one.observation.kind != "unapplied"]


@pytest.mark.parametrize(("applied", "told"), [("apply-group G\n", set()), ("", {"undefined"})])
def test_a_group_that_is_applied_to_the_router_defines_policies(applied: str, told: set[str]) -> None:
    group = (
        "group G\n policy-map IN\n  class RDMA\n   set traffic-class 3\n  !\n  end-policy-map\n !\n"
        " class-map match-any RDMA\n  match dscp 26\n  end-class-map\n !\n interface 'Hundred.*'\n  mtu 9216\n !\nend-group\n"
    )
    reading = read(HEAD + group + applied + interface("service-policy input IN") + "end\n")
    assert {one.observation.kind for one in reading.seen} & {"undefined"} == told
    facts, parts = reading.ports[0].facts, reading.ports[0].parts
    if applied:
        assert facts.ip_mtu_bytes.get() == 9202
        cell = facts.dscp.get()[26]
        assert cell.get() == 3
        assert HEAD.count("\n") + 4 in [resolve(at, parts).line for at in cell.at if isinstance(at, At)]


def test_an_interface_that_bridges_is_no_statement() -> None:
    text = HEAD + "interface HundredGigE0/0/0/1.10 l2transport\n encapsulation dot1q 10\n!\nend\n"
    assert [one.name for one in read(text).ports] == ["HundredGigE0/0/0/1.10"]


@pytest.mark.parametrize(
    ("encapsulation", "mtu"),
    [("dot1q 10", 9198), ("dot1q 10 second-dot1q 20", 9194), ("untagged", 9202)],
)
def test_the_mtu_of_a_subinterface_counts_its_tags(encapsulation: str, mtu: int) -> None:
    name = "HundredGigE0/0/0/1.10"
    text = HEAD + interface(f"encapsulation {encapsulation}", "mtu 9216", name=name) + "end\n"
    assert port(text, name).ip_mtu_bytes.get() == mtu


@pytest.mark.parametrize("words", ["exclude-group G", "apply-group-remove G"])
def test_a_port_that_takes_a_group_back_is_in_doubt(words: str) -> None:
    group = (
        "group G\n interface 'Hundred.*'\n  mtu 9216\n  priority-flow-control mode on\n !\nend-group\napply-group G\n"
    )
    there = HEAD + group + interface("description gpu1")
    assert port(there + "end\n").ip_mtu_bytes.get() == 9202
    back = there + interface(words, name="HundredGigE0/0/0/2") + "end\n"
    assert port(back, "HundredGigE0/0/0/2").ip_mtu_bytes.is_unknown
    assert port(back, "HundredGigE0/0/0/2").pfc.is_unknown
    assert [(one.observation.kind, one.ports) for one in read(back).seen] == [("unread-line", ("HundredGigE0/0/0/2",))]


@pytest.mark.parametrize(("headroom", "value"), [("0 ms", 0), ("6 ms", None), ("0 bytes", 0)])
def test_no_headroom_is_none_in_any_unit(headroom: str, value: int | None) -> None:
    profile = (
        "hw-module profile priority-flow-control location 0/0/CPU0\n"
        f" buffer-extended traffic-class 3 pause-threshold 10 ms headroom {headroom}\n!\n"
    )
    text = HEAD + profile + interface("priority-flow-control mode on") + "end\n"
    assert port(text).groups.get()[3].headroom_bytes.value_or_none() == value


def test_marking_above_the_pause_threshold_is_told() -> None:
    low = read(HEAD + PROFILE.format("0/0/CPU0", " ecn 200000 bytes") + interface("mtu 9216") + "end\n")
    high = read(HEAD + PROFILE.format("0/0/CPU0", " ecn 900000 bytes") + interface("mtu 9216") + "end\n")
    assert not low.seen
    assert [one.observation.kind for one in high.seen] == ["conflict"]


@pytest.mark.parametrize("before", ["", "Priority flow control watchdog statistics:\n  Watchdog Events  :  0  0\n\n"])
def test_counters_and_state_of_a_port(before: str) -> None:
    answer = (
        f"Priority flow control information for interface HundredGigE0/0/0/1:\n\n{before}Priority Flow Control:\n"
        "    CoS  Status  Rx PFC Frames   Tx PFC Frames\n    ---  ------  --------------  -------------\n"
        "      2  off                  0               0\n      3  on                  17              40\n\n"
        "Priority flow control watchdog configuration:\n"
    )
    command = "show controllers HundredGigE0/0/0/1 priority-flow-control"
    device = DeviceInput(
        "leaf1",
        "iosxr",
        (Document("a.cfg", HEAD + interface("mtu 9216") + "end\n"), Document("b.txt", answer, command=command)),
    )
    platform = platforms.platform("iosxr")
    facts = platform.read(device).ports[0].facts
    assert facts.pfc.get().operational.get() == {3}
    counters = platform.load().counters
    assert counters is not None
    counts = {(one.port, one.name): one.value for one in counters(device)}
    assert counts["HundredGigE0/0/0/1", "priorities.3.pause_received"] == 17
    assert counts["HundredGigE0/0/0/1", "priorities.3.pause_sent"] == 40


@pytest.mark.parametrize(
    "text",
    [
        HEAD + interface("mtu 9216") + "end\n",
        interface("priority-flow-control mode on", "ipv4 address 192.0.2.1 255.255.255.0"),
        "class-map match-any A\n match traffic-class 3 \n end-class-map\n! \n",
    ],
)
def test_its_texts_are_recognised(text: str) -> None:
    assert choose((Document("leaf.cfg", text),)).platform == "iosxr"


def test_a_configuration_without_its_end_is_cut_off() -> None:
    reading = read(HEAD + interface("mtu 9216"))
    assert [one.observation.kind for one in reading.seen] == ["truncated"]
    assert not reading.complete_because


def test_pfc_and_its_watchdog_may_stand_in_blocks() -> None:
    top = "priority-flow-control watchdog\n interval 200\n shutdown-multiplier 2\n!\n"
    own = interface("priority-flow-control", " mode on", " watchdog", "  auto-restore-multiplier 5", " !", "!")
    facts = port(HEAD + PROFILE.format("0/0/CPU0", "") + top + own + "end\n").pfc.get()
    assert facts.priorities.get() == {3}
    mine = facts.watchdog.get()
    assert (mine.poll_ms.get(), mine.detect_ms.get(), mine.restore_ms.get()) == (200, 400, 1000)
    assert not read(HEAD + top + own + "end\n").seen
    assert [one.quote for one in read(HEAD + top.replace("interval", "intervall") + own + "end\n").seen] == [
        "intervall 200"
    ]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("hw-module profile pbr vrf-redirect", False),
        ("hw-module profile stats ingress-sr", False),
        ("hw-module profile qos max-classmap-size 16", False),
        ("no hw-module profile tcam format access-list ipv4 src-addr", False),
        ("hw-module profile qos hqos-enable", False),
        ("hw-module profile qos ingress-model peering", True),
        ("hw-module profile priority-flow-contorl location 0/0/CPU0", True),
    ],
)
def test_profiles_of_other_memory_of_the_chip_are_no_unread_lines(line: str, is_told: bool) -> None:
    found = read(HEAD + f"{line}\n" + interface("mtu 9216") + "end\n").seen
    assert [one.observation.kind for one in found] == ["unread-line"] * is_told


MARKS = "class-map match-any ROCE\n match dscp 26\n end-class-map\n!\n" + "".join(
    f"policy-map {name}\n class ROCE\n  set traffic-class {number}\n !\n end-policy-map\n!\n"
    for name, number in (("IN", 3), ("OTHER", 4))
)


@pytest.mark.parametrize(
    ("own", "below", "leads"),
    [
        ((), ("IN", ""), 3),
        ((), ("IN", "IN"), 3),
        ((), ("IN", "OTHER"), None),
        ((), ("", ""), 0),
        (("service-policy input OTHER",), ("IN", "IN"), 4),
        (("ipv4 address 10.0.0.1 255.255.255.0",), ("IN", "IN"), 0),
    ],
    ids=["one of two", "both alike", "two policies", "none", "its own counts", "it routes itself"],
)
def test_a_port_takes_the_policy_of_its_subinterfaces(
    own: tuple[str, ...], below: tuple[str, str], leads: int | None
) -> None:
    text = f"{HEAD}{MARKS}{interface('priority-flow-control mode on', *own)}"
    for number, policy in enumerate(below, 100):
        said = [f"encapsulation dot1q {number}", *([f"service-policy input {policy}"] if policy else [])]
        text += interface(*said, name=f"HundredGigE0/0/0/1.{number}")
    found = port(f"{text}end\n").dscp
    assert (found.get()[26].get() if found.is_known else None) == leads


def test_an_interface_may_be_named_in_two_words() -> None:
    joined = read(
        HEAD + "interface HundredGigE0/0/0/1\n mtu 9216\n!\ninterface HundredGigE0/0/0/2\n mtu 1514\n!\nend\n"
    )
    apart = read(
        HEAD + "interface HundredGigE 0/0/0/1\n mtu 9216\n!\ninterface HundredGigE 0/0/0/2\n mtu 1514\n!\nend\n"
    )
    assert [(one.name, one.facts) for one in apart.ports] == [(one.name, one.facts) for one in joined.ports]
    assert [one.name for one in apart.ports] == ["HundredGigE0/0/0/1", "HundredGigE0/0/0/2"]
    assert not apart.seen
    formal = read(HEAD + "interface HundredGigE 0/0/0/1 mtu 9216\ninterface HundredGigE 0/0/0/2 mtu 1514\nend\n")
    assert [(one.name, one.facts) for one in formal.ports] == [(one.name, one.facts) for one in joined.ports]
