"""What VRP statements mean together: profiles, chip families, slots, trust, marking; and texts in the forms that people have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.policy.values import Policy
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

HEAD = "!Software Version V300R023C00SPC500\n#\nsysname x\n#\n"
PORT = "interface 100GE1/0/1\n"
FIRST = "100GE1/0/1"
NEEDS_POOL = "dcb pfc dscp-mapping enable slot 1\n#\n"
"""A statement that only the chips have whose buffer the headroom pool backs."""


def read(text: str, *others: Document, whole: bool = True) -> DeviceReading:
    document = Document("x.cfg", f"{HEAD}{text}#\nreturn\n" if whole else text)
    return platform("vrp").read(DeviceInput("x", "vrp", (document, *others)))


def cell(reading: DeviceReading, path: str, port: str = FIRST) -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("profile", "priorities"),
    [
        ("", {3}),
        ("dcb pfc\n priority 4\n", {3, 4}),
        ("dcb pfc\n priority 4\n undo priority 3\n", {4}),
        ("dcb pfc\n priority 4 5\n undo priority\n priority 6\n", {6}),
    ],
)
def test_priorities_of_a_profile_add_up_and_3_is_there_from_the_start(profile: str, priorities: set[int]) -> None:
    reading = read(f"{profile}#\n{PORT} dcb pfc enable mode manual\n")
    assert cell(reading, "pfc.priorities").get() == priorities


def test_in_a_fragment_nobody_knows_whether_a_profile_still_has_priority_3() -> None:
    reading = read(f"dcb pfc\n priority 4\n#\n{PORT} dcb pfc enable\n", whole=False)
    assert cell(reading, "pfc.priorities").why is Why.NOT_VISIBLE
    assert cell(reading, "pfc.mode").get() == "on"


@pytest.mark.parametrize(
    ("before", "lossless"),
    [
        (NEEDS_POOL, False),
        (f"{NEEDS_POOL}qos buffer headroom-pool size 4 mbytes slot 1\n#\n", True),
        (f"{NEEDS_POOL}qos buffer headroom-pool size 4 mbytes slot 2\n#\n", False),
        ("qos ecn enable\n#\n", True),
        ("", None),
    ],
)
def test_what_stands_behind_pfc_depends_on_the_chips(before: str, lossless: bool | None) -> None:
    found = cell(read(f"{before}{PORT} dcb pfc enable\n"), "groups.3.lossless")
    assert found.is_unknown if lossless is None else found.get() is lossless


@pytest.mark.parametrize(("model", "action"), [("CE8855-32CQ4BQ", "forward"), ("CE6866-48S8CQ-P", "drop")])
def test_the_model_that_the_switch_names_decides(model: str, action: str) -> None:
    text = f"VRP (R) software\nHUAWEI {model} uptime is 3 days, 1 hour, 2 minutes\n"
    reading = read(f"{PORT} dcb pfc enable\n", Document("v.txt", text, command="display version"))
    assert cell(reading, "pfc.watchdog.action").get() == action
    assert reading.device.model_name.get() == model


def test_statements_of_both_families_leave_it_open() -> None:
    reading = read(f"{NEEDS_POOL}qos ecn enable\n#\n{PORT} dcb pfc enable\n")
    assert cell(reading, "groups.3.lossless").is_unknown


def test_statements_of_an_older_release_tell_no_family() -> None:
    text = f"!Software Version V200R019C10SPC800\n#\nsysname x\n#\n{NEEDS_POOL}{PORT} dcb pfc buffer 3 hdrm 512\n#\nreturn\n"
    assert cell(read(text, whole=False), "pfc.watchdog.action").is_unknown


@pytest.mark.parametrize(
    ("lines", "trust", "queue"),
    [
        (" undo portswitch\n", "dscp", 3),
        (" undo portswitch\n trust 8021p\n port priority 5\n", "pcp", 5),
        (" port default vlan 9\n", "pcp", 0),
        (" port default vlan 9\n trust dscp\n", "dscp", 3),
        (" trust dscp\n trust upstream none\n", "none", 0),
    ],
)
def test_the_queue_of_an_untagged_packet(lines: str, trust: str, queue: int) -> None:
    reading = read(f"{PORT}{lines}")
    assert (cell(reading, "trust").get(), cell(reading, "dscp.26").get()) == (trust, queue)


PROFILE = "drop-profile p\n{}#\n"


@pytest.mark.parametrize(
    ("profile", "port", "marks", "drops"),
    [
        (
            " ecn low-limit 30 high-limit 50 discard-percentage 20\n",
            " qos queue 3 wred p\n qos queue 3 ecn\n",
            True,
            False,
        ),
        (" ecn low-limit 30 high-limit 50 discard-percentage 20\n", " qos queue 3 wred p\n", False, False),
        (" ecn low-limit 30 high-limit 50 discard-percentage 20\n", " qos queue 3 ecn\n", False, False),
        (" color green low-limit 30 high-limit 50 discard-percentage 20\n", " qos queue 3 wred p\n", False, True),
        (" color green low-limit 100 high-limit 100 discard-percentage 100\n", " qos queue 3 wred p\n", False, False),
        ("", " qos queue 3 wred p\n qos queue 3 ecn\n", False, False),
    ],
)
def test_marking_needs_both_statements_and_a_curve(profile: str, port: str, marks: bool, drops: bool) -> None:
    reading = read(f"{PROFILE.format(profile)}{PORT}{port}")
    assert (cell(reading, "queues.3.ecn.marks").get(), cell(reading, "queues.3.ecn.drops").get()) == (marks, drops)


@pytest.mark.parametrize(
    ("words", "unit"), [("", "percent"), ("buffer-size ", "bytes"), ("buffer-size cell ", "cells")]
)
def test_the_unit_of_a_threshold_is_chosen_by_a_word(words: str, unit: str) -> None:
    profile = PROFILE.format(f" ecn {words}low-limit 10 high-limit 90 discard-percentage 5\n")
    reading = read(f"{profile}{PORT} qos queue 3 wred p\n qos queue 3 ecn\n")
    assert cell(reading, "queues.3.ecn.min_unit").get() == unit
    assert cell(reading, "queues.3.ecn.min_bytes").is_known is (unit == "bytes")


AI = "ai-service\n #\n ai-ecn\n  ai-ecn enable\n  assign queue 3\n"


def test_ai_marks_by_itself_and_excludes_a_profile() -> None:
    alone = read(f"{AI}#\n{PORT} trust dscp\n")
    assert cell(alone, "queues.3.ecn.marks").get() is True
    assert not [seen for seen in alone.seen if seen.observation.kind == "conflict"]
    profile = PROFILE.format(" ecn low-limit 30 high-limit 50 discard-percentage 20\n")
    both = read(f"{AI}#\n{profile}{PORT} qos queue 3 wred p\n qos queue 3 ecn\n")
    assert [seen.place.line for seen in both.seen if seen.observation.kind == "conflict"] == [9]


@pytest.mark.parametrize(
    "text",
    [
        "dcb pfc\n priority 4\n#\ninterface 100GE1/0/1\n undo portswitch\n dcb pfc enable mode manual\n",
        "  dcb pfc\n   priority 4\n  #\n  interface 100GE1/0/1\n   undo portswitch\n   dcb pfc enable mode manual\n",
        "dcb pfc\npriority 4\nquit\ninterface 100GE1/0/1\nundo portswitch\ndcb pfc enable mode manual\nquit\n",
        "dcb pfc   //lossless\n priority 4    //storage\n#\ninterface 100GE 1/0/1\n undo portswitch\n dcb pfc enable mode manual //on\n",
    ],
    ids=["printed", "with a margin", "typed", "with remarks"],
)
def test_one_configuration_in_four_forms(text: str) -> None:
    document = Document("x.cfg", text, declared_complete=True)
    reading = platform("vrp").read(DeviceInput("x", "vrp", (document,)))
    assert cell(reading, "pfc.priorities").get() == {3, 4}
    assert cell(reading, "ip_mtu_bytes").get() == 1500
    assert not reading.seen


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtuu 9000", "ip_mtu_bytes"),
        ("jumbofrme enable 9216", "ip_mtu_bytes"),
        ("shutdwon", "admin_up"),
        ("trsut dscp", "trust"),
        ("dcb pcf enable", "pfc.mode"),
        ("qso queue 3 ecn", "queues"),
        ("flow-contorl", "link_pause_rx"),
        ("undo mtuu", "ip_mtu_bytes"),
        ("port prioritty 4", "trust"),
    ],
)
def test_a_misspelt_word_is_told_and_what_it_would_set_is_unknown(line: str, path: str) -> None:
    reading = read(f"{PORT} undo portswitch\n {line}\n")
    assert [seen.quote for seen in reading.seen] == [line]
    assert cell(reading, path).why is Why.NOT_PARSED


@pytest.mark.parametrize("name", ["100GE1/0/1:2", "GigabitEthernet0/0/1", "400GE2/0/3", "Eth-Trunk7", "10GE1/0/48"])
def test_names_that_begin_with_a_number_are_names(name: str) -> None:
    reading = read(f"interface {name}\n description x\n")
    assert [port.name for port in reading.ports] == [name]


def test_settings_of_the_members_are_open_on_their_trunk() -> None:
    reading = read(f"interface Eth-Trunk1\n undo portswitch\n mtu 9000\n#\n{PORT} eth-trunk 1\n dcb pfc enable\n")
    assert cell(reading, "pfc.mode", "Eth-Trunk1").is_unknown
    assert cell(reading, "pfc.mode").get() == "on"
    assert cell(reading, "ip_mtu_bytes").get() == 9000


def test_a_peer_link_of_m_lag_is_one() -> None:
    reading = read(f"interface Eth-Trunk0\n mode lacp-static\n peer-link 1\n#\n{PORT} eth-trunk 0\n")
    assert [port.labels.peer_link for port in reading.ports] == [True, True]


def test_every_statement_is_made_from_what_its_row_captures() -> None:
    """A row whose captures its statement does not take would stop the reading of a whole device."""
    statements = {
        "top": (
            "undo dcb pfc deadlock-detect interval",
            "undo dcb pfc deadlock-detect timer 100",
            "undo dcb pfc deadlock recovery-behavior discard slot 1",
            "undo dcb pfc dscp-mapping enable slot 1",
            "undo qos buffer headroom-pool size 8 mbytes slot 1",
            "traffic-policy p global slot 1 inbound",
            "undo traffic-policy p global outbound",
            "undo qos car c",
        ),
        "port": (
            "undo dcb pfc buffer",
            "undo dcb pfc buffer 3 xoff static 5",
            "undo dcb pfc enable p mode auto",
            "undo dcb ets enable",
            "undo qos pq 6 to 7",
            "qos lpq 1 2",
            "undo qos queue 3 drr weight",
            "undo qos queue 3 wred",
            "undo qos queue 3 shaping",
            "qos queue 3 shaping percent cir 50 pir 60",
            "undo qos lr",
            "undo qos buffer queue 3",
            "qos buffer queue 3 shared-threshold dynamic 4",
            "undo qos car inbound",
            "undo trust",
            "undo trust upstream",
            "undo port priority",
            "undo eth-trunk",
            "undo speed",
            "undo fec mode",
            "undo lldp admin-status",
            "undo lldp tlv-enable dcbx",
            "undo dcb compliance intel-oui",
        ),
        "pfcprofile": (
            "undo priority 3 deadlock-detect",
            "undo priority 3 deadlock-recovery time 10",
            "priority 3 deadlock-detect time 10 deadlock-recovery time 15",
            "undo priority 3 turn-off",
        ),
        "dropprofile": ("undo ecn", "undo color green"),
        "domain": ("undo ip-dscp-inbound", "undo 8021p-inbound 3", "undo ip-dscp-outbound af4 green", "dei enable"),
        "qospolicy": ("undo classifier c", "classifier c behavior b"),
        "aiecn": ("undo ai-ecn enable", "undo assign queue 3"),
    }
    for mode, lines in statements.items():
        for line in lines:
            assert TABLE.parse(mode, line).value is not None, f"{mode}: {line}"


SHOWN = """\
100GE1/0/1 current state : UP (ifindex: 87)
Line protocol current state : UP
Description:gpu11 nic2
Route Port,The Maximum Transmit Unit is 1500,The Maximum Frame Length is 9000
Port Mode:     COMMON FIBER,     Port Split/Aggregate:               -
Speed:                40000,     Loopback:                        NONE
Duplex:                FULL,     Negotiation:                        -
Input Flow-control: DISABLE,     Output Flow-control:           ENABLE
Mdi:                      -,     Fec:                           RS-FEC
100GE1/0/2 current state : DOWN (ifindex: 88)
Speed:                 AUTO,     Loopback:                        NONE
Mdi:                      -,     Fec:                                -
"""


def shown(text: str, command: str = "display interface") -> Document:
    return Document("shown.txt", text, command)


def test_what_an_interface_shows_holds_where_nothing_is_configured() -> None:
    reading = read(f"{PORT} portswitch\n#\ninterface 100GE1/0/2\n", shown(SHOWN))
    values = {
        path: cell(reading, path).get()
        for path in ("speed_bps", "fec", "link_pause_rx", "link_pause_tx", "ip_mtu_bytes")
    }
    assert values == {
        "speed_bps": 40 * 10**9,
        "fec": "rs",
        "link_pause_rx": False,
        "link_pause_tx": True,
        "ip_mtu_bytes": 8982,
    }
    assert cell(reading, "speed_bps", "100GE1/0/2").get() == 100 * 10**9  # its name's: without a link none is shown
    configured = read(f"{PORT} speed 100000\n fec mode none\n jumboframe enable 9216\n portswitch\n", shown(SHOWN))
    assert cell(configured, "speed_bps").get() == 100 * 10**9
    assert cell(configured, "fec").get() == "rs"  # what runs
    assert any("FEC: none is configured" in one.observation.text for one in configured.seen)
    assert cell(configured, "ip_mtu_bytes").get() == 9198


def test_a_shown_word_that_nobody_knows_is_told() -> None:
    reading = read(PORT, shown(SHOWN.replace("RS-FEC", "MAGIC")))
    assert cell(reading, "fec").why is Why.NOT_PARSED
    assert [seen.observation.kind for seen in reading.seen] == ["unread-line"]


THRESHOLDS = """\
* : indicates AI ECN
[]: indicates the upper ECN threshold
Interface       Queue     Min     Max  Probability  Queue Size
                         (KB)    (KB)          (%)        (KB)
