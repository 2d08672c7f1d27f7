"""Playbooks with their roles and files of tasks, as they run on the hosts of an inventory."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.files import Candidate
from roce_audit.sources.repository.ansible.playbooks import Files, Host, is_for, played
from roce_audit.sources.repository.variablefiles import of_repository

INVENTORY = """all:
  children:
    tors: {hosts: {t1: {}, t2: {}}}
    aggs: {hosts: {a1: {}}}
"""
ROLE = {
    "hosts.yml": INVENTORY,
    "group_vars/all.yml": "code_point: 26\ngroup: 3\nmtu: 9216\n",
    "group_vars/tors.yml": "ports: [Ethernet1/1, Ethernet1/2, Ethernet1/31]\n",
    "group_vars/aggs.yml": "ports: [Ethernet1/1, Ethernet1/2]\n",
    "site.yml": "- hosts: tors,aggs\n  roles:\n    - role: qos\n",
    "roles/qos/defaults/main.yml": "group: 5\nshare: 50\n",
    "roles/qos/tasks/main.yml": """- import_tasks: maps.yml
- include_tasks: port.yml
  loop: "{{ ports }}"
  loop_control: {loop_var: port}
""",
    "roles/qos/tasks/maps.yml": """- nxos_config:
    parents: class-map type qos match-any RDMA
    lines: ["match dscp {{ code_point }}"]
- nxos_config:
    parents: [policy-map type qos MARK, class RDMA]
    lines: ["set qos-group {{ group }}"]
- nxos_config:
    parents: [policy-map type network-qos NQ, class type network-qos c-8q-nq3]
    lines: [pause pfc-cos 3, "mtu {{ mtu }}"]
- nxos_config:
    parents: system qos
    lines: [service-policy type network-qos NQ]
""",
    "roles/qos/tasks/port.yml": """- nxos_config:
    parents: "interface {{ port }}"
    lines: ["mtu {{ mtu }}", priority-flow-control mode on, service-policy type qos input MARK]
""",
}
PORT = ROLE["roles/qos/tasks/port.yml"]
Found = list[tuple[str, str, int | None, str]]


def told(folder: Path, **changed: str) -> tuple[Found, list[str], int]:
    for path, text in {**ROLE, **changed}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    report = check(Request((str(folder),), Policy.empty())).report
    failing = [one for one in report.findings if one.verdict == "fails" and one.severity in ("error", "warning")]
    found = [(one.rule, Path(one.locations[0].path).name, one.locations[0].line, one.severity) for one in failing]
    return found, list(report.coverage.notes), report.coverage.ports_roce["yes"]


def test_a_role_is_followed_for_each_host(tmp_path: Path) -> None:
    found, notes, ports = told(tmp_path)
    assert (found, ports) == ([], 5)
    assert not any("given elsewhere" in note for note in notes)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("host_vars/t2.yml", "code_point: 34\n", ("marking/class-broken-in-box", "maps.yml", 6)),
        ("group_vars/aggs.yml", "group: 4\nports: [Ethernet1/1]\n", ("marking/class-broken-in-box", "maps.yml", 6)),
        ("roles/qos/vars/main.yml", "group: 4\n", ("marking/taken-out-of-lossless", "maps.yml", 6)),
        ("roles/qos/tasks/port.yml", PORT.replace("mode on", "mode off"), ("pfc/no-drop-without-pfc", "port.yml", 3)),
    ],
)  # fmt: skip
def test_a_fault_of_one_host(tmp_path: Path, path: str, text: str, expected: tuple[str, str, int]) -> None:
    found, _, _ = told(tmp_path, **{path: text})
    assert (*expected, "error") in found, found


def test_tasks_behind_the_roles_undo_what_these_set(tmp_path: Path) -> None:
    site = """- hosts: tors,aggs
  tasks:
    - nxos_config:
        parents: "interface {{ item }}"
        lines: [priority-flow-control mode off]
      loop: "{{ ports }}"
  roles: [qos]
"""
    found, _, _ = told(tmp_path, **{"site.yml": site})
    assert ("pfc/no-drop-without-pfc", "site.yml", 5, "error") in found


@pytest.mark.parametrize(
    ("site", "words"),
    [
        ("- hosts: tors\n  roles:\n    - {role: qos, tags: [roce, never]}\n", "runs only when its tag is asked for"),
        ("- hosts: tors\n  check_mode: true\n  roles: [qos]\n", "only checks what it would write"),
        ("- hosts: tors\n  roles:\n    - {role: qos, when: lossless | default(false)}\n", "does not hold"),
    ],
)
def test_what_does_not_run_is_told(tmp_path: Path, site: str, words: str) -> None:
    found, notes, ports = told(tmp_path, **{"site.yml": site})
    assert (found, ports) == ([], 0)
    assert any("maps.yml:7" in note and words in note for note in notes), notes


def test_a_handler_runs_when_a_task_notifies_it(tmp_path: Path) -> None:
    off = """- name: pause
  nxos_config:
    parents: interface Ethernet1/1
    lines: [priority-flow-control mode off]
