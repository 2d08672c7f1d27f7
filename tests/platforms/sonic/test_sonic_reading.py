"""CONFIG_DB: what single fields and rows mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sonic_readings import at, kinds, lines, port, whole

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.sonic import PLATFORM
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cited, Place, Why, absent, known


def read(value: Any, **more: Any) -> DeviceReading:
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    return PLATFORM.read(DeviceInput("leaf", "sonic", (Document("db.json", text, **more),)))


def test_a_value_points_at_its_own_line_and_at_the_line_that_binds_it() -> None:
    text = """{
 "DEVICE_METADATA": {"localhost": {}},
 "PORT": {"Ethernet0": {}},
 "DSCP_TO_TC_MAP": {"M": {
  "26": "3"
 }},
 "PORT_QOS_MAP": {"Ethernet0": {
  "dscp_to_tc_map": "M"
 }}
}"""
    reading = read(text)
    assert at(reading, "dscp.26").get() == 3
    assert lines(reading, "dscp.26") == [5, 8]


@pytest.mark.parametrize("value", ["3,4", ["3", "4"], [3, 4]])
def test_a_list_of_priorities_in_any_json_form(value: object) -> None:
    reading = read(whole(PORT_QOS_MAP={"Ethernet0": {"pfc_enable": value}}))
    assert at(reading, "pfc.priorities").get() == frozenset({3, 4})
    assert not reading.seen


@pytest.mark.parametrize("value", ["3~x", "3-4", "8", "3, 4", True, None, {"3": "4"}, 3.0, [[3]]])
def test_priorities_of_another_form_are_unknown_and_seen(value: object) -> None:
    reading = read(whole(PORT_QOS_MAP={"Ethernet0": {"pfc_enable": value}}))
    assert at(reading, "pfc.priorities").why is Why.NOT_PARSED
    assert [(s.observation.kind, s.ports) for s in reading.seen] == [("unread-line", ("Ethernet0",))]


def test_empty_pfc_enable_is_an_explicit_off() -> None:
    reading = read(whole(PORT_QOS_MAP={"Ethernet0": {"pfc_enable": ""}}))
    assert at(reading, "pfc.mode").get() == "off"
    assert lines(reading, "pfc.mode")


def test_absence_in_a_whole_datastore_is_pfc_off_and_no_ecn_but_says_nothing_of_buffers() -> None:
    reading = read(whole())
    mode = at(reading, "pfc.mode")
    assert mode.get() == "off"
    assert isinstance(mode.at[0], Cited)
    assert at(reading, "queues.3.ecn").is_absent
    assert at(reading, "ip_mtu_bytes").get() == 9100
    assert at(reading, "groups.3.lossless").why is Why.NOT_VISIBLE


def test_absence_in_a_fragment_or_truncated_datastore_is_no_evidence() -> None:
    fragment = read({"PORT": {"Ethernet0": {"speed": "100000"}}})
    cut = read(whole(), truncated=True)
    for reading in (fragment, cut):
        assert not reading.complete_because
        assert at(reading, "pfc.mode").why is Why.NOT_VISIBLE
        assert at(reading, "admin_up" if reading is fragment else "fec").why is Why.NOT_VISIBLE
    assert at(cut, "speed_bps").get() == 100_000_000_000


def test_the_policy_may_declare_a_file_complete() -> None:
    reading = read({"PORT": {"Ethernet0": {}}}, declared_complete=True)
    assert at(reading, "pfc.mode").get() == "off"


@pytest.mark.parametrize(
    ("threshold", "alpha"), [("-8", 0.0), ("-3", 0.125), ("0", 1.0), ("7", 128.0), ("8", None), ("1.5", None)]
)
def test_alpha_is_two_to_the_dynamic_threshold(threshold: str, alpha: float | None) -> None:
    reading = read(
        whole(
            BUFFER_POOL={"pool": {"mode": "dynamic", "size": "1000"}},
            BUFFER_PROFILE={"p": {"pool": "pool", "size": "0", "xon": "1", "xoff": "2", "dynamic_th": threshold}},
            BUFFER_PG={"Ethernet0|3": {"profile": "p"}},
        )
    )
    cell = at(reading, "groups.3.alpha")
    assert cell.value == alpha
    assert (cell.why is Why.NOT_PARSED) == (alpha is None)
    assert at(reading, "groups.3.headroom_bytes").get() == 2


@pytest.mark.parametrize(("pfc", "expected"), [("3", ["conflict"]), ("", [])])
def test_marking_without_wred_is_a_contradiction_where_something_is_lossless(pfc: str, expected: list[str]) -> None:
    """Images of lossy ports are shipped so on purpose; what then happens the ASIC's SAI decides."""
    profile = {"ecn": "ecn_all", "wred_green_enable": "false", "green_min_threshold": "100000"}
    reading = read(
        whole(
            PORT_QOS_MAP={"Ethernet0": {"pfc_enable": pfc}},
            WRED_PROFILE={"w": profile},
            QUEUE={"Ethernet0|3": {"wred_profile": "w"}},
        )
    )
    assert kinds(reading) == expected
    assert at(reading, "queues.3.ecn.marks").why is (Why.CONFLICT if expected else Why.NO_DEFAULT)


