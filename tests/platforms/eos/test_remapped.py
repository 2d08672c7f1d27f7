"""Lists of commands that map a DSCP twice: the last line counts, and what it takes out of a lossless class is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

TEXT = """! device: leaf1 (DCS-7280CR3-32P4, EOS-4.33.1F)
hostname leaf1
qos map dscp {first} to traffic-class 3
!
interface Ethernet1/1
   mtu 9214
   no switchport
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
{later}
!
end
"""


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        ("24 26", "qos map dscp 26 to traffic-class 0", [(12, "error")]),
        ("24 26", "qos map dscp 24 to traffic-class 0", [(12, "warning")]),
        ("24 26", "qos map dscp 26 to traffic-class 3", []),
        ("24 26", "qos map dscp 26 to traffic-class 0\nqos map dscp 26 to traffic-class 3", []),
        ("24 25 26 27 28 29 30 31", "qos map dscp 28 to traffic-class 0", []),
        ("24 26", "qos map dscp 46 to traffic-class 5", []),
    ],
    ids=["26", "24", "the same", "back again", "exception", "another"],
)
def test_a_line_that_takes_a_code_point_out(
    tmp_path: Path, first: str, later: str, told: list[tuple[int, str]]
) -> None:
    (tmp_path / "leaf1.cfg").write_text(TEXT.format(first=first, later=later))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    conflicts = [one for one in found if one.rule == "input/conflict" and one.verdict == "fails"]
    assert [(one.locations[0].line, one.severity) for one in conflicts] == told
