"""Values of Jinja's expressions: what is known, what stays open, and texts that ask for more than anybody means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.text.jinja.values import Open, fill, is_open, value_of

VARIABLES: dict[str, Any] = {
    "ports": ["Ethernet1", "Ethernet2"],
    "dcb": {"priority": 3, "name": "ROCE"},
    "first": 1,
    "nics": [{"name": "ens1", "kind": "rail"}, {"name": "ens2", "kind": "storage", "pfc": False}],
    "named": "{{ dcb.name }}-{{ first + 1 }}",
}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{{ dcb.priority }}", 3),
        ("{{ dcb['priority'] * 8 + 2 }}", 26),
        ("{{ named }}", "ROCE-2"),
        ("{{ ports + ['Ethernet2'] | unique }}", ["Ethernet1", "Ethernet2", "Ethernet2"]),
        ("{{ ['a', 'b', 'a'] | unique | join(',') }}", "a,b"),
        ("{{ ports | difference(['Ethernet1']) }}", ["Ethernet2"]),
        ("{{ ports | product([3, 4]) | list | length }}", 4),
        ("{{ missing | default('x') }}", "x"),
        ("{{ 'Ethernet1' | replace('Ethernet', 'Et') }}", "Et1"),
        ("{{ range(1, 4) }}", [1, 2, 3]),
        ("{{ nics | selectattr('kind', 'equalto', 'rail') | map(attribute='name') | list }}", ["ens1"]),
        ("{{ nics | rejectattr('pfc', 'defined') | map(attribute='name') }}", ["ens1"]),
        ("{{ nics | selectattr('kind', 'in', ['rail', 'storage']) | length }}", 2),
        ("{{ ports[:1] }}", ["Ethernet1"]),
        ("{{ ports[-1:] + ports[1:] }}", ["Ethernet2", "Ethernet2"]),
        ("{{ nics[1].pfc | default(true) }}", False),
        ("{{ nics[0].pfc | default(true) | bool }}", True),
        ("{{ '' | default('x', true) }}", "x"),
        ("{{ 'on' if first == 1 else 'off' }}", "on"),
        ("mode {{ 'on' if nics[1].pfc else 'off' }}", "mode off"),
        ("pfc {{ dcb.priority }}", "pfc 3"),
    ],
)
def test_what_is_known(written: str, expected: object) -> None:
    assert value_of(written, VARIABLES) == expected


@pytest.mark.parametrize(
    "written",
    [
        "{{ 'on' if missing else 'off' }}",
        "{{ nics | selectattr('kind', 'match', 'r') }}",
        "{{ ports[missing:] }}",
        "{{ missing }}",
        "{{ dcb.nothing }}",
        "{{ ports | map('upper') }}",
        "{% if x %}3{% endif %}",
    ],
)
def test_what_is_not_known_stays_as_it_is_written(written: str) -> None:
    with pytest.raises(Open):
        value_of(written, VARIABLES)
    assert fill(written, VARIABLES) == written


OF_OTHERS = {f"v{n}": "{{ " + " + ".join([f"v{n + 1}"] * 40) + " }}" for n in range(8)} | {"v8": "x"}
"""Forty times forty times ... the last one."""


@pytest.mark.parametrize(
    ("written", "variables"),
    [
        ("{{ v0 }}", OF_OTHERS),
        ("{{ " + "(" * 190 + "1" + ")" * 190 + " }}", {}),
        ("{{ 'a' " + "| replace('a', 'aaaaaaaaaa') " * 12 + "}}", {}),
        ("{{ range(0, 1000) | join('" + "x" * 190 + "') }}", {}),
        ("{{ range(0, 1000) | product(range(0, 1000)) }}", {}),
        ("{{ 999999999999 " + "* 999999999999 " * 20 + "}}", {}),
        ("{{ range(0, 999999999999) }}", {}),
    ],
)
def test_what_would_grow_without_end_stays_open(written: str, variables: dict[str, Any]) -> None:
    with pytest.raises(Open):
        value_of(written, variables)


@pytest.mark.parametrize("asked", ["a", "not a", "a == 1", "a in [1]", "1 in a", "a | bool", "b", "b and a"])
def test_a_value_that_hangs_on_itself_stays_open(asked: str) -> None:
    itself = {"a": "{{ 1 if " + asked + " else 2 }}", "b": "{{ 3 if a else a }}"}
    with pytest.raises(Open):
        value_of("{{ a }}", itself)


def test_a_list_of_itself_stays_open_inside() -> None:
    assert is_open(fill("{{ a }}", {"a": ["{{ a }}"] * 500}))


@given(st.text(alphabet="abv01 +-*%~|.,()[]'{}_x", max_size=120))
def test_no_text_fails(text: str) -> None:
    assert fill("{{ " + text + " }}", VARIABLES | {"a": [1, "{{ b }}"], "b": {"v": 0}, "v0": "x"}) is not None


@pytest.mark.parametrize("asked", ["a", "not a", "a == b", "a in b", "a | bool"])
def test_a_choice_that_asks_for_itself_stays_open(asked: str) -> None:
    variables = {"a": "{{ 1 if " + asked + " else 2 }}", "b": "{{ 'x' if a else 'y' }}"}
    with pytest.raises(Open):
        value_of("{{ a }}", variables)
