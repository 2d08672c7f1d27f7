"""Templates and data files of switches: what they say plainly is a part of a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.cli.main import main
from roce_audit.policy import Policy, load
from roce_audit.sources.repository.templates import fragments

HEAD = "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"


@pytest.mark.parametrize(
    ("template", "plain"),
    [
        (HEAD + "{% for p in ports %}\n{% endfor %}\n", HEAD + "\n\n"),
        (HEAD + "{# old:\n pause pfc-cos 4 #}\n", HEAD + "\n\n"),
        # a stanza of which something that matters hangs on a condition, or is open, says nothing
        (
            HEAD + "policy-map type network-qos B\n{% if x %}\n  class type network-qos c-8q-nq4\n{% endif %}\n",
            HEAD + "\n\n\n\n",
        ),
        (HEAD + "qos profile A\n  trust {{ mark }}\nsystem qos\n", HEAD + "\n\nsystem qos\n"),
        # nothing of a stanza whose name nobody knows is left to the stanza before
        (HEAD + "interface vlan {{ id }}\n  mtu 1500\nsystem qos\n", HEAD + "\n\nsystem qos\n"),
        # the ports of a loop stand as one, those of another loop as another one
        (
            HEAD
            + "{% for p in a %}\ninterface {{ p.name }}\n  mtu 9216\n{% endfor %}\ninterface Ethernet{{ b }}\n  mtu 1500\n",
            HEAD + "\ninterface Ethernet1/1\n  mtu 9216\n\ninterface Ethernet1/2\n  mtu 1500\n",
        ),
        # and none as one that the template names
        (
            HEAD + "interface Ethernet1/1\n  mtu 9216\n{% for p in b %}\ninterface {{ p }}\n  mtu 1500\n{% endfor %}\n",
            HEAD + "interface Ethernet1/1\n  mtu 9216\n\ninterface Ethernet1/2\n  mtu 1500\n\n",
        ),
        # a line of which a part hangs on a condition is not said plainly
        (
            HEAD + "interface Ethernet1/1\n  mtu {% if x %}9216{% else %}1500{% endif %}\n",
            HEAD + "interface Ethernet1/1\n\n",
        ),
        (HEAD + "{% if x %}\ninterface {{ port }}\n  mtu 1500\n{% endif %}\n", HEAD + "\n\n\n\n"),
        (HEAD + "qos profile A\n  trust $mark\nsystem qos\n", HEAD + "\n\nsystem qos\n"),
        (
            HEAD + "interface Ethernet1/1\n  mtu {{ mtu }}\n  no shutdown\n",
            HEAD + "interface Ethernet1/1\n\n  no shutdown\n",
        ),
    ],
)
def test_a_template_without_what_is_rendered(template: str, plain: str) -> None:
    assert fragments.of_template("leaf.j2", template) == plain


def test_a_template_whose_blocks_are_closed_elsewhere_gives_nothing() -> None:
    text = "class-of-service {\n    forwarding-classes {\n        class A queue-num 3 no-loss;\n    }\n{% if x %}\n}\n{% endif %}\n"
    assert fragments.of_template("cos.j2", text) == ""
    assert fragments.of_template("cos.j2", text.replace("{% if x %}\n", "").replace("{% endif %}\n", ""))


def test_a_key_at_the_end_whose_values_are_rendered_is_left_out() -> None:
    text = "- set:\n    qos:\n      roce:\n        enable: on\n    interface:\n{% for p in ports %}\n      {{ p }}:\n{% endfor %}\n"
    assert fragments.of_template("nvue.yaml.j2", text).rstrip().endswith("enable: on")


def test_a_key_all_of_whose_values_are_rendered_is_left_out() -> None:
    text = "- set:\n    qos:\n      roce:\n        enable: on\n    nve:\n      source:\n        address: {{ ip }}\n    x: a\n"
    kept = "- set:\n    qos:\n      roce:\n        enable: on\n    x: a"
    assert fragments.of_template("nvue.yaml.j2", text).split() == kept.split()


def test_a_template_of_no_device_gives_nothing() -> None:
    assert fragments.of_template("mail.j2", "Dear {{ name }},\nyour order\n") == ""
    assert (
        fragments.of_template("qos.json.j2", '{% set x = 1 %}\n{\n  "PORT_QOS_MAP": {\n    "a": {{ x }},\n  }\n') == ""
    )


TASKS = """- hosts: leafs
  tasks:
    - name: pause
      cisco.nxos.nxos_config:
        lines:
          - pause pfc-cos 3
        parents:
          - policy-map type network-qos NQ
          - class type network-qos c-8q-nq3
    - cisco.nxos.nxos_config:
        parents: interface Ethernet1/1
        lines:
          - priority-flow-control mode on
