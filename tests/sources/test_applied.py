"""Names that a part of a configuration defines, and that no file of the repository applies."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

TASKS = """- name: pause
  cisco.nxos.nxos_config:
    parents: [policy-map type qos ROCE-IN, class RDMA]
    lines: [set qos-group 3]
- name: ports
  cisco.nxos.nxos_config:
    parents: "interface {{ item }}"
    lines:
      - mtu 9216
      - priority-flow-control mode on
      - service-policy type qos input ROCE-IN
  loop: [Ethernet1/1, Ethernet1/2]
"""
APPLIES = "      - service-policy type qos input ROCE-IN\n"
IDLE = "policy-map type qos ROCE-IN is defined, and no file that was given applies it, so it has no effect"


def told(*paths: Path) -> list[tuple[str, str, str]]:
    found = check(Request(tuple(map(str, paths)), Policy.empty())).report.findings
    return [
        (one.severity, one.message, f"{Path(one.locations[0].path).name}:{one.locations[0].line}")
        for one in found
        if one.rule == "input/undefined-or-unapplied"
    ]


def repository(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yml", ".yml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_name_that_no_file_applies(tmp_path: Path) -> None:
    idle = TASKS.replace(APPLIES, "")
    assert told(repository(tmp_path, play_yml=TASKS)) == []
    assert told(repository(tmp_path, play_yml=idle)) == [
        ("error", IDLE, "play.yml:3")
    ]  # ports pause, and nothing enters


def test_a_policy_without_effect_that_no_class_hangs_on(tmp_path: Path) -> None:
    shares = """- name: shares
  cisco.nxos.nxos_config:
    parents: [policy-map type queuing OUT, class type queuing c-out-8q-q3]
    lines: [bandwidth remaining percent 50]
"""
    (found,) = told(repository(tmp_path / "a", play_yml=shares + TASKS))
    assert (found[0], found[2]) == ("warning", "play.yml:3")
    pause = shares.replace("queuing OUT", "network-qos NQ").replace("queuing c-out-8q-q3", "network-qos c-8q-nq3")
    pause = pause.replace("bandwidth remaining percent 50", "pause pfc-cos 3")
    (found,) = told(repository(tmp_path / "b", play_yml=pause + TASKS))
    assert (found[0], found[2]) == ("error", "play.yml:3")


def test_a_header_with_an_open_name_applies_nothing_and_a_namesake_is_another_thing(tmp_path: Path) -> None:
    tasks = """- community.network.ce_config:
    parents: dcb pfc RDMA
    lines: [priority 3]
- community.network.ce_config:
    parents: "traffic policy {{ name }}"
    lines: [share-mode]
- community.network.ce_config:
    parents: diffserv domain RDMA
    lines: [ip-dscp-inbound 26 phb af3 green]
- community.network.ce_config:
    parents: "interface {{ item }}"
    lines: [trust upstream RDMA, jumboframe enable 9216]
  loop: [100GE1/0/1, 100GE1/0/2]
