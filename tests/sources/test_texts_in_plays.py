"""Templates and files that the tasks of a play type at switches, and modules whose arguments are variables, for each host."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import judged

TEMPLATE = """{# classes #}
class-map type qos match-all RDMA
  match dscp {{ rdma.dscp }}
policy-map type qos MARK
  class RDMA
    set qos-group {{ rdma.group }}
policy-map type network-qos NQ
  class type network-qos c-8q-nq{{ rdma.group }}
    pause pfc-cos {{ rdma.group }}
    mtu 9216
system qos
  service-policy type network-qos NQ
{% for port in ports %}
interface {{ port }}
  mtu {{ mtu }}
  priority-flow-control mode on
  service-policy type qos input MARK
{% endfor %}
"""
QOS = "roles/lossless/templates/qos.j2"
TYPED = {
    "inventory/hosts.ini": "[tors]\nt1\nt2\n[tors:vars]\nansible_network_os=cisco.nxos.nxos\n",
    "inventory/group_vars/tors.yml": "rdma: {dscp: 26, group: 3}\nmtu: 9216\nports: [Ethernet1/1, Ethernet1/2, Ethernet1/31]\n",
    "site.yml": "- hosts: tors\n  roles: [lossless]\n",
    "roles/lossless/tasks/main.yml": "- name: classes\n  cisco.nxos.nxos_config:\n    src: qos.j2\n",
    QOS: TEMPLATE,
}
MODULES = {
    "inventory.ini": "[leafs]\nz1\nz2\n",
    "group_vars/leafs.yml": """maps:
  dscp_maps:
    - {name: RDMA, entries: [{dscp: 26, fwd_group: 3}]}
  fwd_group_queue_maps:
    - {name: RDMA, entries: [{fwd_group: 3, queue_index: 3}]}
  fwd_group_pg_maps:
    - {name: RDMA, entries: [{fwd_group: 3, pg_index: 3}]}
  pfc_priority_queue_maps:
    - {name: RDMA, entries: [{dot1p: 3, queue_index: 3}]}
marking:
  - name: RDMA
    ecn: green
    green: {enable: true, min_threshold: 1000000, max_threshold: 2000000, drop_probability: 20}
paused: 3
""",
    "roce.yml": """- hosts: leafs
  collections: [dellemc.enterprise_sonic]
  tasks:
    - sonic_qos_maps:
        config: "{{ maps }}"
        state: merged
    - sonic_qos_wred:
        config: "{{ marking }}"
    - sonic_qos_interfaces:
        config:
          - name: "{{ item }}"
            queues: [{id: 3, wred_profile: RDMA}]
            qos_maps: {dscp_fwd_group: RDMA, fwd_group_queue: RDMA, fwd_group_pg: RDMA, pfc_priority_queue: RDMA}
            pfc:
              priorities:
                - dot1p: "{{ paused }}"
                  enable: true
        state: merged
      loop: [Eth1/1, Eth1/2, Eth1/31]
""",
}
Found = list[tuple[str, str, int | None, str]]


def told(folder: Path, files: dict[str, str]) -> tuple[Found, list[str], int]:
    report, failing = judged(folder, files)
    found: Found = [
        (one.rule, Path(one.locations[0].path).name, one.locations[0].line, one.severity) for one in failing
    ]
    return found, list(report.coverage.notes), report.coverage.ports_roce["yes"]


@pytest.mark.parametrize("role", ["src: qos.j2", "lines: \"{{ lookup('template', 'qos.j2').splitlines() }}\""])
def test_a_template_is_typed_with_the_variables_of_the_host(tmp_path: Path, role: str) -> None:
    tasks = f"- name: classes\n  cisco.nxos.nxos_config:\n    {role}\n"
    found, notes, ports = told(tmp_path, {**TYPED, "roles/lossless/tasks/main.yml": tasks})
    assert (found, ports) == ([], 3)
    assert not any("given elsewhere" in note or "not read together" in note for note in notes)


BUILT = """- name: build
  ansible.builtin.template:
    src: qos.j2
    dest: ./build/{{ inventory_hostname }}/10-qos.cfg
  delegate_to: localhost
- name: join
  assemble:
    src: build/{{ inventory_hostname }}
    dest: build/{{ inventory_hostname }}.cfg
- name: push
  cisco.nxos.nxos_config:
    src: build/{{ inventory_hostname }}.cfg
"""


@pytest.mark.parametrize("pushed", [".cfg", "/10-qos.cfg"])
def test_a_file_that_an_earlier_task_writes(tmp_path: Path, pushed: str) -> None:
    tasks = BUILT.replace("src: build/{{ inventory_hostname }}.cfg", "src: build/{{ inventory_hostname }}" + pushed)
    files = {
        **TYPED,
        "roles/lossless/tasks/main.yml": tasks,
        QOS: TEMPLATE.replace("  service-policy type qos input MARK\n", ""),
    }
    assert told(tmp_path / "bad", files)[0] == [("input/undefined-or-unapplied", "qos.j2", 4, "error")]
    found, notes, ports = told(tmp_path / "good", {**TYPED, "roles/lossless/tasks/main.yml": tasks})
    assert (found, ports) == ([], 3)
    assert not any("not read together" in note for note in notes)


@pytest.mark.parametrize(("given", "is_read"), [("vrf", True), ("structured.vrf", False)])
def test_a_template_of_what_a_program_works_out(tmp_path: Path, given: str, is_read: bool) -> None:
    """Nearly all of it would be a line whose value is not known."""
    long = "".join(f"ip route 10.{n // 250}.{n % 250}.0/24 10.0.0.1 vrf {{{{ {given} }}}}\n" for n in range(1200))
    variables = TYPED["inventory/group_vars/tors.yml"] + "vrf: gpu\n"
    files = {
        **TYPED,
        "inventory/group_vars/tors.yml": variables,
        "roles/lossless/tasks/main.yml": BUILT,
        QOS: TEMPLATE + long,
    }
    found, notes, ports = told(tmp_path, files)
    assert (found, ports) == ([], 3 if is_read else 0)
    assert any("not read together" in note for note in notes) is not is_read


JUNOS = {
    "hosts.ini": "[tors]\nq1\nq2\n",
    "group_vars/tors.yml": "bits: '011010'\nports: [et-0/0/0, et-0/0/1]\n",
    "site.yml": """- hosts: tors
  tasks:
    - juniper.device.config:
        load: merge
        template: cos.j2
""",
    "templates/cos.j2": """class-of-service {
    classifiers {
        dscp MARKS {
            forwarding-class NO-LOSS {
                loss-priority low code-points {{ bits }};
            }
        }
    }
    forwarding-classes {
        class NO-LOSS queue-num 3 no-loss;
    }
    congestion-notification-profile PAUSE {
        input {
            dscp {
                code-point {{ bits }} {
                    pfc;
                }
            }
        }
    }
    interfaces {
{% for port in ports %}
        {{ port }} {
            congestion-notification-profile PAUSE;
            unit 0 {
                classifiers {
                    dscp MARKS;
                }
            }
        }
{% endfor %}
    }
}
""",
}


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        ("", []),
        (
            "            congestion-notification-profile PAUSE;\n",
            [("input/undefined-or-unapplied", "cos.j2", 12, "error")],
        ),
        (" no-loss", [("input/conflict", "cos.j2", 10, "error")]),
    ],
)
def test_a_template_in_braces_that_the_vendors_own_module_loads(tmp_path: Path, bad: str, expected: Found) -> None:
    template = JUNOS["templates/cos.j2"].replace(bad, "") if bad else JUNOS["templates/cos.j2"]
    assert told(tmp_path, {**JUNOS, "templates/cos.j2": template})[0] == expected


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("inventory/group_vars/tors.yml", "mtu: 9216", "mtu: 1500", ("mtu/no-jumbo-frames", "qos.j2", 15, "warning")),
        (QOS, "  service-policy type network-qos NQ\n", "", ("input/undefined-or-unapplied", "qos.j2", 7, "error")),
        (QOS, "mode on", "mode off", ("pfc/no-drop-without-pfc", "qos.j2", 16, "error")),
    ],
)  # fmt: skip
def test_what_the_template_gets_wrong_is_told_on_its_lines(
    tmp_path: Path, path: str, old: str, new: str, expected: tuple[str, str, int, str]
) -> None:
    assert old in TYPED[path]
    found, _, _ = told(tmp_path, {**TYPED, path: TYPED[path].replace(old, new)})
    assert expected in found, found


def test_one_host_of_which_the_template_says_something_else(tmp_path: Path) -> None:
    files = {**TYPED, "inventory/host_vars/t2.yml": "rdma: {dscp: 24, group: 3}\n"}
    found, _, ports = told(tmp_path, files)
    assert ports == 6
    assert [one[:2] for one in found] == [("fleet/two-roce-marks", "qos.j2")], found


@pytest.mark.parametrize(
    "asked", ["inventory_hostname in groups['aggs']", "'aggs' in group_names", "applied | default(false)"]
)
def test_what_one_host_alone_applies_is_not_applied_on_others(tmp_path: Path, asked: str) -> None:
    applies = "system qos\n  service-policy type network-qos NQ\n"
    changed = {
        QOS: TEMPLATE.replace(applies, f"{{% if {asked} %}}\n{applies}{{% endif %}}\n"),
        "inventory/hosts.ini": "[tors]\nt1\n[aggs]\na1\n[all:vars]\nansible_network_os=cisco.nxos.nxos\n",
        "inventory/group_vars/all.yml": TYPED["inventory/group_vars/tors.yml"],
        "inventory/group_vars/tors.yml": "{}\n",
        "inventory/group_vars/aggs.yml": "applied: true\n",
        "site.yml": "- hosts: all\n  roles: [lossless]\n",
    }
    found, _, _ = told(tmp_path, {**TYPED, **changed})
    assert ("input/undefined-or-unapplied", "qos.j2", 7, "error") in found, found
    sound = "- hosts: all\n  roles: [lossless]\n  vars: {applied: true}\n"
    if "applied" in asked:
        assert told(tmp_path, {**TYPED, **changed, "site.yml": sound})[0] == []


def test_what_another_playbook_applies_leaves_doubt(tmp_path: Path) -> None:
    applies = "system qos\n  service-policy type network-qos NQ\n"
    task = "nxos_config: {parents: system qos, lines: [service-policy type network-qos NQ]}"
    other = f"- hosts: tors\n  tasks:\n    - {task}\n"
    found, _, _ = told(tmp_path, {**TYPED, QOS: TEMPLATE.replace(applies, ""), "second.yml": other})
    assert not any(rule == "input/undefined-or-unapplied" for rule, *_ in found), found


@pytest.mark.parametrize(("pattern", "told_of"), [("tors:!t2", True), ("tors", False), ("tors:!other", False)])
def test_a_host_that_is_taken_out_by_name_is_said(tmp_path: Path, pattern: str, told_of: bool) -> None:
    _, notes, ports = told(tmp_path, {**TYPED, "site.yml": f"- hosts: '{pattern}'\n  roles: [lossless]\n"})
    assert ports == 3
    assert any("no play is for t2" in note for note in notes) is told_of


def test_a_template_under_a_condition_that_fails_is_said(tmp_path: Path) -> None:
    tasks = TYPED["roles/lossless/tasks/main.yml"] + "  when: wanted | default(false)\n"
    _, notes, ports = told(tmp_path, {**TYPED, "roles/lossless/tasks/main.yml": tasks})
    assert ports == 0
    assert any("does not run" in note for note in notes), notes


def test_modules_take_their_arguments_from_variables(tmp_path: Path) -> None:
    found, notes, ports = told(tmp_path, MODULES)
    assert (found, ports) == ([], 3)
    assert not any("given elsewhere" in note for note in notes)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("paused: 3", "paused: 4", ("marking/taken-out-of-lossless", "roce.yml", 5, "error")),
        ("pg_index: 3", "pg_index: 0", ("marking/taken-out-of-lossless", "roce.yml", 5, "error")),
        ("dot1p: 3, queue_index: 3", "dot1p: 3, queue_index: 4", ("marking/class-broken-in-box", "roce.yml", 5, "error")),
    ],
)  # fmt: skip
def test_what_variables_get_wrong_is_told_where_they_are_used(
    tmp_path: Path, old: str, new: str, expected: tuple[str, str, int, str]
) -> None:
    assert old in MODULES["group_vars/leafs.yml"]
    changed = {**MODULES, "group_vars/leafs.yml": MODULES["group_vars/leafs.yml"].replace(old, new)}
    found, _, _ = told(tmp_path, changed)
    assert found[0] == expected


def test_what_a_module_may_take_away_is_not_judged(tmp_path: Path) -> None:
    away = "    - sonic_qos_interfaces: {config: [{name: Eth1/1}], state: deleted}\n      when: undo | bool\n"
    found, notes, ports = told(tmp_path, {**MODULES, "roce.yml": MODULES["roce.yml"] + away})
    assert (found, ports) == ([], 3)
    assert any("takes settings away only when" in note for note in notes), notes


FREEFORM = """- hosts: ndfc
  vars:
    fabric: BACKEND
  tasks:
    - name: classes
      cisco.dcnm.dcnm_policy:
        fabric: "{{ fabric }}"
        config:
          - name: switch_freeform
            policy_vars:
              CONF: |
                class-map type qos match-all RDMA
                  match dscp 26
                policy-map type qos MARK
                  class RDMA
                    set qos-group 3
                policy-map type network-qos NQ
                  class type network-qos c-8q-nq3
                    pause pfc-cos 3
                    mtu 9216
                system qos
                  service-policy type network-qos NQ
                interface Ethernet1/1
                  mtu 9216
                  priority-flow-control mode on
                  service-policy type qos input MARK
                interface Ethernet1/2
                  mtu 9216
                  priority-flow-control mode on
                  service-policy type qos input MARK
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("pfc-cos 3", "pfc-cos 3", []),
        ("pfc-cos 3", "pfc-cos 4", [("pfc/pauses-other-number", "ndfc.yml", 19, "error")]),
        (
            "                  service-policy type network-qos NQ\n",
            "",
            [("input/undefined-or-unapplied", "ndfc.yml", 17, "error")],
        ),
    ],
)
def test_texts_below_keys_of_other_modules(tmp_path: Path, old: str, new: str, expected: Found) -> None:
    found, _, ports = told(tmp_path, {"ndfc.yml": FREEFORM.replace(old, new, 1)})
    assert (found, ports) == (expected, 2)


