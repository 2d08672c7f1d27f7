"""What rests on a unit that no OS10 guide gives is told as a warning, however bad it looks."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.load import load_text

VERSION = "Dell SmartFabric OS10 Enterprise\nOS Version: 10.5.4.5\nSystem Type: S5232F-ON\n"
CONFIG = """! Version 10.5.4.5
!
hostname leaf1
!
wred ECN
 random-detect color green minimum-threshold 9000 maximum-threshold 12000 drop-probability 20
 random-detect ecn
!
class-map type network-qos PAUSED
 match qos-group 3
!
class-map type queuing Q3
 match queue 3
!
trust dscp-map MARKS
 qos-group 3 dscp 26
!
policy-map type network-qos LOSSLESS
 class PAUSED
  pause buffer-size 700 pause-threshold 600 resume-threshold 450
  pfc-cos 3
!
policy-map type queuing OUT
 class Q3
  bandwidth percent 50
  random-detect ECN
!
system qos
 trust-map dscp MARKS
!
interface ethernet1/1/1
 no shutdown
 priority-flow-control mode on
 service-policy input type network-qos LOSSLESS
 service-policy output type queuing OUT
 mtu 9216
!
"""


def test_a_threshold_of_a_guessed_unit_is_no_error(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "show_version.txt").write_text(VERSION)
    (folder / "show_running-configuration.txt").write_text(CONFIG)
    text = "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\nrules: {ecn/marks-after-pfc: {severity: error}}\n"
    policy = load_text(text, "roce-audit.yaml", folder=tmp_path)
    report = check(Request((str(tmp_path),), policy)).report
    (finding,) = [f for f in report.findings if f.rule == "ecn/marks-after-pfc" and f.verdict == "fails"]
    assert finding.severity == "warning", "an error that rests on an unverified unit"
