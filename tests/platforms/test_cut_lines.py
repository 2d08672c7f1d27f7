"""A capture of a system without an end mark: cut off inside a line it is told, without its last line end it is taken as whole."""

from __future__ import annotations

from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PLATFORMS = Path(roce_audit.__file__).parent / "platforms"
FIXTURES = Path(__file__).parents[2] / "fixtures"
CAPTURES = {
    "nxos": FIXTURES / "fabric/backend/spine1.cfg",
    "os10": FIXTURES / "mixed/leaf1/show_running-configuration.txt",
}


def told(text: str) -> tuple[bool, int]:
    """Whether it is told as cut off, and how many files are taken as whole without proof."""
    Path("leaf1.cfg").write_text(text)
    report = check(Request(("leaf1.cfg",), Policy.empty())).report
    is_cut = any(finding.rule == "input/truncated" for finding in report.findings)
    return is_cut, len(report.coverage.assumed_whole)


@pytest.mark.parametrize("name", CAPTURES)
def test_where_a_capture_ends(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = CAPTURES[name].read_text().rstrip("\n") + "\n"
    at = text.rindex("flow-control") + len("flow-con")
    assert told(text) == (False, 0)
    assert told(text[:at]) == (True, 0)
    assert told(text.rstrip("\n")) == (False, 1)  # many a program takes the last line end away
