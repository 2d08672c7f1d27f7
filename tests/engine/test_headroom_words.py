"""What is said of headroom that is none, where nobody knows how much there should be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.proof import examples


@pytest.mark.parametrize(("speed", "expected"), [(True, True), (False, False)])
def test_what_nobody_knows_is_left_out(tmp_path: Path, speed: bool, expected: bool) -> None:
    text = examples.base("sonic")["leaf1/config_db.json"]
    text = re.sub(r'"xoff": "\d+"', '"xoff": "0"', text)
    text = text if speed else re.sub(r'"speed": "\d+",', "", text)
    (tmp_path / "config_db.json").write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("buffer/headroom-below-floor",))).report
    found = next(one for one in report.findings if one.verdict == "fails")
    assert "unknown" not in found.message
    assert "The frames alone are" in found.message
    assert ("metres" in found.message or " m of cable" in found.message) is expected


@pytest.mark.parametrize(("xoff", "severities"), [("12000", ["error"]), ("20000", [])])
def test_what_holds_no_frames_is_told_without_the_speed(tmp_path: Path, xoff: str, severities: list[str]) -> None:
    text = examples.base("sonic")["leaf1/config_db.json"]
    text = re.sub(r'"speed": "\d+",', "", re.sub(r'"xoff": "\d+"', f'"xoff": "{xoff}"', text))
    (tmp_path / "config_db.json").write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("buffer/headroom-below-floor",))).report
    assert [one.severity for one in report.findings if one.verdict == "fails"] == severities


@pytest.mark.parametrize(("xoff", "severity"), [("16998", "warning"), ("50000", "info")])
def test_a_number_far_below_the_chips_own_is_a_slip(tmp_path: Path, xoff: str, severity: str) -> None:
    text = examples.base("sonic")["leaf1/config_db.json"].replace('"xoff": "169984"', f'"xoff": "{xoff}"')
    (tmp_path / "config_db.json").write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("buffer/headroom-below-response",))).report
    assert [one.severity for one in report.findings if one.verdict == "fails"] == [severity]
