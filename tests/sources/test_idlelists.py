"""Lists of ports that nothing in a repository uses."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

VARIABLES = """server_ports: [et-0/0/0, et-0/0/1]
spine_ports:
  - et-0/0/30
  - et-0/0/31
spare_ports: [et-0/0/20]
ntp_servers: [10.0.0.1, 10.0.0.2]
"""
TASKS = """- hosts: leafs
  tasks:
    - junipernetworks.junos.junos_config:
        lines:
          - "set interfaces {{ item }} mtu 9216"
          - "set class-of-service interfaces {{ item }} congestion-notification-profile PFC"
          - set class-of-service congestion-notification-profile PFC input dscp code-point 011010 pfc
      loop: "{{ server_ports + spine_ports }}"
"""


def told(folder: Path, variables: str, tasks: str) -> list[tuple[str, str, int | None]]:
    files = {"hosts": "[leafs]\nl1\nl2\n", "group_vars/leafs.yml": variables, "cos.yml": tasks}
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    report = check(Request((str(folder),), Policy.empty())).report
    return [
        (one.severity, one.message, one.locations[0].line)
        for one in report.findings
        if one.rule == "input/undefined-or-unapplied"
    ]


def test_ports_that_a_loop_leaves_out(tmp_path: Path) -> None:
    assert told(tmp_path / "a", VARIABLES, TASKS) == []
    words = "nothing uses this list of 2 ports: what sets up those of server_ports leaves these out"
    left_out = TASKS.replace(" + spine_ports", "")
    assert told(tmp_path / "b", VARIABLES, left_out) == [("warning", words, 2)]


def test_ports_that_stand_in_another_list_or_are_asked_for_by_any_name(tmp_path: Path) -> None:
    left_out = TASKS.replace(" + spine_ports", "")
    assert told(tmp_path / "a", VARIABLES.replace("0/0/0,", "0/0/30, et-0/0/31,"), left_out) == []
    assert told(tmp_path / "b", VARIABLES, f"{left_out}    - debug: msg={{{{ vars['spine_ports'] }}}}\n") == []
    assert told(tmp_path / "c", f'{VARIABLES}all_ports: "{{{{ spine_ports }}}}"\n', left_out) == []


def _told_of_hosts(
    folder: Path, lists: dict[str, str], hosts: str = "leafs", when: str = ""
) -> list[tuple[str, str, str, int | None]]:
    tasks = TASKS.replace("hosts: leafs", f"hosts: {hosts}").replace("      loop:", f"{when}      loop:")
    files = {"hosts": "[leafs]\nl[1:3]\n", "cos.yml": tasks, "group_vars/leafs.yml": "server_ports: [et-0/0/0]\n"}
    files |= {f"host_vars/{host}.yml": f"spine_ports: {ports}\n" for host, ports in lists.items()}
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [
        (one.rule, one.severity, Path(one.locations[0].path).name, one.locations[0].line)
        for one in found
        if one.verdict == "fails" and one.severity != "info"
    ]


BOTH = "[et-0/0/30, et-0/0/31]"


def test_a_host_with_fewer_uplinks_than_all_others(tmp_path: Path) -> None:
    odd = [("input/conflict", "warning", "l2.yml", 1)]
    assert _told_of_hosts(tmp_path / "a", {"l1": BOTH, "l2": "[et-0/0/30]", "l3": BOTH}) == odd
    assert _told_of_hosts(tmp_path / "b", {"l1": BOTH, "l2": BOTH, "l3": BOTH}) == []
    assert _told_of_hosts(tmp_path / "c", {"l1": BOTH, "l2": "[et-0/0/30]"}) == []
    assert _told_of_hosts(tmp_path / "d", {"l1": BOTH, "l2": "[et-0/0/40]", "l3": BOTH}) == []


def test_a_host_that_is_left_out_by_its_name(tmp_path: Path) -> None:
    lists = dict.fromkeys(("l1", "l2", "l3"), BOTH)
    told_at = [("input/undefined-or-unapplied", "warning", "cos.yml")]
    by_play = _told_of_hosts(tmp_path / "a", lists, "leafs:!l3")
    assert [one[:3] for one in by_play] == told_at
    assert by_play[0][3] == 1
    by_task = _told_of_hosts(tmp_path / "b", lists, when='      when: inventory_hostname != "l3"\n')
    assert [one[:3] for one in by_task] == told_at
    assert by_task[0][3] == 3
    of_one = _told_of_hosts(tmp_path / "c", lists, when='      when: inventory_hostname == "l3"\n')
    assert of_one == []


def test_a_list_that_the_play_itself_sets_and_leaves_out(tmp_path: Path) -> None:
    tasks = TASKS.replace("  tasks:", "  vars:\n    spine_ports: [et-0/0/30, et-0/0/31]\n  tasks:").replace(
        " + spine_ports", ""
    )
    ((severity, words, line),) = told(tmp_path, "server_ports: [et-0/0/0, et-0/0/1]\n", tasks)
    assert (severity, line) == ("warning", 3)
    assert "2 ports" in words
