"""Templates of JSON: the rows of a loop stand for one port, and what hangs on a condition leaves no row in part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.sources.repository.templates import fragments

from .conftest import judged

MAPS = '"TC_TO_QUEUE_MAP": {\n"A": {"3": "3"}\n},\n'
ROW = '"dscp_to_tc_map": "A",\n"pfc_enable": "3,4"\n'


def of(*rows: str) -> Any:
    text = "{\n" + MAPS + '"PORT_QOS_MAP": {\n' + "".join(rows) + "}\n}\n"
    indented, depth = [], 0
    for line in text.split("\n"):
        depth -= line.startswith("}")
        indented.append("  " * depth + line if not line.startswith("{%") else line)
        depth += line.endswith("{")
    plain = fragments.of_template("qos.json.j2", "\n".join(indented))
    assert plain.count("\n") == text.count("\n")
    return json.loads(plain)["PORT_QOS_MAP"]


@pytest.mark.parametrize("key", ["{{ port }}", "{{port_names}}", "{{- interface -}}", "{{ PORT_ACTIVE }}"])
def test_a_loop_over_ports_stands_for_one(key: str) -> None:
    loop = (
        "{% for port in PORT %}\n",
        f'"{key}": {{\n',
        ROW,
        "}{% if not loop.last %},{% endif %}\n",
        "{% endfor %}\n",
    )
    assert of(*loop) == {"Ethernet0": {"dscp_to_tc_map": "A", "pfc_enable": "3,4"}}


@pytest.mark.parametrize(
    ("loop", "key"),
    [
        ("p in ports", "{{ p.name }}"),
        ("name, p in interfaces.items()", "{{ name }}"),
        ("n in range(32)", "Ethernet{{ n * 4 }}"),
    ],
)
def test_a_loop_that_calls_a_port_otherwise(loop: str, key: str) -> None:
    rows = (f"{{% for {loop} %}}\n", f'"{key}": {{\n', ROW, '}{{ "," if not loop.last }}\n', "{% endfor %}\n")
    assert of(*rows) == {"Ethernet0": {"dscp_to_tc_map": "A", "pfc_enable": "3,4"}}


@pytest.mark.parametrize(
    ("loop", "key"), [("p in ports", "{{ p.peer }}"), ("n in range(ports)", "{{ n }}"), ("q in queues", "{{ q }}")]
)
def test_a_loop_over_something_else_stays_open(loop: str, key: str) -> None:
    assert of(f"{{% for {loop} %}}\n", f'"{key}": {{\n', ROW, "}\n", "{% endfor %}\n") == {}


def test_ports_of_two_loops_that_are_set_up_otherwise_stay_open() -> None:
    loop = '{% for port in PORT %}\n"{{ port }}": {\n"pfc_enable": "3,4"\n}{% if not loop.last %},{% endif %}\n{% endfor %}\n'
    assert of(loop, loop.replace("3,4", "3")) == {}


def test_loops_that_follow_each_other() -> None:
    one = '{% for port in PORT %}\n"{{ port }}|3": {\n"scheduler": "s1"\n}{% if not loop.last %},{% endif %}\n{% endfor %}\n'
    assert of(one, one.replace("|3", "|4-5")) == {
        "Ethernet0|3": {"scheduler": "s1"},
        "Ethernet0|4-5": {"scheduler": "s1"},
    }


@pytest.mark.parametrize(
    "line",
    [
        '"pfc_enable": {% if speed > 1 %}"3,4"{% else %}"3"{% endif %}\n',
        '"pfc_enable": "{{ paused }}"\n',
        '{% if x %}\n"pfc_enable": "3"\n{% endif %}\n',
    ],
)
def test_a_row_that_lost_a_line_is_left_out_as_a_whole(line: str) -> None:
    assert of('"Ethernet4": {\n', '"dscp_to_tc_map": "A",\n', line, "},\n", '"Ethernet8": {\n', ROW, "}\n") == {
        "Ethernet8": {"dscp_to_tc_map": "A", "pfc_enable": "3,4"}
    }


@pytest.mark.parametrize("key", ["{{ port_profile }}", "{{ profile }}", "{{ port }}|{{ queue }}", "{{ port + 1 }}"])
def test_a_name_that_is_no_ports_stays_open(key: str) -> None:
    assert of(f'"{key}": {{\n', ROW, "}\n") == {}


def test_macros_are_pieces_of_one_text() -> None:
    macro = '{%- macro NAME(port_names) %}\n    "TABLE": {\n        "p": {\n            "size": "0"\n        }\n    }\n{%- endmacro %}\n'
    text = macro.replace("TABLE", "BUFFER_POOL") + macro.replace("TABLE", "BUFFER_PROFILE")
    plain = fragments.of_template("buffers_defaults.j2", text)
    assert json.loads(f"{{{plain}}}") == {"BUFFER_POOL": {"p": {"size": "0"}}, "BUFFER_PROFILE": {"p": {"size": "0"}}}


def test_a_table_that_a_loop_closes_elsewhere_gives_nothing() -> None:
    """The rest of the file is in the branches of a condition: what stands plainly is no JSON, which is no fault of the file."""
    pool = '    "BUFFER_POOL": {\n        "p": {\n            "size": "0"\n        }\n    },\n'
    lists = '    "BUFFER_PORT_INGRESS_PROFILE_LIST": {\n{% for port in PORTS %}\n'
    rest = '        "{{ port }}": {}{% if not loop.last %},{% endif %}\n\n{% endfor %}\n{% if idle %}\n,\n{% for port in IDLE %}\n'
    macro = f"{{%- macro pools() %}}\n{pool}{lists}{rest}"
    assert fragments.of_template("buffers_defaults.j2", macro) == ""
    closed = f"{{%- macro pools() %}}\n{pool}{{%- endmacro %}}\n"
    assert fragments.of_template("buffers_defaults.j2", closed)


ROLE = {
    "inventory.ini": "[leafs]\ntor1\ntor2\n",
    "site.yml": "- hosts: leafs\n  roles: [qos]\n",
    "roles/qos/defaults/main.yml": "tc: 4\nports: [Ethernet0, Ethernet4]\n",
    "roles/qos/tasks/main.yml": "- template: {src: qos.json.j2, dest: /etc/sonic/qos.json}\n",
    "roles/qos/templates/qos.json.j2": """{
    "DSCP_TO_TC_MAP": {"R": {"32": "{{ tc }}", "0": "0"}},
    "TC_TO_PRIORITY_GROUP_MAP": {
        "R": {
{% for one in range(8) %}
            "{{ one }}": "{% if one == tc %}{{ tc }}{% else %}0{% endif %}"{% if not loop.last %},{% endif %}

{% endfor %}
        }
    },
    "PORT_QOS_MAP": {
{% for port in ports %}
        "{{ port }}": {
            "dscp_to_tc_map": "R",
            "tc_to_pg_map": "R",
            "pfc_enable": "{{ tc }}"
        }{% if not loop.last %},{% endif %}

{% endfor %}
    }
}
""",
}


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("", "", []),
        ('"pfc_enable": "{{ tc }}"', '"pfc_enable": "3"', [("marking/nothing-enters-lossless", 6)]),
        ("{% if one == tc %}{{ tc }}{% else %}0{% endif %}", "0", [("marking/nothing-enters-lossless", 6)]),
    ],
)
def test_a_template_whose_variables_its_role_has(tmp_path: Path, good: str, bad: str, expected: list[object]) -> None:
    at = "roles/qos/templates/qos.json.j2"
    report, failing = judged(tmp_path, {**ROLE, at: ROLE[at].replace(good, bad)})
    assert report.coverage.ports_roce["yes"] == 2
    assert [(one.rule, one.locations[0].line) for one in failing if not one.because_of] == expected
