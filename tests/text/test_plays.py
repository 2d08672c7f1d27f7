"""Playbooks as the runs of their modules, and the values of Jinja in them."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.text.jinja.conditions import decided
from roce_audit.text.jinja.lines import rendered
from roce_audit.text.jinja.values import Open, fill, value_of
from roce_audit.text.plays import items, runs_of
from roce_audit.text.structured.yamltext import documents

RAIL = {"name": "swp1", "pfc": {"on": [3, 4]}}
VARIABLES = {
    "ports": [{"name": "Ethernet1", "mtu": 9214}, {"name": "Ethernet2", "mtu": 1500}],
    "spines": ["a", "b"],
    "leaf": {"first": 3},
    "named": "{{ leaf.first }}",
    "itself": "{{ itself }}",
    "rails": [RAIL],
    "mixed": [RAIL, {"name": "swp9"}],
}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{{ ports }}", VARIABLES["ports"]),
        ("{{ ports[1].name }}", "Ethernet2"),
        ("{{ ports.0['mtu'] }}", 9214),
        ("Ethernet{{ leaf.first * 4 + 1 }}/1", "Ethernet13/1"),
        ("{{ (leaf.first | int) - 1 }}", 2),
        ("{{ named }}", 3),
        ("{{ unset | default('9216') }}", "9216"),
        ("{{ leaf.last.mtu | d(9000) }}", 9000),
        ("{{ spines + ['c'] }}", ["a", "b", "c"]),
        ("{{ range(0, 16, 8) | list }}", [0, 8]),
        ("{{ spines | product([1, 2]) | list }}", [["a", 1], ["a", 2], ["b", 1], ["b", 2]]),
        ("{{ leaf | dict2items }}", [{"key": "first", "value": 3}]),
        ("{{ spines | join(',') }}", "a,b"),
        ("{{ rails | subelements('pfc.on') }}", [[RAIL, 3], [RAIL, 4]]),
        ("{{ mixed | subelements('pfc.on', skip_missing=true) }}", [[RAIL, 3], [RAIL, 4]]),
    ],
)
def test_a_value(written: str, value: Any) -> None:
    assert value_of(written, VARIABLES) == value


@pytest.mark.parametrize(
    "written",
    [
        "{{ unset }}",
        "{{ itself }}",
        "{{ lookup('file', 'x') }}",
        "{{ ports | selectattr('mtu', 'match', '9') }}",
        "{{ spines[7] }}",
        "{{ mixed | subelements('pfc.on') }}",
        "{{ 1 // 0 }}",
        "{{ 'a' if x else 'b' }}",
        "{% if x %}1{% endif %}",
        "{{ (1 }}",
    ],
)
def test_a_value_that_is_not_followed_stays_as_it_is_written(written: str) -> None:
    with pytest.raises(Open):
        value_of(written, VARIABLES)
    assert fill(written, VARIABLES) == written


@pytest.mark.parametrize(
    ("task", "found"),
    [
        ({}, [{}]),
        (
            {"loop": [1, 2], "loop_control": {"loop_var": "port", "index_var": "at"}},
            [{"port": 1, "at": 0}, {"port": 2, "at": 1}],
        ),
        ({"with_items": [[1, 2], "{{ spines }}"]}, [{"item": one} for one in (1, 2, "a", "b")]),
        ({"with_subelements": ["{{ rails }}", "pfc.on"]}, [{"item": [RAIL, 3]}, {"item": [RAIL, 4]}]),
        (
            {"with_subelements": [[{"name": "swp9"}, {"pfc": [5]}], "pfc", {"skip_missing": True}]},
            [{"item": [{"pfc": [5]}, 5]}],
        ),
        ({"with_subelements": [[{"name": "swp9"}], "pfc"]}, None),
        ({"with_nested": ["{{ spines }}", [1, 2]]}, [{"item": [s, n]} for s in "ab" for n in (1, 2)]),
        ({"with_together": ["{{ spines }}", [1, 2]]}, [{"item": ["a", 1]}, {"item": ["b", 2]}]),
        ({"with_sequence": "start=1 end=3 format=Ethernet%d"}, [{"item": f"Ethernet{n}"} for n in (1, 2, 3)]),
        ({"with_dict": "{{ leaf }}"}, [{"item": {"key": "first", "value": 3}}]),
        ({"loop": "{{ groups['gpus'] }}"}, None),
        ({"with_fileglob": "*.cfg"}, None),
    ],
)
def test_what_a_loop_goes_through(task: dict[str, Any], found: list[dict[str, Any]] | None) -> None:
    assert items(task, VARIABLES) == found


def test_runs_with_what_stands_around_them() -> None:
    text = """- hosts: leaves
  vars: {priority: 3}
  tasks:
    - set_fact: {words: "no-drop"}
    - vars: {port: Ethernet1}
      when: is_gpu
      block:
        - arista.eos.eos_config:
            lines: ["priority-flow-control priority {{ priority }} {{ words }}", "mtu {{ mtu }}"]
            parents: interface {{ port }}
          with_items: [1, 2]