LAYERS = {
    "inventory.yml": "rails:\n  vars: {ansible_network_os: arista.eos.eos}\n  hosts:\n    r1: {rails: [1, 2]}\n    r2: {rails: [1]}\n",
    "deploy.yml": "- hosts: rails\n  tasks:\n    - arista.eos.eos_config:\n        src: templates/rail.j2\n",
    "templates/base.j2": """hostname {{ inventory_hostname }}
{% block qos %}
qos map dscp 26 to traffic-class 3
{% endblock %}
{% block ports %}{% endblock %}
""",
    "templates/lossless.j2": """{% macro lossless(n, prio=3, size=9214) -%}
interface Ethernet{{ n }}/1
   mtu {{ size }}
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority {{ prio }} no-drop
{%- endmacro %}
""",
    "templates/watch.j2": "priority-flow-control pause watchdog default timeout 0.2\n",
    "templates/rail.j2": """{% extends "base.j2" %}
{% import "lossless.j2" as port %}
{% block qos %}
{{ super() }}
{% include "watch.j2" %}
{% endblock %}
{% block ports %}
{% for n in rails %}
{{ port.lossless(n, size=9000) }}
{% endfor %}
{% endblock %}
""",
}


def test_a_template_in_layers_is_read_as_one(tmp_path: Path) -> None:
    found, notes, ports = told(tmp_path, LAYERS)
    assert (found, ports) == ([], 3)
    assert not any("elsewhere" in note or "template" in note for note in notes), notes


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("rail.j2", "size=9000", "prio=4", ("marking/taken-out-of-lossless", "base.j2", 3, "error")),
        ("rail.j2", "(n, size=9000)", "(n, 3, 1500)", ("mtu/no-jumbo-frames", "lossless.j2", 3, "warning")),
        ("lossless.j2", "control on", "control off", ("pfc/no-drop-without-pfc", "lossless.j2", 5, "error")),
        ("lossless.j2", "trust dscp", "trust cos", ("marking/map-without-trust", "lossless.j2", 4, "error")),
        ("base.j2", "class 3", "class 1", ("marking/taken-out-of-lossless", "base.j2", 3, "error")),
        ("rail.j2", '{% include "watch.j2" %}', "qos map dscp 26 to traffic-class 5",
         ("marking/taken-out-of-lossless", "rail.j2", 5, "error")),
    ],
)  # fmt: skip
def test_each_layer_counts_where_it_stands(
    tmp_path: Path, path: str, old: str, new: str, expected: tuple[str, str, int, str]
) -> None:
    at = f"templates/{path}"
    assert old in LAYERS[at]
    found, _, _ = told(tmp_path, {**LAYERS, at: LAYERS[at].replace(old, new)})
    assert expected in found, found


