"""Tasks of Ansible that configure switches, with their loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.repository.ansible import switchtasks, tasksigns

PLAY = """- hosts: leaves
  vars:
    gpu_ports: [Ethernet1, Ethernet2]
  tasks:
    - name: map
      arista.eos.eos_config:
        lines:
          - qos map dscp 26 to traffic-class 3
          - qos map traffic-class 3 to tx-queue 3
    - name: GPUs
      arista.eos.eos_config:
        lines:
          - priority-flow-control on
          - priority-flow-control priority 3 no-drop
          - no switchport
        parents: interface {{ item }}
      loop: "{{ gpu_ports }}"
    - name: uplinks
      arista.eos.eos_config:
        lines:
          - priority-flow-control on
          - priority-flow-control priority 3 no-drop
          - no switchport
        parents: interface Ethernet{{ item * 4 + 1 }}
      with_items: "{{ range(2, 6) | list }}"
"""


def told(folder: Path, text: str) -> list[tuple[str, int | None]]:
    (folder / "play.yml").write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.rule, one.locations[0].line) for one in failing if not one.because_of]


def test_a_loop_over_ports_makes_a_stanza_of_each(tmp_path: Path) -> None:
    (one,) = switchtasks.written(PLAY)
    stanzas = [(line, text) for line, text in zip(one.lines, one.text.split("\n"), strict=True) if "interface" in text]
    assert [text for _, text in stanzas] == [f"interface Ethernet{number}" for number in (1, 2, 9, 13, 17, 21)]
    assert [line for line, _ in stanzas] == [16, 16, 24, 24, 24, 24]
    assert one.platform == "eos"
    assert one.left_out == ()
    assert told(tmp_path, PLAY) == []


@pytest.mark.parametrize(
    ("good", "bad", "rule", "line"),
    [
        ("dscp 26 to traffic-class 3", "dscp 26 to traffic-class 4", "marking/taken-out-of-lossless", 8),
        ("          - priority-flow-control on\n", "          - priority-flow-contrl on\n", "input/unread-line", 13),
        ("          - priority-flow-control priority 3 no-drop\n", "", "pfc/priority-off", 12),
    ],
)
def test_a_fault_in_a_task(tmp_path: Path, good: str, bad: str, rule: str, line: int) -> None:
    assert rule in [one for one, _ in told(tmp_path, PLAY.replace(good, bad, 1))]


def test_what_is_given_elsewhere_is_said(tmp_path: Path) -> None:
    other = PLAY.replace('loop: "{{ gpu_ports }}"', 'loop: "{{ groups_of_ports }}"').replace(
        "          - no switchport\n        parents: interface E",
        "          - mtu {{ mtu }}\n        parents: interface E",
    )
    (one,) = switchtasks.written(other)
    assert [line for line, _ in one.left_out] == [16, 23]
    (tmp_path / "play.yml").write_text(other, encoding="utf-8")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert any("play.yml:16: " in note for note in report.coverage.notes)


RESOURCES = """- hosts: gpu
  vars:
    ports:
      - {name: Ethernet1/1, mtu: 9216}
      - {name: Ethernet1/2, mtu: 9216}
      - {name: Ethernet1/3, mtu: 9216}
  tasks:
    - cisco.nxos.nxos_interfaces:
        config:
          - name: "{{ port.name }}"
            mtu: "{{ port.mtu }}"
            enabled: true
      loop: "{{ ports }}"
      loop_control: {loop_var: port}
    - cisco.nxos.nxos_config:
        parents: "interface {{ port.name }}"
        lines:
          - priority-flow-control mode on
      loop: "{{ ports }}"
      loop_control: {loop_var: port}
    - cisco.nxos.nxos_config:
        parents: [policy-map type network-qos NQ, class type network-qos c-8q-nq3]
        lines: [pause pfc-cos 3, mtu 9216]
    - cisco.nxos.nxos_config:
        parents: system qos
        lines: service-policy type network-qos NQ
