"""Variables that are the input of AVD's eos_designs, as what they come to on each switch."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.platforms.eos.avddesigns import of_host

from .conftest import judged

FABRIC = """fabric_name: F
p2p_uplinks_mtu: 9214
p2p_uplinks_qos_profile: RDMA
spine:
  nodes:
    - {name: s1, id: 1}
l3leaf:
  defaults:
    platform: 7060X6
    uplink_switches: [s1]
    uplink_interfaces: [Ethernet33/1]
  node_groups:
    - group: R1
      nodes:
        - {name: l1, id: 1, uplink_switch_interfaces: [Ethernet1/1]}
    - group: R2
      nodes:
        - {name: l2, id: 2, uplink_switch_interfaces: [Ethernet2/1]}
platform_settings:
  - platforms: [7060X6]
    raw_eos_cli: |
      priority-flow-control pause watchdog default timeout 0.2
custom_structured_configuration_qos:
  map:
    dscp: ["26 to traffic-class 3"]
custom_structured_configuration_qos_profiles:
  - name: RDMA
    trust: dscp
    priority_flow_control:
      enabled: true
      priorities:
        - priority: 3
          no_drop: true
"""
SERVERS = """port_profiles:
  - {profile: BASE, mtu: 9214}
  - {profile: GPU, parent_profile: BASE, qos_profile: RDMA}
servers:
  - name: gpu1
    adapters:
      - {switches: [l1, l2], switch_ports: [Ethernet1/1, Ethernet1/1], endpoint_ports: [r1, r2], profile: GPU}
"""
FILES = {
    "hosts.yml": "all:\n  children:\n    F:\n      hosts: {s1: {}, l1: {}, l2: {}}\n",
    "group_vars/F.yml": FABRIC,
    "group_vars/all.yml": SERVERS,
}


def told(folder: Path, files: dict[str, str]) -> tuple[list[tuple[str, int | None]], int]:
    report, failing = judged(folder, files)
    found = [(Path(one.locations[0].path).name, one.locations[0].line) for one in failing if one.severity == "error"]
    return found, report.coverage.ports_roce["yes"]


def test_switches_have_the_ports_between_them_and_those_of_servers(tmp_path: Path) -> None:
    assert told(tmp_path, FILES) == ([], 6)


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("group_vars/F.yml", "priority: 3", "priority: 4", ("F.yml", 25)),
        ("group_vars/F.yml", "enabled: true", "enabled: false", ("F.yml", 30)),
        ("group_vars/all.yml", "qos_profile: RDMA", "qos_profile: RDNA", ("all.yml", 3)),
        ("group_vars/all.yml", "mtu: 9214", "mtu: 1500", ("all.yml", 2)),
        (
            "group_vars/F.yml",
            "{name: l2, id: 2,",
            "{name: l2, id: 2, raw_eos_cli: 'qos map dscp 26 to traffic-class 5',",
            ("F.yml", 18),
        ),
    ],
)
def test_faults_are_told_where_they_are_said(
    tmp_path: Path, path: str, old: str, new: str, expected: tuple[str, int]
) -> None:
    assert old in FILES[path]
    found, _ = told(tmp_path, {**FILES, path: FILES[path].replace(old, new)})
    assert expected in found


@pytest.mark.parametrize("name", ["intended/configs/l1.cfg", "day0/l1-basic.txt"])
def test_a_switch_whose_configuration_is_here_as_well_is_read_from_that(tmp_path: Path, name: str) -> None:
    report, _ = judged(tmp_path, {**FILES, name: "hostname l1\ninterface Ethernet1/1\n   mtu 9214\n"})
    assert report.coverage.ports_roce["yes"] < 6


def test_hosts_without_a_node_of_their_name_are_no_switches_of_a_design() -> None:
    assert of_host("x", {"spine": {"nodes": [{"name": "s1"}]}}) == []
    assert of_host("x", {"servers": [1], "spine": {"nodes": {"x": {"raw_eos_cli": "end"}}}, "network_ports": "no"}) == [
        (("spine", "nodes", "x", "name"), 0, "hostname x"),
        (("spine", "nodes", "x", "raw_eos_cli"), 0, "end"),
    ]


def test_lists_are_laid_over_each_other_by_names() -> None:
    values = {
        "leaf": {
            "nodes": [{"name": "x", "structured_config": {"ethernet_interfaces": [{"name": "Ethernet1", "mtu": 1500}]}}]
        },
        "custom_structured_configuration_ethernet_interfaces": [{"name": "Ethernet1", "service_profile": "P"}],
    }
    assert [text.strip() for _, _, text in of_host("x", values)] == [
        "hostname x",
        "interface Ethernet1",
        "mtu 1500",
        "service-profile P",
    ]
