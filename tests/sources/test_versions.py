"""Templates with the variables of each host."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.devices import load
from roce_audit.sources.planning import planned
from roce_audit.sources.repository.inventories import of_ini

TEMPLATE = """qos map dscp 26 to traffic-class 3
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority {{ prio }} no-drop
   tx-queue 3
      random-detect ecn minimum-threshold {{ ecn.min }} kbytes maximum-threshold {{ ecn.max }} kbytes max-mark-probability 10 weight 0
{% for port in ports %}
interface {{ port.name }}
   mtu {{ port.mtu | default(mtu) }}
   no switchport
   service-profile ROCE
{% endfor %}
"""
HOSTS = "[leafs]\nleaf1\nleaf2 mtu=9000\n[storage]\nbox1\n[leafs:vars]\nmtu=9214\n"
PORTS = "ports: [{name: Ethernet1}, {name: Ethernet2}]\n"
FILES = {
    "templates/qos.j2": TEMPLATE,
    "hosts.ini": HOSTS,
    "group_vars/leafs.yml": "prio: 3\necn: {min: 500, max: 2000}\n",
    "host_vars/leaf1.yml": PORTS,
    "host_vars/leaf2.yml": PORTS,
    "host_vars/box1.yml": "mtu: 1500\n",
}


def told(folder: Path, **changed: str) -> list[tuple[str, str, str, int | None]]:
    """(device, rule, file, line) of what is wrong with a repository; of `changed` files the names are without dots and slashes."""
    for path, text in FILES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        name = path.replace("/", "_").replace(".", "_")
        (folder / path).write_text(changed.get(name, text), encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    shown = [(one, one.locations[0]) for one in failing if not one.because_of]
    return [(one.device or "", one.rule, Path(at.path).name, at.line) for one, at in shown]


def test_hosts_whose_values_are_right(tmp_path: Path) -> None:
    assert told(tmp_path) == []
    assert check(Request((str(tmp_path),), Policy.empty())).report.coverage.devices == 2


def test_a_value_of_one_host(tmp_path: Path) -> None:
    assert told(tmp_path, host_vars_leaf2_yml=PORTS + "prio: 4\n") == [
        ("leaf2-qos.j2", "marking/taken-out-of-lossless", "qos.j2", 1),
        ("", "fleet/two-roce-classes", "qos.j2", 5),
    ]
    wrong = PORTS + "ecn: {min: 5000, max: 2000}\n"
    assert told(tmp_path, host_vars_leaf1_yml=wrong) == [("leaf1-qos.j2", "ecn/min-above-max", "qos.j2", 7)]


def test_a_value_of_one_port_of_a_list(tmp_path: Path) -> None:
    ports = "ports:\n" + "".join(f"  - name: Ethernet{n}\n" for n in range(1, 6)) + "    mtu: 1500\n"
    found = told(tmp_path, host_vars_leaf1_yml=ports)
    assert [(rule, line) for _, rule, _, line in found] == [("mtu/below-roce", 10)]


def test_a_host_without_the_variables_of_a_template_is_none_of_its_hosts(tmp_path: Path) -> None:
    told(tmp_path)
    versions = planned([str(tmp_path)]).variables.versions("templates/qos.j2", TEMPLATE)
    assert [(one.host, one.values["mtu"]) for one in versions] == [("leaf1", "9214"), ("leaf2", "9000")]


def test_a_host_may_do_without_what_a_template_asks_for(tmp_path: Path) -> None:
    told(tmp_path, host_vars_leaf1_yml=PORTS + "deep: 1\n")
    text = (
        TEMPLATE + "{% if deep is defined %}\nqos map dscp 34 to traffic-class {{ deep | default(4) }}\n{% endif %}\n"
    )
    versions = planned([str(tmp_path)]).variables.versions("templates/qos.j2", text)
    assert [one.host for one in versions] == ["leaf1", "leaf2"]


def test_a_script_for_hosts_is_no_template_of_a_switch(tmp_path: Path) -> None:
    (tmp_path / "host_vars").mkdir()
    (tmp_path / "host_vars" / "gpu1.yml").write_text("nic: eth2\n", encoding="utf-8")
    script = "#!/bin/bash\nmlnx_qos -i {{ nic }} --pfc 0,0,0,1,0,0,0,0\nmlnx_qos -i {{ nic }} --trust dscp\n"
    (tmp_path / "roce.sh.j2").write_text(script, encoding="utf-8")
    assert [one.platform for one in load([str(tmp_path)]).devices] == ["linux"]


def test_servers_are_no_hosts_of_a_template_for_switches(tmp_path: Path) -> None:
    hosts = "[leafs]\nleaf1\n[gpus]\ngpu1 mtu=1500\n[leafs:vars]\nmtu=9214\nansible_network_os=arista.eos.eos\n"
    told(tmp_path, hosts_ini=hosts)
    versions = planned([str(tmp_path)]).variables.versions("a.j2", "mtu {{ mtu }}\n")
    assert [(one.host, one.values["mtu"]) for one in versions] == [("leaf1", "9214")]


def test_the_deepest_group_of_a_host_is_the_strongest() -> None:
    found = of_ini("hosts", "[a]\nh\n[b:children]\na\n[c:children]\nb\n")
    assert found.groups_of("h") == ["a", "b", "c", "all"]


def test_data_of_nornir_pillars_and_contexts(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    for folder, files in {
        "inventory": {
            "hosts.yaml": "leaf1: {groups: [leaf]}\nleaf2: {groups: [leaf], data: {mtu: 1500}}\n",
            "groups.yaml": "leaf: {platform: eos, data: {mtu: 9214}}\n",
            "defaults.yaml": "data: {prio: 3}\n",
        },
        "pillar": {"qos.sls": "qos: {prio: 3}\n"},
        "config_contexts": {"qos.json": '{"ntp": {"server": "192.0.2.1"}}\n'},
    }.items():
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / name).write_text(text, encoding="utf-8")
    variables = planned([str(tmp_path)]).variables
    nornir = variables.versions("a.j2", 'mtu {{ host["mtu"] }} {{ host.prio }}\n')
    assert [(one.host, one.values["host"]) for one in nornir] == [
        ("leaf1", {"mtu": 9214, "prio": 3}),
        ("leaf2", {"mtu": 1500, "prio": 3}),
    ]
    (salt,) = variables.versions("a.j2", "mtu {{ pillar.qos.prio }}\n")
    assert salt.values["pillar"] == {"qos": {"prio": 3}}
    (netbox,) = variables.versions("a.j2", "ntp {{ ntp.server }}\n")
    assert netbox.values["ntp"] == {"server": "192.0.2.1"}


def test_tasks_with_a_value_of_one_host(tmp_path: Path) -> None:
    files = {
        "play.yml": """- hosts: leafs
  tasks:
    - arista.eos.eos_config:
        parents: qos profile ROCE
        lines: [priority-flow-control on, "priority-flow-control priority {{ prio }} no-drop", qos trust dscp]
    - arista.eos.eos_config:
        parents: "interface {{ item }}"
        lines:
          - mtu {{ mtu }}
          - service-profile ROCE
      loop: "{{ ports }}"
    - arista.eos.eos_config:
        lines: qos map dscp 26 to traffic-class 3
