"""REST trees and Ansible tasks of Enterprise SONiC: what differs from the command line that they stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.sources.detect import choose
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

BASE = Path(__file__).parents[3] / "roce_audit/platforms/esonic/examples/base"
QOS = json.loads((BASE / "leaf3/openconfig-qos.json").read_text(encoding="utf-8"))
PORTS = json.loads((BASE / "leaf3/openconfig-interfaces.json").read_text(encoding="utf-8"))
TASKS = (BASE / "leaf4.yml").read_text(encoding="utf-8")


def read(*texts: str, whole: bool = False) -> DeviceReading:
    documents = tuple(Document(f"{n}.txt", text, declared_complete=whole or None) for n, text in enumerate(texts))
    return platform("esonic").read(DeviceInput("x", "esonic", documents))


def cell(reading: DeviceReading, path: str, port: str = "Eth1/1") -> Cell[Any]:
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


def tasks(*given: str) -> DeviceReading:
    return read("\n".join(given))


def bare(value: Any) -> Any:
    """A tree without module prefixes."""
    if isinstance(value, dict):
        return {key.rpartition(":")[2]: bare(v) for key, v in value.items()}
    return [bare(v) for v in value] if isinstance(value, list) else value


def test_one_file_or_many_with_and_without_prefix_read_the_same() -> None:
    apart = read(json.dumps(QOS), json.dumps(PORTS))
    together = read(json.dumps(QOS | PORTS, indent=1))
    prefixless = read(json.dumps({"data": {"qos": bare(QOS)["qos"]}}), json.dumps(bare(PORTS)))
    for other in (together, prefixless):
        assert [p.facts for p in other.ports] == [p.facts for p in apart.ports]
    assert apart.complete_because.keys() == {"0.txt", "1.txt"}
    assert apart.seen == together.seen == ()


def test_a_single_resource_is_a_fragment() -> None:
    lone = {"openconfig-qos:interface": QOS["openconfig-qos:qos"]["interfaces"]["interface"]}
    reading = read(json.dumps(lone))
    assert not reading.complete_because
    assert cell(reading, "pfc.priorities").get() == {3}
    assert cell(reading, "ip_mtu_bytes").is_unknown


def test_without_the_switch_table_nobody_knows_the_buffers() -> None:
    assert cell(read(json.dumps(QOS | PORTS)), "groups.3.lossless").is_unknown
    switch = {"sonic-switch:buffer_mode_lossless": False}
    assert (
        cell(read(json.dumps(QOS | PORTS | {"sonic-switch:SWITCH_LIST": [switch]})), "groups.3.lossless").get() is False
    )


def test_rates_are_bits_and_thresholds_bytes() -> None:
    reading = tasks(
        "- sonic_qos_scheduler: {config: [{name: S, schedulers: [{sequence: 3, pir: 100000000001}]}]}",
        "- sonic_qos_wred: {config: [{name: W, ecn: all, green: {enable: true, min_threshold: 1234, max_threshold: 5000}}]}",
        "- sonic_qos_interfaces: {config: [{name: Eth1/1, scheduler_policy: S, queues: [{id: 3, wred_profile: W}]}]}",
    )
    assert cell(reading, "queues.3.max_rate_bps").get() == 100_000_000_001
    assert cell(reading, "queues.3.ecn.min_bytes").get() == 1234
    assert reading.seen == ()


MAP = "- sonic_qos_maps: {{config: {{dscp_maps: [{{name: M, entries: [{0}]}}]}}, state: {1}}}"
BIND = "- sonic_qos_interfaces: {config: [{name: Eth1/1, qos_maps: {dscp_fwd_group: M}}]}"
FIRST = MAP.format("{dscp: 26, fwd_group: 3}, {dscp: 48, fwd_group: 6}", "merged")


@pytest.mark.parametrize(
    ("then", "rest", "cnp"),
    [
        (MAP.format("{dscp: 26, fwd_group: 4}", "merged"), 4, 6),
        (MAP.format("{dscp: 26, fwd_group: 4}", "replaced"), 4, None),
        (MAP.format("{dscp: 26, fwd_group: 3}", "deleted"), None, 6),
        (MAP.format("{dscp: 26}", "deleted"), None, 6),
        ("- sonic_qos_maps: {config: {dot1p_maps: []}, state: overridden}", None, None),
        ("- sonic_qos_maps: {config: {}, state: deleted}", None, None),
    ],
)
def test_what_the_states_leave_of_a_map(then: str, rest: int | None, cnp: int | None) -> None:
    reading = tasks(FIRST, then, BIND)
    assert cell(reading, "dscp.26").value == rest
    assert cell(reading, "dscp.48").value == cnp


def test_a_priority_without_enable_is_off_in_ansible_and_open_in_rest() -> None:
    ansible = "- sonic_qos_interfaces: {config: [{name: Eth1/1, pfc: {priorities: [{dot1p: 3}]}}]}"
    assert cell(tasks(ansible), "pfc.priorities").get() == frozenset()
    priorities = {"pfc-priorities": {"pfc-priority": [{"dot1p": 3}]}}
    rest = read(json.dumps({"openconfig-qos:interface": [{"interface-id": "Eth1/1", "pfc": priorities}]}))
    assert cell(rest, "pfc.priorities").is_unknown


_INTERFACE = '{"openconfig-interfaces:interfaces": {"interface": [{"name": "Eth1/1", %s}]}}'
_QOS_PORT = '{"openconfig-qos:interface": [{"interface-id": "Eth1/1", %s}]}'
_ANSIBLE = "- sonic_%s: {config: [{name: Eth1/1, %s}]}"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (_INTERFACE % '"config": {"mtuu": 9216}', "ip_mtu_bytes"),
        (_INTERFACE % '"config": {"enabeld": false}', "admin_up"),
        (_QOS_PORT % '"pfc": {"config": {"asymetric": true}}', "pfc.receive_only"),
        (_QOS_PORT % '"pcf": {"config": {"asymmetric": true}}', "pfc.receive_only"),
        (_QOS_PORT % '"cable-lenght": {"config": {"length": "5m"}}', "cable_m"),
        (_ANSIBLE % ("interfaces", "mut: 9216"), "ip_mtu_bytes"),
        (_ANSIBLE % ("qos_interfaces", "pfc: {watchdog_detect_tmie: 200}"), "pfc.watchdog"),
        (_ANSIBLE % ("qos_interfaces", "shceduler_policy: S"), "queues.3.share"),
    ],
)
def test_a_misspelt_key_is_told_and_what_it_would_have_set_is_unknown(text: str, path: str) -> None:
    reading = read(text)
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]
    assert cell(reading, path).why is Why.NOT_PARSED
    assert cell(reading, "kind").is_known


@pytest.mark.parametrize("module", ["qos_buffer", "qos_maps", "qos_pfc", "roce", "qos_wred", "interfaces"])
@pytest.mark.parametrize("config", ["{config: , state: deleted}", "{config: }", "{config: []}", "soon"])
def test_a_module_without_settings_says_nothing(module: str, config: str) -> None:
    assert tasks(f"- sonic_{module}: {config}", _ANSIBLE % ("interfaces", "mtu: 9216")).ports


def test_two_names_of_one_interface_leave_it_in_doubt() -> None:
    reading = read(_QOS_PORT % '"config": {"interface-id": "Eth1/2"}')
    assert cell(reading, "pfc").why is Why.NOT_PARSED


def test_a_key_that_is_no_misspelling_of_ours_leaves_all_of_the_port_in_doubt_in_ansible() -> None:
    assert cell(tasks(_ANSIBLE % ("interfaces", "frobnicate: 1")), "admin_up").why is Why.NOT_PARSED


@pytest.mark.parametrize("first", ["roce_enable: true, pfc_priority: '2,5'", "pfc_priority: '2,5', roce_enable: true"])
def test_the_priorities_of_the_macro_stand_beside_its_switch(first: str) -> None:
    reading = tasks(f"- sonic_roce: {{config: {{{first}}}}}", _ANSIBLE % ("interfaces", "mtu: 9216"))
    assert cell(reading, "pfc.priorities").get() == {2, 5}


def test_a_play_for_other_hosts_is_not_this_switch() -> None:
    play = "- hosts: {0}\n  tasks:\n    - sonic_interfaces: {{config: [{{name: Eth1/1, mtu: {1}}}]}}"
    reading = tasks(play.format("leaf1", 9216), play.format("leaf2", 1500))
    assert cell(reading, "ip_mtu_bytes").get() == 9216
    assert [s.place.line for s in reading.seen] == [4]


def test_lines_typed_by_a_task_are_read_as_typed() -> None:
    reading = tasks(
        "- dellemc.enterprise_sonic.sonic_config:",
        "    parents: [interface Eth1/1]",
        "    lines:",
        "      - priority-flow-control priority 3",
        "      - buffer priority-group 3 P",
        "- dellemc.enterprise_sonic.sonic_config:",
        "    commands:",
        "      - buffer profile P ingress_lossless_pool 0 dynamic-threshold 0 pause pause-threshold 50000",
        "      - interface Eth1/1",
        "      - mtu 9216",
        "      - scheduler-policy A B",
    )
    assert cell(reading, "pfc.priorities").get() == {3}
    assert cell(reading, "groups.3.headroom_bytes").get() == 50_000
    assert cell(reading, "ip_mtu_bytes").get() == 9216
    assert [s.place.line for s in reading.seen] == [11]


def test_facts_that_ansible_gathered_are_read() -> None:
    facts = {"ansible_facts": {"ansible_network_resources": {"qos_pfc": {"poll_interval": 200}, "interfaces": [
        {"name": "Eth1/1", "mtu": 9100}]}}}  # fmt: skip
    reading = read(json.dumps(facts))
    assert cell(reading, "ip_mtu_bytes").get() == 9100
    assert cell(reading, "pfc.watchdog.poll_ms").get() == 200


@pytest.mark.parametrize(
    ("text", "platform_name"),
    [
        (json.dumps(QOS), "esonic"),
        (json.dumps(bare(QOS)), "esonic"),
        (json.dumps(QOS | PORTS), "esonic"),
        (TASKS, "esonic"),
        ("sonic_qos_interfaces:\n  - name: Eth1/1\n", "esonic"),
        (json.dumps({"openconfig-interfaces:interfaces": {"interface": []}}), ""),
        (json.dumps({"ansible_facts": {"ansible_network_resources": {"qos_pfc": {}}}}), "esonic"),
        (json.dumps({"pfc-watchdog": {"poll": 1}}), ""),
        ("- hosts: all\n  tasks:\n    - debug: {msg: sonic_qos_maps}\n", ""),
    ],
)
def test_who_is_recognised(text: str, platform_name: str) -> None:
    assert choose((Document("x", text),)).platform == platform_name


def test_a_command_line_under_a_line_that_ends_with_a_colon_is_no_tree() -> None:
    reading = read("Current configuration:\n!\ninterface Eth1/1\n mtu 9216\n")
    assert cell(reading, "ip_mtu_bytes").get() == 9216


def test_a_text_that_is_no_tree_is_told() -> None:
    reading = read('{"openconfig-qos:qos": {"interfaces": ')
    assert [s.observation.kind for s in reading.seen] == ["unreadable"]


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_value_in_any_place_never_raises(data: st.DataObject) -> None:
    tree = json.loads(json.dumps(QOS | PORTS))
    spot = tree
    while isinstance(spot, (dict, list)) and spot:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(spot[key], (dict, list)) or data.draw(st.booleans()):
            spot[key] = data.draw(_JUNK)
            break
        spot = spot[key]
    read(json.dumps(tree))
    lines = TASKS.split("\n")
    index = data.draw(st.integers(0, len(lines) - 1))
    lines[index] = lines[index] + data.draw(st.text(max_size=8))
    read("\n".join(lines))


@pytest.mark.parametrize(
    ("config", "doubt"), [('"{{ sonic_interfaces }}"', False), ("[{name: Eth1/1, mtu: 9100}]", True)]
)
def test_a_condition_leaves_doubt_where_its_task_says_something(config: str, doubt: bool) -> None:
    found = read(
        "- hosts: leaf\n  tasks:\n    - dellemc.enterprise_sonic.sonic_interfaces:\n"
        f"        config: {config}\n      when: sonic_interfaces is defined\n"
    )
    assert any(one.observation.kind == "unread-line" for one in found.seen) is doubt