"""
ONYX = """- hosts: gpu
  tasks:
    - mellanox.onyx.onyx_pfc_interface:
        aggregate:
          - name: Eth1/1
          - name: Eth1/2
    - mellanox.onyx.onyx_qos:
        interfaces: [Eth1/1, Eth1/2]
        trust: L3
    - mellanox.onyx.onyx_traffic_class:
        interfaces: [Eth1/1, Eth1/2]
        tc: 3
        congestion_control: {control: ecn, threshold_mode: absolute, min_threshold: 150, max_threshold: 1500}
        dcb: {mode: wrr, weight: 50}
    - mellanox.onyx.onyx_config:
        lines: [dcb priority-flow-control enable force, dcb priority-flow-control priority 3 enable]
"""
NVUE = """- hosts: gpu
  tasks:
    - nvidia.nvue.command:
        commands:
          - set qos mapping ROCE dscp 26 switch-priority 3
          - set qos mapping ROCE dscp 48 switch-priority 6
          - set qos pfc ROCE switch-priority 3
          - set qos pfc ROCE tx enable
          - set qos pfc ROCE rx enable
          - set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3
    - nvidia.nvue.command:
        commands:
          - set interface {{ item }} qos pfc profile ROCE
          - set interface {{ item }} qos mapping profile ROCE
        apply: true
      with_items: [swp1, swp2]
"""
JUNOS = """- hosts: gpu
  tasks:
    - junipernetworks.junos.junos_interfaces:
        config:
          - {name: et-0/0/0, mtu: 9216}
          - {name: et-0/0/1, mtu: 9216}
          - {name: et-0/0/2, mtu: 9216}
    - junipernetworks.junos.junos_config:
        lines:
          - set class-of-service forwarding-classes class NL queue-num 3 no-loss pfc-priority 3
          - set class-of-service classifiers dscp C forwarding-class NL loss-priority low code-points 011010
          - set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc
    - junipernetworks.junos.junos_config:
        lines:
          - set class-of-service interfaces {{ item }} congestion-notification-profile P
          - set class-of-service interfaces {{ item }} unit 0 classifiers dscp C
      loop: [et-0/0/0, et-0/0/1, et-0/0/2]
"""
ESONIC = """- hosts: gpu
  vars:
    ports: [{name: Eth1/1, mtu: 9216}, {name: Eth1/2, mtu: 9216}, {name: Eth1/3, mtu: 9216}]
  tasks:
    - dellemc.enterprise_sonic.sonic_qos_maps:
        config:
          dscp_maps:
            - name: F
              entries:
                - {dscp: 26, fwd_group: 3}
                - {dscp: 48, fwd_group: 6}
    - dellemc.enterprise_sonic.sonic_qos_interfaces:
        config:
          - name: "{{ item.name }}"
            qos_maps: {dscp_fwd_group: F}
            pfc:
              priorities:
                - {dot1p: 3, enable: true}
      loop: "{{ ports }}"
    - dellemc.enterprise_sonic.sonic_interfaces:
        config:
          - name: "{{ item.name }}"
            mtu: "{{ item.mtu }}"
      with_items: "{{ ports }}"