""",
        "hosts": "[leafs]\nleaf1\nleaf2\nleaf3\n[leafs:vars]\nmtu=9214\nprio=3\n",
        "host_vars/leaf1.yml": "ports: [Ethernet1, Ethernet2]\n",
        "host_vars/leaf2.yml": "ports: [Ethernet1, Ethernet2]\nmtu: 1500\n",
        "host_vars/leaf3.yml": "ports: [Ethernet1, Ethernet2]\n",
    }
    (tmp_path / "host_vars").mkdir()
    for path, text in files.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    policy = Policy.empty()
    report = check(Request((str(tmp_path),), policy)).report
    assert report.coverage.devices == 2
    mtus = planned([str(tmp_path)]).variables.versions("play.yml", files["play.yml"])
    assert [(one.host, one.values["mtu"]) for one in mtus] == [("leaf1", "9214"), ("leaf2", 1500)]
    failing = [f for f in report.findings if f.verdict == "fails" and f.severity in ("error", "warning")]
    assert [(f.rule, f.locations[0].line) for f in failing] == [("mtu/ports-disagree", 9)]


def test_hosts_that_an_inventory_names_by_a_range() -> None:
    found = of_ini("hosts", "[gpu]\ngpu[08:10] rail=2\nrack[a:b]-gpu[1:3:2]\nodd[x]\n")
    assert list(found.of_hosts) == ["gpu08", "gpu09", "gpu10", "racka-gpu1", "racka-gpu3", "rackb-gpu1", "rackb-gpu3"]
    assert found.of_hosts["gpu09"] == {"rail": "2"}
    assert len(of_ini("hosts", "many[0:999999]\n").of_hosts) == 2000


ROLE = """- name: PFC
  command: mlnx_qos -i {{ item }} --trust dscp --pfc {{ pfc }}
  loop: [ens1np0, ens2np0]
