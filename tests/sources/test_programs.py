"""Programs that load data from files and render templates of the repository with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from roce_audit.sources.repository.python.files import Files, holder
from roce_audit.sources.repository.python.program import follow
from roce_audit.sources.repository.python.pushes import pushed_with
from roce_audit.sources.repository.templates.fragments import in_program
from roce_audit.sources.repository.terraform import rendered_files

from .conftest import judged

Found = list[tuple[str, str, str, int | None]]


def told(folder: Path, files: Mapping[str, str]) -> Found:
    _, failing = judged(folder, files)
    return [
        (one.rule, one.severity, Path(one.locations[0].path).name, one.locations[0].line)
        for one in failing
        if not one.because_of
    ]


PUSH = """from pathlib import Path
import yaml
from jinja2 import Environment, FileSystemLoader
from netmiko import ConnectHandler

ROOT = Path(__file__).parent


def render(name, data):
    env = Environment(loader=FileSystemLoader(ROOT / "tpl"), trim_blocks=True)
    return env.get_template(name).render(**data)


with open(ROOT / "data" / "site.yml") as handle:
    site = yaml.safe_load(handle)

for switch in site["switches"]:
    text = render("qos.j2", {"switch": switch, "rdma": site["rdma"]})
    if DRY_RUN:
        print(text)
        continue
    with ConnectHandler(device_type="cisco_nxos", host=switch["address"]) as session:
        session.send_config_set(text.splitlines())
"""
TEMPLATE = """class-map type qos match-all RDMA
  match dscp {{ rdma.dscp }}
policy-map type qos MARK
  class RDMA
    set qos-group {{ rdma.cos }}
policy-map type network-qos NQ-RDMA
  class type network-qos c-8q-nq{{ rdma.cos }}
    mtu 9216
    pause pfc-cos {{ rdma.cos }}
system qos
  service-policy type network-qos NQ-RDMA
{% for port in switch.ports %}
interface {{ port.name }}
  mtu {{ rdma.mtu }}
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input MARK
{% endfor %}
"""
DATA = """rdma: {dscp: 26, cos: 3, mtu: 9216}
switches:
  - {name: leaf1, address: 192.0.2.1, ports: [{name: Ethernet1/1}, {name: Ethernet1/2}]}
  - {name: leaf2, address: 192.0.2.2, ports: [{name: Ethernet1/1}]}
"""
SITE = {"push.py": PUSH, "tpl/qos.j2": TEMPLATE, "data/site.yml": DATA}


@pytest.mark.parametrize(
    ("path", "good", "bad", "expected"),
    [
        ("push.py", "", "", []),
        ("data/site.yml", "mtu: 9216", "mtu: 1500", [("mtu/no-jumbo-frames", "warning", "qos.j2", 14)]),
        (
            "tpl/qos.j2",
            "pause pfc-cos {{ rdma.cos }}",
            "pause pfc-cos 4",
            [("pfc/pauses-other-number", "error", "qos.j2", 9)],
        ),
        (
            "tpl/qos.j2",
            "flow-control mode on",
            "flow-control mode off",
            [("pfc/no-drop-without-pfc", "error", "qos.j2", 15)],
        ),
        # for the whole device, where only one of its kind is defined
        (
            "tpl/qos.j2",
            "qos NQ-RDMA\n{%",
            "qos NQ-ROCE\n{%",
            [("input/undefined-or-unapplied", "error", "qos.j2", 11)],
        ),
        # what the program does not say stays open
        ("push.py", 'site["rdma"]', "wanted()", []),
        ("data/site.yml", "cos: 3", "cos: [", []),
    ],
)
def test_a_template_with_the_data_that_the_program_loads(
    tmp_path: Path, path: str, good: str, bad: str, expected: Found
) -> None:
    assert told(tmp_path, {**SITE, path: SITE[path].replace(good, bad)}) == expected


ROWS = """import csv
from jinja2 import Template
from jnpr.junos.utils.config import Config

COS = Template('''
set class-of-service forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3
{% for port in ports %}
set interfaces {{ port }} mtu 9216
{% endfor %}
''')
with open("ports.csv") as handle:
    rows = list(csv.DictReader(handle))


def lines(port):
    yield f"set class-of-service interfaces {port} congestion-notification-profile {PROFILE}"
    yield from (f"set class-of-service interfaces {port} scheduler-map SM",)


PROFILE = "CNP"
ports = [row["port"] for row in rows if row["switch"] == "q1"]
with Config(device) as cu:
    cu.load(COS.render(ports=ports), format="set")
    for port in ports:
        cu.load("\\n".join(lines(port)), format="set")
