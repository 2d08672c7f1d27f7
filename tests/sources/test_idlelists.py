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