"""
    handlers = {"roles/qos/handlers/main.yml": off}
    assert told(tmp_path / "a", **handlers)[0] == []
    found, _, _ = told(tmp_path / "b", **handlers, **{"roles/qos/tasks/port.yml": f"{PORT}  notify: pause\n"})
    assert ("pfc/no-drop-without-pfc", "main.yml", 4, "error") in found


def test_rescue_runs_only_when_something_failed(tmp_path: Path) -> None:
    site = """- hosts: tors,aggs
  roles: [qos]
  tasks:
    - block:
        - nxos_config: {lines: [copy running-config startup-config]}
      rescue:
        - nxos_config:
            parents: system qos
            lines: [no service-policy type network-qos NQ]
"""
    assert told(tmp_path, **{"site.yml": site})[0] == []


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        ("all", True), ("tors", True), ("aggs", False), ("aggs:tors", True), ("tors:!t1", False), ("tors,&racks", False),
        ("t*", True), ("tors[0]", True), ("{{ whom }}", True), ("localhost", False), ("all:!aggs", True),
    ],
)  # fmt: skip
def test_patterns_of_hosts(pattern: str, holds: bool) -> None:
    assert is_for(pattern, Host("t1", ("tors",), {}, {})) is holds


def test_a_play_for_hosts_that_the_inventory_does_not_have(tmp_path: Path) -> None:
    site = (
        ROLE["site.yml"]
        + """- hosts: borders
  tasks:
    - nxos_config:
        parents: interface Ethernet1/7
        lines: [mtu 9216, priority-flow-control mode on, service-policy type qos input ELSEWHERE]
    - nxos_config:
        parents: interface Ethernet1/7
        lines: [priority-flow-control mode off]
"""
    )
    found, _, _ = told(tmp_path, **{"site.yml": site})
    assert ("input/conflict", "site.yml", 11, "warning") in found


def test_files_that_take_each_other_in_come_to_an_end() -> None:
    texts = {
        "site.yml": "- hosts: all\n  roles: [a]\n",
        "roles/a/tasks/main.yml": "- include_role: {name: b}\n- nxos_config: {lines: [priority-flow-control watch-dog-interval on]}\n",
        "roles/b/meta/main.yml": "dependencies: [a]\n",
        "roles/b/tasks/main.yml": "- include_tasks: main.yml\n",
    }
    (one,) = played([Host("t1", (), {}, {})], Files(texts, texts.__getitem__, ()))
    assert one.root == "site.yml"


def test_a_policy_that_only_a_task_applies_which_does_not_run(tmp_path: Path) -> None:
    maps = ROLE["roles/qos/tasks/maps.yml"]
    found, _, _ = told(tmp_path, **{"roles/qos/tasks/maps.yml": f"{maps}  when: lossless | default(false)\n"})
    assert ("input/undefined-or-unapplied", "maps.yml", 8, "error") in found


TEMPLATE = """hostname {{ inventory_hostname }}
qos map dscp 26 to traffic-class 3
qos profile RDMA
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
{% for port in ports %}
interface {{ port.name }}
   mtu 9214
{% if port.rdma %}
   service-profile RDMA
{% endif %}
{% endfor %}
"""


def test_a_condition_on_a_member_that_no_port_has(tmp_path: Path) -> None:
    def found(template: str) -> Found:
        files = {
            "hosts": "[leafs]\nl1\nl2\n",
            "group_vars/leafs.yml": "ports:\n  - {name: Ethernet1/1, rdma: true}\n  - {name: Ethernet2/1, rdma: true}\n",
            "templates/leaf.j2": template,
        }
        folder = tmp_path / str(len(template))
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        report = check(Request((str(folder),), Policy.empty())).report
        failing = [one for one in report.findings if one.severity in ("error", "warning")]
        return [(one.rule, Path(one.locations[0].path).name, one.locations[0].line, one.severity) for one in failing]

    assert found(TEMPLATE) == []
    assert found(TEMPLATE.replace("port.rdma", "port.roce")) == [
        ("input/undefined-or-unapplied", "leaf.j2", 3, "error")
    ]
    assert found(TEMPLATE.replace("port.rdma", "port.rdma is defined")) == []


def test_a_file_of_tasks_that_nothing_takes_in(tmp_path: Path) -> None:
    main = ROLE["roles/qos/tasks/main.yml"].removeprefix("- import_tasks: maps.yml\n")
    found, _, _ = told(tmp_path / "a", **{"roles/qos/tasks/main.yml": main})
    assert ("input/undefined-or-unapplied", "maps.yml", 1, "warning") in found
    by_name = f'{main}- include_tasks: "{{{{ kind }}}}.yml"\n'
    assert told(tmp_path / "b", **{"roles/qos/tasks/main.yml": by_name})[0] == []


def test_ports_that_tasks_pause_and_never_classify(tmp_path: Path) -> None:
    tasks = """- hosts: leafs
  tasks:
    - cisco.nxos.nxos_config:
        parents: class-map type qos match-any RDMA
        lines: [match dscp 26]
    - cisco.nxos.nxos_config:
        parents: [policy-map type qos IN, class RDMA]
        lines: [set qos-group 3]
    - cisco.nxos.nxos_config:
        parents: [policy-map type network-qos NQ, class type network-qos c-8q-nq3]
        lines: [pause pfc-cos 3, mtu 9216]
    - cisco.nxos.nxos_config:
        parents: system qos
        lines: [service-policy type network-qos NQ]
    - cisco.nxos.nxos_config:
        parents: "interface {{ item }}"
        lines:
          - priority-flow-control mode on
          - service-policy type qos input IN
      loop: [Ethernet1/1, Ethernet1/2]
    - cisco.nxos.nxos_config:
        parents: "interface {{ item }}"
        lines:
          - priority-flow-control mode on
          - mtu 9216
      loop: [Ethernet1/31]