"""
NVUE = """nvue_config:
  - set:
      qos:
        roce:
          mode: lossless
      interface:
        swp1:
          type: swp
other: 1
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            TASKS,
            {
                6: "    pause pfc-cos 3",
                8: "policy-map type network-qos NQ",
                9: "  class type network-qos c-8q-nq3",
                11: "interface Ethernet1/1",
                13: "  priority-flow-control mode on",
            },
        ),
        (
            NVUE,
            {
                2: "- set:",
                3: "    qos:",
                4: "      roce:",
                5: "        mode: lossless",
                6: "    interface:",
                7: "      swp1:",
                8: "        type: swp",
            },
        ),
        (
            "type: l3leaf\neos_cli: |\n  qos profile RAIL\n     qos trust dscp\n     priority-flow-control on\n",
            {3: "qos profile RAIL", 4: "   qos trust dscp", 5: "   priority-flow-control on"},
        ),
    ],
)
def test_a_configuration_below_a_key(text: str, lines: dict[int, str]) -> None:
    (found,) = fragments.in_data("group_vars/leaf.yml", text)
    numbers = found.lines or tuple(range(1, found.text.count("\n") + 2))
    assert {number: line for number, line in zip(numbers, found.text.split("\n"), strict=True) if line} == lines


def test_data_of_no_switch_gives_nothing() -> None:
    assert fragments.in_data("ci.yml", "script: |\n  one\n  two\n  three\n") == []
    assert fragments.in_data("notes.txt", TASKS) == []


LEAF = """hostname {{ inventory_hostname }}
qos map dscp 26 to traffic-class 3
qos profile RAIL
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority {{ roce.priority }} no-drop
{% for i in rails %}
interface {{ i.name }}
   description {{ i.host }}
   mtu 9214
   service-profile RAIL
{% endfor %}
"""
SCRIPT = "#!/bin/bash\nmlnx_qos -i ens1np0 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"


@pytest.mark.parametrize(("priority", "rules"), [(3, set()), (4, {"pfc/setup-off-class"})])
def test_a_template_and_its_variables_are_held_against_the_hosts(
    tmp_path: Path, priority: int, rules: set[str]
) -> None:
    (tmp_path / "group_vars").mkdir()
    (tmp_path / "group_vars" / "all.yml").write_text(
        f"rails:\n  - {{name: Ethernet1}}\nroce:\n  priority: {priority}\n"
    )
    (tmp_path / "leaf.j2").write_text(LEAF)
    (tmp_path / "setup.sh").write_text(SCRIPT)
    done = check(Request((str(tmp_path),), policy=Policy.empty()))
    failing = {
        one.rule for one in done.report.findings if one.verdict == "fails" and one.severity in ("error", "warning")
    }
    assert failing & {"pfc/setup-off-class"} == rules
    assert rules or not failing


def test_a_template_is_compared_with_no_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pfc = "   priority-flow-control on\n   priority-flow-control priority {p} no-drop\n"
    port = f"interface Ethernet{{n}}/1\n   mtu 9214\n   qos trust dscp\n{pfc}!\n"
    leaf = "! device: leaf{k} (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf{k}\n!\n"
    for k in range(1, 6):
        Path(f"leaf{k}.cfg").write_text(
            leaf.format(k=k) + "".join(port.format(n=n, p=3) for n in range(1, 9)) + "end\n"
        )
    odd = leaf.format(k=9) + "".join(port.format(n=n, p=4 if n == 1 else 3) for n in range(1, 9))
    found = {}
    for name, text in (("leaf9.cfg", odd + "end\n"), ("leaf.j2", odd + "{% if x %}\n{% endif %}\n")):
        Path(name).write_text(text)
        report = check(Request(paths=(".",), policy=Policy.empty())).report
        found[name] = {f.rule for f in report.findings if f.verdict == "fails" and f.locations[0].path.endswith(name)}
        Path(name).unlink()
    assert "fleet/odd-port-out" in found["leaf9.cfg"]
    assert "fleet/odd-port-out" not in found["leaf.j2"]