"""
    (found,) = told(repository(tmp_path, play_yml=tasks))
    assert (found[0], found[2]) == ("error", "play.yml:2")


def test_another_file_or_another_play_may_apply_it(tmp_path: Path) -> None:
    idle = TASKS.replace(APPLIES, "")
    other = "- hosts: spines\n  tasks:\n    - cisco.nxos.nxos_config:\n        lines:\n          - service-policy type qos input ROCE-IN\n"
    assert told(repository(tmp_path / "a", play_yml=idle, vars_yml="policy: ROCE-IN\n")) == []
    assert told(repository(tmp_path / "b", play_yml=f"- hosts: leaves\n  tasks:\n{_inner(idle)}{other}")) == []
    assert told(repository(tmp_path / "c", play_yml=idle, other_yml="policy: ROCE-IN-2\n")) != []


def _inner(tasks: str) -> str:
    return "".join(f"    {line}\n" for line in tasks.splitlines())


def test_what_is_applied_by_a_variable_may_be_any_name(tmp_path: Path) -> None:
    by_variable = TASKS.replace("input ROCE-IN\n", "input {{ policy }}\n")
    assert told(repository(tmp_path, play_yml=by_variable)) == []


def test_a_file_by_itself_and_a_part_of_a_repository_say_nothing_of_the_rest(tmp_path: Path) -> None:
    folder = repository(tmp_path / "roles", play_yml=TASKS.replace(APPLIES, ""))
    assert told(folder / "play.yml") == []
    (tmp_path / ".git").mkdir()
    assert told(folder) == []
    assert told(tmp_path) != []


def test_a_part_that_configures_no_port_is_a_mere_fragment(tmp_path: Path) -> None:
    policies = TASKS.partition("- name: ports")[0]
    assert told(repository(tmp_path, play_yml=policies)) == []


def test_a_name_that_no_file_defines(tmp_path: Path) -> None:
    other = """- name: uplink
  cisco.nxos.nxos_config:
    parents: interface Ethernet1/9
    lines: [mtu 9216, priority-flow-control mode on, service-policy type qos input SPINE-IN]
"""
    text = "policy-map type qos SPINE-IN is used here, and no file that was given defines it"
    (found,) = told(repository(tmp_path / "a", play_yml=TASKS + other))
    assert found == ("error", text, "play.yml:16")
    assert told(repository(tmp_path / "b", play_yml=TASKS + other, day0_yml="name: SPINE-IN\n")) == []
    only_uses = TASKS.partition("- name: ports")[2]
    assert told(repository(tmp_path / "c", play_yml=f"- name: ports{only_uses}")) == []


def test_a_text_that_a_task_looks_up_applies_nothing_that_is_not_in_it(tmp_path: Path) -> None:
    system = "policy-map type qos ROCE-IN\n  class RDMA\n    set qos-group 3\n"
    ports = "interface Ethernet1/1\n  mtu 9216\n  priority-flow-control mode on\n"
    task = "  ansible.netcommon.cli_config:\n    config: \"{{ lookup('template', '%s.j2') }}\"\n"
    files = {
        "hosts": "[leaf]\nleaf1\n[leaf:vars]\nansible_network_os=cisco.nxos.nxos\n",
        "site_yml": "- hosts: leaf\n  roles: [qos]\n",
        "roles__qos__tasks__main_yml": f"- name: a\n{task % 'system'}- name: b\n{task % 'ports'}",
        "roles__qos__templates__system.j2": system,
        "roles__qos__templates__ports.j2": ports,
    }
    assert told(repository(tmp_path / "idle", **files)) == [("error", IDLE, "system.j2:1")]
    elsewhere = {
        **files,
        "roles__qos__tasks__main_yml": files["roles__qos__tasks__main_yml"].replace("'ports", "names['x"),
    }
    assert told(repository(tmp_path / "open", **elsewhere)) == []


def test_a_profile_that_nothing_defines_beside_an_idle_one_that_pauses(tmp_path: Path) -> None:
    tasks = """- arista.eos.eos_config:
    parents: qos profile RDMA
    lines: [qos trust dscp, priority-flow-control on, priority-flow-control priority 3 no-drop]
- arista.eos.eos_config:
    parents: interface {{ item }}
    lines: [mtu 9214, service-profile LOSSLESS]
  loop: [Ethernet1, Ethernet2]
"""
    ((severity, message, at),) = told(repository(tmp_path, play_yml=tasks))
    assert (severity, at) == ("error", "play.yml:6")
    assert message.endswith("; RDMA is defined here and not applied: is it meant?")
    plain = tasks.replace("priority-flow-control on, priority-flow-control priority 3 no-drop", "shape rate 100")
    ((severity, _, _),) = told(repository(tmp_path, play_yml=plain))
    assert severity == "warning"


OS10 = """- dellemc.os10.os10_config:
    parents: [class-map type network-qos nq]
    lines: [match qos-group 3]
