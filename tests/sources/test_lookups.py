"""Values that are the text of a file, and lists and values as Ansible takes them."""

from __future__ import annotations

import pytest

from roce_audit.platforms.taskmodules import CONFIG, rows_of
from roce_audit.sources.repository.ansible.lookups import file_named
from roce_audit.sources.repository.inventories import of_ini
from roce_audit.text.plays import runs_of
from roce_audit.text.structured.yamltext import documents


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("{{ lookup('template', 'qos.j2') }}", "qos.j2"),
        ("{{ lookup('ansible.builtin.template', playbook_dir ~ '/t/qos.j2') }}", "plays/t/qos.j2"),
        ("{{ lookup('file', inventory_hostname + '.cfg', errors='warn') | trim }}", "t1.cfg"),
        ("{{ lookup('template', unknown) }}", ""),
        ("{{ lookup('env', 'HOME') }}", ""),
        ("no lookup", ""),
    ],
)
def test_the_name_of_a_looked_up_file(value: str, named: str) -> None:
    assert file_named(value, {"playbook_dir": "plays", "inventory_hostname": "t1"}) == named


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("priority 3,priority 3 deadlock-detect time 10", ["priority 3", "priority 3 deadlock-detect time 10"]),
        ("queue 0 qos-group 0-2,4-5,7", ["queue 0 qos-group 0-2,4-5,7"]),
        ("|\n          a b, c\n          d", ["a b, c", "d"]),
    ],
)
def test_a_list_that_is_written_as_one_text(lines: str, said: list[str]) -> None:
    text = f"- hosts: all\n  tasks:\n    - ce_config:\n        lines: {lines}\n"
    (run,) = runs_of(documents(text))
    assert [statement.strip() for _, statement, _ in rows_of(run, CONFIG)] == said


def test_values_of_an_inventory_of_sections_are_literals_where_they_are_such() -> None:
    found = of_ini("hosts.ini", "[a]\nt1 on=False names=\"['x','y']\" word=true odd='[1' version=4.2\n")
    assert found.of_hosts["t1"] == {"on": False, "names": ["x", "y"], "word": "true", "odd": "[1", "version": "4.2"}