"""


@pytest.mark.parametrize(
    ("text", "good", "bad", "rule", "line"),
    [
        (RESOURCES, "Ethernet1/2, mtu: 9216", "Ethernet1/2, mtu: 1500", "mtu/below-roce", 11),
        (ONYX, "min_threshold: 150", "min_threshold: 2500", "ecn/min-above-max", 13),
        (NVUE, "pfc profile ROCE", "pfc profile ROC", "input/undefined-or-unapplied", 13),
        (JUNOS, "{name: et-0/0/1, mtu: 9216}", "{name: et-0/0/1, mtu: 1500}", "mtu/below-roce", 6),
        (JUNOS, "input dscp code-point 011010", "input dscp code-point 011000", "input/conflict", 12),
        (ESONIC, "Eth1/2, mtu: 9216", "Eth1/2, mtu: 1500", "mtu/below-roce", 23),
    ],
)
def test_a_fault_in_what_a_module_writes(
    tmp_path: Path, text: str, good: str, bad: str, rule: str, line: int | None
) -> None:
    assert told(tmp_path, text) == []
    found = [where for one, where in told(tmp_path, text.replace(good, bad, 1)) if one.startswith(rule)]
    assert found
    assert line in (None, *found)


def test_an_argument_that_nobody_reads_is_said() -> None:
    text = RESOURCES.replace("enabled: true", "pause_frames: true")
    (one,) = switchtasks.written(text)
    assert one.left_out == ((12, "argument pause_frames of nxos_interfaces is not read"),)
    (one,) = switchtasks.written(RESOURCES)
    assert one.left_out == ()


def test_plays_for_other_hosts_are_other_devices(tmp_path: Path) -> None:
    spines = RESOURCES.replace("hosts: gpu", "hosts: spines").replace("pfc-cos 3", "pfc-cos 4").replace("nq3", "nq4")
    assert len(switchtasks.written(RESOURCES + spines)) == 2


def test_a_later_task_that_calls_a_port_otherwise_contradicts_nothing(tmp_path: Path) -> None:
    named = RESOURCES.replace("            enabled: true\n", "            description: gpu\n")
    again = "    - cisco.nxos.nxos_interfaces: {config: [{name: Ethernet1/2, description: storage}]}\n"
    (one,) = switchtasks.written(named + again)
    assert one.text.count("description gpu") == 2
    assert told(tmp_path, named + again) == []


@pytest.mark.parametrize(("bits", "rules"), [("0,0,0,1,0,0,0,0", set()), ("0,0,0,0,1,0,0,0", {"pfc/setup-off-class"})])
def test_switches_and_hosts_of_one_playbook_are_held_against_each_other(
    tmp_path: Path, bits: str, rules: set[str]
) -> None:
    hosts = f"- hosts: nodes\n  tasks:\n    - shell: mlnx_qos -i {{{{ item }}}} --trust dscp --pfc {bits}\n      loop: [ens1np0]\n"
    assert {rule for rule, _ in told(tmp_path, PLAY + hosts)} == rules


MIXED = """- hosts: gpu
  tasks:
    - cisco.nxos.nxos_config:
        before: [no policy-map type qos IN, no policy-map type qos OLD]
        parents: policy-map type qos IN
        lines: [class ROCE]
        after: [exit, no priority-flow-control mode]
    - cisco.nxos.nxos_config: {src: qos.j2}
    - cisco.nxos.nxos_qos_policies: {config: []}
    - cisco.nxos.nxos_facts: {gather_subset: all}
    - cisco.nxos.nxos_config:
        parents: interface Ethernet1/1
        lines: [mtu 9216]
      when: inventory_hostname in groups.gpu
    - cisco.nxos.nxos_config: {lines: "{{ more }}"}
"""


def test_what_is_not_read_of_a_task_is_said() -> None:
    (one,) = switchtasks.written(MIXED)
    assert one.text.split("\n")[:3] == ["no policy-map type qos OLD", "policy-map type qos IN", "  class ROCE"]
    assert one.left_out == (
        (7, "argument after of nxos_config is not read: no priority-flow-control mode"),
        (8, "argument src of nxos_config is not read together with its tasks"),
        (9, "module nxos_qos_policies is not read"),
        (11, "only when inventory_hostname in groups.gpu, which is not known here: judged as if it holds"),
        (15, "a value in it is given elsewhere, and it is not judged: check what it renders"),
    )


def test_a_playbook_of_which_nothing_is_read_is_told(tmp_path: Path) -> None:
    text = "- hosts: gpu\n  tasks:\n    - ansible.netcommon.netconf_config: {content: <config/>}\n"
    (tmp_path / "play.yml").write_text(text, encoding="utf-8")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert any("play.yml:3: argument content of netconf_config is not read" in note for note in report.coverage.notes)
    assert report.coverage.devices == 0


def test_lines_written_below_each_other_keep_their_margins() -> None:
    text = (
        "- hosts: gpu\n  tasks:\n    - ansible.netcommon.cli_config:\n        config: |\n"
        "          interface Ethernet1\n           mtu 9214\n"
    )
    (one,) = switchtasks.written(text)
    assert one.text == "interface Ethernet1\n mtu 9214\n"
    assert one.lines[:2] == (5, 6)


TREES = """- hosts: gpu
  tasks:
    - nvidia.nvue.qos:
        state: merged
        data:
          mapping:
            - id: default-global
              trust: both
              dscp:
                - {id: 26, switch_priority: 3}
                - {id: 48, switch_priority: 6}
          egress_queue_mapping:
            - id: default-global
              switch_priority: [{id: 3, traffic_class: 3}]
          pfc:
            - id: default-global
              switch_priority:
                - id: 3
              tx: enable
              rx: enable
    - nvidia.nvue.api:
        operation: set
        path: /interface
        data: {swp1: {link: {mtu: 9216}}, swp2: {link: {mtu: 9216}}, swp3: {link: {mtu: 9216}}}