"""


def test_a_template_in_the_program_with_the_rows_of_a_table() -> None:
    table = {"ports.csv": "switch,port\nq1,et-0/0/1\nq2,et-0/0/2\n"}
    (part,) = in_program("cos.py", ROWS, table)
    said = [(number, line) for number, line in enumerate(part.text.split("\n"), 1) if line]
    assert said == [
        (6, "set class-of-service forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3"),
        (8, "set interfaces et-0/0/1 mtu 9216"),
        (16, "set class-of-service interfaces et-0/0/1 congestion-notification-profile CNP"),
        (17, "set class-of-service interfaces et-0/0/1 scheduler-map SM"),
    ]


def test_files_are_found_where_a_program_may_mean_them() -> None:
    known = {"a/x.yml": lambda: "1", "b/x.yml": lambda: "2", "b/tpl/only.j2": lambda: "3"}
    held = holder("b/tool/push.py", known)
    assert held("../x.yml") == ("b/x.yml", "2")
    assert held("x.yml") == ("", "")  # two of them
    assert held("/opt/fabric/tpl/only.j2") == ("b/tpl/only.j2", "3")
    assert held("../../../etc/passwd") == ("", "")


def test_plans_of_terraform_render_files() -> None:
    plan = """locals {
  ports = ["Ethernet1/1"]
}
resource "x" "y" {
  config = templatefile("${path.module}/ports.tftpl", { ports = local.ports, mtu = 9214, other = data.x.y })
}
"""
    assert list(rendered_files(plan)) == [("ports.tftpl", {"ports": ["Ethernet1/1"], "mtu": 9214})]


@pytest.mark.parametrize("data", ["a: &a [*a]\n", "[" * 500, "x: 1\n" * 50_000, '{"a": "{{ b }}"}'])
def test_hostile_data(data: str) -> None:
    text = 'import yaml\nx = yaml.safe_load(open("d.yml"))\nenv.get_template("t.j2").render(**x)\n'
    its = Files(holder("p.py", {"d.yml": lambda: data, "t.j2": lambda: "qos {{ a }}"}))
    assert follow(text, its) is not None


LISTED = """from pathlib import Path
import jinja2
import yaml

ROOT = Path(__file__).resolve().parent
env = jinja2.Environment(loader=jinja2.FileSystemLoader(str(ROOT / "templates")))
for path in sorted((ROOT / "vars").glob("*.yml")):
    switch = yaml.safe_load(path.read_text())
    out = env.get_template(f"{switch['os']}.j2").render(switch=switch, rdma={"dscp": 26, "cos": 3, "mtu": 9216})
    (ROOT / "build" / f"{path.stem}.cfg").write_text(out)
"""
OF_FILES = {
    "render.py": LISTED,
    "templates/nexus.j2": TEMPLATE,
    "vars/leaf1.yml": "os: nexus\nports: [{name: Ethernet1/1}]\n",
    "vars/leaf2.yml": "os: nexus\nports: [{name: Ethernet1/1}, {name: Ethernet1/2}]\n",
}


def test_a_file_of_data_for_each_switch(tmp_path: Path) -> None:
    assert told(tmp_path, OF_FILES) == []
    bad = TEMPLATE.replace("pause pfc-cos {{ rdma.cos }}", "pause pfc-cos 5")
    assert told(tmp_path, {**OF_FILES, "templates/nexus.j2": bad}) == [
        ("pfc/pauses-other-number", "error", "nexus.j2", 9)
    ]


BLOCKS = {
    "base.j2": """qos map dscp 26 to traffic-class 3
qos profile ROCE
   qos trust dscp
{% block pfc %}
   priority-flow-control on
   priority-flow-control priority 3 no-drop
{% endblock %}
   priority-flow-control pause watchdog
{% block ports %}{% endblock %}
""",
    "leaf.j2": """{% extends "base.j2" %}
{% block ports %}
{% for p in ports %}
interface {{ p }}
   mtu 9214
   service-profile ROCE
{% endfor %}
{% endblock %}
""",
    "gen.py": "import jinja2\nenv = jinja2.Environment()\n"
    'print(env.get_template("leaf.j2").render(ports=["Ethernet1/1", "Ethernet2/1"]))\n',
}
OTHER = """{% block pfc %}
   priority-flow-control on
   priority-flow-control priority 4 no-drop
{% endblock %}
"""


def test_blocks_of_a_template_that_a_program_renders(tmp_path: Path) -> None:
    assert told(tmp_path, BLOCKS) == []
    found = told(tmp_path, {**BLOCKS, "leaf.j2": BLOCKS["leaf.j2"].replace("{% block p", f"{OTHER}{{% block p")})
    assert found == [("marking/taken-out-of-lossless", "error", "base.j2", 1)]


OBJECTS = """import json
import os
import netmiko


class Leaf:
    def __init__(self, spec, qos):
        self.address = spec["address"]
        self.ports = spec["ports"]
        self.qos = qos

    def everywhere(self):
        return [
            f"qos map dscp 26 to traffic-class {self.qos['tc']}",
            "qos profile RDMA",
            "qos trust dscp",
            "priority-flow-control on",
            f"priority-flow-control priority {self.qos['tc']} no-drop",
            "priority-flow-control pause watchdog",
        ]

    def on_ports(self):
        return [row for p in self.ports for row in (f"interface {p}", "mtu 9214", "service-profile RDMA")]

    def push(self):
        with netmiko.ConnectHandler(device_type="arista_eos", host=self.address) as session:
            session.send_config_set(self.everywhere() + self.on_ports())


def load(path):
    with open(os.path.join(HERE, "data", path)) as file:
        return json.load(file)


