"""Tasks of Ansible that configure switches, with their loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.repository import switchtasks

PLAY = """- hosts: leaves
  vars:
    gpu_ports: [Ethernet1, Ethernet2]
  tasks:
    - name: map
      arista.eos.eos_config:
        lines:
          - qos map dscp 26 to traffic-class 3
          - qos map traffic-class 3 to tx-queue 3
    - name: GPUs
      arista.eos.eos_config:
        lines:
          - priority-flow-control on
          - priority-flow-control priority 3 no-drop
          - no switchport
        parents: interface {{ item }}
      loop: "{{ gpu_ports }}"
    - name: uplinks
      arista.eos.eos_config:
        lines:
          - priority-flow-control on
          - priority-flow-control priority 3 no-drop
          - no switchport
        parents: interface Ethernet{{ item * 4 + 1 }}
      with_items: "{{ range(2, 6) | list }}"
"""


def told(folder: Path, text: str) -> list[tuple[str, int | None]]:
    (folder / "play.yml").write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.rule, one.locations[0].line) for one in failing if not one.because_of]


def test_a_loop_over_ports_makes_one_stanza_of_all(tmp_path: Path) -> None:
    text = switchtasks.configured(PLAY).text.split("\n")
    assert text[10] == "interface Ethernet1,Ethernet2"
    assert text[18] == "interface Ethernet9,Ethernet13,Ethernet17,Ethernet21"
    assert switchtasks.configured(PLAY).left_out == ()
    assert told(tmp_path, PLAY) == []


@pytest.mark.parametrize(
    ("good", "bad", "rule", "line"),
    [
        ("dscp 26 to traffic-class 3", "dscp 26 to traffic-class 4", "marking/taken-out-of-lossless", 8),
        ("          - priority-flow-control on\n", "          - priority-flow-contrl on\n", "input/unread-line", 13),
        ("          - priority-flow-control priority 3 no-drop\n", "", "pfc/priority-off", 12),
    ],
)
def test_a_fault_in_a_task(tmp_path: Path, good: str, bad: str, rule: str, line: int) -> None:
    assert rule in [one for one, _ in told(tmp_path, PLAY.replace(good, bad, 1))]


def test_what_is_given_elsewhere_is_said(tmp_path: Path) -> None:
    other = PLAY.replace('loop: "{{ gpu_ports }}"', 'loop: "{{ groups_of_ports }}"').replace(
        "          - no switchport\n        parents: interface E",
        "          - mtu {{ mtu }}\n        parents: interface E",
    )
    assert [line for line, _ in switchtasks.configured(other).left_out] == [11, 23]
    (tmp_path / "play.yml").write_text(other, encoding="utf-8")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert any("play.yml:11: " in note for note in report.coverage.notes)