"""
CX = """- hosts: gpu
  tasks:
    - aoscx_config:
        lines:
          - qos pool 1 lossless size 50 percent headroom 8000 kbytes priorities 3
          - qos trust dscp
    - aoscx_qos_dscp: {code_point: 26, local_priority: 3, color: green}
    - aoscx_queue_profile_entry: {queue_profile: QP, queue_number: "{{ item }}", local_priorities: ["{{ item }}"]}
      loop: "{{ range(0, 8) | list }}"
    - aoscx_queue: {qos_name: SP, queue_number: 3, algorithm: dwrr, weight: 50}
    - aoscx_interface: {name: "{{ item }}", mtu: 9198, enabled: true}
      loop: [1/1/1, 1/1/2, 1/1/3]
    - aoscx_config:
        parents: interface {{ item }}
        lines: [flow-control priority rxtx 3]
      loop: [1/1/1, 1/1/2, 1/1/3]
    - aoscx_config: {lines: [apply qos queue-profile QP schedule-profile SP]}
"""


@pytest.mark.parametrize(
    ("text", "good", "bad", "rule", "line"),
    [
        (TREES, "tx: enable", "tx: disable", "pfc/", 19),
        (TREES, "swp2: {link: {mtu: 9216}}", "swp2: {link: {mtu: 1500}}", "mtu/below-roce", 24),
        (CX, "local_priority: 3", "local_priority: 4", "marking/", 7),
    ],
)
def test_a_fault_in_a_tree_of_settings(tmp_path: Path, text: str, good: str, bad: str, rule: str, line: int) -> None:
    assert told(tmp_path, text) == []
    found = told(tmp_path, text.replace(good, bad, 1))
    assert [where for one, where in found if one.startswith(rule)] == [line], found


def test_what_modules_of_queues_write() -> None:
    (one,) = switchtasks.written(CX)
    assert one.left_out == ()
    assert "qos queue-profile QP\n  map queue 0 local-priority 0\n  map queue 1 local-priority 1\n" in one.text
    assert "qos schedule-profile SP\n  dwrr queue 3 weight 50\n" in one.text
    assert "interface 1/1/2\n  no shutdown\n  mtu 9198\n" in one.text


def test_tasks_of_a_switch_that_read_like_a_tool_of_hosts_are_the_switches(tmp_path: Path) -> None:
    text = (
        "- hosts: gpu\n  tasks:\n    - ce_config:\n        parents: interface 100GE1/0/1\n"
        "        lines: [dcb pfc enable mode manual, trust dscp]\n"
    )
    assert told(tmp_path, text) == []


def test_a_later_task_that_takes_a_policy_off_again(tmp_path: Path) -> None:
    play = """- hosts: nexus
  tasks:
    - cisco.nxos.nxos_config:
        parents: [policy-map type network-qos LOSSLESS, class type network-qos c-8q-nq3]
        lines: [pause pfc-cos 3, mtu 9216]
    - cisco.nxos.nxos_config:
        parents: system qos
        lines: service-policy type network-qos LOSSLESS
    - cisco.nxos.nxos_config:
        parents: interface Ethernet1/1
        lines: [no switchport, priority-flow-control mode on]
    - cisco.nxos.nxos_config:
        parents: system qos
        lines: no service-policy type network-qos LOSSLESS
