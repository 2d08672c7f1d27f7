"""Files of tasks that other tasks take in, and roles that plays use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.repository.ansible.includes import Include, of_tasks, parts, roles_among

ROLE = {
    "site.yml": "- hosts: tors\n  roles:\n    - {role: qos, vars: {paused: 3}}\n",
    "roles/qos/defaults/main.yml": "paused: 4\nports: [ethernet1/1/1, ethernet1/1/2]\n",
    "roles/qos/tasks/main.yml": """- ansible.builtin.include_tasks: global.yml
- include_tasks: {file: port.yml}
  loop: "{{ ports }}"
  loop_control: {loop_var: port}
""",
    "roles/qos/tasks/global.yml": """- dellemc.os10.os10_config:
    parents: class-map type network-qos NQ3
    lines: [match qos-group 3]
- dellemc.os10.os10_config:
    parents: [policy-map type network-qos PFC, class NQ3]
    lines: [pause, "pfc-cos {{ paused }}"]
- dellemc.os10.os10_config:
    parents: trust dot1p-map TRUST
    lines: [qos-group 0 dot1p 0-2, qos-group 3 dot1p 3, qos-group 4 dot1p 4-7]
- dellemc.os10.os10_config:
    parents: system qos
    lines: [trust-map dot1p TRUST]
""",
    "roles/qos/tasks/port.yml": """- dellemc.os10.os10_config:
    parents: interface {{ port }}
    lines:
      - flowcontrol receive off
      - flowcontrol transmit off
      - priority-flow-control mode on
      - service-policy input type network-qos PFC
""",
}


def told(folder: Path, **changes: str) -> tuple[list[tuple[str, str, int | None]], Any]:
    for path, text in ROLE.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(changes.get(path, text), encoding="utf-8")
    report = check(Request((str(folder),), Policy.empty())).report
    failing = [one for one in report.findings if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.rule, Path(one.locations[0].path).name, one.locations[0].line) for one in failing], report.coverage


def test_the_files_of_a_role_are_parts_of_one_device(tmp_path: Path) -> None:
    found, coverage = told(tmp_path)
    assert found == []
    assert coverage.devices == 1
    assert not any("given elsewhere" in note for note in coverage.notes)


@pytest.mark.parametrize(
    ("path", "good", "bad", "rule", "where"),
    [
        ("site.yml", "paused: 3", "paused: 4", "marking/tag-is-not-priority", ("global.yml", 6)),
        ("roles/qos/tasks/port.yml", "receive off", "receive on", "pfc/link-pause-on", ("port.yml", 4)),
    ],
)
def test_a_fault_that_two_files_make(
    tmp_path: Path, path: str, good: str, bad: str, rule: str, where: tuple[str, int]
) -> None:
    found, _ = told(tmp_path, **{path: ROLE[path].replace(good, bad)})
    assert (rule, *where) in found


def test_the_item_of_a_loop_around_the_whole_file(tmp_path: Path) -> None:
    main = ROLE["roles/qos/tasks/main.yml"].replace("  loop_control: {loop_var: port}\n", "")
    port = ROLE["roles/qos/tasks/port.yml"].replace("{{ port }}", "{{ item }}")
    found, coverage = told(tmp_path, **{"roles/qos/tasks/main.yml": main, "roles/qos/tasks/port.yml": port})
    assert found == []
    assert coverage.ports_roce["yes"] == 1


def test_a_role_that_two_plays_give_other_values_has_none_that_is_certain(tmp_path: Path) -> None:
    twice = ROLE["site.yml"] + ROLE["site.yml"].replace("tors", "spines").replace("paused: 3", "paused: 4")
    found, coverage = told(tmp_path, **{"site.yml": twice})
    assert found == []
    assert any("global.yml:6: a value in it is given elsewhere" in note for note in coverage.notes)


def test_what_is_taken_in_under_a_condition_makes_a_device_with_what_is_always_there(tmp_path: Path) -> None:
    perhaps = ROLE["roles/qos/tasks/main.yml"] + "  when: is_leaf\n"
    both = perhaps + "- include_tasks: spine.yml\n  when: not is_leaf\n"
    spine = (
        ROLE["roles/qos/tasks/port.yml"].replace("{{ port }}", "ethernet1/1/31").replace("receive off", "receive on")
    )
    (tmp_path / "roles/qos/tasks").mkdir(parents=True)
    (tmp_path / "roles/qos/tasks/spine.yml").write_text(spine, encoding="utf-8")
    found, coverage = told(tmp_path, **{"roles/qos/tasks/main.yml": both})
    assert coverage.devices == 2
    assert ("pfc/link-pause-on", "spine.yml", 4) in found


def included(text: str, known: set[str]) -> list[Include]:
    return list(of_tasks("play/site.yml", text, known, roles_among(known), lambda name: None, lambda path: {}))


def test_variables_of_what_is_taken_in() -> None:
    text = """- hosts: leaves
  vars: {mtu: 9216}
  tasks:
    - block:
        - import_tasks: port.yml
          vars: {name: "Ethernet{{ item.n }}"}
          loop: [{n: one, mtu: 9216, dscp: 26}, {n: two, mtu: 1500, dscp: 26}]
      when: is_leaf
    - include_tasks: "{{ vendor }}.yml"
    - include_tasks: elsewhere.yml
