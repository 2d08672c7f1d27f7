"""Variables of a repository fill its templates where one value is certain, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.sources import files
from roce_audit.sources.repository.variablefiles import of_repository
from roce_audit.sources.repository.variables import Variables
from tests.sources.conftest import Write

TASK = "roles/roce/tasks/main.yml"
TEMPLATE = "roles/roce/templates/nccl.conf.j2"


def _settled(write: Write, given: Mapping[str, str], path: str, text: str) -> str:
    for name, content in given.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        write(name, content)
    return of_repository(files.walk(["."]).files, {}).settled(path, text)[0]


@pytest.mark.parametrize(
    ("given", "path", "text", "settled"),
    [
        ({"group_vars/all.yml": "tc: 106\n"}, TEMPLATE, "{{ tc }}", "106"),
        (
            {"group_vars/all/nccl.yml": "nccl:\n  tc: 106\n"},
            TEMPLATE,
            "{{ nccl.tc | int }} {{ nccl['tc'] }}",
            "106 106",
        ),
        ({"roles/roce/defaults/main.yml": "tc: 106\n"}, TASK, "{{ tc }}", "106"),
        ({"roles/roce/vars/main.yml": "tc: 106\n"}, TASK, "{{ tc }}", "106"),
        ({"roles/other/defaults/main.yml": "tc: 106\n"}, TASK, "{{ tc }}", "{{ tc }}"),
        ({"inventory/hosts.ini": "[gpu]\ngpu1\n[gpu:vars]\ntc=106\n"}, TASK, "{{ tc }}", "106"),
        ({"group_vars/all.yml": "tc: '{{ site_tc }}'\nsite_tc: 106\n"}, TASK, "{{ tc }}", "106"),
        (
            {"group_vars/all.yml": "rails:\n  - {name: swp1}\n"},
            "t.j2",
            "{% for r in rails %}{{ r.name }}",
            "{% for r in rails %}swp1",
        ),
        # stronger ones win: inventory over defaults of the role
        (
            {"roles/roce/defaults/main.yml": "tc: 26\n", "group_vars/all.yml": "tc: 106\n"},
            TASK,
            "{{ tc }}",
            "106",
        ),
        # nobody knows: two groups differ, a group differs from the default, a task sets it, it is computed, a vault
        ({"group_vars/a.yml": "tc: 106\n", "group_vars/b.yml": "tc: 26\n"}, TASK, "{{ tc }}", "{{ tc }}"),
        (
            {"roles/roce/defaults/main.yml": "tc: 26\n", "group_vars/gpu.yml": "tc: 106\n"},
            TASK,
            "{{ tc }}",
            "{{ tc }}",
        ),
        (
            {"group_vars/all.yml": "tc: 106\n", "site.yml": "- hosts: a\n  vars:\n    tc: 26\n"},
            TASK,
            "{{ tc }}",
            "{{ tc }}",
        ),
        ({"group_vars/all.yml": 'tc: "{{ dscp * 4 }}"\n'}, TASK, "{{ tc }}", "{{ tc }}"),
        # files of variables that a play names, or a task without a condition
        (
            {"site.yml": "- hosts: a\n  vars_files: [vars/tc.yml]\n", "vars/tc.yml": "tc: 106\n"},
            "site.yml",
            "{{ tc }}",
            "106",
        ),
        (
            {
                "site.yml": "- hosts: a\n  vars_files: vars/tc.yml\n  tasks:\n    - import_tasks: roce.yml\n",
                "vars/tc.yml": "tc: 106\n",
                "roce.yml": "- debug:\n",
            },
            "roce.yml",
            "{{ tc }}",
            "106",
        ),
        ({TASK: "- include_vars: tc.yml\n", "roles/roce/vars/tc.yml": "tc: 106\n"}, TASK, "{{ tc }}", "106"),
        ({"t.yml": "- include_vars: a.yml\n  when: x\n", "vars/a.yml": "tc: 1\n"}, "t.yml", "{{ tc }}", "{{ tc }}"),
        # lists of two groups are not one list, even where one begins as the other does
        (
            {"group_vars/leaf.yml": "ports: [swp1, swp2]\n", "group_vars/spine.yml": "ports: [swp1]\n"},
            TASK,
            '- x:\n  loop: "{{ ports }}"\n',
            '- x:\n  loop: "{{ ports }}"\n',
        ),
        # a loop over lists that are put together
        (
            {"group_vars/all.yml": "a: [swp1]\nb: [swp2]\n"},
            TASK,
            '- x:\n  loop: "{{ a + b }}"\n',
            '- x:\n  loop: ["swp1", "swp2"]\n',
        ),
        ({"group_vars/all.yml": "a: [swp1]\n"}, TASK, '- x:\n  loop: "{{ a + b }}"\n', '- x:\n  loop: "{{ a + b }}"\n'),
        ({"group_vars/all.yml": "$ANSIBLE_VAULT;1.1;AES256\n6162\n"}, TASK, "{{ tc }}", "{{ tc }}"),
        ({"group_vars/all.yml": "tc: 106\n"}, TASK, "{{ tc | shift }} {{ tc + 1 }}", "{{ tc | shift }} 107"),
        ({"group_vars/all.yml": "nic: {tc: 106, rate: 0.2}\n"}, TASK, "{{ nic.tc + 1 }}", "107"),
        ({"group_vars/all.yml": "ports: [swp1, swp2]\n"}, TEMPLATE, "{{ ports | join(',') }}", "swp1,swp2"),
        (
            {"group_vars/all.yml": "ports: [swp1, 0.2]\n"},
            TEMPLATE,
            "{{ ports | join(',') }}",
            "{{ ports | join(',') }}",
        ),
        (
            {"group_vars/all.yml": "tc: 106\n"},
            TASK,
            "{{ item.mtu | default(9000) }} {{ mtu | default(9000) }}",
            "{{ item.mtu | default(9000) }} 9000",
        ),
        (
            {"group_vars/all.yml": "tc: 106\n"},
            TEMPLATE,
            "{% for port in ports %}\n{{ port.mtu | default(9000) }}\n{% endfor %}",
            "{% for port in ports %}\n{{ port.mtu | default(9000) }}\n{% endfor %}",
        ),
        # a default of the template counts where nobody sets the variable
        ({}, TASK, "{{ tc | default(106) }} {{ tc | default(other) }}", "106 {{ tc | default(other) }}"),
        ({"group_vars/all.yml": "tc: 26\n"}, TASK, "{{ tc | default(106) }}", "26"),
        # what a test of the role sets, no host runs with
        (
            {"group_vars/all.yml": "tc: 106\n", "molecule/default/converge.yml": "- vars:\n    tc: 26\n"},
            TASK,
            "{{ tc }}",
            "106",
        ),
        # a chart of Helm
        (
            {"chart/Chart.yaml": "name: x\n", "chart/values.yaml": "nccl:\n  tc: 106\n"},
            "chart/templates/pod.yaml",
            "{{ .Values.nccl.tc | quote }}",
            '"106"',
        ),
        (
            {
                "chart/Chart.yaml": "name: x\n",
                "chart/values.yaml": "tc: 106\n",
                "chart/values-prod.yaml": "tc: 26\n",
            },
            "chart/templates/pod.yaml",
            "{{ .Values.tc }}",
            "{{ .Values.tc }}",
        ),
        ({"values.yaml": "tc: 106\n"}, "templates/pod.yaml", "{{ .Values.tc }}", "{{ .Values.tc }}"),
    ],
)
def test_a_value_is_filled_in(write: Write, given: Mapping[str, str], path: str, text: str, settled: str) -> None:
    assert _settled(write, given, path, text) == settled


def test_a_repository_without_variables_reads_no_file(write: Write) -> None:
    write("a.yml", "tc: 106\n")
    assert of_repository(files.walk(["."]).files, {}) == Variables()


def test_who_changes_a_variable_asks_for_the_files_that_it_fills(write: Write) -> None:
    for name, text in {
        "roles/nccl/defaults/main.yml": "tc: 26\n",
        "roles/nccl/templates/nccl.conf.j2": "NCCL_IB_TC={{ tc }}\n",
        "roles/other/templates/nccl.conf.j2": "NCCL_IB_TC=26\n",
    }.items():
        os.makedirs(os.path.dirname(name), exist_ok=True)
        write(name, text)
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    done = check(Request(("roles/nccl/defaults/main.yml",), policy=policy, context=(".",)))
    failing = [one for one in done.report.findings if one.verdict == "fails" and one.severity == "error"]
    assert [at.path for one in failing for at in one.locations if at.role == "primary"] == [
        "roles/nccl/templates/nccl.conf.j2"
    ]


def test_a_list_of_a_host_is_not_merged_with_that_of_another_group(write: Write) -> None:
    os.makedirs("group_vars")
    write("group_vars/leaf.yml", "ports: [swp1, swp2, swp3]\n")
    found = of_repository(files.walk(["."]).files, {})
    text = '- x:\n  loop: "{{ ports }}"\n'
    assert found.settled(TASK, text)[0] == '- x:\n  loop: ["swp1", "swp2", "swp3"]\n'
    assert found.settled(TASK, text, {"ports": ["swp9"]})[0] == '- x:\n  loop: ["swp9"]\n'


def test_a_list_of_a_host_keeps_what_is_true_and_false(write: Write) -> None:
    os.makedirs("host_vars")
    write("host_vars/a.yml", "ports: [{name: swp1, roce: true}, {name: swp2, roce: false}]\n")
    found = of_repository(files.walk(["."]).files, {})
    text = "- x:\n  loop: \"{{ ports | selectattr('roce') | list }}\"\n"
    (version,) = found.versions(TASK, text)
    assert found.settled(TASK, text, version.values)[0] == '- x:\n  loop: [{"name": "swp1", "roce": true}]\n'


def test_a_host_that_overrides_the_default_of_a_role(write: Write) -> None:
    os.makedirs("roles/roce/defaults")
    os.makedirs("host_vars")
    write("roles/roce/defaults/main.yml", "mtu: 9216\n")
    write("hosts", "[gpu]\na\nb\n")
    write("host_vars/b.yml", "mtu: 1500\n")
    found = of_repository(files.walk(["."]).files, {})
    versions = found.versions(TASK, "- command: ip link set eth0 mtu {{ mtu }}\n", of_switches=False)
    assert [(one.host, one.values["mtu"]) for one in versions] == [("a", 9216), ("b", 1500)]
