"""SR Linux: what single statements mean, in each form of the configuration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.srlinux import PLATFORM
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Place, Why

P = "qos pfc-mapping-profile p "
LOSSLESS = f"""
qos queues pfc-queue q3 queue-index 3
{P}received-traffic unicast-mapping pfc-queue q3 forwarding-class [ fc3 ]
{P}received-traffic unicast-mapping pfc-queue q3 pfc-pause-frame-priority 3
{P}received-pfc-pause-frames queue unicast-3 pfc-pause-frame-priority 3 enable-pfc true
qos interfaces interface x interface-ref interface ethernet-1/1
qos interfaces interface x pfc pfc-mapping-profile p
qos interfaces interface x pfc pfc-enable true
interface ethernet-1/1 subinterface 0 ip-mtu 9000
"""


def read(*texts: Any, complete: bool | None = True) -> DeviceReading:
    given = [t if isinstance(t, str) else json.dumps(t, indent=1) for t in texts]
    documents = [Document(f"{n}.cfg", text, declared_complete=complete) for n, text in enumerate(given)]
    return PLATFORM.read(DeviceInput("leaf", "srlinux", tuple(documents)))


def flat(text: str) -> str:
    return "\n".join(f"set / {line}" for line in text.strip().splitlines())


def port(reading: DeviceReading, name: str = "ethernet-1/1") -> PortReading:
    return next(p for p in reading.ports if p.name == name)


def at(reading: DeviceReading, path: str, name: str = "ethernet-1/1") -> Cell[Any]:
    steps = tuple(int(s) if s.isdigit() else s for s in path.split("."))
    cell = follow(port(reading, name).facts, steps)
    assert cell is not None, path
    return cell


def value(reading: DeviceReading, path: str, name: str = "ethernet-1/1") -> Any:
    return at(reading, path, name).get()


def lines(reading: DeviceReading, path: str) -> list[int]:
    places = [resolve(a, port(reading).parts) for a in at(reading, path).at]
    return [p.line for p in places if isinstance(p, Place)]


def kinds(reading: DeviceReading) -> list[str]:
    return [s.observation.kind for s in reading.seen]


# forms ------------------------------------------------------------------------------------------------------------


def test_blocks_flat_lines_and_json_say_the_same() -> None:
    blocks = """interface ethernet-1/1 {
    mtu 9412
    ethernet {
        port-speed 400G
    }
    subinterface 0 {
        ip-mtu 9000
    }
}
"""
    text = flat(
        "interface ethernet-1/1 mtu 9412 ethernet port-speed 400G\ninterface ethernet-1/1 subinterface 0 ip-mtu 9000"
    )
    data = {
        "srl_nokia-interfaces:interface": [
            {
                "name": "ethernet-1/1",
                "mtu": 9412,
                "ethernet": {"port-speed": "400G"},
                "subinterface": [{"index": 0, "ip-mtu": 9000}],
            }
        ]
    }
    facts = [port(read(form)).facts for form in (blocks, text, data)]
    assert facts[0].ip_mtu_bytes.get() == 9000
    assert facts[0] == facts[1] == facts[2]


def test_module_prefixes_of_keys_and_values_do_not_matter() -> None:
    plain = {"interface": [{"name": "ethernet-1/1", "subinterface": [{"index": 1, "type": "bridged"}]}]}
    prefixed = json.loads(
        json.dumps(plain)
        .replace('"interface"', '"srl_nokia-interfaces:interface"')
        .replace('"bridged"', '"srl_nokia-interfaces:bridged"')
    )
    assert port(read(plain)).facts == port(read(prefixed)).facts
    assert port(read(prefixed)).labels.routed is False


def test_an_answer_of_gnmi_has_its_path_beside_it() -> None:
    answer = [
        {
            "updates": [
                {"Path": "interface[name=ethernet-1/1]/mtu", "values": {"srl_nokia-interfaces:interface/mtu": 1500}}
            ]
        }
    ]
    assert value(read(answer), "ip_mtu_bytes") == 1486


def test_an_answer_of_json_rpc_is_read() -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": [{"interface": [{"name": "ethernet-1/1", "mtu": 1500}]}]}
    assert value(read(answer), "ip_mtu_bytes") == 1486


def test_ranges_stand_for_each_of_their_numbers() -> None:
    reading = read(flat("interface ethernet-1/{1..3,7} mtu 9412\ninterface ethernet-{1,2}/9 mtu 9412"))
    names = [p.name for p in reading.ports]
    assert names == ["ethernet-1/1", "ethernet-1/2", "ethernet-1/3", "ethernet-1/7", "ethernet-1/9", "ethernet-2/9"]


def test_the_last_statement_holds_and_a_deletion_takes_back_what_stands_before_it() -> None:
    text = "set / interface ethernet-1/1 mtu 9412\nset / interface ethernet-1/1 mtu 9000\n"
    assert value(read(text), "ip_mtu_bytes") == 8986
    deleted = text + "delete / interface ethernet-1/1 mtu\n"
    assert value(read(deleted), "ip_mtu_bytes") == 9232 - 14
    assert value(read(deleted + "set / interface ethernet-1/1 mtu 5000"), "ip_mtu_bytes") == 4986


def test_lines_below_a_context_belong_to_it() -> None:
    text = "/ interface ethernet-1/1\n    mtu 9000\n    admin-state disable\n/ interface ethernet-1/2\n    mtu 5000\n"
    reading = read(text)
    assert value(reading, "ip_mtu_bytes") == 8986
    assert value(reading, "admin_up") is False
    assert value(reading, "ip_mtu_bytes", "ethernet-1/2") == 4986


def test_one_line_may_set_several_leaves() -> None:
    reading = read(flat("interface ethernet-1/1 admin-state disable mtu 2000 description here"))
    assert value(reading, "admin_up") is False
    assert value(reading, "ip_mtu_bytes") == 1986
    assert port(reading).labels.description == "here"


def test_prompts_are_no_statements() -> None:
    text = "--{ + candidate shared default }--[ qos ]--\nA:leaf1# info\ninterface ethernet-1/1 {\n    mtu 9000\n}\n"
    assert value(read(text), "ip_mtu_bytes") == 8986


def test_a_state_dump_fills_in_and_what_is_configured_wins() -> None:
    state = {
        "interface": [{"name": "ethernet-1/1", "oper-state": "up", "mtu": 9232, "ethernet": {"port-speed": "100G"}}]
    }
    reading = read(flat("interface ethernet-1/1 mtu 9000"), state)
    assert value(reading, "ip_mtu_bytes") == 8986
    assert value(reading, "speed_bps") == 100 * 10**9
    assert "unread-line" not in kinds(reading)


def test_a_state_dump_alone_is_read_for_what_is_configured() -> None:
    state = {
        "interface": [{"name": "ethernet-1/1", "oper-state": "up", "subinterface": [{"index": 0, "ip-mtu": 9000}]}],
        "qos": {
            "interfaces": {
                "interface": [
                    {
                        "interface-id": "x",
                        "interface-ref": {"interface": "ethernet-1/1"},
                        "pfc": {"pfc-enable": False, "pfc-mapping-profile": "p", "statistics": {"received": "0"}},
                    }
                ]
            }
        },
    }
    reading = read(state, complete=None)
    assert value(reading, "pfc.mode") == "off"
    assert set(kinds(reading)) <= {"undefined-apart"}
    assert not reading.complete_because
    assert value(read(LOSSLESS, state), "pfc.mode") == "off"  # beside a configuration what runs counts


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("set / interface ethernet-1/1 mtu 9000\n", True),
        ("set interface ethernet-1/1 mtu 9000\n", True),
        ("/ interface lag1 {\n}\n", True),
        ('{"interface": [{"name": "ethernet-1/1"}]}', True),
        ('{"jsonrpc": "2.0", "id": 4, "result": [{"interface": [{"name": "ethernet-1/1"}]}]}', True),
        ("set interfaces et-0/0/1 mtu 9000\n", False),
        ("interface Ethernet1/1\n  mtu 9000\n", False),
        ("interfaces {\n  et-0/0/1 {\n    mtu 9000;\n  }\n}\n", False),
        ('{"PORT": {"Ethernet0": {}}}', False),
    ],
)
def test_our_own_texts_are_recognised_and_others_are_not(text: str, ours: bool) -> None:
    assert (PLATFORM.recognise(Document("a", text)) >= 90) is ours


# ports ------------------------------------------------------------------------------------------------------------


def test_the_ip_mtu_is_bounded_by_subinterface_and_port() -> None:
    assert (
        value(
            read(flat("interface ethernet-1/1 subinterface 0 ip-mtu 9000\ninterface ethernet-1/1 mtu 1514")),
            "ip_mtu_bytes",
        )
        == 1500
    )
    assert value(read(flat("interface ethernet-1/1 subinterface 0 type routed")), "ip_mtu_bytes") == 1500
    system = "system mtu default-ip-mtu 4000\ninterface ethernet-1/1 subinterface 0 type routed"
    assert value(read(flat(system)), "ip_mtu_bytes") == 4000


def test_a_tag_takes_four_bytes_of_the_frame() -> None:
    text = "interface ethernet-1/1 vlan-tagging true\ninterface ethernet-1/1 mtu 9018"
    assert value(read(flat(text)), "ip_mtu_bytes") == 9000


def test_subinterfaces_that_disagree_leave_the_mtu_in_doubt() -> None:
    text = "interface ethernet-1/1 subinterface {0,1} ip-mtu 9000\ninterface ethernet-1/1 subinterface 1 ip-mtu 1500"
    assert at(read(flat(text)), "ip_mtu_bytes").why is Why.CONFLICT
    off = text + "\ninterface ethernet-1/1 subinterface 1 admin-state disable"
    assert value(read(flat(off)), "ip_mtu_bytes") == 9000


def test_a_breakout_child_has_the_speed_its_connector_says() -> None:
    mode = "interface ethernet-1/3 breakout-mode "
    text = f"{mode}num-breakout-ports 4\n{mode}breakout-port-speed 100G\ninterface ethernet-1/3/2 mtu 9412"
    reading = read(flat(text))
    assert value(reading, "kind", "ethernet-1/3") == "breakout-parent"
    assert value(reading, "speed_bps", "ethernet-1/3/2") == 100 * 10**9


def test_a_member_of_a_lag_has_what_the_lag_has() -> None:
    text = LOSSLESS.replace("interface-ref interface ethernet-1/1", "interface-ref interface lag1").replace(
        "interface ethernet-1/1 sub", "interface lag1 sub"
    )
    reading = read(flat(text + "interface ethernet-1/1 ethernet aggregate-id lag1"))
    assert value(reading, "pfc.priorities") == {3}
    assert value(reading, "ip_mtu_bytes") == 9000
    assert port(reading).labels.lag == "lag1"


def test_a_lag_that_is_not_there_leaves_its_member_in_doubt() -> None:
    reading = read(flat("interface ethernet-1/1 ethernet aggregate-id lag9"))
    assert at(reading, "pfc.mode").why is Why.UNDEFINED
    assert "undefined" in kinds(reading)


# PFC --------------------------------------------------------------------------------------------------------------


def test_pfc_needs_the_port_the_mapping_and_the_queue() -> None:
    reading = read(flat(LOSSLESS))
    assert value(reading, "pfc.mode") == "on"
    assert value(reading, "pfc.priorities") == {3}
    assert (value(reading, "priorities.3.group"), value(reading, "priorities.3.queue")) == (3, 3)
    assert value(reading, "classes.3.group") == 3
    assert value(reading, "classes.0.group") == 8
    assert value(reading, "groups.3.lossless") is True


@pytest.mark.parametrize(
    ("gone", "priorities", "receive_only"),
    [
        ("enable-pfc true", set(), set()),
        ("forwarding-class [ fc3 ]", set(), {3}),
        ("pfc pfc-enable true", set(), set()),
    ],
)
def test_without_one_of_them_nothing_is_paused(gone: str, priorities: set[int], receive_only: set[int]) -> None:
    text = "\n".join(line.replace(" " + gone, "") if gone in line else line for line in LOSSLESS.strip().splitlines())
    reading = read(flat(text))
    assert value(reading, "pfc.priorities") == priorities
    assert value(reading, "pfc.receive_only") == receive_only


def test_in_a_fragment_priorities_that_differ_are_no_halves() -> None:
    text = LOSSLESS.replace("unicast-3 pfc-pause-frame-priority 3", "unicast-3 pfc-pause-frame-priority 4")
    reading = read(flat(text), complete=False)
    assert (value(reading, "pfc.send_only"), value(reading, "pfc.receive_only")) == ({3}, {4})
    heard_alone = "\n".join(line for line in LOSSLESS.strip().splitlines() if "received-traffic" not in line)
    assert at(read(flat(heard_alone), complete=False), "pfc.priorities").why is Why.NOT_VISIBLE


def test_a_profile_that_sends_nothing_by_itself_is_judged_by_nobody() -> None:
    text = "\n".join(line for line in LOSSLESS.strip().splitlines() if "received-traffic" not in line)
    assert at(read(flat(text)), "pfc.priorities").why is Why.NO_DEFAULT


def test_without_a_profile_of_its_own_the_port_has_an_undocumented_one() -> None:
    text = "\n".join(line for line in LOSSLESS.strip().splitlines() if "pfc pfc-mapping-profile" not in line)
    assert at(read(flat(text)), "pfc.priorities").why is Why.NO_DEFAULT
    assert value(read(flat(text)), "pfc.mode") == "on"


def test_the_pfc_queue_of_a_tagged_subinterface_follows_the_tag() -> None:
    reading = read(flat(LOSSLESS + "interface ethernet-1/1 vlan-tagging true"))
    assert at(reading, "classes.3.group").why is Why.NO_DEFAULT
    assert value(reading, "pfc.priorities") == {3}


def test_the_deadlock_watch_has_documented_defaults() -> None:
    reading = read(flat(LOSSLESS + f"{P}received-pfc-pause-frames deadlock enable true"))
    assert value(reading, "pfc.watchdog.on") is True
    assert (value(reading, "pfc.watchdog.detect_ms"), value(reading, "pfc.watchdog.restore_ms")) == (750, 750)
    assert value(reading, "pfc.watchdog.action") == "forward"


B = "qos buffer-management buffer-allocation-profile in queues pfc-queue q3 "
BOUND = LOSSLESS + "qos interfaces interface x input pfc-buffer-allocation-profile in\n"


def test_a_pfc_queue_pauses_at_its_burst_size() -> None:
    reading = read(flat(BOUND + B + "maximum-burst-size 1000000"))
    assert value(reading, "groups.3.xoff_at_bytes") == 1_000_000
    assert at(reading, "groups.3.headroom_bytes").why is Why.NO_DEFAULT
    assert value(read(flat(BOUND + B + "use-dynamic-allocation false")), "groups.3.xoff_at_bytes") == 51_200


def test_a_dynamic_pfc_queue_has_no_level_of_its_own() -> None:
    reading = read(flat(BOUND + B + "use-dynamic-allocation true"))
    assert at(reading, "groups.3.xoff_at_bytes").is_absent
    assert at(reading, "groups.3.alpha").is_unknown


def test_thresholds_of_a_committed_pfc_queue_are_percent_of_it() -> None:
    text = B + "committed-burst-size 200000 pfc-on-threshold 90 pfc-off-threshold 50"
    reading = read(flat(BOUND + text))
    assert (value(reading, "groups.3.xoff_at_bytes"), value(reading, "groups.3.xon_at_bytes")) == (180_000, 100_000)


def test_nothing_reserved_for_the_line_card_is_no_headroom() -> None:
    text = (
        BOUND
        + B
        + "maximum-pfc-reserved-share-bytes 400000\nqos linecard {} forwarding-complex 0 input pfc-buffer-reservation 0"
    )
    assert value(read(flat(text.format(1))), "groups.3.headroom_bytes") == 0
    assert value(read(flat(text.format(2))), "groups.3.headroom_bytes") == 400_000


# classification ----------------------------------------------------------------------------------------------------

BARE = "interface ethernet-1/1 subinterface 0 ipv4 address 10.0.0.0/31\n"
C = "qos interfaces interface ethernet-1/1.0 input classifiers "


def test_a_routed_subinterface_without_a_policy_has_the_default_one() -> None:
    reading = read(flat(BARE))
    assert [value(reading, f"dscp.{mark}") for mark in (0, 26, 48)] == [0, 3, 6]
    bridged = read(flat("interface ethernet-1/1 subinterface 0 type bridged"))
    assert at(bridged, "dscp.26").why is Why.NO_DEFAULT


def test_names_of_code_points_classes_and_queues_are_resolved() -> None:
    text = BARE + C + "dscp-policy d\n" + "qos classifiers dscp-policy d dscp AF31 forwarding-class gold\n"
    text += (
        "qos forwarding-classes forwarding-class gold output unicast-queue fast\nqos queues queue fast queue-index 5"
    )
    reading = read(flat(text))
    assert value(reading, "dscp.26") == 5
    assert value(reading, "dscp.27") == 0
    assert lines(reading, "dscp.26") == [3, 4, 5, 2]


def test_a_policy_for_one_family_leaves_the_other_to_the_default() -> None:
    text = BARE + C + "ipv4-dscp-policy d\nqos classifiers dscp-policy d dscp 26 forwarding-class fc4\n"
    assert value(read(flat(text)), "dscp.26") == 4
    both = text + "interface ethernet-1/1 subinterface 0 ipv6 address 2001:db8::1/64"
    assert at(read(flat(both)), "dscp.26").why is Why.CONFLICT


def test_a_policy_for_ipv6_classifies_nothing_where_only_ipv4_is_routed() -> None:
    text = BARE + C + "ipv6-dscp-policy d\nqos classifiers dscp-policy d dscp 26 forwarding-class fc4\n"
    assert value(read(flat(text)), "dscp.26") == 3  # of the default policy
    link_local = text + "interface ethernet-1/1 subinterface 0 ipv6 admin-state enable"
    assert at(read(flat(link_local)), "dscp.26").why is Why.CONFLICT
    named = text + "qos forwarding-classes forwarding-class fc4 output unicast-queue unicast-4"
    assert at(read(flat(named), complete=False), "dscp.26").why is Why.NOT_VISIBLE


def test_a_policy_for_ipv4_says_nothing_of_the_packets_of_a_subinterface_with_ipv6_alone() -> None:
    text = BARE + C + "ipv4-dscp-policy d\nqos classifiers dscp-policy d dscp 26 forwarding-class fc4\n"
    without = "\n".join(line for line in text.splitlines() if " ipv4 " not in line)
    assert value(read(flat(text)), "dscp.26") == 4
    alone = without + "\ninterface ethernet-1/1 subinterface 0 ipv6 admin-state enable"
    assert at(read(flat(alone)), "dscp.26").why is Why.CONFLICT


def test_a_reserved_class_gives_way_to_the_class_of_its_index() -> None:
    text = BARE + C + "dscp-policy d\nqos classifiers dscp-policy d dscp 26 forwarding-class fc3\n"
    text += "qos queues queue q queue-index 3\nqos forwarding-classes forwarding-class {} output unicast-queue q\n"
    reading = read(flat(text.format("train")))
    assert at(reading, "dscp.26").why is Why.UNDEFINED
    assert "undefined" in kinds(reading)
    itself = read(flat(text.format("fc3")))
    assert value(itself, "dscp.26") == 3
    assert "undefined" not in kinds(itself)


def test_an_undefined_forwarding_class_is_told_and_unknown() -> None:
    reading = read(flat(BARE + C + "dscp-policy d\nqos classifiers dscp-policy d dscp 26 forwarding-class gold"))
    assert at(reading, "dscp.26").why is Why.UNDEFINED
    assert value(reading, "dscp.10") == 0
    assert "undefined" in kinds(reading)


def test_a_code_point_that_nobody_understands_darkens_those_that_are_not_listed() -> None:
    text = BARE + C + "dscp-policy d\nqos classifiers dscp-policy d dscp 26 forwarding-class fc3\n"
    reading = read(flat(text + "qos classifiers dscp-policy d dscp gold forwarding-class fc3"))
    assert value(reading, "dscp.26") == 3
    assert at(reading, "dscp.10").why is Why.NOT_PARSED


# queues ------------------------------------------------------------------------------------------------------------

S = "qos buffer-management queue-management-profile e wred wred-slope all drop-probability all enable-ecn true "
ECN = f"""
interface ethernet-1/1 subinterface 0 ip-mtu 9000
qos interfaces interface ethernet-1/1 output queues queue unicast-3 queue-management-profile e
qos interfaces interface ethernet-1/1 output buffer-allocation-profile o
qos buffer-management buffer-allocation-profile o queues queue unicast-3 maximum-burst-size 1000000
{S}min-threshold-percent 5 max-threshold-percent 80 max-drop-probability-percent 100
"""


def test_a_slope_marks_where_ecn_is_on_for_the_device() -> None:
    on = read(flat(ECN + "qos explicit-congestion-notification"))
    assert value(on, "queues.3.ecn.marks") is True
    assert (value(on, "queues.3.ecn.min_bytes"), value(on, "queues.3.ecn.max_bytes")) == (50_000, 800_000)
    assert value(on, "queues.3.ecn.min_unit") == "percent"
    assert value(read(flat(ECN)), "queues.3.ecn.marks") is False
    assert at(read(flat(ECN), complete=False), "queues.3.ecn.marks").why is Why.NOT_VISIBLE


@pytest.mark.parametrize(("state", "told"), [("true", []), ("false", ["unread-line"])])
def test_a_slope_that_is_switched_off_is_no_marking_that_anybody_saw(state: str, told: list[str]) -> None:
    reading = read(flat(f"{ECN}qos explicit-congestion-notification\n{S}slope-enabled {state}"))
    assert [one.observation.kind for one in reading.seen if one.observation.kind == "unread-line"] == told
    assert at(reading, "queues.3.ecn.marks").is_unknown == bool(told)


def test_percent_of_a_dynamic_queue_is_no_number_of_bytes() -> None:
    reading = read(flat(ECN.replace("burst-size 1000000", "burst-size 0")))
    assert at(reading, "queues.3.limit_bytes").is_absent
    assert at(reading, "queues.3.ecn.min_bytes").why is Why.NO_DEFAULT
    assert value(reading, "queues.3.ecn.min_value") == 5


def test_a_slope_without_ecn_drops() -> None:
    reading = read(flat(ECN.replace("enable-ecn true", "enable-ecn false")))
    assert value(reading, "queues.3.ecn.drops") is True
    assert value(reading, "queues.3.ecn.marks") is False
    tcp = read(flat(ECN.replace("enable-ecn true", "enable-ecn false").replace("slope all", "slope tcp")))
    assert value(tcp, "queues.3.ecn.drops") is False


def test_doubt_about_a_size_gives_no_curve_to_queues_without_one() -> None:
    reading = read(flat(ECN.replace("buffer-allocation-profile o queues", "buffer-allocation-profile other queues")))
    assert at(reading, "queues.3.ecn.min_bytes").why is Why.UNDEFINED
    assert at(reading, "queues.6.ecn").is_absent


def test_schedulers_are_strict_or_weighted() -> None:
    policy = "qos scheduler-policies scheduler-policy s scheduler "
    text = f"""interface ethernet-1/1 ethernet port-speed 400G
