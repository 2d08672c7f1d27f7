"""What EOS statements mean: precedence, inheritance, classification; and hostile text never raises or passes silently."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy import load_text
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus" / "eos"
HEAD = "! Command: show running-config\n! device: x (DCS-7060X6-64PE, EOS-4.33.1F)\n"
PROFILE = (
    "qos profile ROCE\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
)


def read(text: str, *, whole: bool = True) -> DeviceReading:
    document = Document("x.cfg", f"{HEAD}{text}end\n" if whole else text)
    return platform("eos").read(DeviceInput("x", "eos", (document,)))


def cell(reading: DeviceReading, port: str, path: str) -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "is_whole"),
    [("", True), (" all", True), (" sanitized", True), (" section qos", False), (" sanitized | section qos", False)],
)
def test_which_answers_show_a_whole_configuration(words: str, is_whole: bool) -> None:
    """`show tech-support` and ANTA ask for the sanitized one: the whole, with its secrets hashed."""
    text = f"! Command: show running-config{words}\n{HEAD.splitlines()[1]}\ninterface Ethernet1/1\n   mtu 9214\nend\n"
    reading = platform("eos").read(DeviceInput("x", "eos", (Document("x.cfg", text),)))
    assert bool(reading.complete_because) is is_whole


@pytest.mark.parametrize(
    ("keeper", "known"), [("!RANCID-CONTENT-TYPE: arista", True), ("!RANCID-CONTENT-TYPE: foundry", False)]
)
def test_what_an_archive_wrote_above_a_configuration_names_the_system(keeper: str, known: bool) -> None:
    document = Document("leaf7", f"{keeper}\n!\nhostname leaf7\ninterface Ethernet1\n  no switchport\n")
    assert (platform("eos").recognise(document) >= 90) is known


def test_a_profile_holds_on_the_port_that_names_it() -> None:
    reading = read(f"{PROFILE}interface Ethernet1/1\n   service-profile ROCE\ninterface Ethernet2/1\n   mtu 9214\n")
    assert cell(reading, "Ethernet1/1", "pfc.priorities").get() == {3}
    assert cell(reading, "Ethernet2/1", "pfc.priorities").get() == frozenset()


def test_a_vlan_behind_the_tunnel_of_a_part_is_no_misspelt_line_of_it() -> None:
    text = "interface Vxlan1\n   vxlan source-interface loopback 1\n   vxlan vlan 10 vni 10010\n{}!\nvlan 10\n   name Ten\n"
    assert read(text.format(""), whole=False).seen == ()
    (told,) = read(text.format("   vxlan qos dscp propagaton encapsulation\n"), whole=False).seen
    assert told.observation.kind == "unread-line"


def test_the_ports_own_lines_win_over_the_profile() -> None:
    reading = read(f"{PROFILE}interface Ethernet1/1\n   service-profile ROCE\n   no priority-flow-control\n")
    assert cell(reading, "Ethernet1/1", "pfc.mode").get() == "off"


def test_an_undefined_profile_leaves_doubt_and_no_default() -> None:
    reading = read("interface Ethernet1/1\n   mtu 9000\n   service-profile GONE\n")
    assert cell(reading, "Ethernet1/1", "pfc.priorities").why is Why.UNDEFINED
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").get() == 9000
    assert [s.observation.kind for s in reading.seen] == ["undefined"]


def test_a_fragment_has_no_defaults() -> None:
    reading = read("interface Ethernet1/1\n   service-profile GONE\n", whole=False)
    assert cell(reading, "Ethernet1/1", "pfc").why is Why.NOT_VISIBLE
    assert [one.observation.kind for one in reading.seen] == [
        "undefined-apart"
    ]  # told where tasks define it for others


def test_a_later_stanza_wins() -> None:
    reading = read("interface Ethernet1/1\n   mtu 9214\ninterface Ethernet1/1\n   mtu 1500\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").get() == 1500
    assert len(reading.ports) == 1


def test_members_have_what_their_channel_says() -> None:
    reading = read("interface Port-Channel5\n   mtu 9214\ninterface Ethernet1/1\n   channel-group 5 mode active\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").get() == 9214


@pytest.mark.parametrize(
    ("lines", "mtu_bytes"),
    [
        ("   switchport mode trunk\n", 9214),
        ("   no switchport\n", 1500),
        ("   no switchport\n   mtu 9000\n", 9000),
        ("   switchport mode trunk\n   mtu 9000\n   default mtu\n", 9214),
    ],
)
def test_a_switched_port_carries_jumbo_frames_unless_told_otherwise(lines: str, mtu_bytes: int) -> None:
    assert cell(read(f"interface Ethernet1/1\n{lines}"), "Ethernet1/1", "ip_mtu_bytes").get() == mtu_bytes


@pytest.mark.parametrize(("channel", "trust"), [("   no switchport\n", "dscp"), ("   switchport mode trunk\n", "pcp")])
def test_members_route_and_so_trust_as_their_channel_does(channel: str, trust: str) -> None:
    reading = read(f"interface Port-Channel5\n{channel}interface Ethernet1/1\n   channel-group 5 mode active\n")
    assert cell(reading, "Ethernet1/1", "trust").get() == trust


@pytest.mark.parametrize(
    ("lines", "dscp_26"),
    [
        ("   no switchport\n", 3),
        ("   switchport mode trunk\n", 1),
        ("   qos trust dscp\n", 3),
        ("   qos trust cos\n   qos cos 5\n", 5),
        ("   no switchport\n   no qos trust\n", 1),
    ],
)
def test_trust_decides_which_mark_counts(lines: str, dscp_26: int) -> None:
    assert cell(read(f"interface Ethernet1/1\n{lines}"), "Ethernet1/1", "dscp.26").get() == dscp_26


def test_a_rewrite_map_classifies_nothing() -> None:
    reading = read("qos map traffic-class 5 to dscp 26\ninterface Ethernet1/1\n   no switchport\n")
    assert cell(reading, "Ethernet1/1", "dscp.26").get() == 3
    assert cell(reading, "Ethernet1/1", "classes.5.new_dscp").get() == 26


@pytest.mark.parametrize(
    ("lines", "written"), [("", set()), ("qos rewrite dscp\n", {5}), ("qos rewrite dscp\nno qos rewrite dscp\n", set())]
)
def test_marks_are_written_where_that_is_switched_on(lines: str, written: set[int]) -> None:
    reading = read(f"{lines}qos map traffic-class 5 to dscp 26\ninterface Ethernet1/1\n   no switchport\n")
    found = cell(reading, "Ethernet1/1", "rewrites_dscp")
    assert found.or_else(frozenset()) == written


@pytest.mark.parametrize(
    ("thresholds", "low", "high"),
    [
        ("150 kbytes maximum-threshold 3 mbytes", 150_000, 3_000_000),
        ("4000 bytes maximum-threshold 9000 bytes", 4000, 9000),
        ("2000 segments maximum-threshold 10000 segments", None, None),
    ],
)
def test_units_without_bytes_stay_unknown(thresholds: str, low: int | None, high: int | None) -> None:
    text = f"interface Ethernet1/1\n   uc-tx-queue 3\n      random-detect ecn minimum-threshold {thresholds}\n"
    reading = read(text)
    for end, wanted in (("min", low), ("max", high)):
        found = cell(reading, "Ethernet1/1", f"queues.3.ecn.{end}_bytes")
        assert (found.get() if found.is_known else None) == wanted


def test_a_misspelt_statement_is_told_and_darkens_what_it_meant() -> None:
    reading = read("interface Ethernet1/1\n   prority-flow-control on\n")
    assert [s.observation.kind for s in reading.seen if s.observation.kind != "no-link"] == ["unread-line"]
    assert cell(reading, "Ethernet1/1", "pfc").why is Why.NOT_PARSED


@pytest.mark.parametrize("field", ["dcsp", "pcp"])
def test_a_map_of_a_mark_that_nobody_knows_is_told(field: str) -> None:
    reading = read(f"qos map {field} 26 to traffic-class 3\nqos map exp 3 to traffic-class 3\ninterface Ethernet1/1\n")
    assert [s.quote for s in reading.seen] == [f"qos map {field} 26 to traffic-class 3"]
    assert cell(reading, "Ethernet1/1", "dscp.26").why is Why.NOT_PARSED


def test_a_banner_is_no_configuration() -> None:
    reading = read("banner motd\ninterface Ethernet9/9\n   mtu 1500\nEOF\ninterface Ethernet1/1\n   mtu 9214\n")
    assert [p.name for p in reading.ports] == ["Ethernet1/1"]


def test_the_peer_link_is_known_by_the_channel_that_mlag_names() -> None:
    reading = read(
        "interface Port-Channel5\n   mtu 9214\ninterface Ethernet1\n   channel-group 5 mode active\n"
        "interface Ethernet2\n   mtu 9214\nmlag configuration\n   peer-link Port-Channel5\n"
    )
    assert {port.name: port.labels.peer_link for port in reading.ports} == {
        "Port-Channel5": True,
        "Ethernet1": True,
        "Ethernet2": False,
    }


@pytest.mark.parametrize(("own", "up"), [("   mtu 9214\n", False), ("   no shutdown\n", True)])
def test_the_default_of_ethernet_ports_may_be_shut_down(own: str, up: bool) -> None:
    text = "interface defaults\n   ethernet\n      shutdown\ninterface Port-Channel1\n   mtu 9000\n"
    reading = read(f"{text}interface Ethernet1\n{own}")
    assert cell(reading, "Ethernet1", "admin_up").get() is up
    assert cell(reading, "Port-Channel1", "admin_up").get() is True


def test_a_channel_that_is_up_does_not_raise_a_member_that_is_shut() -> None:
    reading = read(
        "interface Port-Channel1\n   no shutdown\ninterface Ethernet1\n   shutdown\n   channel-group 1 mode on\n"
    )
    assert cell(reading, "Ethernet1", "admin_up").get() is False


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the public corpus is not at hand")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.[ct]*")) if CORPUS.is_dir() else [], ids=lambda p: p.name)
def test_public_files_read(path: Path) -> None:
    reading = read(path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"), whole=False)
    for port in reading.ports:
        assert port.header.line > 0


_TWO_PORTS = (
    "interface Ethernet1/1\n   speed 100g-2\ninterface Ethernet2/1\n   speed auto\ninterface Ethernet3/1\n   mtu 9214\n"
)
_STATUS = """Port       Name              Status       Vlan     Duplex Speed  Type            Flags Encapsulation
Et1/1      connected to gpu1 connected    routed   full   400G   400GBASE-CR8
Et2/1      gpu2              connected    1        a-full a-100G 100GBASE-CR4
Et3/1      spare             notconnect   1        full   400G   Not Present
"""


def _shown(command: str, answer: str) -> DeviceReading:
    documents = (Document("x.cfg", f"{HEAD}{_TWO_PORTS}end\n"), Document("answer", answer, command=command))
    return platform("eos").read(DeviceInput("x", "eos", documents))


def test_the_speed_of_a_connected_port_is_what_the_switch_shows_unless_it_is_configured() -> None:
    reading = _shown("show interfaces status", _STATUS)
    assert cell(reading, "Ethernet1/1", "speed_bps").get() == 100_000_000_000
    assert cell(reading, "Ethernet2/1", "speed_bps").get() == 100_000_000_000
    assert cell(reading, "Ethernet3/1", "speed_bps").is_absent


def test_shown_speeds_are_read_as_json_too() -> None:
    ports = '"Ethernet2/1": {"linkStatus": "connected", "bandwidth": 400000000000}, "Ethernet3/1": {"linkStatus": "disabled"}'
    reading = _shown("show interfaces status", f'{{"interfaceStatuses": {{{ports}}}}}')
    assert cell(reading, "Ethernet2/1", "speed_bps").get() == 400_000_000_000
    assert cell(reading, "Ethernet3/1", "speed_bps").is_absent


def test_a_shown_speed_that_is_not_understood_leaves_doubt() -> None:
    reading = _shown("show interfaces status", _STATUS.replace("a-100G", "fast"))
    assert cell(reading, "Ethernet2/1", "speed_bps").why is Why.NOT_PARSED
    assert [s.observation.kind for s in reading.seen if s.observation.kind != "no-link"] == ["unread-line"]


def test_json_of_running_pfc_is_told_and_not_passed_over() -> None:
    reading = _shown("show priority-flow-control | json", '{"interfaces": {"Ethernet1/1": {"active": true}}}')
    assert cell(reading, "Ethernet1/1", "pfc.operational").why is Why.NOT_PARSED
    assert [s.observation.kind for s in reading.seen if s.observation.kind != "no-link"] == ["unread-line"]


EDGE = "interface profile EDGE\n   command mtu 9214\n   command no switchport\n   command service-profile ROCE\n"


def test_a_port_says_what_its_interface_profile_says() -> None:
    reading = read(f"{PROFILE}{EDGE}interface Ethernet1/1\n   profile EDGE\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").get() == 9214
    assert cell(reading, "Ethernet1/1", "pfc.priorities").is_known
    assert reading.seen == ()


def test_what_a_port_says_otherwise_than_its_interface_profile_is_unknown() -> None:
    reading = read(f"{PROFILE}{EDGE}interface Ethernet1/1\n   profile EDGE\n   mtu 1500\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").why is Why.NO_DEFAULT
    assert cell(reading, "Ethernet1/1", "pfc.priorities").is_known
    other = "interface profile SMALL\n   command mtu 1500\n"
    reading = read(f"{PROFILE}{EDGE}{other}interface Ethernet1/1\n   profile EDGE SMALL\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").why is Why.NO_DEFAULT


def test_an_interface_profile_that_nobody_defines_leaves_what_it_may_set_in_doubt() -> None:
    reading = read(f"{PROFILE}{EDGE}interface Ethernet1/1\n   profile EGDE\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").is_unknown
    assert cell(reading, "Ethernet1/1", "pfc.priorities").is_unknown
    assert "EDGE" in next(one for one in reading.seen if one.observation.kind == "undefined").observation.text


MMU = """platform trident mmu queue profile LOSSLESS
    egress unicast queue 1 reserved bytes 0
    ingress headroom bytes 60000
    ingress reserved cells 20
    ingress threshold 1/8
    ingress resume bytes 2000
    ingress priority-group 3 threshold 2