@pytest.mark.parametrize(
    ("ecn", "green", "marks", "drops"),
    [
        ("ecn_all", "true", True, False),
        ("ecn_green_red", "true", True, False),
        ("ecn_yellow_red", "true", False, True),
        ("ecn_none", "true", False, True),
        (None, "true", False, True),
        ("ecn_none", "false", False, False),
        ("ecn_all", "false", Why.CONFLICT, Why.CONFLICT),
        ("ecn_all", None, Why.CONFLICT, Why.CONFLICT),
        ("ecn_every", "true", Why.NOT_PARSED, Why.NOT_PARSED),
        ("ecn_all", "yes", Why.NOT_PARSED, Why.NOT_PARSED),
    ],
)
def test_which_packets_wred_marks_and_drops(ecn: str | None, green: str | None, marks: object, drops: object) -> None:
    fields = {"ecn": ecn, "wred_green_enable": green}
    profile = {name: value for name, value in fields.items() if value is not None}
    reading = read(whole(WRED_PROFILE={"w": profile}, QUEUE={"Ethernet0|3": {"wred_profile": "w"}}))
    for leaf, wanted in (("marks", marks), ("drops", drops)):
        cell = at(reading, f"queues.3.ecn.{leaf}")
        assert (cell.why if isinstance(wanted, Why) else cell.get()) == wanted


def test_a_profile_with_its_own_ecn_curve_is_judged_by_that() -> None:
    profile = {"ecn": "ecn_green", "green_min_threshold": "9", "ecn_green_min_threshold": "5"}
    reading = read(whole(WRED_PROFILE={"w": profile}, QUEUE={"Ethernet0|3": {"wred_profile": "w"}}))
    assert at(reading, "queues.3.ecn.min_bytes").get() == 5
    assert at(reading, "queues.3.ecn.marks").get() is True


def test_overlapping_keys_that_disagree_are_a_conflict_and_equal_ones_are_not() -> None:
    schedulers = {"a": {"type": "STRICT"}, "b": {"type": "DWRR"}}
    keys = {"Ethernet0|3-4": {"scheduler": "a"}, "Ethernet0|3": {"scheduler": "b"}, "Ethernet0|4": {"scheduler": "a"}}
    reading = read(whole(SCHEDULER=schedulers, QUEUE=keys))
    assert at(reading, "queues.3.scheduling").why is Why.CONFLICT
    assert at(reading, "queues.3.share").why is Why.CONFLICT
    assert at(reading, "queues.4.scheduling").get() == "strict"
    assert kinds(reading) == ["conflict"]


def test_two_files_of_one_switch_that_disagree_are_a_conflict() -> None:
    one, two = whole(), whole(PORT={"Ethernet0": {"mtu": "1500"}})
    one["PORT"]["Ethernet0"]["mtu"] = "9000"
    documents = tuple(Document(name, json.dumps(value)) for name, value in (("a.json", one), ("b.json", two)))
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", documents))
    assert at(reading, "ip_mtu_bytes").why is Why.CONFLICT
    assert at(reading, "speed_bps").get() == 100_000_000_000