qos interfaces interface ethernet-1/1 output scheduler scheduler-policy s
{policy}0 priority strict
{policy}0 input a queue-name unicast-6
{policy}1 input b queue-name unicast-3 weight 40 peak-rate-percent 50"""
    reading = read(flat(text))
    assert value(reading, "queues.6.scheduling") == "strict"
    assert (value(reading, "queues.3.share"), value(reading, "queues.3.share_kind")) == (40, "weight")
    assert value(reading, "queues.3.max_rate_bps") == 200 * 10**9
    assert at(reading, "queues.1.scheduling").is_unknown
    assert value(read(flat("interface ethernet-1/1 mtu 9000")), "queues.1.scheduling") == "strict"


def test_a_rewrite_policy_writes_every_class() -> None:
    text = (
        BARE
        + "qos interfaces interface ethernet-1/1.0 output rewrite-rules dscp-policy r\nqos rewrite-rules dscp-policy r map fc3 dscp AF31\n"
    )
    reading = read(flat(text))
    assert value(reading, "classes.3.new_dscp") == 26
    assert value(reading, "classes.6.new_dscp") == 0
    assert at(read(flat(BARE)), "classes.3.new_dscp").is_absent


# observations ------------------------------------------------------------------------------------------------------


def test_an_unknown_word_under_qos_is_told_with_the_ports_that_lean_on_it() -> None:
    reading = read(flat(LOSSLESS + f"{P}received-pfc-pause-frames deadlock detection-time 10"))
    (found,) = [s for s in reading.seen if s.observation.kind == "unread-line"]
    assert found.ports == ("ethernet-1/1",)
    assert found.place.line == 9
    assert at(reading, "pfc.watchdog.detect_ms").why is Why.NOT_PARSED
    assert value(reading, "pfc.priorities") == {3}


def test_words_that_are_none_of_ours_are_not_told() -> None:
    text = """interface ethernet-1/1 subinterface 0 ipv6 router-advertisement router-role admin-state enable
