"""Scripts, playbooks and JSON patches that write a CONFIG_DB are judged as a part of it, each finding on the line of its command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

SCRIPT = """#!/bin/bash
set -e
PRIO=3
PORTS=(Ethernet0 Ethernet8
  Ethernet16)
sonic-db-cli CONFIG_DB hset "DSCP_TO_TC_MAP|ROCE" 26 3 48 6
set_up() {
  local port=$1
  sonic-db-cli CONFIG_DB hset "PORT_QOS_MAP|$port" dscp_to_tc_map ROCE
  config interface pfc priority $port $PRIO on
  sonic-db-cli CONFIG_DB HMSET "BUFFER_PG|$port|3" \\
    "profile" "pg_lossless_100000_5m_profile"
  pfcwd start --action drop $port 200 --restoration-time 400
}
redis-cli -n 4 hset 'BUFFER_PROFILE|pg_lossless_100000_5m_profile' pool ingress_lossless_pool xon 2288 xoff 66560 size 1248 dynamic_th 0
for port in "${PORTS[@]}"; do set_up $port; done
for i in $(seq 0 8 16); do config interface mtu Ethernet$i 9100; done
ecnconfig -p ROCE -gmin 200000 -gmax 1000000 -gdrop 10
config save -y
"""
PLAYBOOK = """- name: lossless ports
  hosts: leaves
  vars:
    roce_ports: [Ethernet0, Ethernet8]
  tasks:
    - name: what is paused
      ansible.builtin.command: config interface pfc priority {{ item }} 3 on
      loop: "{{ roce_ports }}"
    - name: groups
      shell: |
        config interface buffer priority-group lossless add {{ item.port }} {{ item.group }}
        config interface cable-length {{ item.port }} {{ item.metres }}m
      loop:
        - {port: Ethernet0, group: 3, metres: 5}
        - {port: Ethernet8, group: 3, metres: 40}
    - name: watchdog
      shell: pfcwd start --action drop Ethernet{{ item }} 200
      loop: "{{ range(0, 16, 8) | list }}"
    - name: curve
      shell: sonic-db-cli CONFIG_DB hset 'WRED_PROFILE|ROCE' ecn ecn_all green_min_threshold 200000 green_max_threshold 1000000
