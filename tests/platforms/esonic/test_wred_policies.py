"""`show qos wred-policy` beside the configuration: what runs is judged, on the lines of the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

CONFIGURATION = """hostname leaf1
!
buffer init lossless
!
qos map dscp-tc IN
 dscp 26 traffic-class 3
!
qos map tc-queue OUT
 traffic-class 3 queue 3
!
qos wred-policy MARK
 green minimum-threshold 800 maximum-threshold 2400 drop-probability 8
 ecn green
!
interface Eth1/1
 speed 400000
 qos-map dscp-tc IN
 qos-map tc-queue OUT
 queue 3 wred-policy MARK
 priority-flow-control priority 3
!
"""
ANSWER = """leaf1# show qos wred-policy
---------------------------------------------------
Policy                 : MARK
---------------------------------------------------
ecn                    : {ecn}
green-min-threshold    : {low}           KBytes
green-max-threshold    : 2400           KBytes
green-drop-probability : 8
red-min-threshold      : 9000           KBytes
"""


@pytest.mark.parametrize(
    ("ecn", "low", "told"),
    [
        ("ecn_green", "800", []),
        ("ecn_all", "800", []),
        ("ecn_none", "800", [("ecn/wred-drops-lossless", 6)]),
        ("ecn_green", "4800", [("ecn/min-above-max", 6)]),
        ("ecn_red", "800", [("ecn/wred-drops-lossless", 6)]),
    ],
)
def test_what_runs_decides(tmp_path: Path, ecn: str, low: str, told: list[tuple[str, int]]) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "running.cfg").write_text(CONFIGURATION)
    (folder / "show_qos_wred-policy.txt").write_text(ANSWER.format(ecn=ecn, low=low))
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("ecn/wred-drops-lossless", "ecn/min-above-max"))).report
    found = [one for one in report.findings if one.verdict == "fails" and one.because_of is None]
    assert [(one.rule, one.locations[0].line) for one in found] == told
    assert not report.coverage.unrecognised
