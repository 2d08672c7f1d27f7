"""Whole repositories that set switches and hosts up: one fault in each, and where it is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from .conftest import judged

Found = list[tuple[str, str, str, int | None]]


def told(folder: Path, files: Mapping[str, str]) -> Found:
    _, failing = judged(folder, files)
    return [
        (one.rule, one.severity, Path(one.locations[0].path).name, one.locations[0].line)
        for one in failing
        if not one.because_of
    ]


PROFILE = """qos map dscp {{ rdma.dscp }} to traffic-class 3
qos profile RDMA
   qos trust dscp
   priority-flow-control on
   priority-flow-control pause watchdog
   priority-flow-control priority {{ rdma.prio }} no-drop
   uc-tx-queue 3
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20 weight 0
"""
PORTS = """{% include 'profile.j2' %}
{% for p in rdma_ports %}
interface {{ p }}
   mtu 9214
   no switchport
   service-profile RDMA
{% endfor %}
"""
EOS = {
    "hosts.yml": """all:
  vars: {ansible_network_os: arista.eos.eos}
  children:
    tor: {hosts: {t1: {}, t2: {}, t3: {}}}
""",
    "group_vars/all.yml": "rdma: {dscp: 26, prio: 3}\nrdma_ports: [Ethernet1/1, Ethernet2/1]\n",
    "site.yml": "- import_playbook: tors.yml\n",
    "tors.yml": "- hosts: tor\n  gather_facts: false\n  roles:\n    - rdma\n",
    "roles/rdma/tasks/main.yml": "- name: push\n  arista.eos.eos_config:\n    src: rdma.j2\n",
    "roles/rdma/templates/rdma.j2": PORTS,
    "roles/rdma/templates/profile.j2": PROFILE,
}


@pytest.mark.parametrize(
    ("path", "good", "bad", "expected"),
    [
        ("group_vars/all.yml", "", "", []),
        # in a template that another one takes in; ECN marks the queue of that number, whatever map leads there
        (
            "group_vars/all.yml",
            "prio: 3",
            "prio: 4",
            [("marking/taken-out-of-lossless", "error", "profile.j2", 1)],
        ),
        (
            "roles/rdma/templates/profile.j2",
            "trust dscp",
            "trust cos",
            [("marking/map-without-trust", "error", "profile.j2", 3)],
        ),
        # a playbook that is taken in takes a host out by its name
        (
            "tors.yml",
            "hosts: tor",
            "hosts: tor:!t1",
            [("input/undefined-or-unapplied", "warning", "tors.yml", 1)],
        ),
        # a condition in brackets leaves one out as well
        (
            "roles/rdma/tasks/main.yml",
            "rdma.j2\n",
            "rdma.j2\n  when: not (inventory_hostname == 't2' and rdma.prio == 3)\n",
            [("input/undefined-or-unapplied", "warning", "main.yml", 2)],
        ),
    ],
)
def test_a_role_with_a_template_in_a_template(tmp_path: Path, path: str, good: str, bad: str, expected: Found) -> None:
    assert told(tmp_path, {**EOS, path: EOS[path].replace(good, bad)}) == expected


INI = "[tor]\nt1\nt2\nt3\n\n[tor:vars]\nansible_network_os=arista.eos.eos\n"
WITHOUT_ITS_ENDING = "# Lab 3\n---\n" + EOS["hosts.yml"]


@pytest.mark.parametrize(("path", "inventory"), [("fabric.ini", INI), ("hosts", WITHOUT_ITS_ENDING)])
def test_an_inventory_by_another_name(tmp_path: Path, path: str, inventory: str) -> None:
    others = {one: text for one, text in EOS.items() if one != "hosts.yml"}
    text = others["roles/rdma/templates/profile.j2"].replace("trust dscp", "trust cos")
    found = told(tmp_path, {**others, path: inventory, "roles/rdma/templates/profile.j2": text})
    assert found == [("marking/map-without-trust", "error", "profile.j2", 3)]


TASKS = """- name: profile
  arista.eos.eos_config:
    src: profile.j2
- name: ports
  arista.eos.eos_interfaces:
    config: "{{ ports }}"
- name: lossless
  arista.eos.eos_config:
    parents: interface {{ item.name }}
    lines:
      - service-profile {{ rdma.profile }}
  loop: "{{ ports }}"
  when: item.lossless | default(false)