"""
PATCH = [
    {"op": "add", "path": "/DSCP_TO_TC_MAP/ROCE", "value": {"26": "3", "48": "6"}},
    {"op": "replace", "path": "/PORT_QOS_MAP/Ethernet0/pfc_enable", "value": "3"},
    {"op": "add", "path": "/BUFFER_PG/Ethernet0|3", "value": {"profile": "NULL"}},
]


def told(folder: Path, name: str, text: str) -> list[tuple[str, int | None]]:
    (folder / name).write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty()))
    assert found.report.coverage.devices == 1
    failing = [one for one in found.report.findings if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.rule, one.locations[0].line) for one in failing if not one.because_of]


def test_sound_texts_are_quiet(tmp_path: Path) -> None:
    for name, text in (("setup.sh", SCRIPT), ("play.yml", PLAYBOOK), ("patch.json", json.dumps(PATCH, indent=1))):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        assert told(folder, name, text) == []


@pytest.mark.parametrize(
    ("good", "bad", "rule", "line"),
    [
        ("PRIO=3", "PRIO=4", "pfc/pauses-other-priority", 10),
        ("$PRIO on", "$PRIO off", "pfc/no-drop-without-pfc", 10),
        ("-gmin 200000 -gmax 1000000", "-gmin 1000000 -gmax 200000", "input/conflict", 18),
        ("dscp_to_tc_map ROCE", "dscp_to_tc_map ROEC", "input/undefined-or-unapplied", 9),
        ("xon 2288 xoff 66560", "xon 2288 xoff 665", "buffer/headroom-below-a-packet", 15),
        ("config save -y", "config qos reload", "input/conflict", 19),
        ("set_up $port; done", "[ -n $X ] && set_up $port; done", "input/unread-line", 9),
        ("config interface mtu Ethernet$i 9100", "config interface mtu $OTHER 9100", "input/unread-line", 17),
    ],
)
def test_a_fault_in_a_script_is_told_on_its_line(tmp_path: Path, good: str, bad: str, rule: str, line: int) -> None:
    assert good in SCRIPT
    assert (rule, line) in told(tmp_path, "setup.sh", SCRIPT.replace(good, bad))


@pytest.mark.parametrize(
    ("good", "bad", "rule", "line"),
    [
        ("{{ item }} 3 on", "{{ item }} 4 on", "pfc/pauses-other-priority", 7),
        ("green_min_threshold 200000", "green_min_threshold 2000000", "input/conflict", 20),
        (
            '      loop: "{{ roce_ports }}"\n',
            '      loop: "{{ roce_ports }}"\n      when: wanted\n',
            "input/unread-line",
            7,
        ),
    ],
)
def test_a_fault_in_a_playbook_is_told_on_its_line(tmp_path: Path, good: str, bad: str, rule: str, line: int) -> None:
    assert good in PLAYBOOK
    assert (rule, line) in told(tmp_path, "play.yml", PLAYBOOK.replace(good, bad, 1))


def test_a_patch_that_pauses_another_priority_or_takes_a_group_away(tmp_path: Path) -> None:
    other = json.dumps(PATCH, indent=1).replace('"value": "3"', '"value": "4"')
    line = next(n for n, text in enumerate(other.split("\n"), 1) if '"4"' in text)
    assert told(tmp_path, "patch.json", other) == [("pfc/pauses-other-priority", line)]
    gone = [*PATCH, {"op": "remove", "path": "/BUFFER_PG/Ethernet0|3"}]
    assert [rule for rule, _ in told(tmp_path, "patch.json", json.dumps(gone, indent=1))] == ["input/unread-line"]


@pytest.mark.parametrize(("groups", "severity"), [("3", "error"), ("3-5", "warning")])
def test_one_pause_and_one_buffer_of_other_numbers_are_an_error(tmp_path: Path, groups: str, severity: str) -> None:
    text = SCRIPT.replace("PRIO=3", "PRIO=6").replace("BUFFER_PG|$port|3", f"BUFFER_PG|$port|{groups}")
    (tmp_path / "setup.sh").write_text(text, encoding="utf-8")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one.severity for one in found if one.rule == "pfc/pauses-other-priority"] == [severity]


def test_a_patch_that_takes_whole_ports_away_says_nothing_of_what_they_carried(tmp_path: Path) -> None:
    """Four ports that are joined to one: three are gone, and nothing about lossless settings is left open."""
    gone = [*PATCH, *({"op": "remove", "path": f"/PORT/Ethernet{lane}"} for lane in (1, 2, 3))]
    assert told(tmp_path, "patch.json", json.dumps(gone, indent=1)) == []
    field = [*PATCH, {"op": "remove", "path": "/PORT/Ethernet0/mtu"}]
    assert [rule for rule, _ in told(tmp_path, "patch.json", json.dumps(field, indent=1))] == ["input/unread-line"]


def test_a_loop_over_what_the_switch_lists_stands_for_one_port(tmp_path: Path) -> None:
    script = (
        "#!/bin/sh\nfor port in $(show interfaces status | awk '/Ethernet/ {print $1}'); do\n"
        "  config interface pfc priority $port 4 on\n  config interface buffer priority-group lossless add $port 3\ndone\n"
    )
    assert told(tmp_path, "all.sh", script) == [("pfc/pauses-other-priority", 3)]


def test_commands_of_a_note_behind_a_sign_are_followed(tmp_path: Path) -> None:
    note = SCRIPT.replace("\nredis-cli -n 4", "\n$ redis-cli -n 4").replace("\necnconfig", "\n$ ecnconfig")
    assert told(tmp_path, "setup.sh", note) == []


def test_commands_behind_prompts_are_a_part_as_well(tmp_path: Path) -> None:
    log = (
        "admin@leaf1:~$ sudo config interface pfc priority Ethernet0 4 on\n"
        "admin@leaf1:~$ sudo config interface buffer priority-group lossless add Ethernet0 3\n"
        "admin@leaf1:~$ show pfc priority\n"
    )
    assert told(tmp_path, "typed.log", log) == [("pfc/pauses-other-priority", 1)]


def test_a_patch_that_marks_no_more(tmp_path: Path) -> None:
    off = {"op": "replace", "path": "/WRED_PROFILE/ECN/ecn", "value": "ecn_none"}
    binds = {"op": "add", "path": "/QUEUE/Ethernet0|3/wred_profile", "value": "ECN"}
    assert told(tmp_path, "patch.json", json.dumps([off], indent=1)) == [("input/unread-line", 5)]
    assert "input/unread-line" not in [rule for rule, _ in told(tmp_path, "patch.json", json.dumps([off, binds]))]


@pytest.mark.parametrize(
    ("field", "is_told"), [("zebra_nexthop", False), ("default_pfcwd_status", True), ("$FIELD", True)]
)
def test_a_field_of_the_device_that_says_nothing_of_lossless_settings_is_not_missed(
    tmp_path: Path, field: str, is_told: bool
) -> None:
    script = f"#!/bin/sh\nsonic-db-cli CONFIG_DB hset 'DEVICE_METADATA|localhost' {field} $ELSEWHERE\n"
    assert [rule for rule, _ in told(tmp_path, "setup.sh", script)] == ["input/unread-line"] * is_told
