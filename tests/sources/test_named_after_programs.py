"""A lone answer that is called after its program is that of the host whose folder it lies in."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

ANSWER = """DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
	prio:3 dscp:31,30,29,28,27,26,25,24,
PFC configuration:
	priority    0   1   2   3   4   5   6   7
	enabled     0   0   0   {on}   0   0   0   0
"""


def test_the_one_host_that_pauses_nothing(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        folder = tmp_path / f"node{number}"
        folder.mkdir()
        (folder / "mlnx_qos.txt").write_text(ANSWER.format(on=0 if number == 2 else 1))
    failing = [
        one
        for one in check(Request((str(tmp_path),), Policy.empty())).report.findings
        if one.verdict == "fails" and one.severity == "error"
    ]
    assert [(one.rule, one.device, one.locations[0].line) for one in failing] == [("pfc/priority-off", "node2", 7)]
