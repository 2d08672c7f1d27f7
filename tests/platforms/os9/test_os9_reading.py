"""OS9: DCB maps by position, thresholds, flat scripts, recognition, hostile text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.audit import Request, check
from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy import Policy
from roce_audit.sources import detect
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

ROOT = Path(__file__).parents[3]
GOOD = (ROOT / "fixtures/os9/plain/tor.cfg").read_text(encoding="utf-8").split("\n")
RICH = (ROOT / "fixtures/os9/policies/tor.cfg").read_text(encoding="utf-8").split("\n")
CORPUS = ROOT.parent / "shared" / "corpus" / "os10"
PORT = "TenGigabitEthernet0/1"
MAP = """\
! Version 9.14(2.4)
{top}
dcb-map M
 priority-group 0 bandwidth 40 pfc off
 priority-group 3 bandwidth 60 pfc on
 priority-pgid {pgid}
interface TenGigabitEthernet 0/1
 {own}
"""


def read(text: str) -> DeviceReading:
    return platform("os9").read(DeviceInput("x", "os9", (Document("x.cfg", text),)))


def shown(text: str, answer: str) -> DeviceReading:
    documents = (Document("x.cfg", text), Document("a.txt", answer, command="show interfaces status"))
    return platform("os9").read(DeviceInput("x", "os9", documents))


def cell(reading: DeviceReading, path: str, port: str = PORT) -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("top", "own", "pgid", "mode", "priorities"),
    [
        ("dcb enable", "dcb-map M", "0 0 0 3 0 0 0 0", "on", {3}),
        ("dcb enable", "dcb-map M", "3 0 0 0 3 0 0 0", "on", {0, 4}),
        ("dcb enable", "dcb-map M", "0 0 0 0 0 0 0 0", "off", set()),
        ("dcb enable", "dcb-map M\n pfc mode off", "0 0 0 3 0 0 0 0", "off", set()),
        ("no dcb enable", "dcb-map M", "0 0 0 3 0 0 0 0", "off", set()),
        ("dcb enable", "no shutdown", "0 0 0 3 0 0 0 0", "off", set()),
        ("dcb enable", "pfc priority 3-4", "0 0 0 0 0 0 0 0", "on", {3, 4}),
    ],
)
def test_priorities_stand_in_a_map_by_their_position(
    top: str, own: str, pgid: str, mode: str, priorities: set[int]
) -> None:
    reading = read(MAP.format(top=top, own=own, pgid=pgid))
    assert cell(reading, "pfc.mode").get() == mode
    assert cell(reading, "pfc.priorities").get() == priorities
    if priorities:
        assert {n for n in range(8) if cell(reading, f"groups.{n}.lossless").get()} == priorities


def test_whether_dcb_is_on_where_nobody_says_differs_by_model() -> None:
    reading = read(MAP.format(top="", own="dcb-map M", pgid="0 0 0 3 0 0 0 0"))
    assert cell(reading, "pfc.mode").why is Why.NO_DEFAULT
    assert cell(reading, "pfc.priorities").why is Why.NO_DEFAULT


def test_tags_decide_and_untagged_packets_have_priority_zero() -> None:
    reading = read(MAP.format(top="dcb enable", own="dcb-map M", pgid="0 0 0 3 0 0 0 0"))
    assert [cell(reading, path).get() for path in ("pcp.3", "dscp.26", "classes.3.group")] == [3, 0, 3]
    assert cell(reading, "classes.3.queue").get() == 3, "a priority group stands for its queue"
    assert (
        cell(read(MAP.format(top="", own="mtu 9216", pgid="0 0 0 3 0 0 0 0")), "classes.3.queue").why is Why.NO_DEFAULT
    )


def test_thresholds_are_kilobytes() -> None:
    reading = read("\n".join(GOOD))
    names = ("reserved_bytes", "headroom_bytes", "xoff_at_bytes", "xon_offset_bytes")
    assert [cell(reading, f"groups.3.{name}").why for name in names] == [Why.NOT_PARSED] * 4
    healthy = "\n".join(line for line in GOOD if "priority 5 buffer-size" not in line)
    assert [cell(read(healthy), f"groups.3.{name}").get() for name in names] == [120_000, 60_000, 60_000, 20_000]
    beyond = read(healthy.replace("buffer-size 120 pause-threshold 60", "buffer-size 40 pause-threshold 60"))
    assert [cell(beyond, f"groups.3.{name}").get() for name in names] == [40_000, 0, 60_000, 20_000]


OLDER = (ROOT / "fixtures/os9/older/mxl.cfg").read_text(encoding="utf-8")
QUEUES = "service-class dot1p-mapping dot1p0 0 dot1p1 0 dot1p2 0 dot1p3 1 dot1p4 2 dot1p5 3 dot1p6 3 dot1p7 3"


def test_shares_stand_at_the_group_until_the_queues_are_known() -> None:
    text = MAP.format(top="dcb enable", own="dcb-map M", pgid="0 0 0 3 0 0 0 0")
    assert [cell(read(text), f"queues.{n}.share").value_or_none() for n in (0, 1, 3)] == [40, None, 60]
    mapped = read(text.replace("dcb enable", f"dcb enable\n{QUEUES}"))
    assert [cell(mapped, f"queues.{n}.share").value_or_none() for n in (0, 1, 2, 3)] == [40, 60, None, None]
    assert cell(mapped, "classes.3.queue").get() == 1
    assert cell(mapped, "queues.1.ecn").is_absent


def test_a_mapping_of_some_priorities_leaves_the_rest_to_the_model() -> None:
    text = MAP.format(top="dcb enable\nservice-class dot1p-mapping dot1p3 1", own="dcb-map M", pgid="0 0 0 3 0 0 0 0")
    assert cell(read(text), "classes.3.queue").get() == 3


def test_the_share_of_a_group_without_a_priority_stays_in_the_sum() -> None:
    text = MAP.format(top=f"dcb enable\n{QUEUES}", own="dcb-map M", pgid="0 0 0 0 0 0 0 0")
    assert [cell(read(text), f"queues.{n}.share").value_or_none() for n in range(5)] == [40, None, None, None, 60]


def test_two_groups_at_one_queue_contradict_each_other() -> None:
    text = MAP.format(top=f"dcb enable\n{QUEUES}", own="dcb-map M", pgid="0 0 3 3 0 0 0 0")
    assert cell(read(text), "queues.0.share").why is Why.CONFLICT


def test_groups_that_are_undefined_or_empty_are_told_once_with_the_ports_that_lean_on_them() -> None:
    text = MAP.format(top="dcb enable", own="dcb-map M", pgid="0 0 0 5 0 0 0 0")
    seen = [(s.observation.kind, s.observation.name, s.place.line, s.ports) for s in read(text).seen]
    assert seen == [("undefined", "M 5", 6, (PORT,)), ("unapplied", "M 3", 5, ())]
    fragment = text.removeprefix("! Version 9.14(2.4)\n")
    assert read(fragment).seen == (), "in a fragment the group may stand elsewhere"
    assert cell(read(fragment), "pfc.priorities").why is Why.NOT_VISIBLE


def test_policies_of_older_releases() -> None:
    reading = read(OLDER)
    port = "TenGigabitEthernet0/2"
    assert cell(reading, "pfc.priorities", port).get() == {3, 4}
    assert [cell(reading, f"queues.{n}.share", port).value_or_none() for n in (0, 1, 2)] == [40, 60, None]
    assert cell(reading, "queues.2.scheduling", port).get() == "strict"
    assert cell(reading, "pfc.mode").get() == "auto", "the port role leaves it to the peer"
    spoiled = read(OLDER.replace(" bandwidth-percentage 60", " bandwidth-percentage 0"))
    assert cell(spoiled, "queues.1.share", port).why is Why.NOT_PARSED


@pytest.mark.parametrize("line", [" priority-list 5", " priority-list 3,4"])
def test_older_groups_that_leave_a_priority_out_or_share_one_contradict_each_other(line: str) -> None:
    text = OLDER.replace(" priority-list 3\n", f"{line}\n")
    assert cell(read(text), "queues.1.share", "TenGigabitEthernet0/2").why is Why.CONFLICT


def test_a_port_that_a_channel_names_is_its_member() -> None:
    text = "interface te 0/1\n no shutdown\ninterface Port-channel 9\n mtu 9216\n channel-member te 0/1-0/2\n"
    reading = read(text)
    assert next((p.name, p.labels.lag) for p in reading.ports) == (PORT, "Port-channel9")
    assert cell(reading, "ip_mtu_bytes").get() == 9194


@pytest.mark.parametrize(
    ("lines", "size"),
    [("mtu 9216", 9194), ("mtu 9216\n ip mtu 9000", 9000), ("ip mtu 9000\n mtu 9216", 9000)],
)
def test_mtu_counts_the_frame_unless_it_is_the_ip_mtu(lines: str, size: int) -> None:
    assert cell(read(f"interface te 0/1\n {lines}\n"), "ip_mtu_bytes").get() == size


@pytest.mark.parametrize(
    ("own", "its", "size"), [("mtu 1554\n ", 9216, 1532), ("mtu 12000\n ", 9216, 9194), ("", 9216, 9194)]
)
def test_a_channel_lets_a_member_take_no_more_than_it_is_set_up_for(own: str, its: int, size: int) -> None:
    text = f"interface te 0/1\n {own}no shutdown\ninterface Port-channel 9\n mtu {its}\n channel-member te 0/1-0/2\n"
    assert cell(read(text), "ip_mtu_bytes").value == size


def test_a_flat_script_applies_and_defines_maps() -> None:
    text = (ROOT / "fixtures/os9/script/conv.cfg").read_text(encoding="utf-8")
    reading = read(text)
    assert [p.name for p in reading.ports][-1] == "fortyGigE0/48"
    assert cell(reading, "pfc.priorities").get() == {3}
    assert cell(reading, "pfc.priorities", "fortyGigE0/48").why is Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtuu 9216", "ip_mtu_bytes"),
        ("mut 9216", "ip_mtu_bytes"),
        ("shutdwon", "admin_up"),
        ("flowcontorl rx off tx off", "link_pause_rx"),
        ("dcb-mpa M", "pfc"),
        ("pfc prioritty 3", "pfc"),
        ("service-polcy output OUT", "queues"),
    ],
)
def test_a_misspelt_statement_is_told_and_what_it_would_have_set_is_unknown(line: str, path: str) -> None:
    reading = read(f"! Version 9.14(2.4)\ninterface te 0/1\n mtu 9216\n no shutdown\n {line}\n")
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]
    assert cell(reading, path).why is Why.NOT_PARSED


def test_a_statement_of_the_top_level_is_no_misspelling_in_a_flat_stanza() -> None:
    reading = read("interface te 0/1\npfc priority 3\nmtu 9216\ndcb enable\n")
    assert reading.seen == ()
    assert cell(reading, "pfc.mode").get() == "on"
    assert cell(reading, "ip_mtu_bytes").get() == 9194


@pytest.mark.parametrize("line", ["priority 3", "priority 3 pause-threshold 60 pause-threshold 70"])
def test_a_buffer_policy_without_a_threshold_or_with_one_twice_is_not_understood(line: str) -> None:
    text = f"dcb-buffer-threshold B\n {line}\ninterface te 0/1\n dcb-policy buffer-threshold B\n"
    assert cell(read(text), "groups.3.xoff_at_bytes").why is Why.NOT_PARSED


@pytest.mark.parametrize(
    ("lines", "mode"),
    [("dcbx version ieee-v2.5", "ieee"), ("dcbx version cee\n  no dcbx version", "cee"), ("dcbx version cin", None)],
)
def test_version_of_dcbx(lines: str, mode: str | None) -> None:
    found = cell(read(f"interface te 0/1\n protocol lldp\n  {lines}\n"), "dcbx.mode")
    assert found.or_else(None) == mode if mode else found.why is Why.NO_DEFAULT


def test_recognition() -> None:
    os9 = platform("os9")
    assert os9.recognise(Document("x", "! Version 9.14(2.4)\n")) == 95
    assert os9.recognise(Document("x", "! Version 10.5.4.5\n")) == 0
    assert os9.recognise(Document("x", "dcb enable\ndcb-map M\n", "show dcb")) == 0


@settings(max_examples=100)
@given(
    st.sampled_from([GOOD, RICH]), st.integers(0, 70), st.text(alphabet=" abc-019,?#!~^", max_size=20), st.booleans()
)
def test_garbled_configurations_never_raise(text: list[str], index: int, junk: str, keep: bool) -> None:
    lines = list(text)
    lines[index] = (lines[index] if keep else "") + junk
    assert read("\n".join(lines)).platform == "os9"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the public corpus is not at hand")
def test_public_files() -> None:
    render = (CORPUS / "os9_role_render.cfg").read_text(encoding="utf-8")
    script = (CORPUS / "os9_s4810_ftos99.cfg").read_text(encoding="utf-8")
    for text in (render, script):
        assert platform("os9").recognise(Document("x.cfg", text)) >= 60
    assert [s.quote for s in read(script).seen] == [
        "priority group 0 bandwidth 90 pfc on",
        "priority group 1 bandwidth 10 pfc off",
    ]
    assert cell(read(render), "pfc.priorities", "fortyGigE1/8").get() == set(range(8))


STATUS = """Port                 Description  Status Speed        Duplex Vlan
Te 0/1               gpu Up 1     Up     {} Mbit   Full   3260
Te 0/2                            Up     10000 Mbit   Full   --
Te 0/3                            Down   10000 Mbit   Auto   --
"""


@pytest.mark.parametrize(("written", "bps"), [("10000", 10_000_000_000), ("quick", Why.NOT_PARSED)])
def test_the_speed_of_a_port_that_is_up_is_what_the_switch_shows_unless_it_is_configured(
    written: str, bps: int | Why
) -> None:
    ports = "\n".join(f"interface TenGigabitEthernet 0/{n}\n mtu 9216" for n in (1, 2, 3))
    reading = shown(
        f"! Version 9.14(2.4)\n{ports}\n speed 1000\n".replace("0/2\n", "0/2\n speed 1000\n"), STATUS.format(written)
    )
    speed = cell(reading, "speed_bps")
    assert (speed.why if speed.is_unknown else speed.value) == bps
    assert cell(reading, "speed_bps", "TenGigabitEthernet0/2").get() == 1_000_000_000
    assert cell(reading, "speed_bps", "TenGigabitEthernet0/3").get() == 1_000_000_000


@pytest.mark.parametrize(
    ("end", "is_cut"),
    [(" mtu 9216\n", True), (" mtu 9216\n no shutdown\n", False), (" shutdown\n!\n", False), (" mtu 9216\n!\n", False)],
)
def test_a_port_that_does_not_say_whether_it_is_shut_was_cut(tmp_path: Path, end: str, is_cut: bool) -> None:
    port = "interface TenGigabitEthernet 0/{}\n no ip address\n"
    first = "".join(f"{port.format(n)} no shutdown\n!\n" for n in range(4))
    (tmp_path / "tor.cfg").write_text(f"! Version 9.14(2.4)\n!\nhostname tor\n!\n{first}{port.format(9)}{end}")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert ("input/truncated" in {finding.rule for finding in report.findings}) is is_cut


def test_answers_without_a_configuration_are_recognised() -> None:
    text = "Interface TenGigabitEthernet 0/2\n Admin mode is on\n Local is enabled, Priority list is 3\n"
    version = "Dell Real Time Operating System Software\nDell Operating System Version:  2.0\n"
    shown = Document("tor1/show_interfaces_pfc_summary.txt", text, "show interfaces pfc summary")
    told = Document("tor1/show_version.txt", version, "show version")
    assert detect.choose((shown,)).platform == detect.choose((told,)).platform == "os9"


VLT = """! Version 9.14(2.16)
hostname tor9
dcb enable
dcb-map S
 priority-group 0 bandwidth 40 pfc off
 priority-group 1 bandwidth 60 pfc on
 priority-pgid 0 0 0 1 0 0 0 0
