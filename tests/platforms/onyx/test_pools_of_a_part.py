"""A part of a configuration with traffic pools, and with PFC for another priority than these are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PART = """dcb priority-flow-control enable force
dcb priority-flow-control priority {paused} enable
traffic pool rdma type lossless
traffic pool rdma map switch-priority {kept}
interface ethernet 1/1 qos trust L3
interface ethernet 1/1 dcb priority-flow-control mode on force
interface ethernet 1/2 qos trust L3
interface ethernet 1/2 dcb priority-flow-control mode on force
"""


@pytest.mark.parametrize(
    ("paused", "kept", "expected"),
    [("3", "3", []), ("4", "3", [("pfc/priority-without-buffer", "error", 4)]), ("3", "5", [("pfc/priority-without-buffer", "error", 4)])],
)  # fmt: skip
def test_no_paused_priority_has_a_pool(
    tmp_path: Path, paused: str, kept: str, expected: list[tuple[str, str, int]]
) -> None:
    (tmp_path / "roce.txt").write_text(PART.format(paused=paused, kept=kept))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity != "info"]
    assert [(one.rule, one.severity, one.locations[0].line) for one in failing][:1] == expected


def test_one_of_two_paused_priorities_has_a_pool(tmp_path: Path) -> None:
    text = PART.format(paused=3, kept=3) + "dcb priority-flow-control priority 5 enable\n"
    (tmp_path / "roce.txt").write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert not any(one.verdict == "fails" and one.rule == "pfc/priority-without-buffer" for one in found)


MARKED = """dcb priority-flow-control enable force
dcb priority-flow-control priority 3 enable
interface ethernet 1/1 dcb priority-flow-control mode on force
interface ethernet 1/1 traffic-class {0} congestion-control ecn minimum-absolute 150 maximum-absolute 1500
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MARKED.format(3), []),
        (MARKED.format(4), [("input/conflict", "warning", 4)]),
        (f"{MARKED.format(4)}{MARKED.splitlines()[-1].format(3)}\n", []),
        (f"{MARKED.format(4)}interface ethernet 1/1 traffic-class 4 bind switch-priority 3\n", []),
    ],
)
def test_marks_of_another_class(tmp_path: Path, text: str, expected: list[tuple[str, str, int]]) -> None:
    (tmp_path / "roce.txt").write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [
        (f.rule, f.severity, f.locations[0].line) for f in found if f.verdict == "fails" and f.rule == "input/conflict"
    ] == expected
