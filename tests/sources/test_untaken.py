"""What no play runs, and what a play takes in that is not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import judged

FILES = {
    "hosts.yml": "all:\n  children:\n    tor: {hosts: {t1: {}, t2: {}}}\n    agg: {hosts: {a1: {}}}\n",
    "site.yml": "- hosts: tor,agg\n  roles: [maps, ports]\n",
    "roles/maps/tasks/main.yml": """- nxos_config:
    parents: class-map type qos match-any RDMA
    lines: [match dscp 26]
- nxos_config:
    parents: [policy-map type qos MARK, class RDMA]
    lines: set qos-group 3
- nxos_config:
    parents: [policy-map type network-qos NQ, class type network-qos c-8q-nq3]
    lines: pause pfc-cos 3,mtu 9216
- nxos_config:
    parents: system qos
    lines: [service-policy type network-qos NQ]
""",
    "roles/ports/tasks/main.yml": """- nxos_config:
    parents: interface {{ item }}
    lines: [mtu 9216, priority-flow-control mode on, service-policy type qos input MARK]
  loop: [Ethernet1/1, Ethernet1/2]
""",
}
PORTS = "roles/ports/tasks/main.yml"


def told(folder: Path, changed: dict[str, str]) -> list[tuple[str, str, int | None]]:
    _, failing = judged(folder, {**FILES, **changed})
    return [(one.severity, Path(one.locations[0].path).parts[-3], one.locations[0].line) for one in failing]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, []),
        (
            {"site.yml": "- hosts: tor\n  roles: [maps, ports]\n- hosts: agg\n  roles: [ports]\n"},
            [("error", "ports", 3)],
        ),
        ({"site.yml": "- hosts: tor,agg\n  roles: [ports]\n"}, [("error", "ports", 3), ("warning", "maps", 1)]),
        ({"site.yml": "- hosts: tor,agg\n  roles: [ports]\n- hosts: tor,agg\n  roles: ['{{ qos_role }}']\n"}, []),
        ({PORTS: FILES[PORTS] + "- include_tasks: uplinks.yml\n"}, [("warning", "ports", 5)]),
        ({PORTS: FILES[PORTS] + "- include_tasks: '{{ which }}.yml'\n"}, []),
        (
            {PORTS: FILES[PORTS].replace("  loop:", "    after: [priority-flow-control mode off]\n  loop:")},
            [("error", "ports", 4)],
        ),
    ],
)
def test_what_hosts_do_not_get(tmp_path: Path, changed: dict[str, str], expected: list[tuple[str, str, int]]) -> None:
    assert told(tmp_path, changed) == expected