"""
    assert ("input/undefined-or-unapplied", 14) in told(tmp_path, play)
    again = play.replace(
        "        lines: no service-policy",
        "        lines: [no service-policy type network-qos LOSSLESS, service-policy",
        1,
    )
    assert told(tmp_path, again.rstrip("\n") + "]\n") == []


PORTS = """- hosts: nexus
  tasks:
    - cisco.nxos.nxos_config:
        parents: "interface {{ item }}"
        lines: [mtu 9216, priority-flow-control mode on, service-policy type qos input ROCE-IN]
      loop: [Ethernet1/1, Ethernet1/2]
    - cisco.nxos.nxos_config:
        parents: interface Ethernet1/2
        lines: [no service-policy type qos input ROCE-IN]
"""


@pytest.mark.parametrize("named", [" ROCE-IN", ""])
def test_a_later_task_that_takes_a_policy_off_a_port(tmp_path: Path, named: str) -> None:
    off = "no service-policy type qos input"
    (tmp_path / "play.yml").write_text(PORTS.replace(f"{off} ROCE-IN", f"{off}{named}"), encoding="utf-8")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    (found,) = [one for one in report.findings if one.rule == "input/undefined-or-unapplied"]
    assert (found.message, found.locations[0].line) == (
        "policy-map type qos ROCE-IN is applied and taken off again on 1 of 2 ports",
        9,
    )
    moved = PORTS.replace('ROCE-IN]\n"', "").rstrip("]\n") + ", service-policy type qos input ROCE-IN-2]\n"
    assert told(tmp_path, moved) == []


TWO_WAYS = """- hosts: cumulus
  tasks:
    - shell: nv set qos roce mode lossless && nv set interface swp1-4 link mtu 9216
      when: roce_enabled
    - shell: nv unset qos roce
      when: not roce_enabled
    - shell: nv config apply -y
"""


def test_what_takes_settings_away_under_a_condition_is_not_judged(tmp_path: Path) -> None:
    assert told(tmp_path, TWO_WAYS) == []
    (one,) = switchtasks.written(TWO_WAYS)
    assert (
        5,
        "takes settings away only when not roce_enabled, which is not known here: it is not judged",
    ) in one.left_out
    assert told(tmp_path, TWO_WAYS.replace("      when: not roce_enabled\n", "")) == [("input/conflict", 5)]


def test_a_later_task_that_turns_pfc_off_on_one_port(tmp_path: Path) -> None:
    play = """- hosts: arista
  tasks:
    - eos_config:
        parents: "interface {{ item }}"
        lines: [mtu 9214, priority-flow-control on, priority-flow-control priority 3 no-drop]
      loop: [Ethernet1/1, Ethernet2/1]
    - eos_config:
        parents: interface Ethernet2/1
        lines: ["no priority-flow-control"]
"""
    assert told(tmp_path, play) == [("input/conflict", 9)]
    assert told(tmp_path, play.replace('["no priority-flow-control"]', "[no shutdown]")) == []
    marks = play.replace(
        "mtu 9214,",
        "mtu 9214, qos trust dscp, tx-queue 3, random-detect ecn minimum-threshold 500 kbytes"
        " maximum-threshold 2000 kbytes max-mark-probability 20 weight 0,",
    )
    assert len(told(tmp_path, marks)) == 1


ASKS = """- hosts: leaves
  tasks:
    - eos_config:
        parents: interface Ethernet1/1
        lines: [mtu 9214, priority-flow-control on, priority-flow-control priority 3 no-drop]
    - eos_config:
        parents: interface Ethernet2/1
        lines: [mtu 9214, priority-flow-control on]
      when: {asked}