--------------------------------------------------------------
100GE1/0/1          0       0       0            0           0
                    4    3584    5734           30           0
100GE1/0/2         *4    1000    2000           30           0
"""
CURVE = "drop-profile dp\n ecn low-limit 50 high-limit 80 discard-percentage 30\n#\n"


def test_thresholds_in_percent_have_the_bytes_that_are_shown() -> None:
    text = f"{CURVE}{PORT} qos queue 4 wred dp\n qos queue 4 ecn\n"
    assert cell(read(text), "queues.4.ecn.min_bytes").why is Why.NO_DEFAULT
    found = read(text, shown(THRESHOLDS, "display qos ecn threshold"))
    assert cell(found, "queues.4.ecn.min_bytes").get() == 3584 * 1024
    assert cell(found, "queues.4.ecn.max_bytes").get() == 5734 * 1024
    assert cell(found, "queues.4.ecn.min_value").get() == 50
    in_bytes = text.replace("low-limit 50 high-limit 80", "buffer-size low-limit 5000 high-limit 8000")
    assert cell(read(in_bytes, shown(THRESHOLDS, "display qos ecn threshold")), "queues.4.ecn.min_bytes").get() == 5000


BUFFERS = """\
Xon:        PFC backpressure stop threshold
B:bytes   \tK:kilobytes   \tD:dynamic alpha
------------------------------------------------------------------------------------
Interface      Queue    Guaranteed     Xon-Lowest  Xon-Offset       Xoff        Hdrm
------------------------------------------------------------------------------------
100GE1/0/1         3       1600(B)         640(B)        6(K)       5(D)       40(K)
                   4       1600(B)         640(B)        6(K)     900(K)     256(K)
