"""Comware: sections, ranges, precedence, queues by local precedence, answers, recognition, hostile text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.model.walk import follow
from roce_audit.platforms import every, platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.comware.names import rate_of
from roce_audit.sources.detect import choose
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Cited, Why

ROOT = Path(__file__).parents[3]
BASE = (ROOT / "roce_audit/platforms/comware/examples/base/leaf1.cfg").read_text(encoding="utf-8")
RICH = (ROOT / "fixtures/comware/leaf/leaf.cfg").read_text(encoding="utf-8").split("\n")
PORT = "HundredGigE1/0/1"
WHOLE = "#\n version 7.1.070, Release 6710\n#\n sysname x\n#\n{top}\n#\ninterface HundredGigE1/0/1\n {own}\n#\nreturn\n"


def read(text: str, *answers: Document) -> DeviceReading:
    return platform("comware").read(DeviceInput("x", "comware", (Document("x.cfg", text), *answers)))


def cell(reading: DeviceReading, path: str, port: str = PORT) -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


def said(path: str, top: str = "", *own: str) -> Any:
    """The value of a path in a whole configuration with these statements; the reason where it is unknown."""
    found = cell(read(WHOLE.format(top=top, own="\n ".join(own) or "port link-mode route")), path)
    return found.why if found.is_unknown else found.value


@pytest.mark.parametrize(
    ("top", "own", "mode", "priorities"),
    [
        ("", ("priority-flow-control enable", "priority-flow-control no-drop dot1p 3,5"), "on", {3, 5}),
        ("priority-flow-control enable\npriority-flow-control no-drop dot1p 3", (), "on", {3}),
        (
            "priority-flow-control enable\npriority-flow-control no-drop dot1p 3",
            ("undo priority-flow-control",),
            "off",
            set(),
        ),
        (
            "priority-flow-control no-drop dot1p 3",
            ("priority-flow-control no-drop dot1p 4", "priority-flow-control enable"),
            "on",
            {4},
        ),
        ("", ("priority-flow-control no-drop dot1p 3",), "off", set()),
        ("", ("priority-flow-control enable",), "on", set()),
        ("", ("priority-flow-control auto", "priority-flow-control no-drop dot1p 3"), "auto", Why.NOT_VISIBLE),
    ],
)
def test_pfc_of_the_port_stands_over_that_of_the_system_view(
    top: str, own: tuple[str, ...], mode: str, priorities: object
) -> None:
    assert said("pfc.mode", top, *own) == mode
    assert said("pfc.priorities", top, *own) == priorities


def test_pfc_of_the_system_view_holds_for_data_ports_alone() -> None:
    text = "#\n version 7.1.070, Release 1\n#\npriority-flow-control enable\n#\ninterface M-GigabitEthernet0/0/0\n#\nreturn\n"
    assert cell(read(text), "pfc.mode", "M-GigabitEthernet0/0/0").value == "off"


def test_the_interval_of_deadlock_detection_is_set_for_a_local_precedence() -> None:
    own = ("priority-flow-control deadlock enable",)
    interval = "priority-flow-control deadlock cos {} interval 10"
    assert (said("pfc.watchdog.on", "", *own), said("pfc.watchdog.priorities", "", *own)) == (True, frozenset())
    assert said("pfc.watchdog.on", interval.format(2), *own) is True
    # the default table sends priority 0 into queue 2
    assert said("pfc.watchdog.priorities", interval.format(2), *own) == {0}
    identity = "qos map-table dot1p-lp\n import 0 export 0\n import 1 export 1\n import 2 export 2\n#\n"
    assert said("pfc.watchdog.priorities", identity + interval.format(2), *own) == {2}


def test_what_a_table_says_of_priorities_is_unknown_when_it_is_not_understood() -> None:
    top = "priority-flow-control deadlock cos 3 interval 10\n#\nqos map-table dot1p-lp\n import 3 export x"
    assert said("pfc.watchdog.priorities", top, "priority-flow-control deadlock enable") is Why.NOT_PARSED


@pytest.mark.parametrize(
    ("own", "by_dscp", "by_tag"),
    [
        (("qos trust dscp",), 3, Why.NOT_VISIBLE),
        (("qos trust dot1p",), 0, 3),
        ((), 0, 0),
        (("qos priority 5",), 5, 5),
        (("qos trust dot1p", "qos priority 5"), 5, 3),
        (("qos trust dscp", "undo qos trust"), 0, 0),
        (("qos trust dcsp",), Why.NOT_PARSED, Why.NOT_PARSED),
    ],
)
def test_what_is_trusted_decides_the_class(own: tuple[str, ...], by_dscp: object, by_tag: object) -> None:
    assert said("dscp.26", "", *own) == by_dscp
    assert said("pcp.3", "", *own) == by_tag


def test_local_precedences_are_queues_and_the_default_table_swaps_the_first_three() -> None:
    assert [said(f"classes.{n}.queue") for n in range(4)] == [2, 0, 1, 3]
    assert said("classes.0.queue", "qos map-table dot1p-lp\n import 0 export 0") == 0


def test_thresholds_take_each_others_place() -> None:
    both = (
        "priority-flow-control dot1p 3 ingress-buffer static 1000",
        "priority-flow-control dot1p 3 ingress-buffer dynamic 33",
    )
    assert (said("groups.3.alpha", "", *both), said("groups.3.xoff_at_bytes", "", *both)) == (0.5, None)
    assert (said("groups.3.alpha", "", *both[::-1]), said("groups.3.xoff_at_bytes", "", *both[::-1])) == (None, 256_000)


@pytest.mark.parametrize(
    ("ratio", "alpha"),
    [
        (0, 1 / 128),
        (1, 1 / 64),
        (3, 1 / 32),
        (4, 1 / 16),
        (6, 1 / 8),
        (12, 1 / 4),
        (33, 1 / 2),
        (50, 1),
        (51, 2),
        (67, 4),
        (100, 8),
    ],
)
def test_a_ratio_is_a_step_of_alpha(ratio: int, alpha: float) -> None:
    assert said("groups.3.alpha", "", f"priority-flow-control dot1p 3 ingress-buffer dynamic {ratio}") == alpha


def test_cells_of_a_headroom_have_a_size_that_differs_by_model() -> None:
    assert said("groups.3.headroom_bytes", "", "priority-flow-control dot1p 3 headroom 500") is Why.NO_DEFAULT
    assert said("groups.3.headroom_bytes", "", "priority-flow-control dot1p 3 headroom 0") == 0


@pytest.mark.parametrize(
    ("lines", "low", "high"),
    [
        (("low-limit 10 high-limit 20",), 10, 20),
        (("drop-level 0 low-limit 10 high-limit 20", "drop-level 1 low-limit 1 high-limit 2"), 10, 20),
        (("low-limit 10 high-limit 20", "drop-level 0 low-limit 5 high-limit 6"), 5, 6),
        (("drop-level 2 low-limit 10 high-limit 20",), Why.NO_DEFAULT, Why.NO_DEFAULT),
    ],
)
def test_green_packets_decide_the_curve(lines: tuple[str, ...], low: object, high: object) -> None:
    own = (*(f"qos wred queue 3 {line}" for line in lines), "qos wred queue 3 ecn")
    assert (said("queues.3.ecn.min_value", "", *own), said("queues.3.ecn.max_value", "", *own)) == (low, high)
    assert said("queues.3.ecn.marks", "", *own) is True


def test_thresholds_are_taken_back() -> None:
    own = (
        "qos wred queue 3 low-limit 10 high-limit 20",
        "qos wred queue 3 ecn",
        "qos wred queue 3 weighting-constant 0",
    )
    assert said("queues.3.ecn.weight", "", *own) == 0
    assert said("queues.3.ecn.weight", "", *own, "undo qos wred queue 3 weighting-constant") == 9
    assert said("queues.3.ecn", "", *own, "undo qos wred queue 3") is None


def test_colours_count_where_a_table_gives_them_to_packets() -> None:
    own = (
        "qos wred queue 3 drop-level 0 low-limit 10 high-limit 20",
        "qos wred queue 3 drop-level 1 low-limit 1 high-limit 2",
    )
    assert said("queues.3.ecn.min_value", "qos map-table dscp-dp\n import 26 export 1", *own) is Why.CONFLICT


def test_a_table_leaves_queues_open_that_it_does_not_name() -> None:
    top = "qos wred queue table T\n queue 3 low-limit 10 high-limit 20\n queue 3 ecn"
    assert said("queues.3.ecn.marks", top, "qos wred apply T") is True
    assert said("queues.6.ecn", top, "qos wred apply T") is Why.NO_DEFAULT
    assert said("queues.3.ecn", top, "qos wred apply U") is Why.UNDEFINED
    assert said("queues.3.ecn", top) is None


def test_a_fragment_does_not_show_that_ecn_is_missing() -> None:
    fragment = "interface HundredGigE1/0/1\n qos wred queue 3 low-limit 10 high-limit 20\n"
    assert cell(read(fragment), "queues.3.ecn.marks").why is Why.NOT_VISIBLE
    assert cell(read(fragment), "queues.3.ecn.min_value").value == 10


@pytest.mark.parametrize(
    ("own", "scheduling", "share"),
    [
        (("qos sp",), "strict", None),
        (("qos wfq byte-count", "qos wfq af3 group 1 byte-count 60"), "weighted", 60),
        (("qos wrr weight", "qos wrr 3 group 1 weight 9"), "weighted", 9),
        (("qos wfq byte-count", "qos wfq af3 group sp"), "strict", None),
        (("qos wfq byte-count",), "weighted", Why.NO_DEFAULT),
        (("qos wrr af3 group 1 weight 9", "qos wrr ef group 2 weight 9"), "weighted", Why.NO_DEFAULT),
        ((), Why.NO_DEFAULT, Why.NO_DEFAULT),
    ],
)
def test_how_a_queue_is_served(own: tuple[str, ...], scheduling: object, share: object) -> None:
    assert (said("queues.3.scheduling", "", *own), said("queues.3.share", "", *own)) == (scheduling, share)


def test_the_tighter_of_two_shapers_holds() -> None:
    own = ("qos gts queue 3 cir 5000000", "qos lr outbound cir 1000000")
    assert (said("queues.3.max_rate_bps", "", *own), said("queues.4.max_rate_bps", "", *own)) == (10**9, 10**9)


@pytest.mark.parametrize(
    ("jumbo", "mtu"),
    [
        ("jumboframe enable 9416", 9394),
        ("jumboframe enable", Why.NO_DEFAULT),
        ("undo jumboframe enable", 1500),
    ],
)
def test_the_largest_frame_is_that_of_jumboframe(jumbo: str, mtu: object) -> None:
    assert said("ip_mtu_bytes", "", jumbo) == mtu


@pytest.mark.parametrize(
    ("own", "mtu"),
    [
        (("mtu 1500",), 1500),
        (("mtu 9000",), Why.NO_DEFAULT),  # the largest frame depends on the model
        (("jumboframe enable 9416", "mtu 1500"), 1500),
        (("mtu 9100", "jumboframe enable 9122"), 9100),
        (("jumboframe enable 4000", "mtu 9000"), 3978),
        (("jumboframe enable 9416", "mtu 9000", "ip mtu 1500"), 1500),
        (("jumboframe enable 9416", "mtu 1500", "ip mtu 9000"), 9000),
        (("jumboframe enable 9416", "mtu 1500", "undo mtu"), 9394),
        (("port link-mode bridge", "jumboframe enable 9416", "mtu 1500"), 9394),
    ],
)
def test_a_routed_port_sends_no_packet_above_its_mtu(own: tuple[str, ...], mtu: object) -> None:
    assert said("ip_mtu_bytes", "", *own) == mtu


CLASSED = (
    "acl advanced 3100\n rule 0 permit {rule}\n#\ntraffic classifier C operator or\n if-match {match}\n#\ntraffic behavior B\n {does}\n#\n"
    "traffic behavior K\n {first}\n#\nqos policy P\n classifier C behavior K\n classifier C behavior B"
)
RDMA, SSH = "udp destination-port eq 4791", "tcp destination-port eq 22"


@pytest.mark.parametrize(
    ("rule", "match", "does", "path", "wanted"),
    [
        (RDMA, "acl 3100", "filter deny", "drops_roce", True),
        (RDMA, "acl name 3100", "filter deny", "drops_roce", True),
        (SSH, "acl 3100", "filter deny", "drops_roce", None),
        (RDMA, "any", "filter deny", "drops_roce", True),
        (RDMA, "dscp 26", "filter deny", "drops_roce", Why.NOT_VISIBLE),
        (RDMA, "acl 3100", "filter permit", "drops_roce", None),
        (RDMA, "acl 3100", "car cir 1000", "policed", True),
        (SSH, "acl 3100", "car cir 1000", "policed", False),
        (RDMA, "dscp 26", "car cir 1000", "policed", Why.NOT_VISIBLE),
        (SSH, "acl 3100", "remark local-precedence 5", "dscp.26", 0),
        (RDMA, "acl 3100", "remark local-precedence 5", "dscp.26", Why.NOT_VISIBLE),
        (RDMA, "acl 3111", "filter deny", "drops_roce", Why.NOT_VISIBLE),
        (RDMA, "dscp 48 ef", "remark local-precedence 6", "dscp.26", 0),
        (RDMA, "dscp 48 ef", "remark local-precedence 6", "dscp.46", Why.NOT_VISIBLE),
        (RDMA, "dscp 48\n if-match dot1p 3", "remark local-precedence 6", "dscp.26", Why.NOT_VISIBLE),
    ],
)
def test_what_a_policy_does_to_roce_hangs_on_its_classifiers(
    rule: str, match: str, does: str, path: str, wanted: object
) -> None:
    policy = CLASSED.format(rule=rule, match=match, does=does, first="accounting packet")
    one = policy.replace("\n classifier C behavior K", "")
    assert said(path, one, "qos apply policy P inbound") == wanted
    if wanted is True:  # what another one takes first is not for this one
        assert said(path, policy, "qos apply policy P inbound") is not True


@pytest.mark.parametrize(
    ("match", "wanted"),
    [("dscp 26", True), ("dscp 8", Why.NOT_VISIBLE), ("dscp 26\n if-match acl 3100", Why.NOT_VISIBLE)],
)
def test_a_policer_of_code_points_that_lead_to_a_paused_priority_meets_roce(match: str, wanted: object) -> None:
    policy = CLASSED.format(rule=RDMA, match=match, does="car cir 1000", first="accounting packet")
    one = policy.replace("\n classifier C behavior K", "")
    own = ("qos trust dscp", "priority-flow-control enable", "priority-flow-control no-drop dot1p 3")
    assert said("policed", one, *own, "qos apply policy P inbound") == wanted


@pytest.mark.parametrize(
    ("match", "does", "wanted"),
    [
        ("dscp 26", "remark local-precedence 0", 1),
        ("acl 3100", "remark dot1p 0\n remark local-precedence 0", 1),
        ("dscp 26", "remark local-precedence 3", Why.NOT_VISIBLE),
        ("dscp 26", "remark dot1p 0", Why.NOT_VISIBLE),
        ("dscp 26\n if-match dot1p 3", "remark local-precedence 0", Why.NOT_VISIBLE),
    ],
)
def test_a_policy_puts_what_is_paused_into_another_queue(match: str, does: str, wanted: object) -> None:
    policy = CLASSED.format(rule=RDMA, match=match, does=does, first="accounting packet")
    own = ("qos trust dscp", "priority-flow-control enable", "priority-flow-control no-drop dot1p 3")
    taken = said("dscp.26", policy.replace("\n classifier C behavior K", ""), *own, "qos apply policy P inbound")
    assert taken == wanted
    if wanted == 1:  # by default the class of queue 0; what another one takes first is not for this one
        assert said("dscp.26", policy, *own, "qos apply policy P inbound") != wanted


def test_what_a_policy_does_is_told_by_its_behaviors() -> None:
    policy = "traffic behavior B\n {}\n#\nqos policy P\n classifier default-class behavior B"
    apply = "qos apply policy P inbound"
    assert said("policed", policy.format("accounting packet"), apply) is False
    assert said("policed", policy.format("car cir 1000"), apply) is Why.NOT_VISIBLE
    assert said("dscp.26", policy.format("remark dot1p 5"), apply) is Why.NOT_VISIBLE
    assert said("rewrites_dscp", policy.format("remark dscp af31"), "qos apply policy P outbound") is Why.NOT_VISIBLE
    assert said("dscp.26", policy.format("accounting packet"), "qos apply policy Q inbound") is Why.UNDEFINED


@pytest.mark.parametrize(("layer", "policed"), [("bridge", Why.NOT_VISIBLE), ("route", False)])
def test_a_policy_of_vlans_may_hold_for_every_bridge_port(layer: str, policed: object) -> None:
    top = (
        "traffic behavior B\n car cir 1000\n#\nqos policy P\n classifier default-class behavior B\n#\n"
        " qos vlan-policy P vlan 10 20 to 29 inbound"
    )
    assert said("policed", top, f"port link-mode {layer}") == policed


def test_global_statements_are_indented_and_no_part_of_the_port_before() -> None:
    text = "#\ninterface HundredGigE1/0/1\n#\n lldp global enable\n#\npriority-flow-control enable\n#\n"
    reading = read(text)
    assert cell(reading, "dcbx.lldp").value is True
    assert cell(reading, "pfc.mode").value == "on"


def test_words_in_a_banner_are_no_configuration() -> None:
    text = "header motd %\ninterface HundredGigE9/0/1\n priority-flow-control enable\n%\ninterface HundredGigE1/0/1\n"
    assert [p.name for p in read(text).ports] == [PORT]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("range HundredGigE 1/0/1 to HundredGigE 1/0/2", ["1/0/1", "1/0/2"]),
        ("range HundredGigE1/0/1 HundredGigE1/0/4 to HundredGigE1/0/5", ["1/0/1", "1/0/4", "1/0/5"]),
        ("range hge1/0/1 to hge1/0/2 name uplinks", ["1/0/1", "1/0/2"]),
        ("hundredgige 1/0/7:1", ["1/0/7:1"]),
    ],
)
def test_ranges_and_short_forms(header: str, names: list[str]) -> None:
    assert [p.name for p in read(f"interface {header}\n undo shutdown\n").ports] == [f"HundredGigE{n}" for n in names]


def test_members_know_their_group_of_either_layer() -> None:
    members = "interface HundredGigE1/0/{0}\n port link-aggregation group {0}\n"
    text = "".join(
        f"interface {name}\n port m-lag peer-link 1\n" for name in ("Route-Aggregation1", "Bridge-Aggregation2")
    )
    labels = {p.name: p.labels for p in read(text + members.format(1) + members.format(2) + members.format(3)).ports}
    assert [labels[f"HundredGigE1/0/{n}"].lag for n in (1, 2, 3)] == [
        "Route-Aggregation1",
        "Bridge-Aggregation2",
        "Bridge-Aggregation3",
    ]
    assert [labels[f"HundredGigE1/0/{n}"].peer_link for n in (1, 2, 3)] == [True, True, False]


def test_buffers_that_wait_for_their_application_are_told() -> None:
    told = [s.place.line for s in read(BASE.replace("buffer apply\n", "")).seen if s.observation.kind == "unapplied"]
    assert told == [BASE.split("\n").index("buffer egress cell queue 3 shared ratio 100") + 1]
    assert [s for s in read(BASE).seen if s.observation.kind == "unapplied"] == []


TABLE = """\
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv                  Send
HGE1/0/1                         Auto       {}   {}           3     12                    4
"""


@pytest.mark.parametrize(
    ("state", "listed", "running"),
    [
        ("Enabled ", "3", {3}),
        ("Enabled ", "3,5-6", {3, 5, 6}),
        ("Disabled", "3", set()),
        ("Unclear ", "3", Why.NOT_PARSED),
    ],
)
def test_where_the_peers_decide_the_answer_shows_the_priorities(state: str, listed: str, running: object) -> None:
    own = "priority-flow-control auto\n priority-flow-control no-drop dot1p 3,5-6"
    answer = Document("pfc.txt", TABLE.format(state, listed), command="display priority-flow-control interface")
    found = cell(read(WHOLE.format(top="", own=own), answer), "pfc.operational")
    assert (found.why if found.is_unknown else found.value) == running


NARROW = """\
Conf -- Configured mode   Ne -- Negotiated mode   P -- Priority
Interface     Conf Ne  Dot1pList   P Recv       Sent       Inpps      Outpps
HGE1/0/1      Auto {}  {}         3 12         4          0          0
"""


@pytest.mark.parametrize(
    ("state", "listed", "running"),
    [("On ", "3", {3}), ("On ", "3,5", {3, 5}), ("Off", "3", set()), ("Ish", "3", Why.NOT_PARSED)],
)
def test_the_narrow_table_says_the_same(state: str, listed: str, running: object) -> None:
    text = NARROW.format(state, listed.ljust(3))
    own = "priority-flow-control auto\n priority-flow-control no-drop dot1p 3,5-6"
    answer = Document("pfc.txt", text, command="display priority-flow-control interface")
    found = cell(read(WHOLE.format(top="", own=own), answer), "pfc.operational")
    assert (found.why if found.is_unknown else found.value) == running


@pytest.mark.parametrize("short", ["HundGE1/0/1", "CenturyGE1/0/1", "100GE1/0/1"])
def test_a_short_form_that_is_not_known_names_the_one_port_of_that_number(short: str) -> None:
    own = "priority-flow-control auto\n priority-flow-control no-drop dot1p 3"
    text = NARROW.format("Off", "3  ").replace("HGE1/0/1 ", f"{short} ")
    answer = Document("pfc.txt", text, command="display priority-flow-control interface")
    found = cell(read(WHOLE.format(top="", own=own), answer), "pfc.operational")
    assert found.is_known is short.startswith("H")


@pytest.mark.parametrize("text", [TABLE.format("Enabled ", "3"), NARROW.format("On ", "3  ")])
def test_pfc_frames_are_counted(text: str) -> None:
    answer = Document("pfc.txt", text, command="display priority-flow-control interface")
    counters = platform("comware").load().counters
    assert counters is not None
    assert {(c.port, c.name, c.value) for c in counters(DeviceInput("x", "comware", (answer,)))} == {
        (PORT, "priorities.3.pause_received", 12),
        (PORT, "priorities.3.pause_sent", 4),
    }


def test_neighbours_and_the_model_are_read() -> None:
    lldp = (
        "LLDP neighbor-information of port 1[HundredGigE1/0/1]:\nLLDP agent nearest-bridge:\n"
        " Port ID             : HGE1/0/7\n System name         : spine1\n"
    )
    version = "H3C Comware Software, Version 7.1.070, Release 6710\nH3C S6850-56HF uptime is 0 weeks, 6 days\n"
    reading = read(
        BASE,
        Document("lldp.txt", lldp, command="display lldp neighbor-information verbose"),
        Document("version.txt", version, command="display version"),
    )
    assert [(one.port, one.text) for one in reading.neighbours] == [(PORT, "spine1:HGE1/0/7")]
    assert reading.device.model_name.value == "S6850-56HF"


HUAWEI = (
    "#\nsysname leaf\n#\ninterface 100GE1/0/1\n undo portswitch\n trust dscp\n"
    " dcb pfc enable mode manual\n qos queue 4 ecn\n#\nreturn\n"
)


def test_nobody_else_is_taken_for_this_system() -> None:
    assert choose((Document("leaf.cfg", HUAWEI),)).platform != "comware"
    assert choose((Document("leaf.cfg", BASE),)).platform == "comware"
    others = [one.name for one in every() if one.name != "comware" and one.recognise(Document("leaf.cfg", BASE)) >= 20]
    assert others == []


def test_a_misspelt_header_is_told_and_changes_no_other_port() -> None:
    lines = BASE.split("\n")
    wrong = lines.index("interface HundredGigE1/0/2")
    lines[wrong] = "interfac HundredGigE1/0/2"
    damaged, whole = read("\n".join(lines)), read(BASE)
    assert wrong + 1 in {s.place.line for s in damaged.seen if s.observation.kind == "unread-line"}
    assert cell(damaged, "pfc.priorities").value == cell(whole, "pfc.priorities").value


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([*RICH, "quit", "#", " #", "return", "[x]", "interface", "undo", "header motd #", "\x1f"]),
        max_size=40,
    )
)
def test_no_mixture_of_lines_is_too_much(lines: list[str]) -> None:
    assert read("\n".join(lines)).platform == "comware"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_no_text_is_too_much(text: str) -> None:
    assert read(text).platform == "comware"
    assert 0 <= platform("comware").recognise(Document("x.cfg", text)) <= 100


SHOWN = """\
HundredGigE1/0/1
Current state: UP
Line protocol state: UP
Description: gpu11 nic2
100Gbps-speed mode, full-duplex mode
Link speed type is autonegotiation, link duplex type is autonegotiation
Flow-control is not enabled
Maximum frame length: 9416
Allow jumbo frames to pass
HundredGigE1/0/2
Current state: DOWN
Unknown-speed mode, unknown-duplex mode
The Maximum Frame Length is 9216
"""


def test_what_an_interface_shows_holds_where_nothing_is_configured() -> None:
    shown = Document("shown.txt", SHOWN, "display interface")
    reading = read(WHOLE.format(top="", own="jumboframe enable\n#\ninterface HundredGigE1/0/2"), shown)
    assert cell(reading, "speed_bps").get() == 100 * 10**9
    assert cell(reading, "link_pause_tx").get() is False
    assert cell(reading, "ip_mtu_bytes").get() == 9394
    assert cell(reading, "ip_mtu_bytes", "HundredGigE1/0/2").get() == 9194
    slower = read(
        WHOLE.format(top="", own="jumboframe enable"),
        Document("s", SHOWN.replace("100G", "40G", 1), "display interface"),
    )
    assert cell(slower, "speed_bps").get() == 40 * 10**9
    assert not slower.seen
    configured = read(WHOLE.format(top="", own="jumboframe enable 4000\n speed 40000\n flow-control"), shown)
    assert cell(configured, "speed_bps").get() == 40 * 10**9
    assert cell(configured, "link_pause_tx").get() is True
    assert cell(configured, "ip_mtu_bytes").get() == 3978


def test_the_brief_table_is_no_list_of_settings() -> None:
    brief = Document("shown.txt", SHOWN, "display interface brief")
    assert cell(read(WHOLE.format(top="", own="port link-mode route"), brief), "ip_mtu_bytes").is_unknown


def test_a_cell_has_the_size_of_the_model_that_is_shown() -> None:
    text = WHOLE.format(top="", own="priority-flow-control dot1p 3 ingress-buffer static 100")
    version = "H3C Comware Software, Version 7.1.070, Release 6710\nH3C S9820-64H uptime is 0 weeks, 1 day\n"
    found = cell(read(text, Document("v.txt", version, "display version")), "groups.3.xoff_at_bytes")
    assert found.get() == 100 * 208
    assert cell(read(text), "groups.3.xoff_at_bytes").get() == 100 * 256


@pytest.mark.parametrize(("static", "told"), [(1500, 1), (2100, 0)])
def test_xoff_lies_above_the_upper_ecn_threshold(static: int, told: int) -> None:
    own = (
        "priority-flow-control no-drop dot1p 3\n priority-flow-control enable\n"
        f" priority-flow-control dot1p 3 ingress-buffer static {static}\n"
        " qos wred queue 3 low-limit 1000 high-limit 2000 discard-probability 20\n qos wred queue 3 ecn"
    )
    seen = [one.observation.kind for one in read(WHOLE.format(top="", own=own)).seen]
    assert seen.count("conflict") == told


def test_no_headroom_is_known_whatever_the_size_of_a_cell() -> None:
    port = read("interface HundredGigE1/0/1\n priority-flow-control dot1p 3 headroom 0\n")
    headroom = cell(port, "groups.3.headroom_bytes")
    assert headroom.value == 0
    assert not any(isinstance(where, Cited) for where in headroom.at)


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ("priority-flow-control dot1p 3 headroom 20", 1),
        ("priority-flow-control dot1p 3 headroom 50", 1),
        ("priority-flow-control dot1p 3 headroom 70", 0),
        ("priority-flow-control dot1p 3 headroom 500", 0),
        ("priority-flow-control dot1p 4 headroom 20", 0),  # not no-drop
        ("priority-flow-control dot1p 3 headroom 20\n undo priority-flow-control dot1p 3 headroom", 0),
    ],
)
def test_a_headroom_that_holds_no_two_frames_whatever_a_cell_is(own: str, told: int) -> None:
    own = f"priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n jumboframe enable 9416\n {own}"
    seen = [one.observation.kind for one in read(WHOLE.format(top="", own=own)).seen]
    assert seen.count("conflict") == told


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ((60, 500, 500, 1_000), [1]),
        ((60, 60, 500, 500, 1_000), [1, 2]),
        ((60, 60, 500, 500), []),
        ((100, 500, 900, 900), []),
        ((60, 500), []),
    ],
    ids=["one", "two", "half of them", "cables differ", "two alone"],
)
def test_a_headroom_far_below_that_of_most_ports(cells: tuple[int, ...], told: list[int]) -> None:
    own = " priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n priority-flow-control dot1p 3 headroom {}\n#\n"
    ports = "".join(f"interface FortyGigE1/0/{n}\n{own.format(count)}" for n, count in enumerate(cells, 1))
    found = read(f"#\n version 7.1.070, Release 6710\n#\n sysname x\n#\n{ports}return\n").seen
    assert [one.ports for one in found if one.observation.kind == "conflict"] == [(f"FortyGigE1/0/{n}",) for n in told]


@pytest.mark.parametrize(
    ("pools", "told"),
    [
        ("poolID 0 headroom 80", True),
        ("poolID 0 headroom 12288", False),
        ("poolID 0 headroom 80\npriority-flow-control poolID 1 headroom 12288", False),
        ("poolID 0 headroom 80\nundo priority-flow-control poolID 0 headroom", False),
    ],
)
def test_a_headroom_is_no_larger_than_the_pool_of_all(pools: str, told: bool) -> None:
    own = " priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n priority-flow-control dot1p 3 headroom 4000\n#\n"
    text = f"priority-flow-control {pools}\n#\ninterface FortyGigE1/0/1\n{own}interface FortyGigE1/0/2\n{own}"
    found = read(f"#\n version 7.1.070, Release 6710\n#\n sysname x\n#\n{text}return\n").seen
    conflicts = [one for one in found if one.observation.kind == "conflict"]
    assert [(one.place.line, one.ports) for one in conflicts] == [(6, ("FortyGigE1/0/1", "FortyGigE1/0/2"))] * told


def test_a_headroom_is_bytes_where_the_model_tells_the_size_of_a_cell() -> None:
    text = WHOLE.format(top="", own="priority-flow-control dot1p 3 headroom 20")
    version = "H3C Comware Software, Version 7.1.070, Release 6710\nH3C S9820-64H uptime is 0 weeks, 1 day\n"
    found = cell(read(text, Document("v.txt", version, "display version")), "groups.3.headroom_bytes")
    assert found.get() == 20 * 208
    assert cell(read(text), "groups.3.headroom_bytes").is_unknown


@pytest.mark.parametrize(
    ("given", "rate"),
    [
        ("HundredGigE1/0/1", "100000"),
        ("FourHundredGigE1/0/1 to FourHundredGigE1/0/8", "400000"),
        ("Ten-GigabitEthernet1/0/49:2", "10000"),
        ("HGE1/0/1", "100000"),
        ("HundredGigE1/0/1 FourHundredGigE1/0/1", ""),
        ("Bridge-Aggregation1", ""),
        ("nowhere", ""),
    ],
)
def test_the_type_of_an_interface_tells_its_rate(given: str, rate: str) -> None:
    assert rate_of(given) == rate


@pytest.mark.parametrize("kind", ["Release", "Feature", "ESS", "Beta"])
def test_every_kind_of_release_is_read(kind: str) -> None:
    reading = read(WHOLE.format(top="", own="port link-mode route").replace("Release 6710", f"{kind} 2415"))
    assert reading.device.os_version.get() == f"7.1.070, {kind} 2415"
    assert not reading.seen
