"""Two curves on a paused queue: one that marks, and one that drops packets before."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

TEXT = """hostname leaf1
qos map dscp 26 to traffic-class 3
interface Ethernet1/1
   no switchport
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority {paused} no-drop
   tx-queue 3
      random-detect ecn minimum-threshold {marks} kbytes maximum-threshold 4000 kbytes
      random-detect drop minimum-threshold {drops} drop-probability 100 weight 0
"""


@pytest.mark.parametrize(
    ("paused", "marks", "drops", "lines"),
    [
        (3, 2000, "300 kbytes maximum-threshold 900 kbytes", [10]),
        (3, 150, "4500 kbytes maximum-threshold 5000 kbytes", []),
        (3, 2000, "300 segments maximum-threshold 900 segments", []),  # who is first depends on the chip
        (4, 2000, "300 kbytes maximum-threshold 900 kbytes", []),
    ],
)
def test_the_lower_curve_drops(tmp_path: Path, paused: int, marks: int, drops: str, lines: list[int]) -> None:
    (tmp_path / "leaf1.cfg").write_text(TEXT.format(paused=paused, marks=marks, drops=drops))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [one for one in found if one.verdict == "fails" and one.rule == "input/conflict"]
    assert [one.locations[0].line for one in told] == lines