------------------------------------------------------------------------------------
"""
OTHER_BUFFERS = """\
Interface      Queue            Xon           Xoff
--------------------------------------------------
100GE1/0/1         3           3(K)           4(K)
"""
PFC_ON = f"{PORT} dcb pfc enable mode manual\n"


def test_buffers_in_effect_hold_where_nothing_is_configured() -> None:
    found = read(PFC_ON, shown(BUFFERS, "display dcb pfc buffer"))
    group = {name: cell(found, f"groups.3.{name}") for name in ("headroom_bytes", "reserved_bytes", "xon_offset_bytes")}
    assert [one.get() for one in group.values()] == [40_000, 1_600, 6_000]
    assert cell(found, "groups.3.xoff_at_bytes").is_absent
    assert cell(found, "groups.4.xoff_at_bytes").get() == 900_000
    assert cell(read(PFC_ON), "groups.3.headroom_bytes").is_unknown
    configured = read(f"{PFC_ON} dcb pfc buffer 3 hdrm 512 kbytes\n", shown(BUFFERS, "display dcb pfc buffer"))
    assert cell(configured, "groups.3.headroom_bytes").get() == 512_000
    other = read(PFC_ON, shown(OTHER_BUFFERS, "display dcb pfc buffer interface 100GE 1/0/1"))
    assert (cell(other, "groups.3.xon_at_bytes").get(), cell(other, "groups.3.xoff_at_bytes").get()) == (3_000, 4_000)


def test_a_buffer_in_cells_is_of_no_known_size_and_one_without_a_unit_is_told() -> None:
    in_cells = read(PFC_ON, shown(BUFFERS.replace("40(K)", "40(C)"), "display dcb pfc buffer"))
    assert cell(in_cells, "groups.3.headroom_bytes").why is Why.NO_DEFAULT
    garbled = read(PFC_ON, shown(BUFFERS.replace("40(K)", "40"), "display dcb pfc buffer"))
    assert cell(garbled, "groups.3.headroom_bytes").why is Why.NOT_PARSED
    assert [seen.observation.kind for seen in garbled.seen] == ["unread-line"]


@pytest.mark.parametrize(
    ("state", "running"), [("ENABLE(M)", {3}), ("FAILED(A)", set()), ("-", set()), ("SUCCEED(A)", None)]
)
def test_whether_pfc_runs(state: str, running: set[int] | None) -> None:
    head = "Interface         PFC Name     PFC Status  ETS Name    ETS Status App-Profile"
    text = f"M:Manual;    A:Auto\n{'-' * 79}\n{head}\n{'-' * 79}\n100GE1/0/1  mypfc  {state}  -  -  -\n"
    found = cell(
        read(f"dcb pfc mypfc\n priority 3\n#\n{PORT} dcb pfc enable mypfc\n", shown(text, "display dcb")), PFC_RUNS
    )
    assert (set(found.get()) if found.is_known else None) == running


PFC_RUNS = "pfc.operational"


def test_a_state_of_pfc_that_nobody_knows_is_told() -> None:
    text = "Interface  PFC Name  PFC Status  ETS Name  ETS Status App-Profile\n100GE1/0/1  default  MAYBE  -  -  -\n"
    reading = read(PFC_ON, shown(text, "display dcb"))
    assert cell(reading, PFC_RUNS).why is Why.NOT_PARSED
    assert [seen.observation.kind for seen in reading.seen] == ["unread-line"]


def test_what_a_port_group_says_its_members_say() -> None:
    reading = read(
        "dcb pfc\n priority 4\n#\nport-group nodes\n group-member 100ge 1/0/1 to 100ge 1/0/3 25GE1/0/9\n"
        " dcb pfc enable mode manual\n#\ninterface 100GE1/0/2\n undo dcb pfc enable\n#\n"
        "port-group nodes\n trust dscp\n#\n"
    )
    modes = {port.name: port.facts.pfc.get().mode.or_else(None) for port in reading.ports}
    assert modes == {"100GE1/0/1": "on", "100GE1/0/2": "off", "100GE1/0/3": "on", "25GE1/0/9": "on"}
    assert {port.facts.trust.or_else(None) for port in reading.ports} == {"dscp"}
    assert {port.facts.speed_bps.or_else(0) for port in reading.ports} == {100 * 10**9, 25 * 10**9}
    assert reading.seen == ()


@pytest.mark.parametrize("header", ["interface range ", "port-group group-member "])
def test_a_temporary_group_is_its_members(header: str) -> None:
    """Commands that somebody types; of the ports of a range that is not understood nobody knows."""
    typed = "dcb pfc\n priority 4\n#\n{}100GE 1/0/1 to 100GE 1/0/2 25GE1/0/9{}\n dcb pfc enable mode manual\n trust dscp\n#\n"
    reading = read(typed.format(header, ""))
    assert {port.name: port.facts.pfc.get().mode.value for port in reading.ports} == dict.fromkeys(
        ("100GE1/0/1", "100GE1/0/2", "25GE1/0/9"), "on"
    )
    assert not reading.seen
    assert [one.observation.kind for one in read(typed.format(header, " and more")).seen] == ["unread-line"]


def test_members_and_groups_can_be_taken_away() -> None:
    group = "port-group nodes\n group-member 100GE1/0/1 to 100GE1/0/2\n#\n"
    ports = "interface 100GE1/0/1\n#\ninterface 100GE1/0/2\n#\n"
    pfc = "port-group nodes\n dcb pfc enable mode manual\n#\n"
    for between, modes in (
        ("port-group nodes\n undo group-member 100GE1/0/1\n#\n", ["off", "on"]),
        ("undo port-group nodes\n", ["off", "off"]),
    ):
        reading = read(f"{group}{ports}{between}{pfc}")
        assert [port.facts.pfc.get().mode.or_else(None) for port in reading.ports] == modes
        assert reading.seen == ()


def test_a_line_of_a_port_group_that_nobody_understands_is_told_once() -> None:
    reading = read("port-group nodes\n group-member 100GE1/0/1 to 100GE1/0/4\n dcb pfc enable mode maybe\n#\n")
    assert [(s.observation.kind, len(s.ports)) for s in reading.seen] == [("unread-line", 4)]
    assert all(port.facts.pfc.is_unknown for port in reading.ports)


def test_members_that_nobody_understands_leave_the_ports_unknown() -> None:
    reading = read(
        "port-group nodes\n group-member 100GE1/0/1 100GE1/0/2 and more\n dcb pfc enable mode manual\n#\n"
        "interface 100GE1/0/2\n#\n"
    )
    assert {port.name: port.facts.pfc.is_unknown for port in reading.ports} == {"100GE1/0/1": True, "100GE1/0/2": True}
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]


def test_what_a_profile_that_nobody_defines_leaves_open_is_not_missing() -> None:
    reading = read(f"interface {FIRST}\n dcb pfc enable nobody\n#\n")
    for path in ("groups.3.lossless", "groups.3.headroom_is_shared", "groups.3.reserved_bytes"):
        assert cell(reading, path).why is Why.UNDEFINED


def test_a_session_is_known_and_read_where_its_lines_are_set_in() -> None:
    typed = (
        "   <HUAWEI> system-view\n   [~HUAWEI] sysname leaf1\n   [*HUAWEI] commit\n   [~leaf1] dcb pfc\n"
        "   [*leaf1-dcb-pfc-default] priority 4\n   [*leaf1-dcb-pfc-default] quit\n   [*leaf1] interface 100ge 1/0/1\n"
        "   [*leaf1-100GE1/0/1] dcb pfc enable mode manual\n   [*leaf1-100GE1/0/1] quit\n   [*leaf1] commit\n"
    )
    vrp = platform("vrp")
    assert vrp.recognise(Document("x.txt", typed)) > 0
    assert vrp.hostname(Document("x.txt", typed)) == "leaf1"
    assert cell(read(typed, whole=False), "pfc.mode").get() == "on"


def test_a_subinterface_of_layer_2_is_a_name_and_no_unread_line() -> None:
    found = read("interface 25GE1/0/3.104 mode l2\n encapsulation dot1q vid 104\n bridge-domain 1004\n#\n" + PORT)
    assert [port.name for port in found.ports] == ["25GE1/0/3.104", FIRST]
    assert not [seen for seen in found.seen if seen.observation.kind == "unread-line"]


def test_an_mtu_beyond_the_frame_matters_where_pause_is_on() -> None:
    sizes = PORT + " undo portswitch\n mtu 9600\n jumboframe enable 9210\n"
    assert not [seen for seen in read(sizes).seen if seen.observation.kind == "conflict"]
    told = [seen for seen in read(sizes + " dcb pfc enable mode manual\n").seen if seen.observation.kind == "conflict"]
    assert len(told) == 1


@pytest.mark.parametrize(
    ("thresholds", "told"),
    [
        ("xon dynamic 4 xoff dynamic 6", 0),
        ("xon dynamic 6 xoff dynamic 4", 1),
        ("xon static 900 cells xoff static 800 cells", 1),
        ("xon static 150 kbytes xoff static 125 kbytes", 0),  # sizes are what a rule compares
    ],
)
def test_a_pause_that_ends_above_where_it_starts(thresholds: str, told: int) -> None:
    found = read(PORT + f" dcb pfc enable mode manual\n dcb pfc buffer 3 {thresholds}\n")
    assert len([seen for seen in found.seen if seen.observation.kind == "conflict"]) == told


USAGE = """Egress Buffer Usage (KBytes) on single queue: (Current/Total)
------------------------------------------------------------
Interface       Queue   Type        Guaranteed        Shared
------------------------------------------------------------
100GE1/0/1          0   Lossy              0/1          0/5*
                    3   {}           0/1          0/5*