interface ethernet-1/1 ethernet hold-time up 1000
interface ethernet-1/1 sflow admin-state enable
network-instance default protocols bgp group g afi-safi ipv4-unicast admin-state enable
qos classifiers dot1p-policy x dot1p 3 forwarding-class fc3
system aaa authentication idle-timeout 7200"""
    assert not kinds(read(flat(text)))


def test_in_a_fragment_nothing_is_assumed() -> None:
    reading = read(flat(LOSSLESS), complete=False)
    assert value(reading, "pfc.mode") == "on"
    assert at(reading, "ip_mtu_bytes").why is Why.NOT_VISIBLE
    assert at(reading, "queues.3.ecn").why is Why.NOT_VISIBLE
    assert not reading.complete_because


def test_a_leaf_that_the_text_sets_and_deletes_again_has_its_default() -> None:
    ports = "".join(f"set / interface ethernet-1/{n} mtu 9232\n" for n in range(1, 6))
    store = f"{ports}set / system name host-name leaf1\n{flat(LOSSLESS)}\n"
    assert value(read(store, complete=None), "pfc.mode") == "on"
    deleted = read(store + "delete / qos interfaces interface x pfc pfc-enable\n", complete=None)
    assert value(deleted, "pfc.mode") == "off"


def test_set_lines_that_hold_all_roots_are_what_info_flat_shows() -> None:
    ports = "".join(f"set / interface ethernet-1/{n} mtu 9232\n" for n in range(1, 6))
    store = f"{ports}set / system name host-name leaf1\nset / network-instance default type default\n{flat(LOSSLESS)}\n"
    assert read(store, complete=None).complete_because
    assert "info flat" in str(read(store, complete=None).complete_because)
    assert "info flat" not in str(read(store + "delete / qos\n", complete=None).complete_because)
    assert not read(store + "delete / acl\n", complete=None).complete_because  # set somewhere else
    assert not read(store + "insert / acl\n", complete=None).complete_because
    assert not read(store.replace("set / system", "set / routing"), complete=None).complete_because
    assert not read(store, complete=False).complete_because


def test_set_lines_that_name_the_host_and_its_ports_are_taken_as_whole() -> None:
    ports = "".join(f"set / interface ethernet-1/{n} mtu 9232\n" for n in range(1, 5))
    text = f"{ports}set / system name host-name leaf1\n"
    assert read(text, complete=None).assumed_whole == ("0.cfg",)
    assert read(text, complete=False).assumed_whole == ()
    assert read(text.replace("ethernet-1/4", "lag4"), complete=None).assumed_whole == ()


def test_half_a_priority_in_a_fragment_proves_nothing() -> None:
    text = "\n".join(line for line in LOSSLESS.strip().splitlines() if "received-pfc-pause-frames" not in line)
    assert at(read(flat(text), complete=False), "pfc.priorities").why is Why.NOT_VISIBLE
    assert value(read(flat(text)), "pfc.priorities") == set()


def test_a_whole_datastore_is_known_by_its_roots() -> None:
    store = {"system": {}, "interface": [{"name": "ethernet-1/1"}], "network-instance": [{"name": "default"}]}
    assert read(store, complete=None).complete_because
    assert not read({"interface": [{"name": "ethernet-1/1"}]}, complete=None).complete_because


def test_broken_blocks_are_unreadable_and_prove_nothing() -> None:
    reading = read("interface ethernet-1/1 {\n    mtu 9000\n", complete=True)
    assert kinds(reading) == ["unreadable"]
    assert not reading.complete_because


def test_a_block_that_is_never_closed_does_not_swallow_the_next_one() -> None:
    reading = read("interface ethernet-1/1 {\n    mtu 9000\nqos {\n    queues {\n    }\n}\n")
    assert [(s.observation.kind, s.place.line) for s in reading.seen] == [("unreadable", 1)]
    assert value(reading, "ip_mtu_bytes") == 8986


def test_attachments_of_no_interface_are_told() -> None:
    reading = read(flat("interface ethernet-1/1 mtu 9000\nqos interfaces interface gpu pfc pfc-enable true"))
    assert kinds(reading) == ["unapplied"]


def test_a_comment_that_speaks_to_us_binds_to_the_next_statement() -> None:
    text = '# roce-audit: ignore[mtu/below-roce] reason="x"\nset / interface ethernet-1/1 mtu 1500\n'
    (found,) = read(text).inline_suppressions
    assert (found.first, found.last) == (2, 2)


# what is not understood -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("interface ethernet-1/1 mtuu 9000", "ip_mtu_bytes"),
        ("interface ethernet-1/1 subintrface 1 ip-mtu 9000", "dscp.26"),
        ("qos interfaces interface ethernet-1/1 pcf pfc-enable true", "pfc"),
        ("qos interfaces interface ethernet-1/1 output schedular scheduler-policy default", "queues.3.scheduling"),
        ("qos pfc-mapping-profiel p received-traffic", "pfc"),
        ("qos classifiers dscp-policy c dscp 26 forwarding-clas fc3", "dscp.26"),
        ("system lldp inteface ethernet-1/1 admin-state disable", "dcbx.lldp"),
        ("qos interfaces interface ethernet-1/1~x pfc pfc-enable false", "pfc"),
    ],
)
def test_a_misspelt_word_is_told_and_what_its_line_would_set_is_unknown(line: str, path: str) -> None:
    bound = (
        "qos interfaces interface ethernet-1/1.0 input classifiers dscp-policy c\n"
        "qos classifiers dscp-policy c dscp 8 forwarding-class fc1"
    )
    reading = read(flat(f"{LOSSLESS.strip()}\n{bound}\nsystem lldp admin-state enable\n{line}"))
    assert [s.place.line for s in reading.seen if s.observation.kind in ("unread-line", "unapplied")][-1:] == [12]
    cell = at(reading, path) if path != "pfc" else port(reading).facts.pfc
    assert cell.why is Why.NOT_PARSED


def test_of_a_misspelt_leaf_only_the_code_point_that_it_is_about_is_unknown() -> None:
    reading = read(
        flat(
            "interface ethernet-1/1 subinterface 0 ip-mtu 9000\n"
            "qos interfaces interface ethernet-1/1.0 input classifiers dscp-policy c\n"
            "qos classifiers dscp-policy c dscp 26 forwarding-clas fc3"
        )
    )
    assert at(reading, "dscp.26").why is Why.NOT_PARSED
    assert value(reading, "dscp.27") == 0


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ({"name": "c", "dscp": [{"de-out-profile": "x"}]}, "dscp"),
        ({"name": "c", "dscp": [{"value": 26, "forwarding-class": [["fc3"]]}]}, "dscp 26 forwarding-class"),
        ({"dscp": [{"value": 26, "forwarding-class": "fc3"}]}, "qos classifiers dscp-policy"),
    ],
)
def test_an_entry_without_its_key_and_a_value_that_is_none_are_told(policy: dict[str, Any], told: str) -> None:
    reading = read(
        {
            "interface": [{"name": "ethernet-1/1", "subinterface": [{"index": 0, "ip-mtu": 9000}]}, {"mtu": 9000}],
            "qos": {
                "interfaces": {
                    "interface": [{"interface-id": "ethernet-1/1.0", "input": {"classifiers": {"dscp-policy": "c"}}}]
                },
                "classifiers": {"dscp-policy": [policy]},
            },
        }
    )
    quotes = [s.quote for s in reading.seen if s.observation.kind == "unread-line"]
    assert quotes == [told, "interface"]
    assert at(reading, "dscp.26").is_unknown


PER_PRIORITY = LOSSLESS.replace(" enable-pfc true", "")


@pytest.mark.parametrize(
    ("said", "priorities"),
    [("pfc-priority 3 pfc-enable true", {3}), ("pfc-priority 3 pfc-enable false", set())],
)
def test_a_profile_turns_each_priority_on_or_off_in_both_directions(said: str, priorities: set[int]) -> None:
    reading = read(flat(f"{PER_PRIORITY}{P}{said}"))
    assert value(reading, "pfc.priorities") == priorities
    assert value(reading, "pfc.send_only") == value(reading, "pfc.receive_only") == frozenset()


def test_a_priority_that_the_list_of_the_profile_leaves_out_has_no_documented_default() -> None:
    reading = read(flat(f"{PER_PRIORITY}{P}pfc-priority 4 pfc-enable true"))
    assert at(reading, "pfc.priorities").why is Why.NO_DEFAULT


def test_what_turns_a_priority_on_is_where_it_is_said() -> None:
    reading = read(flat(f"{PER_PRIORITY}{P}pfc-priority 3 pfc-enable true"))
    assert lines(reading, "pfc.priorities")[0] == 9


@pytest.mark.parametrize(("defined", "told"), [("qos queues queue roce-q queue-index 3\n", False), ("", True)])
def test_a_profile_that_names_a_queue_does_not_define_it(defined: str, told: bool) -> None:
    text = (
        f"{defined}qos forwarding-classes forwarding-class fc3 output unicast-queue roce-q\n"
        "qos buffer-management buffer-allocation-profile out queues queue roce-q maximum-burst-size 5211064\n"
        "qos interfaces interface eth1 interface-ref interface ethernet-1/1\n"
        "qos interfaces interface eth1 output buffer-allocation-profile out\ninterface ethernet-1/1 admin-state enable"
    )
    assert ("undefined" in kinds(read(flat(text)))) is told


def test_the_speed_of_the_members_of_a_lag_is_no_unread_line() -> None:
    text = "interface ethernet-1/1 ethernet aggregate-id lag1\ninterface lag1 lag lag-type lacp\ninterface lag1 lag member-speed 100G"
    assert "unread-line" not in kinds(read(flat(text)))


def test_the_queue_of_a_class_that_a_dscp_leads_to_is_known_in_a_part_of_a_configuration() -> None:
    """A class is counted by the index of its queue; where it is not known, neither is the queue."""
    policy = """