"""
    (one,) = included(text, {"play/port.yml", "play/site.yml"})
    assert (one.by, one.file, one.condition) == ("play/site.yml", "play/port.yml", "is_leaf")
    assert one.variables == {"mtu": 9216, "name": "Ethernetone", "item": {"n": "one", "dscp": 26}}


def test_a_role_of_a_name_that_two_folders_have_is_neither() -> None:
    text = "- hosts: leaves\n  roles: [qos]\n"
    assert [one.file for one in included(text, {"roles/qos/tasks/main.yml"})] == ["roles/qos"]
    assert included(text, {"roles/qos/tasks/main.yml", "old/roles/qos/tasks/main.yml"}) == []


def test_files_that_take_each_other_in() -> None:
    def one(by: str, file: str, condition: str = "") -> Include:
        return Include(by, file, {}, condition)

    assert parts([one("main", "a"), one("a", "b", "x"), one("x", "c"), one("y", "c"), one("main", "d", "z")]) == [
        ("a", "main", ""),
        ("b", "main", "x"),
        ("d", "main", "z"),
    ]
    assert parts([one("a", "b"), one("b", "a")]) == []


PUSH = """- hosts: leaves
  tasks:
    - arista.eos.eos_config:
        src: maps.cfg
    - arista.eos.eos_config:
        parents: interface Ethernet1
        lines: [no switchport, qos trust dscp, priority-flow-control on, priority-flow-control priority 3 no-drop]
"""


def rules(folder: Path) -> set[tuple[str, str, int | None]]:
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    return {
        (one.rule, Path(one.locations[0].path).name, one.locations[0].line) for one in failing if not one.because_of
    }


def test_a_text_that_a_task_takes_from_a_file_is_part_of_the_same_switch(tmp_path: Path) -> None:
    (tmp_path / "push.yml").write_text(PUSH, encoding="utf-8")
    maps = tmp_path / "maps.cfg"
    maps.write_text("qos map dscp 26 to traffic-class 3\nqos map dscp 48 to traffic-class 6\n", encoding="utf-8")
    assert rules(tmp_path) == set()
    maps.write_text("qos map dscp 26 to traffic-class 4\nqos map dscp 48 to traffic-class 6\n", encoding="utf-8")
    assert ("marking/taken-out-of-lossless", "maps.cfg", 1) in rules(tmp_path)
    (tmp_path / "push.yml").write_text(f"{PUSH}{PUSH.replace('leaves', 'spines')}", encoding="utf-8")
    assert rules(tmp_path) == set()  # which of the two takes it in is not told


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("- include_tasks: qos.yml\n", 1),
        ("---\n# tasks\n\n  - include_tasks: qos.yml\n", 1),
        ("a: 1\n--- # more\n- include_tasks: qos.yml\n", 1),
        ("%YAML 1.1\n---\n- include_tasks: qos.yml\n...\n", 1),
        ("src:\n  - include_tasks: qos.yml\n", 0),
    ],
)
def test_tasks_are_looked_for_in_documents_that_are_lists(text: str, count: int) -> None:
    found = of_tasks("tasks/main.yml", text, {"tasks/qos.yml"}, {}, lambda name: None, lambda path: {})
    assert [one.file for one in found] == ["tasks/qos.yml"] * count