"""


@pytest.mark.parametrize(
    ("kind", "lines", "told"),
    [
        ("Lossless", " dcb pfc enable mode manual\n", False),
        ("Lossy   ", " dcb pfc enable mode manual\n", True),
        ("Lossy   ", "", False),
    ],
)
def test_a_queue_of_a_paused_priority_that_the_chip_holds_for_lossy(kind: str, lines: str, told: bool) -> None:
    answer = Document("a.txt", USAGE.format(kind), "display qos buffer egress-usage interface 100GE1/0/1")
    reading = read(f"{PORT}{lines}", answer)
    assert [one.place.line for one in reading.seen if one.observation.kind == "not-in-force"] == [6] * told


def test_a_port_with_levels_to_pause_at_that_was_left_out_is_told(tmp_path: Path) -> None:
    level = " trust dscp\n dcb pfc buffer 5 xon static 800 kbytes xoff static 900 kbytes\n"
    ports = [f"interface 100GE1/0/{n}\n{level} dcb pfc enable mode manual\n#\n" for n in range(1, 5)]
    ports[2] = ports[2].replace(" dcb pfc enable mode manual\n", "")
    (tmp_path / "x.cfg").write_text(
        f"{HEAD}qos ecn enable\n#\ndcb pfc\n priority 5\n undo priority 3\n#\n{''.join(ports)}return\n"
    )
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [(one.severity, one.subject) for one in found if one.rule == "pfc/priority-off" and one.verdict == "fails"]
    assert told == [("error", "100GE1/0/3")]


NEGOTIATED = """dcb pfc
 priority 5
 undo priority 3