"""


@pytest.mark.parametrize(
    ("given", "asked", "runs"),
    [
        ("", "lossless | default(false)", False),
        ("lossless: true\n", "lossless | default(false)", True),
        ("lossless: false\n", "lossless | default(true) and state | default('x') == 'x'", False),
        ("", "\"'leaves' in group_names\"", True),
        ("", "\"'spines' in group_names\"", False),
        ("tier: leaf\n", "tier == 'spine'", False),
        ("tier: leaf\n", "\n        - tier == 'leaf'\n        - wanted | default(false)", False),
    ],
)
def test_what_the_repository_decides_of_a_condition(tmp_path: Path, given: str, asked: str, runs: bool) -> None:
    (tmp_path / "group_vars").mkdir()
    (tmp_path / "group_vars" / "leaves.yml").write_text(f"{given}rack: r1\n", encoding="utf-8")
    (tmp_path / "group_vars" / "spines.yml").write_text("rack: r2\n", encoding="utf-8")
    (tmp_path / "hosts").write_text("[leaves]\nleaf1\n[spines]\nspine1\n", encoding="utf-8")
    (tmp_path / "play.yml").write_text(ASKS.format(asked=asked), encoding="utf-8")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    skipped = [note for note in report.coverage.notes if "play.yml:6: does not run with the values" in note]
    assert bool(skipped) is not runs


@pytest.mark.parametrize(
    ("good", "bad", "line"),
    [
        ("        apply: true\n", "        save: true\n", 5),
        ("        apply: true\n", "        apply: false\n", 5),
    ],
)
def test_settings_that_no_task_puts_in_force(tmp_path: Path, good: str, bad: str, line: int) -> None:
    assert ("input/undefined-or-unapplied", line) not in told(tmp_path, NVUE)
    assert ("input/undefined-or-unapplied", line) in told(tmp_path, NVUE.replace(good, bad))
    apart = "- hosts: gpu\n  tasks:\n    - shell: nv config apply -y\n"
    (tmp_path / "apply.yml").write_text(apart, encoding="utf-8")  # another file may do it
    assert ("input/undefined-or-unapplied", line) not in told(tmp_path, NVUE.replace(good, bad))


def test_a_watchdog_where_pfc_is_off(tmp_path: Path) -> None:
    watched = ESONIC.replace("            pfc:\n", "            pfc:\n              watchdog_detect_time: 200\n")
    assert told(tmp_path, watched) == []
    off = watched.replace("enable: true", "enable: false")
    assert ("pfc/no-port-pauses", 17) in told(tmp_path, off)


def test_a_map_that_nothing_applies_and_that_is_called_like_another(tmp_path: Path) -> None:
    both = ESONIC.replace(
        "    - dellemc.enterprise_sonic.sonic_qos_interfaces:\n",
        """          fwd_group_queue_maps:
            - name: F
              entries:
                - {fwd_group: 3, queue_index: 3}
    - dellemc.enterprise_sonic.sonic_qos_interfaces:
""",
        1,
    ).replace("{dscp_fwd_group: F}", "{dscp_fwd_group: F, fwd_group_queue: F}")
    assert told(tmp_path, both) == []
    left_out = both.replace("{dscp_fwd_group: F, fwd_group_queue: F}", "{fwd_group_queue: F}")
    assert ("input/undefined-or-unapplied", 8) in told(tmp_path, left_out)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("- eos_config:\n    lines: [a]\n", True),
        ("- name: a\n  # why\n  eos_config:\n    lines: [a]\n", True),
        ("-\n  name: a\n  when: b\n  eos_config: {lines: [a]}\n", True),
        ("leafs:\n  eos_config:\n    - a\n", False),
        ("eos_config:\n  - a\n", False),
        ("- ports:\n    eos_config:\n      - a\n", False),
        ("- name: a\n" + "  x: y\n" * 1_000 + "  eos_config:\n    lines: [a]\n", True),
    ],
)
def test_only_a_key_of_an_item_of_a_list_is_taken_for_a_module(text: str, may: bool) -> None:
    assert tasksigns.may_hold_tasks(text) is may


@pytest.mark.parametrize(
    ("module", "is_told"), [("cisco.ios.ios_config", False), ("ios_config", False), ("arista.eos.eos_config", True)]
)
def test_tasks_for_a_system_that_nothing_reads_are_of_no_other(tmp_path: Path, module: str, is_told: bool) -> None:
    text = """- hosts: routers
  tasks:
    - name: QoS
      MODULE:
        lines:
          - qos trust dscp
          - qos random-detect dscp-based
          - qos random-detect exponential-weighting-constant 9
    - name: WAN
      MODULE:
        lines: [ip address dhcp, mtu 1500]
        parents: interface GigabitEthernet0/0
"""
    assert bool(told(tmp_path, text.replace("MODULE", module))) == is_told