"""

    def told(name: str, text: str) -> list[tuple[str, int | None, str]]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "site.yml").write_text(text, encoding="utf-8")
        (tmp_path / name / "hosts").write_text("[leafs]\nl1\nl2\n", encoding="utf-8")
        found = check(Request((str(tmp_path / name),), Policy.empty())).report.findings
        return [
            (one.rule, one.locations[0].line, one.severity)
            for one in found
            if one.verdict == "fails" and one.severity != "info"
        ]

    assert told("a", tasks) == [("fleet/device-left-out", 22, "warning")]
    assert told("b", tasks.replace("          - mtu 9216\n", "          - service-policy type qos input IN\n")) == []
    everywhere = tasks.replace(
        "lines: [service-policy type network-qos NQ]",
        "lines: [service-policy type network-qos NQ, service-policy type qos input IN]",
    )
    assert told("c", everywhere) == []


@pytest.mark.parametrize("name", ["production", "hosts-dc1", "fabric_inventory.yml", "lab.ini"])
def test_inventories_with_other_names(tmp_path: Path, name: str) -> None:
    ini = "[tors]\nt1\nt2\n[aggs]\na1\n[fabric:children]\ntors\naggs\n"
    text = INVENTORY if name.endswith(".yml") else ini
    _, notes, ports = told(tmp_path, **{"hosts.yml": "", name: text})
    assert ports == 5
    assert not any("given elsewhere" in note for note in notes)


def test_settings_of_other_tools_are_no_inventory(tmp_path: Path) -> None:
    (tmp_path / "dev").write_text("[server]\nworkers = 4\nhost = 10.0.0.1\n")
    assert of_repository([Candidate("dev", str(tmp_path / "dev"))], {}).hosts == ()


def test_what_two_modules_write_is_one_device_where_the_inventory_names_its_system(tmp_path: Path) -> None:
    mark = "policy-map type qos MARK\n  class RDMA\n    set qos-group 3\ninterface Ethernet1/1\n  priority-flow-control mode on\n"
    cli = "- ansible.netcommon.cli_config:\n    config: \"{{ lookup('template', 'qos.j2') }}\"\n"
    later = (
        "- cisco.nxos.nxos_config:\n    parents: interface Ethernet1/1\n    lines: [no priority-flow-control mode]\n"
    )
    for path, text in {
        "hosts": "[tors]\nt1\n[tors:vars]\nansible_network_os=cisco.nxos.nxos\n",
        "site.yml": "- hosts: tors\n  roles: [qos]\n- import_playbook: tidy.yml\n",
        "tidy.yml": "- hosts: tors\n  tasks:\n" + "".join(f"    {line}\n" for line in later.splitlines()),
        "roles/qos/tasks/main.yml": cli,
        "roles/qos/templates/qos.j2": mark,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (device,) = check(Request((str(tmp_path),), Policy.empty())).devices
    (port,) = device.ports
    assert port.facts.pfc.get().mode.value != "on"


GROUPS = """- hosts: all
  tasks:
    - arista.eos.eos_config:
        parents: qos profile RDMA
        lines: [priority-flow-control on, priority-flow-control priority 3 no-drop]
    - arista.eos.eos_config:
        parents: interface {{ item }}
        lines: [mtu 9214, service-profile RDMA]
      loop: [Ethernet1, Ethernet2]
      when: CONDITION
"""


@pytest.mark.parametrize(
    "condition", ["\"'tors' in group_names\"", "\"'aggs' not in group_names\"", "inventory_hostname in groups['tors']"]
)
def test_a_group_that_gets_a_profile_and_no_port_with_it(tmp_path: Path, condition: str) -> None:
    files = {"hosts.yml": INVENTORY, "site.yml": GROUPS.replace("CONDITION", condition)}
    for path, text in files.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    (one,) = [one for one in found if one.rule == "input/undefined-or-unapplied"]
    assert one.message.startswith("a1 is left out by name here")
    assert one.locations[0].line == 6
    own = GROUPS[GROUPS.index("    - arista.eos.eos_config:\n        parents: interface") :].replace(
        "CONDITION", "\"'aggs' in group_names\""
    )
    (tmp_path / "site.yml").write_text(files["site.yml"] + own, encoding="utf-8")  # they have a task of their own
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one for one in found if one.rule == "input/undefined-or-unapplied"] == []
