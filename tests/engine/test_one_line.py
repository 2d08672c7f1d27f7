"""One wrong line is one finding, as loud as what follows from it on any of its ports."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.policy import load_text

BASE = Path(roce_audit.__file__).parent / "platforms" / "vrp" / "examples" / "base"


@pytest.mark.parametrize(("cabled", "severity"), [(True, "warning"), (False, "info")])
def test_a_line_of_which_more_follows_on_some_ports_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cabled: bool, severity: str
) -> None:
    shutil.copytree(BASE, tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    if not cabled:
        Path("topology.yaml").unlink()
    leaf = Path("leaf1.cfg")
    text = leaf.read_text()
    assert text.count("dcb pfc\n priority 3\n") == 1
    leaf.write_text(text.replace("dcb pfc\n priority 3\n", "dcb pfc\n priority 4\n"))
    found = check(Request((".",), load_text(Path("roce-audit.yaml").read_text(), "roce-audit.yaml"))).report.findings
    (finding,) = [one for one in found if one.rule == "pfc/extra-priority"]
    assert (finding.severity, len(finding.members)) == (severity, 6)
    assert finding.locations[0].text.strip() == "priority 4"
    following = [one for one in found if one.rule == "pfc/extra-at-one-end" and one.verdict == "fails"]
    assert [one.because_of for one in following] == [finding.fingerprint] * cabled


def test_a_priority_that_nothing_uses_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(Path(__file__).parents[2] / "fixtures" / "mixed", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    leaf = Path("leaf4/config_db.json")
    text = leaf.read_text()
    assert '"pfc_enable": "3"' in text
    for enabled, wanted in (("3,4", "warning"), ("4", "error")):
        leaf.write_text(text.replace('"pfc_enable": "3"', f'"pfc_enable": "{enabled}"'))
        found = check(Request((".",), load_text(Path("roce-audit.yaml").read_text(), "roce-audit.yaml"))).report
        assert {one.severity for one in found.counted() if one.verdict == "fails"} == {wanted}
        entering = [one for one in found.findings if one.rule == "marking/nothing-enters-lossless"]
        assert {one.because_of is not None for one in entering if one.verdict == "fails"} == {True}