- dellemc.os10.os10_config:
    parents: [policy-map type network-qos pfc, class nq]
    lines: [pause, pfc-cos 3]
- dellemc.os10.os10_config:
    parents: interface {{ item }}
    lines:
      - mtu 9216
      - priority-flow-control mode on
      - service-policy input type network-qos pfc
  loop: [ethernet1/1/1, ethernet1/1/2]
"""


def test_no_drop_classes_of_os10_on_ports_where_nothing_turns_pfc_on(tmp_path: Path) -> None:
    on = "      - priority-flow-control mode on\n"
    assert told(repository(tmp_path, play_yml=OS10)) == []
    ((severity, message, at),) = told(repository(tmp_path, play_yml=OS10.replace(on, "")))
    assert (severity, at) == ("error", "play.yml:6")
    assert "no file that was given turns PFC on for its ports (priority-flow-control mode on)" in message
    by_link = OS10.replace(on, "      - flowcontrol receive on\n      - flowcontrol transmit on\n")
    assert told(repository(tmp_path, play_yml=by_link)) == []  # one pause for all classes needs no PFC
    repository(tmp_path, play_yml=OS10.replace(on, ""), other_yml="ports_do: priority-flow-control mode on\n")
    assert told(tmp_path) == []


def test_a_lossless_pool_of_aos_cx_on_ports_where_nothing_turns_pfc_on(tmp_path: Path) -> None:
    on = "      - flow-control priority 4\n"
    tasks = f"""- arubanetworks.aoscx.aoscx_config:
    lines: [qos trust dscp, qos pool 1 lossless size 50 percent headroom 5000 kbytes priorities 4]
- arubanetworks.aoscx.aoscx_config:
    parents: interface {{{{ item }}}}
    lines:
      - mtu 9198
{on}  loop: [1/1/1, 1/1/2]
"""
    assert told(repository(tmp_path, play_yml=tasks)) == []
    ((severity, message, at),) = told(repository(tmp_path, play_yml=tasks.replace(on, "")))
    assert (severity, at) == ("error", "play.yml:2")
    assert "(flow-control priority)" in message


def test_a_classifier_and_a_scheduler_of_one_name(tmp_path: Path) -> None:
    applied = (
        '            cu.load(f"set class-of-service interfaces {port} unit 0 classifiers dscp ROCE", format="set")\n'
    )
    program = f'''from jnpr.junos import Device
from jnpr.junos.utils.config import Config

BASE = """
set class-of-service classifiers dscp ROCE forwarding-class no-loss loss-priority low code-points 011010
set class-of-service classifiers dscp ROCE forwarding-class cnp loss-priority low code-points 110000
set class-of-service forwarding-classes class no-loss queue-num 4 no-loss pfc-priority 3
set class-of-service congestion-notification-profile PFC input dscp code-point 011010 pfc
set class-of-service schedulers ROCE transmit-rate percent 70
set class-of-service schedulers ROCE explicit-congestion-notification
set class-of-service scheduler-maps SM forwarding-class no-loss scheduler ROCE
"""
with Device(host="qfx1") as dev:
    with Config(dev) as cu:
        cu.load(BASE, format="set")
        for port in ["et-0/0/0", "et-0/0/1"]:
            cu.load(f"set class-of-service interfaces {{port}} congestion-notification-profile PFC", format="set")
            cu.load(f"set interfaces {{port}} mtu 9216", format="set")
            cu.load(f"set class-of-service interfaces {{port}} scheduler-map SM", format="set")
{applied}'''
    assert told(repository(tmp_path / "a", **{"push.py": program})) == []
    ((severity, message, at),) = told(repository(tmp_path / "b", **{"push.py": program.replace(applied, "")}))
    assert (severity, at) == ("error", "push.py:5")
    assert message.startswith("DSCP classifier ROCE is defined, and no file that was given applies it")