def test_a_block_that_another_file_begins_stands_where_that_file_takes_it_in(tmp_path: Path) -> None:
    rail = """qos map dscp 26 to traffic-class 3
{% for n in rails %}
interface Ethernet{{ n }}/1
   mtu 9214
{% include "pfc.j2" %}
   qos trust dscp
{% endfor %}
"""
    pfc = "   priority-flow-control off\n   priority-flow-control priority 3 no-drop\n"
    found, _, ports = told(tmp_path, {**LAYERS, "templates/rail.j2": rail, "templates/pfc.j2": pfc})
    assert (found, ports) == ([("pfc/no-drop-without-pfc", "rail.j2", 5, "error")], 3)


def test_templates_that_take_each_other_in_end(tmp_path: Path) -> None:
    turns = {
        "templates/base.j2": '{% extends "rail.j2" %}\n{% import "lossless.j2" as port %}\n{% include "rail.j2" %}\n',
        "templates/lossless.j2": '{% import "lossless.j2" as port %}\n{% macro lossless(n) %}\n{{ port.lossless(n) }}\n{% endmacro %}\n',
    }
    assert told(tmp_path, {**LAYERS, **turns})[2] == 0


def test_a_template_may_take_in_what_a_variable_names(tmp_path: Path) -> None:
    """The host whose file is not here is told, and nothing is judged in its place."""
    rail = """{% include "qos_" ~ site ~ ".j2" ignore missing %}
{% for n in rails %}
interface Ethernet{{ n }}/1
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 4 no-drop
{% endfor %}
"""
    inventory = LAYERS["inventory.yml"].replace("[1, 2]}", "[1, 2], site: east}").replace("[1]}", "[1], site: west}")
    east = "qos map dscp 26 to traffic-class 3\npriority-flow-control pause watchdog default timeout 0.2\n"
    files = {**LAYERS, "inventory.yml": inventory, "templates/rail.j2": rail, "templates/qos_east.j2": east}
    found, notes, ports = told(tmp_path, files)
    assert ("marking/taken-out-of-lossless", "qos_east.j2", 1, "error") in found
    assert ports == 3
    assert [note.rpartition("rail.j2:")[2] for note in notes if "rail.j2" in note] == [
        "1: the template that stands here is not read: no file of this name is here (r2)"
    ]


@pytest.mark.parametrize(
    ("named", "at"),
    [("sites/east.yml", "sites/east.yml"), ("./sites/, other", "sites/fabric"), ("../x", ""), ("none.yml", "")],
)
def test_an_inventory_may_have_any_name_that_the_settings_say(tmp_path: Path, named: str, at: str) -> None:
    files = {path: text for path, text in LAYERS.items() if path != "inventory.yml"}
    ini = "[rails]\nr[1:3]\n[rails:vars]\nansible_network_os=arista.eos.eos\n"
    text = LAYERS["inventory.yml"] if at.endswith(".yml") else ini
    files |= {} if at.endswith(".yml") else {"sites/group_vars/rails.yml": "rails: [1]\n"}
    settings = f"[defaults]\nforks = 10\ninventory = {named}  # the fabric\n"
    found, _, ports = told(tmp_path, {**files, "ansible.cfg": settings, at or "sites/east.yml": text})
    assert (found, ports) == ([], 3 if at else 0)