"""
BY_TASKS = {
    **{path: text for path, text in EOS.items() if not path.endswith("rdma.j2")},
    "group_vars/all.yml": "rdma: {dscp: 26, prio: 3, profile: RDMA}\n"
    "ports: [{name: Ethernet1/1, mtu: 9214, lossless: true}, {name: Ethernet2/1, mtu: 9214, lossless: true}]\n",
    "roles/rdma/tasks/main.yml": TASKS,
    "roles/rdma/templates/profile.j2": PROFILE.replace("profile RDMA", "profile {{ rdma.profile }}"),
}


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("", "", []),
        # what would apply it never runs, the name stands elsewhere only where variables are set, and what a module of interfaces
        # is given names no profile
        ("item.lossless", "item.los_less", [("input/undefined-or-unapplied", "error", "profile.j2", 2)]),
    ],
)
def test_a_profile_that_no_port_gets(tmp_path: Path, good: str, bad: str, expected: Found) -> None:
    assert told(tmp_path, {**BY_TASKS, "roles/rdma/tasks/main.yml": TASKS.replace(good, bad)}) == expected


def test_a_play_that_would_set_up_no_port_of_the_host_passes_none_over(tmp_path: Path) -> None:
    first = "- hosts: all:!t3\n  tasks:\n    - arista.eos.eos_config: {lines: [qos map dscp 48 to traffic-class 6]}\n"
    others = EOS["hosts.yml"].replace(", t3: {}}}", "}}\n    oob: {hosts: {t3: {}}}")
    assert told(tmp_path, {**EOS, "hosts.yml": others, "tors.yml": first + EOS["tors.yml"]}) == []


HOSTS = {
    "inventory.ini": "[gpu]\ng1\n[storage]\ns1\n[rdma:children]\ngpu\nstorage\n",
    "group_vars/rdma.yml": "nic: ens1f0np0\ntos: 106\n",
    "rdma.yml": "- hosts: rdma\n  roles: [nic]\n",
    "roles/nic/tasks/main.yml": "- template: {src: qos.sh.j2, dest: /usr/local/sbin/qos.sh}\n",
    "roles/nic/templates/qos.sh.j2": """#!/bin/bash
mlnx_qos -i {{ nic }} --trust dscp
mlnx_qos -i {{ nic }} --pfc 0,0,0,1,0,0,0,0
echo {{ tos }} > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
""",
}


def test_a_template_for_hosts_is_judged_for_each_of_them(tmp_path: Path) -> None:
    assert told(tmp_path, HOSTS) == []
    found = told(tmp_path, {**HOSTS, "group_vars/storage.yml": "tos: 184\n"})
    assert found == [("marking/setup-misses-own-pfc", "error", "qos.sh.j2", 3)]


NVUE = """- hosts: leaf
  tasks:
    - nvidia.nvue.command:
        commands: |
          set qos mapping default-global trust l3
          set qos mapping default-global dscp 26 switch-priority 3
          set qos pfc default-global switch-priority 3
          set qos pfc default-global tx enable
          set qos pfc default-global rx enable
          set interface swp1-8 link mtu 9216
        apply: true
"""
UNSET = """    - nvidia.nvue.command:
        commands: |
          unset qos pfc default-global
        apply: true
"""
AGAIN = "    - nvidia.nvue.command: {commands: set qos pfc default-global switch-priority 3, apply: true}\n"


def test_pfc_that_a_later_task_takes_away(tmp_path: Path) -> None:
    assert ("input/conflict", "error", "roce.yml", 14) in told(tmp_path, {"roce.yml": NVUE + UNSET})
    assert not [one for one in told(tmp_path, {"roce.yml": NVUE + UNSET + AGAIN}) if one[0] == "input/conflict"]


SONIC = """- hosts: sonic
  tasks:
    - copy:
        dest: /tmp/qos.json
        content: |
          {
            "DSCP_TO_TC_MAP": {"AZURE": {"26": "3"}},
            "PORT_QOS_MAP": {
              "Ethernet0": {"dscp_to_tc_map": "AZURE", "pfc_enable": "3"},
              "Ethernet4": {"dscp_to_tc_map": "AZURE", "pfc_enable": "3"}
            }
          }
    - shell: sonic-cfggen -j /tmp/qos.json --write-to-db
    - shell: config interface pfc priority {{ item }} 3 on
      loop: [Ethernet0, Ethernet4]
    - shell: pfcwd start --action drop all 200 --restoration-time 400
"""


def test_what_is_typed_beside_a_text_that_is_copied(tmp_path: Path) -> None:
    assert told(tmp_path, {"qos.yml": SONIC}) == []
    found = told(tmp_path, {"qos.yml": SONIC.replace("3 on", "3 off")})
    assert found == [("pfc/no-port-pauses", "error", "qos.yml", 16)]


AOSCX = """- hosts: all
  tasks:
    - aoscx_config:
        lines:
          - qos dscp-map 26 local-priority 3
          - qos pool 1 lossless size 50.00 percent headroom 5000 kbytes priorities 3
          - qos trust dscp
    - aoscx_config:
        parents: interface {{ item }}
        lines: [mtu 9198, flow-control priority 3]
      loop: [1/1/1, 1/1/2]
"""


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("", "", []),
        ("trust dscp", "trust cos", [("marking/map-without-trust", "error", "cx.yml", 7)]),
        # the buffer of its class tells as well that DSCP 26 was meant; that this one is idle is no second finding
        ("control priority 3", "control priority 4", [("marking/taken-out-of-lossless", "error", "cx.yml", 5)]),
    ],
)
def test_a_part_that_contradicts_itself(tmp_path: Path, good: str, bad: str, expected: Found) -> None:
    assert told(tmp_path, {"cx.yml": AOSCX.replace(good, bad)}) == expected


TERRAFORM = """class-map type qos match-any RDMA
  match dscp ${dscp}
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type network-qos NQ
%{ for p in ports ~}
interface ${p}
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  mtu 9216
%{ endfor ~}
"""


def test_a_template_of_terraform(tmp_path: Path) -> None:
    assert told(tmp_path, {"qos.tftpl": TERRAFORM}) == []
    found = told(
        tmp_path,
        {"qos.tftpl": TERRAFORM.replace("service-policy type network-qos NQ", "service-policy type network-qos NQQ")},
    )
    assert found == [("input/undefined-or-unapplied", "error", "qos.tftpl", 8)]
