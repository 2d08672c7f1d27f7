"""A part of a configuration whose ports use a PFC profile that is not the one that it defines."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PART = """dcb pfc {made}
 priority 3
#
interface 100GE1/0/1
 dcb pfc enable {used} mode manual
#
interface 100GE1/0/2
 dcb pfc enable {used} mode manual
#
"""


@pytest.mark.parametrize(("made", "used", "line"), [("LOSSLESS", "LOSSLESS", 0), ("LOSSLESS", "gpu", 5)])
def test_the_only_profile_is_not_the_one_that_ports_use(tmp_path: Path, made: str, used: str, line: int) -> None:
    (tmp_path / "part.txt").write_text(PART.format(made=made, used=used))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.rule == "input/undefined-or-unapplied"]
    assert [(one.locations[0].line, one.severity, "is it meant?" in one.message) for one in failing] == (
        [(line, "error", True)] if line else []
    )


def test_two_profiles_of_which_nothing_uses_any_leave_doubt(tmp_path: Path) -> None:
    (tmp_path / "part.txt").write_text("dcb pfc other\n priority 5\n#\n" + PART.format(made="LOSSLESS", used="gpu"))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert not any("is it meant?" in one.message for one in found if one.verdict == "fails")