def test_a_template_that_makes_its_ports_elsewhere_lacks_no_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    profile = "qos profile ROCE\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
    loop = "{% for port in ports %}\ninterface {{ port.name }}\n   service-profile ROCE\n!\n{% endfor %}\n"
    Path("leaf.j2").write_text(f"hostname {{{{ name }}}}\n!\n{profile}{loop}")
    Path("roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    found = check(Request(paths=(".",), policy=load(Path("roce-audit.yaml")))).report.findings
    assert [one.rule for one in found if one.verdict == "fails"] == []


NAMED = """interfaces {
    $PORT {
        mtu $MTU;
    }
    et-0/0/1 {
        mtu 1500;
    }
}
class-of-service {
    interfaces {
        $PORT.0 {
            scheduler-map sm;
        }
    }
    schedulers {
        nothing;
    }
}
"""


@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("port.conf", NAMED, True),
        ("port.set", "set interfaces $PORT mtu 9216\nset class-of-service interfaces $PORT scheduler-map sm\n", True),
        (
            "leaf.cfg",
            "hostname leaf1\ninterface $PORT\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n",
            True,
        ),
        (
            "split.conf",
            "interfaces {\n    ${PORT}:0 {\n        mtu 9216;\n    }\n    et-0/0/$LANE {\n        mtu 9216;\n    }\n}\n",
            True,
        ),
        (
            "secret.cfg",
            "hostname leaf1\nusername a secret sha512 $6$ABC.x$DEFG/h1\ninterface Ethernet1/1\n   mtu 9214\n",
            False,
        ),
        (
            "hidden.cfg",
            "hostname leaf1\nusername a secret 0 $PASSWORD\ninterface Ethernet1/1\n   priority-flow-control on\n",
            False,
        ),
        (
            "mixed.txt",
            "interface Ethernet1/1\n   priority-flow-control on\nif ($LASTEXITCODE -ne 0) { queue }\n",
            False,
        ),
        ("told.conf", NAMED.replace("$PORT", "et-0/0/0").replace("$MTU", "9216"), False),
        (
            "described.cfg",
            "hostname leaf1\ninterface Ethernet1/1\n   description to $SITE\n   priority-flow-control on\n",
            False,
        ),
        ("setup", "config interface pfc priority $PORT 3 on\nconfig interface pfc priority $PORT 4 on\n", False),
        ("launch.sh", "#!/bin/sh\nmlnx_qos -i $PORT --pfc 0,0,0,1,0,0,0,0\n", False),
    ],
)
def test_values_in_capitals_are_put_in_later(name: str, text: str, is_one: bool) -> None:
    assert fragments.has_named_values(name, text) is is_one


def test_a_statement_with_a_value_that_is_put_in_later_is_no_unread_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cos = "class-of-service {\n    interfaces {\n        PORT {\n            scheduler-map sm;\n        }\n    }\n}\n"
    ports = "interfaces {\n    et-0/0/1 {\n        mtu 9216;\n    }\n}\n"
    Path("snip.conf").write_text(ports + cos.replace("PORT", "$INTERFACE_1"))
    main(["check", "."])
    said = capsys.readouterr().out
    assert "unread-line" not in said
    assert "only what it says plainly is judged" in said
    Path("snip.conf").write_text(ports + cos.replace("PORT", "no such port"))
    main(["check", "."])
    assert "unread-line" in capsys.readouterr().out


def in_yaml(devices: int, heading: str = "! Command: show running-config") -> str:
    """Configurations of switches below keys."""
    ports = "".join(f"    interface Ethernet{n}\n       priority-flow-control on\n" for n in range(1, 6))
    names = range(1, devices + 1)
    return "".join(
        f"- host: leaf{n}\n  running: |\n    {heading}\n    hostname leaf{n}\n{ports}    end\n" for n in names
    )


def test_what_a_device_printed_is_whole_below_a_key_as_well(tmp_path: Path) -> None:
    def parts(text: str) -> list[bool]:
        return [part.is_capture for part in fragments.in_data("backups.yaml", text)]

    assert parts(in_yaml(2)) == [True, True]
    assert parts(in_yaml(1, "! changes of today")) == [False]
    assert parts(in_yaml(1) + "    snmp-server location {{ site }}\n") == [False]
    (tmp_path / "backups.yaml").write_text(in_yaml(2))
    ports = check(Request((str(tmp_path),), Policy.empty())).site.fabrics[0].ports
    assert all(port.device.complete_because for port in ports)


def test_configurations_that_are_too_many_for_one_file_are_told() -> None:
    *parts, last = fragments.in_data("backups.yaml", text := in_yaml(70))
    ((line, words),) = last.left_out
    assert len(parts) == 64
    assert "not read" in words
    assert text.splitlines()[line - 3 : line] == [
        "- host: leaf65",
        "  running: |",
        "    ! Command: show running-config",
    ]
