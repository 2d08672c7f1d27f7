"""Programs that load data from files and render templates of the repository with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from roce_audit.sources.repository.fragments import in_program
from roce_audit.sources.repository.pythonfiles import Files, holder
from roce_audit.sources.repository.pythonprogram import followed
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
    assert followed(text, its) is not None
