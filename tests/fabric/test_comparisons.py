"""What only the devices together show: one comparison that crashes takes no other with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.model import Observation
from roce_audit.policy import Policy

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric-faulty"


def test_a_comparison_that_crashes_is_a_problem_and_all_else_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlike_lines(*_: object) -> Iterator[Observation]:
        raise KeyError("own")

    whole = check(Request((str(FABRIC),), Policy.empty()))
    monkeypatch.setattr("roce_audit.fabric.comparisons.unlike_lines", unlike_lines)
    found = check(Request((str(FABRIC),), Policy.empty()))
    assert not whole.problems
    assert found.problems == ("comparison unlike_lines crashed: KeyError: 'own'",)
    assert {one.fingerprint for one in found.report.findings} >= {
        one.fingerprint for one in whole.report.findings if one.verdict == "fails" and one.rule.startswith("pfc/")
    }
    assert found.report.findings