vlt domain 1
 peer-link port-channel 100
interface TenGigabitEthernet 1/1/1
 mtu 9216
 portmode hybrid
 switchport
 dcb-map S
 no shutdown
interface fortyGigE 1/31
 mtu 9216
 no shutdown
interface fortyGigE 1/32
 mtu 9216
 no shutdown
interface Port-channel 100
 channel-member fortyGigE 1/31,32
 no shutdown
interface Vlan 501
 tagged TenGigabitEthernet 1/1/1
 {crossing}
 no shutdown
"""


@pytest.mark.parametrize("crossing", ["tagged Port-channel 100", "no tagged Port-channel 100"])
def test_a_vlan_names_the_ports_that_bridge_it(tmp_path: Path, crossing: str) -> None:
    (tmp_path / "tor9.cfg").write_text(VLT.format(crossing=crossing))
    vlans = {port.name: port.labels.vlans for port in read(VLT.format(crossing=crossing)).ports}
    crosses = not crossing.startswith("no ")
    assert vlans["TenGigabitEthernet1/1/1"] == {501}
    assert vlans["fortyGigE1/31"] == vlans["fortyGigE1/32"] == ({501} if crosses else set())
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [(one.severity, len(one.members)) for one in found if one.rule == "pfc/priority-off" and not one.because_of]
    assert told == ([("error", 2)] if crosses else [])
