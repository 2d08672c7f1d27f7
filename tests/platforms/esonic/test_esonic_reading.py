"""What Enterprise SONiC statements mean; and hostile text never raises or passes silently."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.esonic.counters import read as read_counters
from roce_audit.sources.detect import choose
from roce_audit.sources.devices import load
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus"
BASE = sorted((ROOT / "roce_audit/platforms/esonic/examples/base").glob("leaf*.cfg"))
INIT = "buffer init lossless\n"


def read(text: str, *, whole: bool = True) -> DeviceReading:
    document = Document("x.cfg", text, "show running-config" if whole else None)
    return platform("esonic").read(DeviceInput("x", "esonic", (document,)))


def cell(reading: DeviceReading, port: str, path: str) -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


def on_port(lines: str, path: str, *, whole: bool = True, before: str = "") -> Cell[Any]:
    body = "".join(f" {line}\n" for line in lines.split("\n"))
    return cell(read(f"{before}interface Eth1/1\n{body}", whole=whole), "Eth1/1", path)


@pytest.mark.parametrize(
    ("name", "ports"),
    [
        ("Eth1/1", ["Eth1/1"]),
        ("Eth 1/1", ["Eth1/1"]),
        ("Ethernet 4", ["Ethernet4"]),
        ("range Eth 1/1-1/3", ["Eth1/1", "Eth1/2", "Eth1/3"]),
        ("range Eth 1/1,1/5", ["Eth1/1", "Eth1/5"]),
        ("PortChannel10 mode active min-links 2", ["PortChannel10"]),
        ("range create PortChannel 1-2", ["PortChannel1", "PortChannel2"]),
        ("CPU", ["CPU"]),
        ("vxlan vtep1", []),
    ],
)
def test_names_of_interfaces(name: str, ports: list[str]) -> None:
    reading = read(f"interface {name}\n mtu 9100\n")
    assert [p.name for p in reading.ports] == ports
    assert reading.seen == ()


def test_priorities_add_up_and_are_taken_away_one_by_one_or_all() -> None:
    both = "priority-flow-control priority 3\npriority-flow-control priority 4"
    assert on_port(both, "pfc.priorities").get() == {3, 4}
    assert on_port("priority-flow-control priority 3,4", "pfc.priorities").get() == {3, 4}
    assert on_port(f"{both}\nno priority-flow-control priority 4", "pfc.priorities").get() == {3}
    assert on_port(f"{both}\nno priority-flow-control priority", "pfc.mode").get() == "off"


def test_nothing_said_is_off_only_where_all_is_seen() -> None:
    assert on_port("mtu 9100", "pfc.mode").get() == "off"
    assert on_port("mtu 9100", "pfc", whole=False).why is Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("lines", "on", "detect"),
    [
        ("priority-flow-control watchdog on detect-time 200", True, 200),
        ("priority-flow-control watchdog on\npriority-flow-control watchdog detect-time 300", True, 300),
        ("priority-flow-control watchdog on detect-time 200\npriority-flow-control watchdog off", False, 200),
        ("mtu 9100", False, None),
    ],
)
def test_the_watchdog(lines: str, on: bool, detect: int | None) -> None:
    assert on_port(lines, "pfc.watchdog.on").get() is on
    assert on_port(lines, "pfc.watchdog.detect_ms").value == detect


def test_wred_thresholds_are_thousands_of_bytes() -> None:
    policy = (
        "qos wred-policy E\n green minimum-threshold 1048.576 maximum-threshold 2000 drop-probability 5\n ecn all\n"
    )
    assert on_port("queue 3 wred-policy E", "queues.3.ecn.min_bytes", before=policy).get() == 1_048_576
    assert on_port("queue 3 wred-policy E", "queues.3.ecn.max_value", before=policy).get() == 2_000
    assert on_port("queue 3 wred-policy E", "queues.3.ecn.marks", before=policy).get() is True


def test_other_colours_than_green_mark_no_data() -> None:
    policy = "qos wred-policy E\n green minimum-threshold 1 maximum-threshold 2 drop-probability 5\n ecn yellow\n"
    assert on_port("queue 3 wred-policy E", "queues.3.ecn.marks", before=policy).get() is False
    assert on_port("queue 3 wred-policy E", "queues.3.ecn.drops", before=policy).get() is True


def test_dscp_decides_where_both_marks_are_mapped() -> None:
    maps = "qos map dscp-tc D\n dscp 26 traffic-class 3\nqos map dot1p-tc P\n dot1p 3 traffic-class 3\n"
    both = "qos-map dscp-tc D\nqos-map dot1p-tc P"
    assert on_port(both, "pcp.3", before=maps).is_unknown
    assert on_port("qos-map dot1p-tc P", "pcp.3", before=maps).get() == 3
    assert on_port("qos-map dot1p-tc P", "dscp.26", before=maps).get() == 0
    assert on_port(both, "dscp.26", before=maps).get() == 3


def test_what_a_map_does_not_list_is_class_0_where_all_of_it_is_seen() -> None:
    part = "qos map dscp-tc D\n dscp 26 traffic-class 3\n"
    assert on_port("qos-map dscp-tc D", "dscp.27", before=part).get() == 0
    assert on_port("qos-map dscp-tc D", "dscp.27", before=part, whole=False).is_unknown


@pytest.mark.parametrize(
    ("before", "lines", "lossless"),
    [
        ("", "mtu 9100", False),
        (INIT, "mtu 9100", True),
        (INIT, "no buffer default-lossless-buffer-profile", False),
        (INIT, "buffer priority-group 3 ingress_lossy_profile", False),
        ("", "buffer priority-group 3 pg_lossless_100000_40m_profile", True),
        ("roce enable\n", "mtu 9100", True),
        ("roce enable pfc-priority 2,5\n", "mtu 9100", False),
        (f"{INIT}no buffer init\n", "mtu 9100", False),
        ("buffer profile P ingress_lossless_pool 0 dynamic-threshold -2 pause\n", "buffer priority-group 3 P", False),
        ("buffer profile P ingress_lossless_pool 0 static-threshold 9 pause pause-threshold 50000\n",
         "buffer priority-group 3 P", True),
    ],
)  # fmt: skip
def test_which_group_is_lossless(before: str, lines: str, lossless: bool) -> None:
    assert on_port(lines, "groups.3.lossless", before=before).get() is lossless


@pytest.mark.parametrize(("pause", "level"), [("", None), (" pause pause-threshold 50000", 9)])
def test_a_lossy_group_pauses_at_no_level(pause: str, level: int | None) -> None:
    before = f"buffer profile P ingress_lossless_pool 0 static-threshold 9{pause}\n"
    assert on_port("buffer priority-group 3 P", "groups.3.xoff_at_bytes", before=before).value_or_none() == level


def test_pfc_beyond_the_documented_groups_leaves_doubt() -> None:
    assert on_port("priority-flow-control priority 5", "groups.5.lossless", before=INIT).is_unknown


def test_the_macro_stands_for_what_the_text_does_not_hold() -> None:
    macro = "roce enable\n"
    assert on_port("mtu 9100", "dscp.26", before=macro, whole=False).get() == 3
    assert on_port("mtu 9100", "classes.0.group", before=macro, whole=False).get() == 7
    assert on_port("mtu 9100", "pfc.priorities", before=macro, whole=False).get() == {3, 4}
    assert on_port("mtu 9100", "queues.3.ecn.marks", before=macro).is_unknown


def test_a_text_that_holds_the_macros_objects_needs_no_macro() -> None:
    written = "roce enable\nqos map dscp-tc ROCE\n dscp 26 traffic-class 3\n"
    assert on_port("mtu 9100", "pfc.mode", before=written).get() == "off"
    assert on_port("mtu 9100", "pfc.mode", before=written, whole=False).is_unknown


def test_a_member_takes_mtu_and_shutdown_of_its_channel() -> None:
    reading = read(
        "interface PortChannel7\n mtu 9216\n shutdown\ninterface Eth1/1\n channel-group 7\n mtu 9100\n no shutdown\n"
    )
    assert cell(reading, "Eth1/1", "ip_mtu_bytes").get() == 9216
    assert cell(reading, "Eth1/1", "admin_up").get() is False


def test_members_of_a_channel_whose_header_is_garbled_are_in_doubt() -> None:
    reading = read("interface PortChannel7~x\n mtu 9216\ninterface Eth1/1\n channel-group 7\n")
    assert cell(reading, "Eth1/1", "ip_mtu_bytes").why is Why.NOT_PARSED


def test_the_peer_link_of_a_pair_is_known() -> None:
    reading = read(
        "mclag domain 1\n peer-link PortChannel7\ninterface PortChannel7\ninterface Eth1/1\n channel-group 7\n"
    )
    assert [p.labels.peer_link for p in reading.ports] == [True, True]


@pytest.mark.parametrize("whole", [True, False])
def test_a_word_that_nobody_understands_darkens_its_family(whole: bool) -> None:
    assert on_port("priority-flow-control mode on", "pfc", whole=whole).why is Why.NOT_PARSED
    assert on_port("qos-map tc-pg A B", "classes.3.group", whole=whole).why is Why.NOT_PARSED
    reading = read("interface Eth1/1\n qos-map tc-pg A B\n", whole=whole)
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtuu 9216", "ip_mtu_bytes"),
        ("mut 9216", "ip_mtu_bytes"),
        ("shutdwon", "admin_up"),
        ("flowcontorl receive on", "link_pause_rx"),
        ("prority-flow-control priority 3", "pfc"),
        ("priority-flow-control watchdgo on", "pfc.watchdog"),
        ("qos-mpa dscp-tc M", "dscp"),
        ("qos-map dscp-ct M", "trust"),
        ("shceduler-policy S", "queues.3.share"),
        ("cable-lenght 5m", "cable_m"),
    ],
)
def test_a_misspelt_statement_is_told_and_what_it_would_have_set_is_unknown(line: str, path: str) -> None:
    reading = read(f"interface Eth1/1\n {line}\n")
    assert [(s.observation.kind, s.place.line) for s in reading.seen] == [("unread-line", 2)]
    assert cell(reading, "Eth1/1", path).why is Why.NOT_PARSED


@pytest.mark.parametrize(
    "line", ["qso map dscp-tc M", "rocee enable", "bufer init lossless", "prority-flow-control watchdog x"]
)
def test_a_misspelt_statement_of_the_device_is_told(line: str) -> None:
    reading = read(f"{line}\ninterface Eth1/1\n mtu 9100\n")
    assert [(s.observation.kind, s.place.line) for s in reading.seen] == [("unread-line", 1)]


def test_flat_and_indented_texts_read_the_same() -> None:
    text = BASE[0].read_text(encoding="utf-8")
    flat = "\n".join(line.strip() for line in text.split("\n"))
    assert [p.facts for p in read(flat).ports] == [p.facts for p in read(text).ports]


@settings(max_examples=150)
@given(data=st.data())
def test_hostile_text_never_raises(data: st.DataObject) -> None:
    lines = BASE[0].read_text(encoding="utf-8").split("\n")
    index = data.draw(st.integers(0, len(lines) - 1))
    junk = data.draw(st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=40))
    read("\n".join([*lines[:index], junk, *lines[index:]]))
    lines[index] = lines[index] + " " + junk
    read("\n".join(lines))


@pytest.mark.parametrize("start", ["priority-flow-control", "qos-map", "scheduler-policy", "cable-length", "buffer"])
def test_no_line_of_ours_is_lost_wherever_it_stands(start: str) -> None:
    reading = read(f"hostname x\n{start} non sense\ninterface Eth1/1\n {start} non sense\n")
    assert {s.place.line for s in reading.seen if s.observation.kind == "unread-line"} == {2, 4}


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside this checkout")
def test_only_files_of_this_system_are_taken() -> None:
    loaded = load([str(CORPUS)])
    taken = {Path(d.documents[0].path).name for d in loaded.devices if d.platform == "esonic"}
    of_this_system = {
        "own_example_enterprise_sonic_cli.txt",
        "rocm_z9664f_with_roce_enable.cfg",
        "rocm_z9664f_dcqcn_sonic-cli.cfg",
    }
    assert taken == of_this_system
    assert "esonic" in platforms.names()


STATUS = """Name                Description                   Admin     Oper      AutoNeg   Speed          MTU            Alternate Name
Ethernet0           gpu up                        up        up        on        {}         9100           Eth1/1
Eth1/2              -                             up        down      on        800000         9100           Ethernet8
"""
REASONS = """Name                Description          Oper        Reason         AutoNeg   Speed     MTU    Alternate Name
Eth1/1              -                             up          oper-up        off       {}         9100           Ethernet0
Eth1/2              -                             down        no-transceiver   off       800000         9100           Ethernet8
"""


@pytest.mark.parametrize("answer", [STATUS, REASONS])
@pytest.mark.parametrize(("written", "bps"), [("400000", 400_000_000_000), ("quick", Why.NOT_PARSED)])
def test_the_speed_of_a_port_that_is_up_is_what_the_switch_shows(answer: str, written: str, bps: int | Why) -> None:
    configuration = Document(
        "x.cfg", "interface Eth1/1\n mtu 9100\ninterface Eth1/2\n mtu 9100\n", "show running-config"
    )
    shown = Document("a.txt", answer.format(written), "show interface status")
    reading = platform("esonic").read(DeviceInput("x", "esonic", (configuration, shown)))
    speed = cell(reading, "Eth1/1", "speed_bps")
    assert (speed.why if speed.is_unknown else speed.value) == bps
    assert not cell(reading, "Eth1/2", "speed_bps").is_known


@pytest.mark.parametrize("answer", [STATUS, REASONS])
def test_the_mtu_that_runs_counts(answer: str) -> None:
    text = "interface Eth1/1\n mtu 9100\n description gpu\ninterface Eth1/2\n mtu 9100\n description gpu\n"
    configuration = Document("x.cfg", text, "show running-config")
    shown = Document("a.txt", answer.format("400000").replace(" 9100", " 1500", 1), "show interface status")
    reading = platform("esonic").read(DeviceInput("x", "esonic", (configuration, shown)))
    assert cell(reading, "Eth1/1", "ip_mtu_bytes").value == 1500
    assert cell(reading, "Eth1/2", "ip_mtu_bytes").value == 9100


PFC_OF_ONE = "  dscp-tc-map : ROCE\n  pfc-asymmetric : off\n  pfc-priority  : {}\n"


@pytest.mark.parametrize(("written", "runs"), [("3", {3}), ("3,4", {3, 4}), ("3, 4", {3, 4}), ("", set()), ("x", None)])
@pytest.mark.parametrize("is_one", [True, False])
def test_the_priorities_of_show_qos_interface(written: str, runs: set[int] | None, is_one: bool) -> None:
    configuration = Document("x.cfg", "interface Eth1/1\n mtu 9100\n!\n", "show running-config")
    text = PFC_OF_ONE.format(written)
    shown = Document("a.txt", text, "show qos interface Eth 1/1") if is_one else None
    every = Document("a.txt", f"interface Eth1/1 :\n{text}\ninterface Eth1/2 :\n{text}", "show qos interface Eth all")
    reading = platform("esonic").read(DeviceInput("x", "esonic", (configuration, shown or every)))
    running = cell(reading, "Eth1/1", "pfc.operational")
    assert (None if running.is_unknown else running.get()) == runs


@pytest.mark.parametrize("rates", ["", " 0.00/s 0.00/s 0.00/s"])
def test_drops_of_queues_with_and_without_rates(rates: str) -> None:
    table = Document("a.txt", f"Eth1/1 UC3 50331 61555411{rates} 88121 0\n", "show queue counters")
    (count,) = read_counters(DeviceInput("x", "esonic", (table,)))
    assert (count.port, count.name, count.value) == ("Eth1/1", "queues.3.drops", 88_121)


@pytest.mark.parametrize(("configured", "platform_"), [(True, "esonic"), (False, "sonic")])
def test_answers_of_the_shell_beneath_are_whose_the_configuration_is(configured: bool, platform_: str) -> None:
    running = Document("a.txt", BASE[0].read_text(encoding="utf-8"), "show running-configuration")
    answers = tuple(
        Document(f"{number}.txt", "x\n", command)
        for number, command in enumerate(
            ("show pfc priority", "show pfc counters", "show pfcwd config", "ecnconfig -l")
        )
    )
    assert choose((running, *answers) if configured else answers).platform == platform_


WATCHED = "interface Eth1/1\n mtu 9100\n priority-flow-control priority 3\n priority-flow-control watchdog on detect-time 200\n!\n"
SUMMARY = "Watchdog Summary\n----------------\nPolling Interval:   : 150\nFlex Counters:      : {}\n"


@pytest.mark.parametrize(
    ("counters", "watches", "lines"),
    [("disabled", True, [4]), ("enabled", True, []), ("Not Available", True, []), ("disabled", False, [])],
)
def test_a_watchdog_whose_counters_nobody_polls(counters: str, watches: bool, lines: list[int]) -> None:
    text = WATCHED if watches else WATCHED.replace(" priority-flow-control watchdog on detect-time 200\n", "")
    shown = Document("a.txt", SUMMARY.format(counters), "show priority-flow-control watchdog")
    configuration = Document("x.cfg", text, "show running-config")
    told = platform("esonic").read(DeviceInput("x", "esonic", (configuration, shown))).seen
    assert [one.place.line for one in told if one.observation.kind == "conflict"] == lines