#
interface 100GE1/0/1
 dcb pfc enable mode auto
{own}#
interface 100GE1/0/2
#
"""


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (" dcb pfc buffer 5 xon static 800 kbytes xoff static 900 kbytes\n", ["100GE1/0/1"]),
        (" dcb pfc buffer 5 xoff dynamic 4\n", ["100GE1/0/1"]),
        ("", []),
    ],
)
def test_a_level_to_pause_at_says_that_a_port_which_negotiates_is_meant(
    tmp_path: Path, own: str, told: list[str]
) -> None:
    (tmp_path / "x.cfg").write_text(f"{HEAD}{NEGOTIATED.format(own=own)}return\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one.subject for one in found if one.rule == "dcbx/pfc-negotiated" and one.verdict == "fails"] == told


TASKS = """- hosts: ce
  tasks:
    - community.network.ce_config:
        parents: dcb pfc RDMA
        lines: [priority 3]
    - community.network.ce_config:
        parents: interface 100GE1/0/1
        lines:
          - dcb pfc enable {} mode manual
          - qos queue 3 drr weight 40
"""


@pytest.mark.parametrize(("name", "told"), [("RDMA", []), ("STORAGE", [("error", 9)])])
def test_tasks_whose_ports_use_a_profile_that_no_file_defines(
    tmp_path: Path, name: str, told: list[tuple[str, int]]
) -> None:
    (tmp_path / "ce.yml").write_text(TASKS.format(name), encoding="utf-8")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    names = [one for one in found if one.rule == "input/undefined-or-unapplied" and one.verdict == "fails"]
    assert [(one.severity, one.locations[0].line) for one in names] == told