leaves = [Leaf(spec, load("qos.json")) for spec in load("leaves.json")]
list(pool.map(lambda leaf: leaf.push(), leaves))
"""
SPECS = {
    "leaves.json": '[{"address": "192.0.2.1", "ports": ["Ethernet1/1"]}, {"address": "192.0.2.2", "ports": ["Ethernet2/1"]}]',
    "qos.json": '{"tc": 3}',
}


def test_objects_of_a_class_each_with_its_ports() -> None:
    files = {f"data/{name}": text for name, text in SPECS.items()}
    one, two = pushed_with(OBJECTS, files)
    assert (one.statements[4], one.statements[6]) == (
        "priority-flow-control priority 3 no-drop",
        "interface Ethernet1/1",
    )
    assert two.statements[6] == "interface Ethernet2/1"


def test_what_lost_a_line_that_stands_elsewhere_is_not_judged(tmp_path: Path) -> None:
    assert told(tmp_path, {"push.py": OBJECTS}) == []  # the priority is not known: no profile without one


SHELL = """import paramiko


def run(client, command):
    client.exec_command(command)


for switch in ("192.0.2.1", "192.0.2.2"):
    client = paramiko.SSHClient()
    client.connect(switch)
    run(client, "hostname")
    for number in range(0, 16, 8):
        run(client, f"sudo config interface mtu Ethernet{number} 9100")
        run(client, f"sudo config interface pfc priority Ethernet{number} 3 on")
    run(client, "sudo pfcwd start --action drop all 200 --restoration-time 400")
"""


def test_commands_that_are_run_over_ssh(tmp_path: Path) -> None:
    assert told(tmp_path, {"roce.py": SHELL}) == []
    found = told(tmp_path, {"roce.py": SHELL.replace("3 on", "3 off")})
    assert found == [("pfc/no-port-pauses", "error", "roce.py", 15)]
    assert "config interface mtu Ethernet8 9100" in " ".join(pushed_with(SHELL, {})[0].statements)


BODY = """import requests

COMMANDS = ["qos profile RDMA", "priority-flow-control on", "priority-flow-control priority 3 no-drop"]
for address in ("192.0.2.1", "192.0.2.2"):
    body = {"jsonrpc": "2.0", "method": "runCmds", "params": {"version": 1, "cmds": ["configure", *COMMANDS]}}
    requests.post(f"https://{address}/command-api", json=body)
"""


def test_commands_in_the_body_of_a_request() -> None:
    (found,) = pushed_with(BODY, {})
    assert (found.statements, found.lines) == (
        ["qos profile RDMA", "priority-flow-control on", "priority-flow-control priority 3 no-drop"],
        [3, 3, 3],
    )
    around = '{"ins_api": {"type": "cli_conf", "input": " ;".join(COMMANDS)}}'
    joined = "\n".join(f"    body = {around}" if line.startswith("    body =") else line for line in BODY.split("\n"))
    assert pushed_with(joined, {})[0].statements == found.statements


PILLAR = "roce: {dscp: 26, cos: 3, ports: [Ethernet1/1, Ethernet2/1]}\n"
OF_PILLAR = """{%- set roce = pillar.get('roce') %}
qos map dscp {{ roce.dscp }} to traffic-class {{ roce.cos }}
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control pause watchdog
   priority-flow-control priority {{ roce.cos }} no-drop
{%- for port in roce.ports %}
interface {{ port }}
   mtu 9214
   service-profile ROCE
{%- endfor %}
"""


def test_what_a_template_asks_of_its_pillar(tmp_path: Path) -> None:
    files = {"pillar/roce.sls": PILLAR, "states/qos/eos.jinja": OF_PILLAR}
    assert told(tmp_path, files) == []
    bad = OF_PILLAR.replace("priority {{ roce.cos }} no-drop", "priority 4 no-drop")
    assert told(tmp_path, {**files, "states/qos/eos.jinja": bad}) == [
        ("marking/taken-out-of-lossless", "error", "eos.jinja", 2)
    ]


PLAN = """locals {
  fabric = yamldecode(file("${path.module}/fabric.yaml"))
}
resource "nxos_cli" "qos" {
  for_each = local.leaves
  cli      = templatefile("${path.module}/qos.tftpl", { rdma = local.fabric.rdma, switch = each.value })
}
"""
OF_PLAN = {
    "main.tf": PLAN,
    "fabric.yaml": "rdma: {dscp: 26, cos: 3, mtu: 9216}\n",
    "qos.tftpl": TEMPLATE.replace("{{ ", "${").replace(" }}", "}").replace("{% ", "%{ ").replace(" %}", " ~}"),
}


def test_a_plan_renders_a_file_with_data_from_another(tmp_path: Path) -> None:
    assert told(tmp_path, OF_PLAN) == []
    bad = OF_PLAN["qos.tftpl"].replace("pause pfc-cos ${rdma.cos}", "pause pfc-cos 4")
    assert told(tmp_path, {**OF_PLAN, "qos.tftpl": bad}) == [("pfc/pauses-other-number", "error", "qos.tftpl", 9)]