"""
    found = [one for one in runs_of(documents(text)) if not one.is_skipped]
    assert [one.name for one in found] == ["eos_config"] * 2
    one = found[1]
    assert one.arguments == {
        "lines": ["priority-flow-control priority 3 no-drop", "mtu {{ mtu }}"],
        "parents": "interface Ethernet1",
    }
    assert (one.hosts, one.collection, one.runs, one.condition) == ("leaves", "arista.eos", 2, "is_gpu")
    assert (one.line("lines", 1), one.line("parents"), one.line("nowhere")) == (9, 10, 8)


@pytest.mark.parametrize(
    ("written", "holds"),
    [
        (False, False),
        ("lossless", True),
        ("not lossless", False),
        ("lossless | bool and vendor == 'eos'", True),
        ("vendor != 'eos' or priority == 4", False),
        ("vendor in ['eos', 'nxos']", True),
        ("vendor not in ['eos', 'nxos']", False),
        ("priority is defined", True),
        ("unheard is defined", None),
        ("unheard and not lossless", False),
        ("inventory_hostname == 'leaf1'", None),
        (["lossless", "priority == 3"], True),
        (["lossless", "unheard"], None),
        ("(lossless and unheard) or priority == 3", True),
        ("(lossless and unheard) or priority == 4", None),
        ("not (vendor == 'eos' and priority == 3)", False),
        ("not (vendor == 'eos' and (priority == 4 or unheard is defined))", None),
        ("((vendor == 'eos') and (priority == 4))", False),
        ("(priority | int) == 3 and lossless", None),
        ("vendor in ('eos', 'nxos') and lossless", None),
        ({"lossless": True}, None),
    ],
)
def test_what_decides_a_condition(written: Any, holds: bool | None) -> None:
    assert decided(written, {"lossless": "yes", "vendor": "eos", "priority": 3}) is holds


def test_a_task_whose_condition_fails_does_not_run() -> None:
    text = """- hosts: leaves
  vars: {lossless: true}
  tasks:
    - eos_config: {lines: [a]}
      when: not lossless
    - block:
        - eos_config: {lines: ["{{ item }}"]}
          when: item > 1 or item == 2
          loop: [1, 2]
        - eos_config: {lines: [c]}
          when: item == 1
      when: lossless
"""
    found = [(one.arguments["lines"], one.condition) for one in runs_of(documents(text)) if not one.is_skipped]
    assert found == [([1], "item > 1 or item == 2"), ([2], ""), (["c"], "item == 1")]


def test_lines_of_a_template() -> None:
    text = """qos
{% for port in ports %}
interface {{ port.name }}
{% if port.mtu == 9214 %}
 jumbo
{% else %}
 mtu {{ port.mtu }}
{% endif %}
{% endfor %}
{% set first = leaf.first %}
queue {{ first }}
{% for one in elsewhere %}
trunk {{ one }} {{ first }}
{% endfor %}
"""
    assert rendered(text, VARIABLES) == [
        (0, "qos"),
        (2, "interface Ethernet1"),
        (4, " jumbo"),
        (2, "interface Ethernet2"),
        (6, " mtu 1500"),
        (10, "queue 3"),
        (11, "{% for one in elsewhere %}"),
        (12, "trunk {{ one }} 3"),
        (13, "{% endfor %}"),
    ]
    assert rendered("{% for key, value in leaf.items() %}\n{{ key }} {{ value }}\n{% endfor %}", VARIABLES) == [
        (1, "first 3")
    ]