def test_a_key_that_stands_twice_is_seen() -> None:
    reading = read('{"PORT": {"Ethernet0": {"mtu": "9000",\n "mtu": "1500"}}}')
    assert at(reading, "ip_mtu_bytes").get() == 1500
    assert [(s.observation.kind, s.place.line) for s in reading.seen] == [("conflict", 2)]


def test_configlets_of_a_list_apply_in_order() -> None:
    reading = read([{"PORT": {"Ethernet0": {"mtu": "1500"}}}, {"PORT": {"Ethernet0": {"mtu": "9000"}}}])
    assert at(reading, "ip_mtu_bytes").get() == 9000
    assert not reading.seen


def test_old_references_name_their_table() -> None:
    maps = {"DSCP_TO_TC_MAP": {"A": {"26": "3"}}, "TC_TO_QUEUE_MAP": {"A": {"3": "3"}}}
    right = read(whole(PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "[DSCP_TO_TC_MAP|A]"}}, **maps))
    wrong = read(whole(PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "[TC_TO_QUEUE_MAP|A]"}}, **maps))
    assert at(right, "dscp.26").get() == 3
    assert at(wrong, "dscp").why is Why.NOT_PARSED


def test_an_undefined_map_stops_the_whole_row_and_names_the_ports() -> None:
    reading = read(whole(PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "GONE", "pfc_enable": "3"}}))
    assert at(reading, "dscp.26").why is Why.UNDEFINED
    assert at(reading, "pfc.priorities").why is Why.UNDEFINED
    assert [(s.observation.kind, s.ports) for s in reading.seen] == [("undefined", ("Ethernet0",))]


def test_the_switch_wide_map_serves_ports_without_their_own() -> None:
    maps = {"ALL": {"26": "5"}, "OWN": {"26": "3"}}
    ports = {"Ethernet0": {}, "Ethernet4": {}}
    bound = {"global": {"dscp_to_tc_map": "ALL"}, "Ethernet0": {"dscp_to_tc_map": "OWN"}}
    reading = read(whole(PORT=ports, DSCP_TO_TC_MAP=maps, PORT_QOS_MAP=bound))
    assert at(reading, "dscp.26").get() == 3
    assert at(reading, "dscp.26", "Ethernet4").get() == 5
    roles = {part.role for part in port(reading, "Ethernet4").parts if part.name == "ALL"}
    assert roles == {"device"}


def test_untagged_traffic_behind_an_8021p_map_is_class_zero() -> None:
    reading = read(whole(DOT1P_TO_TC_MAP={"M": {"3": "3"}}, PORT_QOS_MAP={"Ethernet0": {"dot1p_to_tc_map": "M"}}))
    assert at(reading, "trust").get() == "pcp"
    assert at(reading, "dscp.26").get() == 0
    assert at(reading, "pcp.3").get() == 3


def test_a_map_with_a_garbled_key_leaves_unlisted_code_points_open() -> None:
    maps = {"M": {"2G": "3", "48": "6"}}
    reading = read(whole(DSCP_TO_TC_MAP=maps, PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "M"}}))
    assert at(reading, "dscp.26").why is Why.NOT_PARSED
    assert at(reading, "dscp.48").get() == 6


def test_an_unlisted_code_point_is_class_zero_by_sai() -> None:
    maps = {"M": {"48": "6"}}
    reading = read(whole(DSCP_TO_TC_MAP=maps, PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "M"}}))
    cell = at(reading, "dscp.26")
    assert cell.get() == 0
    assert any(isinstance(a, Cited) and "saiqosmap.h" in a.source for a in cell.at)


BUFFERS = {
    "BUFFER_POOL": {"pool": {"mode": "dynamic", "size": "1000"}},
    "BUFFER_PROFILE": {"lossy": {"pool": "pool", "size": "0", "dynamic_th": "3"}},
    "BUFFER_PG": {"Ethernet0|0": {"profile": "lossy"}},
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
}