qos classifiers dscp-policy d dscp 26 forwarding-class fc0
qos forwarding-classes forwarding-class fc0 output unicast-queue unicast-0
qos interfaces interface x.0 interface-ref interface ethernet-1/1
qos interfaces interface x.0 interface-ref subinterface 0
qos interfaces interface x.0 input classifiers dscp-policy d
interface ethernet-1/1 subinterface 0 ip-mtu 9000
"""
    part = read(flat(policy), complete=False)
    assert (value(part, "dscp.26"), value(part, "classes.0.queue")) == (0, 0)
    assert at(part, "classes.3.queue").why is Why.NOT_VISIBLE
    other = read(flat(policy.replace("unicast-0", "elsewhere")), complete=False)
    assert at(other, "classes.0.queue").is_unknown


@pytest.mark.parametrize("has_profile", [True, False])
def test_pfc_without_a_mapping_profile_is_told_beside_a_port_that_has_one(has_profile: bool) -> None:
    second = "qos interfaces interface y interface-ref interface ethernet-1/2\nqos interfaces interface y pfc pfc-enable true\n"
    second += "interface ethernet-1/2 subinterface 0 ip-mtu 9000\n"
    second += "qos interfaces interface y pfc pfc-mapping-profile p\n" if has_profile else ""
    text = "".join(f"set / {line}\n" for line in (LOSSLESS + second).split("\n") if line)
    reading = PLATFORM.read(DeviceInput("leaf1", "srlinux", (Document("leaf1.cfg", text, declared_complete=True),)))
    told = [seen.observation.name for seen in reading.seen if seen.observation.kind == "conflict"]
    assert told == ([] if has_profile else ["ethernet-1/2"])


RUNS = """qos {
    interfaces {
        interface eth1 {
            interface-ref {
                interface ethernet-1/1
            }
            pfc {
                pfc-enable %s
            }
            output {
                queues {
                    queue roce-q {
                        queue-statistics {
                            dropped-packets 0
                        }
                    }
                }
            }
        }
    }
}
"""


@pytest.mark.parametrize(("enabled", "running"), [("true", None), ("false", frozenset())])
def test_counters_of_the_state_datastore_are_no_settings_and_its_pfc_counts(enabled: str, running: object) -> None:
    configured = "".join(f"set / {line}\n" for line in LOSSLESS.split("\n") if line)
    state = Document("leaf1.log", RUNS % enabled, "info from state qos interfaces interface eth1", first_line=200)
    reading = PLATFORM.read(DeviceInput("leaf1", "srlinux", (Document("leaf1.cfg", configured), state)))
    assert "unread-line" not in kinds(reading)
    assert at(reading, "pfc.operational").value == running
    assert value(reading, "pfc.mode") == ("on" if running is None else "off")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ethernet-1/1 is down, reason lower-layer-down\n", True),
        ("ethernet-1/1 is down, reason port-admin-disabled\n", False),
        ("ethernet-1/1 is up, speed 100G, type 100GBASE-SR4\n  ethernet-1/1.0 is down, reason ip-mtu\n", False),
    ],
)
def test_ports_without_link(text: str, told: bool) -> None:
    configured = "".join(f"set / {line}\n" for line in LOSSLESS.split("\n") if line)
    shown = Document("leaf1.log", text, "show interface ethernet-1/1", first_line=200)
    reading = PLATFORM.read(DeviceInput("leaf1", "srlinux", (Document("leaf1.cfg", configured), shown)))
    assert ("no-link" in kinds(reading)) is told


def test_a_filter_in_json_drops_what_it_drops_in_lines() -> None:
    entry = {
        "sequence-id": 10,
        "match": {"ipv4": {"protocol": "udp"}, "transport": {"destination-port": {"operator": "eq", "value": 4791}}},
        "action": {"drop": {}},
    }
    bound = {"interface-id": "ethernet-1/1.0", "input": {"acl-filter": [{"name": "GUARD", "type": "ipv4"}]}}
    filters = {"acl-filter": [{"name": "GUARD", "type": "ipv4", "entry": [entry]}], "interface": [bound]}
    reading = read({"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1"}], "srl_nokia-acl:acl": filters})
    assert value(reading, "drops_roce") is True