interface Ethernet1/1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control priority 4 no-drop
"""
APPLIED = "platform trident mmu queue profile LOSSLESS apply\n"


def test_an_mmu_profile_that_is_applied_holds_for_the_lossless_groups() -> None:
    reading = read(MMU + APPLIED)
    assert not reading.seen
    assert cell(reading, "Ethernet1/1", "groups.3.headroom_bytes").get() == 60_000
    assert cell(reading, "Ethernet1/1", "groups.3.alpha").get() == 2
    assert cell(reading, "Ethernet1/1", "groups.4.alpha").get() == 0.125
    assert cell(reading, "Ethernet1/1", "groups.3.reserved_bytes").why is Why.NO_DEFAULT
    assert cell(reading, "Ethernet1/1", "groups.0.headroom_bytes").is_unknown


def test_a_reserve_says_nothing_of_the_headroom() -> None:
    assert cell(read(MMU + APPLIED), "Ethernet1/1", "groups.3.headroom_is_shared").get() is True
    reserved = MMU.replace("    ingress headroom bytes 60000\n", "").replace("reserved cells", "reserved bytes")
    assert cell(read(reserved + APPLIED), "Ethernet1/1", "groups.3.reserved_bytes").get() == 20
    assert cell(read(reserved + APPLIED), "Ethernet1/1", "groups.3.headroom_is_shared").is_unknown


def test_an_mmu_profile_that_nothing_applies_is_told_and_sets_nothing() -> None:
    reading = read(MMU)
    assert [s.observation.kind for s in reading.seen] == ["unapplied"]
    assert cell(reading, "Ethernet1/1", "groups.3.headroom_bytes").is_unknown


def test_a_misspelt_line_of_an_mmu_profile_is_told_and_darkens_the_groups() -> None:
    reading = read(MMU.replace("headroom bytes", "headrom bytes") + APPLIED)
    assert [s.quote for s in reading.seen] == ["ingress headrom bytes 60000"]
    assert cell(reading, "Ethernet1/1", "groups.3.headroom_bytes").why is Why.NOT_PARSED
    undefined = read(MMU + APPLIED.replace("LOSSLESS", "LOSLESS"))
    assert [s.observation.kind for s in undefined.seen] == ["undefined"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("mtuu 9216", "ip_mtu_bytes"),
        ("mut 9216", "ip_mtu_bytes"),
        ("shutdwon", "admin_up"),
        ("flowcontorl receive on", "link_pause_rx"),
        ("qso trust cos", "trust"),
        ("qos tust cos", "trust"),
        ("service-profiel OTHER", "pfc"),
        ("no prority-flow-control", "pfc"),
        ("priority-flow-control pause watchdgo", "pfc.watchdog.on"),
        ("uc-tx-queeu 3", "queues"),
        ("error-correction encodign disabled", "fec"),
        ("eror-correction encoding disabled", "fec"),
    ],
)
def test_a_misspelt_statement_is_told_and_what_it_would_set_is_unknown(line: str, path: str) -> None:
    reading = read(f"{PROFILE}interface Ethernet1/1\n   mtu 9214\n   service-profile ROCE\n   {line}\n")
    assert [s.quote for s in reading.seen] == [line]
    assert cell(reading, "Ethernet1/1", path).why is Why.NOT_PARSED


def test_a_misspelt_map_is_told_and_what_it_would_set_is_unknown() -> None:
    reading = read("qso map dscp 26 to traffic-class 3\ninterface Ethernet1/1\n   no switchport\n")
    assert [s.quote for s in reading.seen] == ["qso map dscp 26 to traffic-class 3"]
    assert cell(reading, "Ethernet1/1", "dscp.26").why is Why.NOT_PARSED


@pytest.mark.parametrize(
    "line",
    [
        "service-policy type pbr input X",
        "traffic-policy output X",
        "error-correction reed-solomon bypass correction",
        "lldp tlv transmit ztp vlan 666",
        "l2 mru 9236",
        "profile-flow x",
    ],
)
def test_what_only_begins_like_ours_is_not_told(line: str) -> None:
    reading = read(f"interface Ethernet1/1\n   no switchport\n   {line}\n")
    assert reading.seen == ()
    assert cell(reading, "Ethernet1/1", "trust").get() == "dscp"


def test_default_takes_back_what_no_turns_off() -> None:
    stanza = "interface Ethernet{}\n   no switchport\n   {} qos trust\n   {} lldp transmit\n"
    reading = read("".join(stanza.format(n, word, word) for n, word in ((1, "no"), (2, "default"))))
    assert [cell(reading, f"Ethernet{n}", "trust").get() for n in (1, 2)] == ["none", "dscp"]
    assert [cell(reading, f"Ethernet{n}", "dcbx.lldp").get() for n in (1, 2)] == [False, True]


def test_a_port_with_an_odd_name_is_unknown_as_a_whole() -> None:
    reading = read("interface Ethernet1/1\n   mtu 9214\ninterface Ethernet1/1~\n   mtu 1500\n")
    assert cell(reading, "Ethernet1/1", "ip_mtu_bytes").why is Why.NOT_PARSED


@pytest.mark.parametrize(
    "line", ["vxlan qos dscp to traffic-class decapsulation", "no vxlan qos map dscp to traffic-class decapsulation"]
)
def test_what_a_tunnel_does_with_packets_that_leave_it_is_no_unread_line(line: str) -> None:
    assert read(f"interface Vxlan1\n   vxlan source-interface Loopback1\n   {line}\n").seen == ()


def test_a_watchdog_in_other_words_leaves_pfc_as_it_is() -> None:
    lines = "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    reading = read(f"interface Ethernet1/1\n{lines}   priority-flow-control watchdog action errdisable\n")
    assert cell(reading, "Ethernet1/1", "pfc.priorities").get() == {3}
    assert cell(reading, "Ethernet1/1", "pfc.watchdog.on").why is Why.NOT_PARSED
    assert [s.observation.kind for s in reading.seen if s.observation.kind != "no-link"] == ["unread-line"]


def test_a_qos_profile_that_an_interface_profile_applies_is_not_called_unapplied() -> None:
    reading = read(
        f"{PROFILE}interface profile EDGE\n   command mtu 9214\n   command service-profile ROCE\n"
        "interface Ethernet1/1\n   profile EDGE\n"
    )
    assert reading.seen == ()


@pytest.mark.parametrize(
    ("row", "running"),
    [
        ("E A W  3          drop", {3}),
        ("E A -  3 4        -", {3, 4}),
        ("E A    3", {3}),
        ("E - W  3          drop", frozenset()),
        ("E W    3", frozenset()),
        ("D - -  -          -", frozenset()),
        ("D", frozenset()),
    ],
)
def test_pfc_runs_where_the_letters_say_active(row: str, running: set[int]) -> None:
    reading = _shown("show priority-flow-control", f"Port     Status Priorities Action\nEt1/1    {row}\n")
    assert cell(reading, "Ethernet1/1", "pfc.operational").get() == running


def test_what_is_written_out_as_switched_off_is_no_unread_line() -> None:
    queue = "   tx-queue 3\n      no random-detect ecn minimum-threshold\n      no random-detect non-ect\n"
    reading = read(
        f"interface Ethernet1\n{queue}!\nmlag configuration\n   no domain-id\n   no peer-link\n   no shutdown\n!\n"
    )
    assert [one.observation.kind for one in reading.seen] == []
    assert [port.name for port in reading.ports] == ["Ethernet1"]
    assert not cell(reading, "Ethernet1", "queues.3.ecn").is_unknown
    told = read(f"interface Ethernet1\n{queue.replace('no random-detect non', 'random-detect non')}!\n")
    assert cell(told, "Ethernet1", "queues.3.ecn").is_unknown


@pytest.mark.parametrize(
    "own",
    ["   no priority-flow-control\n", "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"],
)
def test_a_watchdog_that_is_written_out_is_no_word_about_roce(tmp_path: Path, own: str) -> None:
    out = "   no priority-flow-control pause watchdog port action\n   no priority-flow-control pause watchdog port timer\n"
    port = f"interface Ethernet1\n   mtu 1500\n{own}   priority-flow-control pause watchdog\n{out}!\n"
    (tmp_path / "x.cfg").write_text(f"{HEAD}{port}end\n")
    report = check(Request((str(tmp_path),), load_text("", "roce-audit.yaml"))).report
    assert report.coverage.ports_roce["yes"] == own.endswith("no-drop\n")
    assert cell(read(port), "Ethernet1", "pfc.watchdog.on").get() is True
