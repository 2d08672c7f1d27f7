"""What Onyx statements mean: full paths and nested blocks, precedence, RoCE modes, buffers; and what belongs to others."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit import platforms
from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

HEAD = '## Running database "x"\nno cli default prefix-modes enable\n'
END = "cli default prefix-modes enable\n"
PFC = (
    "dcb priority-flow-control enable force\ndcb priority-flow-control priority 3 enable\n"
    "interface ethernet 1/1 dcb priority-flow-control mode on force\n"
)


def read(text: str, *others: Document, whole: bool = True) -> DeviceReading:
    document = Document("x.cfg", f"{HEAD}{text}{END}" if whole else text)
    return platform("onyx").read(DeviceInput("x", "onyx", (document, *others)))


def cell(reading: DeviceReading, path: str, port: str = "Eth1/1") -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


FLAT = "   interface ethernet 1/1 mtu 9216 force\n   interface ethernet 1/1 traffic-class 3 dcb ets strict\n"
INDENTED = "interface ethernet 1/1\n   mtu 9216 force\n   traffic-class 3\n      dcb ets strict\n"
LEVEL = "interface ethernet 1/1\nmtu 9216 force\ntraffic-class 3\ndcb ets strict\nexit\nexit\n"
HALF = "interface ethernet 1/1 traffic-class 3\n   dcb ets strict\n   exit\ninterface ethernet 1/1 mtu 9216 force\n"


TYPED = (
    "leaf1 [standalone: master] (config) # interface ethernet 1/1 mtu 9216 force\n"
    "leaf1 [standalone: master] (config) # interface ethernet 1/1 traffic-class 3\n"
    "leaf1 [standalone: master] (config interface ethernet 1/1 traffic-class 3) # dcb ets strict\n"
    "leaf1 [standalone: master] (config interface ethernet 1/1 traffic-class 3) # exit\n"
)


@pytest.mark.parametrize("text", [FLAT, INDENTED, LEVEL, HALF, TYPED])
def test_nested_and_full_paths_say_the_same(text: str) -> None:
    reading = read(text)
    assert cell(reading, "ip_mtu_bytes").get() == 9216
    assert cell(reading, "queues.3.scheduling").get() == "strict"
    assert not reading.seen


def test_a_block_ends_where_a_line_of_the_switch_begins() -> None:
    reading = read("   interface ethernet 1/1\n   lldp\n   dcb priority-flow-control enable force\nno lldp\n")
    assert cell(reading, "dcbx.lldp").get() is False
    assert reading.device.pfc_disabled_globally.get() is False


@pytest.mark.parametrize(
    "line",
    [
        "interface ethernet 1/1 no traffic-class 3 congestion-control",
        "no interface ethernet 1/1 traffic-class 3 congestion-control",
        "interface ethernet 1/1 traffic-class 3 no congestion-control",
    ],
)
def test_a_negation_may_stand_anywhere_in_the_path(line: str) -> None:
    curve = "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 1 maximum-absolute 2\n"
    assert cell(read(f"{curve}{line}\n"), "queues.3.ecn").is_absent


def test_the_later_line_wins_over_a_range() -> None:
    text = "interface ethernet 1/1-1/4 mtu 9216 force\ninterface ethernet 1/2 mtu 1500 force\n"
    reading = read(f"{text}interface ethernet 1/1-1/1 mtu 9000 force\n")
    assert [cell(reading, "ip_mtu_bytes", f"Eth1/{n}").get() for n in (1, 2, 3)] == [9000, 1500, 9216]


def test_ranges_over_split_modules() -> None:
    text = "interface ethernet 1/1-1/3 module-type qsfp-split-2 force\ninterface ethernet 1/1/2-1/3/1 mtu 9216\n"
    reading = read(text)
    assert [p.name for p in reading.ports] == [
        "Eth1/1",
        "Eth1/2",
        "Eth1/3",
        "Eth1/1/2",
        "Eth1/2/1",
        "Eth1/2/2",
        "Eth1/3/1",
    ]
    assert cell(reading, "kind", "Eth1/3").get() == "breakout-parent"


def test_a_range_over_modules_of_unknown_split_is_told() -> None:
    reading = read("interface ethernet 1/1/2-1/3/1 mtu 9216\n")
    assert [s.quote for s in reading.seen] == ["interface ethernet 1/1/2-1/3/1"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtuu 9216", "ip_mtu_bytes"),
        ("mut 9216", "ip_mtu_bytes"),
        ("shutdwon", "admin_up"),
        ("flowcontorl receive on", "link_pause_rx"),
        ("qso map dscp 26 to switch-priority 3", "dscp"),
        ("dcb priority-flow-contorl mode on", "pfc"),
        ("trafic-class 3 dcb ets strict", "queues"),
        ("traffic-class 3 dcb est strict", "queues.3.scheduling"),
        ("traffic-class 3 bnid switch-priority 3", "priorities"),
        ("ingress-buffer iPort.pg3 mapp pool iPool1 type lossless reserved 1", "groups.3.lossless"),
    ],
)
def test_a_misspelt_statement_is_told_and_what_it_would_have_set_is_unknown(line: str, path: str) -> None:
    reading = read(f"interface ethernet 1/1 {line}\n")
    assert [seen.quote for seen in reading.seen] == [
        line.removeprefix("traffic-class 3 ").removeprefix("ingress-buffer iPort.pg3 ")
    ]
    assert cell(reading, path).why is Why.NOT_PARSED


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        ("no interface ethernet 1/1", "no interface ethernet 1/1"),
        ("no interface ethernet 1/1 traffic-class 3", "no traffic-class 3"),
        ("interface ethernet 1/1 no ingress-buffer iPort.pg3", "no ingress-buffer iPort.pg3"),
        ("interface ethernet 1/1 default mtu", "default mtu"),
    ],
)
def test_what_takes_back_more_than_one_statement_is_told_as_it_is_written(line: str, quote: str) -> None:
    reading = read(f"{FLAT}{line}\n")
    assert [seen.quote for seen in reading.seen] == [quote]
    assert cell(reading, "classes.3.queue").why is Why.NOT_PARSED


# flow control ---------------------------------------------------------------------------------------------------------


def test_pfc_needs_all_three_statements() -> None:
    assert cell(read(PFC), "pfc.priorities").get() == {3}
    for missing in range(3):
        lines = PFC.splitlines(keepends=True)
        del lines[missing]
        text = "".join([*lines, "interface ethernet 1/1 mtu 9216\n"])
        assert cell(read(text), "pfc.priorities").get() == frozenset()


def test_a_fragment_proves_nothing_of_the_switch() -> None:
    line = "interface ethernet 1/1 dcb priority-flow-control mode on force\n"
    assert cell(read(line, whole=False), "pfc.priorities").why is Why.NOT_VISIBLE


def test_a_negotiated_mode_leaves_the_priorities_open() -> None:
    reading = read(PFC + "interface ethernet 1/1 dcb priority-flow-control mode auto force\n")
    assert cell(reading, "pfc.mode").get() == "auto"
    assert cell(reading, "pfc.priorities").why is Why.NOT_VISIBLE


def test_whether_a_lossless_pool_alone_turns_pfc_on_is_not_documented() -> None:
    pool = "traffic pool roce type lossless\ntraffic pool roce map switch-priority 3\n"
    reading = read(f"{pool}interface ethernet 1/1 mtu 9216\n")
    assert cell(reading, "pfc.priorities").why is Why.NO_DEFAULT
    assert cell(reading, "groups.3.lossless").get() is True
    assert cell(read(pool + PFC + "interface ethernet 1/2 mtu 9216\n"), "pfc.priorities", "Eth1/2").get() == frozenset()


def test_a_priority_belongs_to_one_traffic_pool() -> None:
    text = "traffic pool a type lossless map switch-priority 3\ntraffic pool b type lossy map switch-priority 3\n"
    assert cell(read(f"{text}interface ethernet 1/1 mtu 9216\n"), "groups.3.lossless").get() is False


@pytest.mark.parametrize(
    ("mode", "paused", "receive_only"), [("", {3}, set()), (" lossless", {3}, set()), (" lossy", set(), set())]
)
def test_roce_modes(mode: str, paused: set[int], receive_only: set[int]) -> None:
    reading = read(f"roce{mode}\ninterface ethernet 1/1 mtu 9216\n")
    assert cell(reading, "pfc.priorities").get() == paused
    assert cell(reading, "pfc.receive_only").get() == receive_only


def test_only_the_lossless_mode_has_documented_values() -> None:
    lossless, lossy = (read(f"roce {mode}\ninterface ethernet 1/1 mtu 9216\n") for mode in ("lossless", "lossy"))
    assert cell(lossless, "trust").get() == "dscp"
    assert cell(lossless, "queues.3.ecn.min_bytes").get() == 150_000
    assert cell(lossy, "trust").is_unknown
    assert cell(lossy, "queues.3.ecn.marks").is_unknown


def test_statements_beside_a_roce_mode_win_wherever_they_stand() -> None:
    own = "interface ethernet 1/1 qos trust L2\ninterface ethernet 1/1 no dcb priority-flow-control mode\n"
    for text in (f"{own}roce\n", f"roce\n{own}"):
        reading = read(text)
        assert cell(reading, "trust").get() == "pcp"
        assert cell(reading, "pfc.mode").get() == "off"


def test_a_mode_that_was_taken_back_leaves_nothing() -> None:
    reading = read("roce\nno roce\ninterface ethernet 1/1 mtu 9216\n")
    assert cell(reading, "pfc.mode").get() == "off"
    assert cell(reading, "trust").get() == "pcp"


# classification -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "dscp_26"),
    [
        ("mtu 9216", 0),
        ("qos trust L2", 0),
        ("qos trust L3", 3),
        ("qos trust both", 3),
        ("qos trust port", 0),
        ("qos trust port\nqos default switch-priority 4", 4),
        ("qos trust L2\nvlan default priority 5", 5),
        ("qos trust L2\nvlan default priority 5\nqos map pcp 5 dei 0-1 to switch-priority 3", 3),
        ("qos trust L3\nqos map dscp 24-27,40 to switch-priority 4", 4),
        ("qos trust L3\nqos map dscp 26 to switch-priority 4\nno qos map dscp 26", 3),
    ],
)
def test_trust_decides_which_mark_counts(lines: str, dscp_26: int) -> None:
    assert cell(read(f"interface ethernet 1/1\n{lines}\n"), "dscp.26").get() == dscp_26


@pytest.mark.parametrize("family", ["ipv4", "ipv6", "mac"])
def test_an_access_list_of_any_family_may_classify(family: str) -> None:
    rules = f"{family} access-list A\n{family} access-list A seq-number 10 permit any policer P\n"
    reading = read(f"{rules}interface ethernet 1/1 {family} port access-group A\n")
    assert cell(reading, "dscp").why is Why.NOT_VISIBLE


def test_all_rules_of_an_access_list_count_wherever_they_stand() -> None:
    reading = read(
        "ipv4 access-list A\nipv4 access-list A seq-number 10 permit ip any any policer P\n"
        "interface ethernet 1/1 ipv4 port access-group A\nipv4 access-list A seq-number 20 permit ip any any\n"
    )
    assert cell(reading, "policed").why is Why.NOT_VISIBLE


def test_an_access_list_that_only_permits_changes_nothing() -> None:
    lists = "ipv4 access-list A\nipv4 access-list A seq-number 10 permit ip any any\n"
    reading = read(f"{lists}interface ethernet 1/1 ipv4 port access-group A\ninterface ethernet 1/1 qos trust L3\n")
    assert cell(reading, "dscp.26").get() == 3
    assert not reading.seen


# buffers, units -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thresholds", "low"),
    [
        ("minimum-absolute 150 maximum-absolute 1500", 150_000),
        ("minimum-absolute 150K maximum-absolute 2M", None),
        ("minimum-relative 10 maximum-relative 90", None),
    ],
)
def test_units_without_a_documented_basis_stay_unknown(thresholds: str, low: int | None) -> None:
    reading = read(f"interface ethernet 1/1 traffic-class 3 congestion-control ecn {thresholds}\n")
    found = cell(reading, "queues.3.ecn.min_bytes")
    assert (found.get() if found.is_known else None) == low


@pytest.mark.parametrize(("alpha", "factor"), [("2", 2.0), ("1/8", 0.125), ("inf", None)])
def test_groups_set_by_hand(alpha: str, factor: float | None) -> None:
    group = "interface ethernet 1/1 ingress-buffer iPort.pg3"
    reading = read(
        "advanced buffer management force\npool iPool1 size 5242880 type dynamic\n"
        f"{group} bind switch-priority 3\n"
        f"{group} map pool iPool1 type lossless reserved 67538 xoff 18432 xon 18432 shared alpha {alpha}\n"
    )
    found = cell(reading, "groups.3.alpha")
    assert (found.get() if found.is_known else None) == factor
    assert cell(reading, "groups.3.pool.size_bytes").get() == 5_242_880
    assert cell(reading, "classes.3.group").get() == 3
    assert cell(reading, "classes.0.group").is_unknown
    assert cell(reading, "groups.0.lossless").at == ()  # no line says anything of it


@pytest.mark.parametrize(("xon", "told"), [(18432, []), (98432, ["conflict"])])
def test_a_group_resumes_below_what_it_keeps(xon: int, told: list[str]) -> None:
    group = "interface ethernet 1/1 ingress-buffer iPort.pg3"
    reading = read(
        "advanced buffer management force\npool iPool1 size 5242880 type dynamic\n"
        f"{group} bind switch-priority 3\n"
        f"{group} map pool iPool1 type lossless reserved 67538 xoff 18432 xon {xon} shared alpha 2\n"
    )
    assert [one.observation.kind for one in reading.seen] == told


# channels, answers ----------------------------------------------------------------------------------------------------


def test_members_have_what_their_channel_says() -> None:
    reading = read(
        "interface ethernet 1/1 mlag-channel-group 5 mode active\ninterface mlag-port-channel 5 mtu 9216 force\n"
        "interface ethernet 1/2 channel-group 1 mode on\ninterface port-channel 1 ipl 1\n"
    )
    assert cell(reading, "ip_mtu_bytes").get() == 9216
    assert {p.name: (p.labels.lag, p.labels.peer_link) for p in reading.ports if p.name.startswith("Eth")} == {
        "Eth1/1": ("Mpo5", False),
        "Eth1/2": ("Po1", True),
    }


def test_an_answer_overwrites_nothing_that_is_configured() -> None:
    shown = (
        '[{"Interface ethernet": "1/1"},'
        ' {"header": "TC-3", "Mode": "ECN", "Minimum threshold": "9 KB", "Maximum threshold": "99 KB"},'
        ' {"header": "TC-4", "Mode": "ECN", "Minimum threshold": "9 KB", "Maximum threshold": "99 KB"}]'
    )
    answer = Document("a.json", shown, "show interfaces ethernet 1/1 congestion-control")
    curve = "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-absolute 1500\n"
    reading = read(curve, answer)
    assert cell(reading, "queues.3.ecn.min_bytes").get() == 150_000
    assert cell(reading, "queues.4.ecn.min_bytes").get() == 9_000


STATUS = """Port                   Operational state           Speed                  Negotiation
----                   -----------------           -----                  -----------
Eth1/1                 Up                          100G                   Auto
Eth1/2                 Up                          {}               Auto
Eth1/3                 Down                        Unknown                Auto
"""


def test_the_speed_of_a_port_that_is_up_is_what_the_switch_shows_unless_it_is_configured() -> None:
    ports = "interface ethernet 1/1 speed 40G force\ninterface ethernet 1/2 mtu 9216 force\ninterface ethernet 1/3 mtu 9216 force\n"
    for written in ("200G", "200 Gbps", "quick"):
        reading = read(ports, Document("a.txt", STATUS.format(written), "show interfaces ethernet status"))
        assert cell(reading, "speed_bps").get() == 40_000_000_000
        speed = cell(reading, "speed_bps", "Eth1/2")
        assert speed.why is Why.NOT_PARSED if written == "quick" else speed.get() == 200_000_000_000
        assert not cell(reading, "speed_bps", "Eth1/3").is_known


DETAILS = """Eth1/1:
  Admin state                      : Enabled
  Operational state                : Up
  MTU                              : 1500 bytes (Maximum packet size 1522 bytes)
  Actual speed                     : 100G