@pytest.mark.parametrize(
    ("cable", "model", "lossless"),
    [
        ("40m", "traditional", Why.NOT_VISIBLE),
        ("0m", "traditional", False),
        ("40m", "dynamic", False),
        ("forty", "traditional", Why.NOT_VISIBLE),
    ],
)
def test_a_group_that_buffermgrd_makes_at_run_time_is_not_missing(cable: str, model: str, lossless: object) -> None:
    tables = whole(CABLE_LENGTH={"AZURE": {"Ethernet0": cable}}, **BUFFERS)
    tables["DEVICE_METADATA"]["localhost"]["buffer_model"] = model
    cell = at(read(tables), "groups.3.lossless")
    assert (cell.why if isinstance(lossless, Why) else cell.get()) == lossless
    assert at(read(tables), "groups.0.lossless").get() is False


@pytest.mark.parametrize(("xoff", "ratio", "shared"), [("5000", None, True), ("0", "0", False), (None, "2", True)])
def test_shared_headroom(xoff: str | None, ratio: str | None, shared: bool) -> None:
    pool = {"mode": "dynamic", "size": "1000"} | ({} if xoff is None else {"xoff": xoff})
    tables = whole(
        BUFFER_POOL={"pool": pool},
        BUFFER_PROFILE={"p": {"pool": "pool", "size": "1", "xon": "1", "xoff": "2", "dynamic_th": "0"}},
        BUFFER_PG={"Ethernet0|3": {"profile": "p"}},
    )
    if ratio is not None:
        tables["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"over_subscribe_ratio": ratio}}
    assert at(read(tables), "groups.3.headroom_is_shared").get() is shared


@pytest.mark.parametrize(
    ("name", "speed", "cable"),
    [
        ("pg_lossless_400000_40m_profile", 400_000_000_000, 40),
        ("pg_lossless_100000_5m_mtu1500_th3_profile", 100_000_000_000, 5),
        ("pg_lossless_custom", None, None),
    ],
)
def test_the_generated_profile_name_tells_speed_and_cable(name: str, speed: int | None, cable: int | None) -> None:
    tables = whole(
        BUFFER_POOL={"pool": {"mode": "dynamic", "size": "1"}},
        BUFFER_PROFILE={name: {"pool": "pool", "size": "1", "xoff": "2", "dynamic_th": "0"}},
        BUFFER_PG={"Ethernet0|3": {"profile": name}},
    )
    reading = read(tables)
    assert at(reading, "groups.3.profile").get() == name
    assert at(reading, "groups.3.profile_speed_bps").value == speed
    assert at(reading, "groups.3.profile_cable_m").value == cable


def test_the_watchdog_runs_only_with_a_detection_time_and_watched_priorities() -> None:
    timed = {"Ethernet0": {"detection_time": "200"}}
    assert at(read(whole(PFC_WD=timed)), "pfc.watchdog.on").get() is True
    assert at(read(whole(PFC_WD={"Ethernet0": {"action": "drop"}})), "pfc.watchdog.on").get() is False
    unwatched = whole(PFC_WD=timed, PORT_QOS_MAP={"Ethernet0": {"pfcwd_sw_enable": ""}})
    assert at(read(unwatched), "pfc.watchdog.on").get() is False
    unnamed = {"Ethernet0": {"pfc_enable": "3"}, "Ethernet8": {"pfc_enable": "3", "pfcwd_sw_enable": "3"}}
    assert at(read(whole(PFC_WD=timed, PORT_QOS_MAP=unnamed)), "pfc.watchdog.on").get() is False
    nobody = {"Ethernet0": {"pfc_enable": "3"}}  # of an older release, perhaps, where all that pause is watched
    assert at(read(whole(PFC_WD=timed, PORT_QOS_MAP=nobody)), "pfc.watchdog.on").why is Why.NO_DEFAULT
    assert at(read(whole()), "pfc.watchdog.on").get() is False
    later = whole(DEVICE_METADATA={"localhost": {"default_pfcwd_status": "enable"}})
    assert at(read(later), "pfc.watchdog").why is Why.NOT_VISIBLE


def test_a_member_takes_mtu_and_fate_of_its_channel() -> None:
    tables = whole(
        PORTCHANNEL={"PortChannel1": {"mtu": "1500", "admin_status": "down"}},
        PORTCHANNEL_MEMBER={"PortChannel1|Ethernet0": {}},
    )
    reading = read(tables)
    assert at(reading, "ip_mtu_bytes").get() == 1500
    assert at(reading, "admin_up").get() is False
    assert port(reading).labels.lag == "PortChannel1"


def test_ports_that_read_the_same_share_one_object_whatever_the_order_of_their_fields() -> None:
    ports = {"Ethernet0": {"speed": "1", "mtu": "9100", "alias": "a"}, "Ethernet4": {"mtu": "9100", "speed": "1"}}
    reading = read(whole(PORT=ports))
    assert port(reading).facts is port(reading, "Ethernet4").facts


def test_rows_of_other_line_cards_are_not_ours() -> None:
    tables = whole(
        DEVICE_METADATA={"localhost": {"hostname": "Card-1", "asic_name": "Asic0"}},
        SCHEDULER={"s": {"type": "STRICT"}},
        QUEUE={"card-1|asic0|Ethernet0|3": {"scheduler": "s"}, "card-2|asic0|Ethernet0|4": {"scheduler": "s"}},
    )
    reading = read(tables)
    assert at(reading, "queues.3.scheduling").get() == "strict"
    assert at(reading, "queues.4.scheduling").why is Why.NO_DEFAULT


def test_a_card_that_finds_no_row_of_its_own_knows_nothing_of_its_queues() -> None:
    tables = whole(
        DEVICE_METADATA={"localhost": {"hostname": "renamed", "asic_name": "asic0"}},
        QUEUE={"card-1|asic0|Ethernet0|3": {"wred_profile": "w"}},
    )
    reading = read(tables)
    assert at(reading, "queues.3.ecn").why is Why.NOT_PARSED
    assert kinds(reading) == ["unread-line"]


def test_where_nobody_says_which_card_this_is_what_all_cards_say_holds() -> None:
    rows = {f"{card}|asic0|Ethernet0|3": {"wred_profile": "w"} for card in ("card-1", "card-2")}
    odd = {"card-1|asic0|Ethernet0|4": {"wred_profile": "w"}}
    profile = {"w": {"ecn": "ecn_none"}}
    metadata = {"localhost": {"platform": "x"}}
    same = read(whole(DEVICE_METADATA=metadata, WRED_PROFILE=profile, QUEUE=rows))
    assert at(same, "queues.3.ecn.marks").get() is False
    assert not same.seen
    differ = read(whole(DEVICE_METADATA=metadata, WRED_PROFILE=profile, QUEUE=rows | odd))
    assert at(differ, "queues.4.ecn").why is Why.NOT_PARSED
    assert kinds(differ) == ["unread-line"]


def test_the_card_whose_queues_are_scheduled_is_this_one() -> None:
    rows = {"card-1|asic0|Ethernet0|3": {"wred_profile": "w"}, "card-1|asic1|Ethernet0|3": {"scheduler": "s"}}
    tables = {"SCHEDULER": {"s": {"type": "STRICT"}}, "WRED_PROFILE": {"w": {"ecn": "ecn_all"}}, "QUEUE": rows}
    reading = read(whole(DEVICE_METADATA={"localhost": {"hostname": "card-1"}}, **tables))
    assert at(reading, "queues.3.scheduling").get() == "strict"
    assert at(reading, "queues.3.ecn").is_absent
    assert not reading.seen


def test_a_file_of_one_chip_is_that_chip() -> None:
    rows = {f"card-1|ASIC{n}|Ethernet0|3": {"scheduler": f"s{n}"} for n in (0, 1)}
    schedulers = {"s0": {"type": "STRICT"}, "s1": {"type": "DWRR", "weight": "20"}}
    tables = whole(DEVICE_METADATA={"localhost": {"hostname": "card-1"}}, SCHEDULER=schedulers, QUEUE=rows)
    reading = PLATFORM.read(DeviceInput("x", "sonic", (Document("config_db1.json", json.dumps(tables, indent=1)),)))
    assert at(reading, "queues.3.share").get() == 20
    assert not reading.seen


def test_an_unknown_field_is_relevant_in_a_qos_table_and_by_its_name_in_port() -> None:
    ports = {"Ethernet0": {"colour": "red", "pfc_turbo": "on"}}
    reading = read(whole(PORT=ports, PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3", "tc_to_moon_map": "x"}}))
    assert sorted(s.quote for s in reading.seen) == ["PORT pfc_turbo=on", "PORT_QOS_MAP tc_to_moon_map=x"]
    assert at(reading, "pfc.priorities").get() == frozenset({3})


def test_a_misspelt_table_is_seen_and_its_neighbours_are_not_mistaken_for_it() -> None:
    misspelt = read(whole(PORT_QOS_MAPS={"Ethernet0": {"pfc_enable": "3"}}))
    assert kinds(misspelt) == ["unread-line"]
    assert at(misspelt, "pfc.mode").why is Why.NOT_PARSED
    others = (
        "DSCP_TO_FC_MAP",
        "TC_TO_DOT1P_MAP",
        "PORT_STORM_CONTROL",
        "MGMT_PORT",
        "VLAN",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
    )
    plain = read(whole(**{name: {"x": {}} for name in others}))
    assert not plain.seen
    assert at(plain, "pfc.mode").get() == "off"


def test_a_row_whose_key_names_no_port_may_be_any_ports() -> None:
    reading = read(whole(PORT_QOS_MAP={"Ethernet 0": {"pfc_enable": "3"}}))
    assert at(reading, "pfc.mode").why is Why.NOT_PARSED
    stranger = read(whole(PORT_QOS_MAP={"Ethernet400": {"pfc_enable": "3"}}))
    assert at(stranger, "pfc.mode").get() == "off"
    assert kinds(stranger) == ["undefined"]


def test_metadata_that_only_sounds_like_ours_is_no_alarm() -> None:
    metadata = {
        "create_only_config_db_buffers": "true",
        "subtype": "DualToR",
        "peer_switch": "x",
        "storage_device": "true",
    }
    assert not read(whole(DEVICE_METADATA={"localhost": metadata})).seen


def test_template_objects_that_nobody_binds_are_no_news_but_own_ones_are() -> None:
    tables = whole(
        DSCP_TO_TC_MAP={"AZURE": {"3": "3"}, "MINE": {"26": "3"}},
        SCHEDULER={"scheduler.0": {"type": "DWRR"}},
        WRED_PROFILE={"AZURE_LOSSLESS": {"ecn": "ecn_all"}},
        BUFFER_PROFILE={"ingress_lossy_profile": {"size": "0"}, "pg_lossless_1_5m_profile": {"xoff": "1"}},
    )
    assert [(s.observation.kind, s.observation.name) for s in read(tables).seen] == [
        ("unapplied", "MINE"),
        ("unapplied", "AZURE_LOSSLESS"),
    ]


def test_no_json_is_one_observation() -> None:
    reading = read('{"PORT": {"Ethernet0": {')
    assert kinds(reading) == ["unreadable"]
    assert not reading.ports


def test_answers_of_other_commands_are_left_alone_but_a_failed_datastore_is_seen() -> None:
    other = Document("show_version.txt", "SONiC Software Version: SONiC.1", command="show version")
    failed = Document("show.json", "Error: no such table", command="show runningconfiguration all")
    assert kinds(PLATFORM.read(DeviceInput("leaf", "sonic", (other, failed)))) == ["unreadable"]


@pytest.mark.parametrize(
    ("text", "least"),
    [
        (json.dumps(whole()), 95),
        ('\n\n   {"BUFFER_PG": {}, "QUEUE": {}}', 50),
        ('{"PORT_QOS_MAP|Ethernet0": {}}', 30),
    ],
)
def test_recognised(text: str, least: int) -> None:
    assert PLATFORM.recognise(Document("x", text)) >= least


@pytest.mark.parametrize("text", ["interface Ethernet0\n", '{"PORT": 1}', "[]", '{"queue": {}}'])
def test_not_recognised(text: str) -> None:
    assert PLATFORM.recognise(Document("x", text)) == 0


def test_hostname_is_that_of_the_device() -> None:
    text = '{"BGP": {"hostname": "peer"}, "DEVICE_METADATA": {"localhost": {"hostname": "me"}}}'
    assert PLATFORM.hostname(Document("x", text)) == "me"
    assert PLATFORM.hostname(Document("x", '{"BGP": {"hostname": "peer"}}')) is None


def test_tables_pasted_without_braces_are_a_fragment() -> None:
    text = (
        '"PORT_QOS_MAP": {\n  "Ethernet0": {\n    "pfc_enable": "3"\n  }\n},\n"PORT": {"Ethernet0": {"mtu": "9100"}},\n'
    )
    document = Document("ticket.txt", text)
    assert PLATFORM.recognise(document) >= 20
    assert PLATFORM.recognise(Document("other.txt", '"name": {"a": 1}')) == 0
    reading = PLATFORM.read(DeviceInput("s", "sonic", (document,)))
    assert (reading.complete_because, reading.seen) == ({}, ())
    pfc = reading.ports[0].facts.pfc.get().priorities
    assert pfc.get() == {3}
    assert resolve(pfc.at[0], reading.ports[0].parts) == Place("ticket.txt", 3)


@pytest.mark.parametrize(
    ("tables", "path"),
    [
        ({"PORT": {"Ethernet0": {"mtuu": "9100"}}}, "ip_mtu_bytes"),
        ({"PORT": {"Ethernet0": {"admin_staus": "up"}}}, "admin_up"),
        ({"PORT_QOS_MAP": {"Ethernet0": {"pcf_enable": "3,4"}}}, "pfc.priorities"),
        ({"CABLE_LENGTH": {"AZURE": {"Ethernet0": "4Om"}}}, "cable_m"),
        ({"QUEUE": {"Ethernet0|3": {"wred_profiel": "w"}}}, "queues.3.ecn"),
        ({"QUEUE": {"Ethernet0|3": None}}, "queues.3.ecn"),
        ({"QUEUE": {"Ethernet0|3-": {"wred_profile": "w"}}}, "queues.3.ecn"),
        ({"QEUUE": {"Ethernet0|3": {"wred_profile": "w"}}}, "queues.3.ecn"),
        ({"PFC_WD": {"Ethernet0": {"detection_tiem": "200"}}}, "pfc.watchdog.on"),
    ],
)
def test_what_a_misspelt_or_misplaced_word_would_have_set_is_unknown(tables: dict[str, Any], path: str) -> None:
    reading = read(whole(**tables))
    steps = path.split(".")
    cells = [at(reading, ".".join(steps[:length])) for length in range(1, len(steps) + 1)]
    assert next(cell for cell in cells if not cell.is_known).why is Why.NOT_PARSED
    assert "unread-line" in kinds(reading)


def test_what_a_misspelt_word_of_one_queue_would_have_set_is_known_of_the_others() -> None:
    reading = read(whole(QUEUE={"Ethernet0|3": {"wred_profiel": "w"}}))
    assert at(reading, "queues.3.scheduling").why is Why.NO_DEFAULT
    assert at(reading, "queues.4.ecn").is_absent


@pytest.mark.parametrize("field", ["bufer_model", "buffer_model~x"])
def test_a_misspelt_word_about_the_device_leaves_no_default(field: str) -> None:
    tables = whole()
    tables["DEVICE_METADATA"]["localhost"][field] = "dynamic"
    assert read(tables).device.buffer_model.why is Why.NOT_PARSED


@pytest.mark.parametrize(
    ("tables", "quote"),
    [
        ({"PORT": {"Ethernet0": "up"}}, 'PORT ="up"'),
        ({"PFC_WD": {"Ethernet 0": {"action": "drop"}}}, 'PFC_WD "Ethernet 0"'),
        ({"PORT_QOS_MPA": {"Ethernet0": {}}}, 'PORT_QOS_MAP "PORT_QOS_MPA"'),
        ({"QUEUE": {"Ethernet0|3": {"colour": "red"}}}, "QUEUE 3 colour=red"),
        ({"PORT_QOS_MAP": {"Ethernet0": {"pfc_asym": ""}}}, "PORT_QOS_MAP pfc_asym="),
    ],
)
def test_what_was_not_understood_is_quoted_as_it_stands(tables: dict[str, Any], quote: str) -> None:
    assert [seen.quote for seen in read(whole(**tables)).seen if seen.observation.kind == "unread-line"] == [quote]


def test_traffic_classes_above_seven_are_read() -> None:
    maps = {
        "DSCP_TO_TC_MAP": {"M": {"26": "3", "33": "8"}},
        "TC_TO_QUEUE_MAP": {"M": {str(n): str(n) for n in range(8)} | {"8": "1"}},
        "TC_TO_PRIORITY_GROUP_MAP": {"M": {"8": "2"}},
        "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "M", "tc_to_queue_map": "M", "tc_to_pg_map": "M"}},
    }
    reading = read(whole(**maps))
    assert kinds(reading) == []
    assert at(reading, "dscp.33").get() == 8
    assert (at(reading, "classes.8.queue").get(), at(reading, "classes.8.group").get()) == (1, 2)
    assert len(port(reading).facts.classes.get()) == 9  # a class that no map speaks of is none that packets are in
    assert at(reading, "classes.0.group").get() == 0  # orchagent's default for what the map does not list
    maps["DSCP_TO_TC_MAP"]["M"]["33"] = "16"
    assert kinds(read(whole(**maps))) == ["unread-line"]


def test_eight_traffic_classes_unless_a_map_speaks_of_more() -> None:
    maps = {
        "TC_TO_QUEUE_MAP": {"M": {"3": "3"}},
        "PORT_QOS_MAP": {"Ethernet0": {"tc_to_queue_map": "M"}},
    }
    assert len(port(read(whole(**maps))).facts.classes.get()) == 8


@pytest.mark.parametrize(
    ("kind", "level", "alpha"), [("egress", "3", 8.0), ("egress", "-8", 0.0), ("ingress", "-1", None)]
)
def test_the_dynamic_limit_of_a_queue_is_one_of_an_egress_pool(kind: str, level: str, alpha: float | None) -> None:
    reading = read(
        whole(
            BUFFER_POOL={"out": {"type": kind, "mode": "dynamic", "size": "90000000"}},
            BUFFER_PROFILE={"lossy": {"pool": "out", "size": "0", "dynamic_th": level}},
            BUFFER_QUEUE={"Ethernet0|3": {"profile": "lossy"}},
        )
    )
    assert at(reading, "queues.3.alpha") == (absent() if alpha is None else known(alpha))
    assert at(reading, "queues.3.limit_bytes").is_absent
    assert at(reading, "queues.4.alpha").is_absent


@pytest.mark.parametrize(("cable", "seen"), [("5m", []), ("40m", ["undefined"])])
def test_a_profile_that_the_device_makes_itself_need_not_be_defined(cable: str, seen: list[str]) -> None:
    tables: dict[str, Any] = {
        "PORT": {"Ethernet0": {"speed": "400000", "mtu": "9100", "admin_status": "up"}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": cable}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
        "BUFFER_PG": {"Ethernet0|3": {"profile": "pg_lossless_400000_5m_profile"}},
    }
    reading = read(whole(**tables))
    assert kinds(reading) == seen
    if not seen:
        assert at(reading, "groups.3.lossless").get()
        assert at(reading, "groups.3.headroom_bytes").why is Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("parameters", "cables", "seen", "lossless", "alpha"),
    [
        ({"default_dynamic_th": "-1"}, {"Ethernet0": "5m"}, [], True, 0.5),
        ({"default_dynamic_th": "-1"}, {"Ethernet8": "5m"}, ["undefined"], False, None),
        ({"default_dynamic_th": "-1"}, {"Ethernet0": "0m"}, [], False, None),
        ({"over_subscribe_ratio": "2"}, {"Ethernet0": "5m"}, ["undefined"], None, None),
    ],
)
def test_the_dynamic_model_waits_for_a_cable_and_a_threshold(
    parameters: dict[str, str], cables: dict[str, str], seen: list[str], lossless: bool | None, alpha: float | None
) -> None:
    tables: dict[str, Any] = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf", "buffer_model": "dynamic"}},
        "CABLE_LENGTH": {"AZURE": cables},
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": parameters},
        "BUFFER_PG": {"Ethernet0|3": {"profile": "NULL"}},
    }
    reading = read(whole(**tables))
    assert kinds(reading) == seen
    assert at(reading, "groups.3.lossless").value is lossless
    if alpha is not None:
        assert at(reading, "groups.3.alpha").get() == alpha
