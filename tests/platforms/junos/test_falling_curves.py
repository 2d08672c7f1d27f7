"""A curve of a drop profile whose probability falls while the queue fills."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

PROFILE = "set class-of-service drop-profiles ECN interpolate"
CURVE = f"{PROFILE} fill-level [ 10 50 90 ]\n{PROFILE} drop-probability [ {{}} ]\n"


@pytest.mark.parametrize(("chances", "found"), [("0 20 100", 0), ("0 20 20", 0), ("100 20 0", 1), ("0 100 20", 1)])
def test_a_curve_that_falls_is_told(tmp_path: Path, chances: str, found: int) -> None:
    (tmp_path / "leaf1.set").write_text("set system host-name leaf1\n" + CURVE.format(chances))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert len([f for f in report.findings if f.rule == "input/conflict" and "falls" in f.message]) == found