Eth1/2:
  Operational state                : Up
  MTU                              : 9216 bytes (Maximum packet size 9238 bytes)
"""


def test_the_mtu_that_runs() -> None:
    lines = "interface ethernet 1/1-1/2 mtu 9216 force\n"
    reading = read(lines, Document("a.txt", DETAILS, "show interfaces ethernet"))
    assert cell(reading, "ip_mtu_bytes").value != 9216
    assert cell(reading, "ip_mtu_bytes", "Eth1/2").get() == 9216


def test_json_without_the_list_of_priorities_does_not_say_for_which_pfc_runs() -> None:
    shown = '{"Eth1/1": [{"PFC admin": "on", "PFC oper": "%s"}]}'
    for state, known in (("Enabled", False), ("Disabled", True)):
        answer = Document("a.json", shown % state, "show dcb priority-flow-control")
        assert cell(read(PFC, answer), "pfc.operational").is_known is known


# recognition ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "no cli default prefix-modes enable\ninterface mlag-port-channel 2\n",
        "interface ethernet 1/1 qos trust L3\n",
        "   traffic pool roce type lossless\n",
        "interface ethernet 1/1\n   mtu 9216 force\n   exit\n",
        "roce lossless\n",
        "switch (config) # interface ethernet 1/1 qos trust L3\n",
    ],
)
def test_onyx_is_recognised(text: str) -> None:
    scores = {name: platform(name).recognise(Document("x", text)) for name in platforms.names()}
    assert max(scores, key=lambda name: scores[name]) == "onyx"
    assert scores["onyx"] >= 20


@pytest.mark.parametrize(
    "text",
    [
        "! Command: show running-config\ninterface Ethernet1/1\n   mtu 9214\n",
        "interface Ethernet1/1\n  priority-flow-control mode on\n  mtu 9216\n",
        "interface ethernet1/1/1\n mtu 9216\n flowcontrol receive off\n priority-flow-control mode on\n",
        "interface ethernet 1/1/1\n  no shutdown\n",
        "pool iPool1 size 3\n",
    ],
)
def test_what_others_write_is_not_claimed(text: str) -> None:
    assert platform("onyx").recognise(Document("x", text)) == 0


CURVES = """
Interface ethernet: 1/1
ECN marked packets: 0

TC-3:
  Mode: {mode}
  Threshold mode: absolute
  Minimum threshold: 150 KB
  Maximum threshold: 1500 KB
  RED dropped packets: 5521

TC-4:
  Mode: none
"""


@pytest.mark.parametrize(("mode", "marks", "drops"), [("ECN", True, False), ("RED", False, True)])
def test_the_curve_that_runs_as_text(mode: str, marks: bool, drops: bool) -> None:
    answer = Document("a.txt", CURVES.format(mode=mode), "show interfaces ethernet 1/1 congestion-control")
    curve = (
        "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-absolute 1500\n"
        "dcb priority-flow-control enable force\ndcb priority-flow-control priority 3 enable\n"
        "interface ethernet 1/1 dcb priority-flow-control mode on force\n"
    )
    reading = read(curve, answer)
    assert (cell(reading, "queues.3.ecn.marks").get(), cell(reading, "queues.3.ecn.drops").get()) == (marks, drops)
    assert sum(one.observation.kind == "conflict" for one in reading.seen) == (not marks)