- name: ToS
  shell: echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
"""


def _of_role(folder: Path, role: str, **of_host: str) -> list[tuple[str, str, str, int | None]]:
    files = {
        "hosts.ini": "[gpu]\ngpu[1:3]\n",
        "group_vars/gpu.yml": "pfc: 0,0,0,1,0,0,0,0\n",
        "roles/roce/tasks/main.yml": role,
        "gpu.yml": "- hosts: gpu\n  roles: [roce]\n",
        **{f"host_vars/{host}.yml": text for host, text in of_host.items()},
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.device or "", one.rule, one.severity, one.locations[0].line) for one in failing if not one.because_of]


def test_one_host_of_a_range_that_pauses_another_priority(tmp_path: Path) -> None:
    assert _of_role(tmp_path, ROLE) == []
    assert _of_role(tmp_path, ROLE, gpu2="pfc: 0,0,0,0,1,0,0,0\n") == [
        ("gpu2-main", "marking/setup-misses-own-pfc", "error", 2)
    ]


def test_a_host_that_gets_the_mark_and_no_pfc(tmp_path: Path) -> None:
    without = ROLE.replace("  loop:", "  when: inventory_hostname != 'gpu3'\n  loop:")
    assert _of_role(tmp_path, without) == [("", "input/conflict", "error", 2)]
    neither = f"{without}  when: inventory_hostname != 'gpu3'\n"
    assert _of_role(tmp_path, neither) == []


def test_a_value_that_is_asked_of_the_pillar(tmp_path: Path) -> None:
    (tmp_path / "pillar").mkdir()
    (tmp_path / "pillar/roce.sls").write_text("roce: {pfc: '0,0,0,1', rails: [a, b]}\n", encoding="utf-8")
    variables = planned([str(tmp_path)]).variables
    text = "{{ salt['pillar.get']('roce:pfc', '0') }} {{ pillar.get(\"roce:pfc\") }} {{ salt['pillar.get']('roce:tc', 106) }}"
    assert variables.settled("salt/roce/init.sls", text)[0] == "0,0,0,1 0,0,0,1 106"


def test_a_port_that_a_template_passes_over(tmp_path: Path) -> None:
    odd = TEMPLATE.replace(
        "   service-profile ROCE\n", "{% if port.roce | default(true) %}\n   service-profile ROCE\n{% endif %}\n"
    )
    ports = "ports: [{name: Ethernet1}, {name: Ethernet2}, {name: Ethernet3}, {name: Ethernet4}"
    assert told(tmp_path, templates_qos_j2=odd, host_vars_leaf2_yml=f"{ports}]\n") == []
    assert told(
        tmp_path, templates_qos_j2=odd, host_vars_leaf2_yml=f"{ports}, {{name: Ethernet5, roce: false}}]\n"
    ) == [("leaf2-qos.j2", "fleet/device-left-out", "qos.j2", 9)]
