"""A consequence is told and counted with its cause; where the cause is not shown, it counts itself."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.report.causes import causes
from roce_audit.report.summary import summary
from tests.report.report_samples import finding, report

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """PFC is off at one port of the spine: the ends of its link disagree, which leaf1 shows as well."""
    shutil.copytree(FIXTURES / "fabric", tmp_path / "site")
    spine = tmp_path / "site/backend/spine1.cfg"
    spine.write_text(spine.read_text().replace("priority-flow-control mode on", "priority-flow-control mode off", 1))
    monkeypatch.chdir(tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.parametrize("path", ["backend/spine1.cfg", "backend/leaf1.cfg"])
def test_what_is_shown_decides_the_exit_code(path: str, broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", path, "--context", ".", "-f", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    fails = [f for f in found["findings"] if f["verdict"] == "fails" and f["severity"] == "error"]
    shown = {f["fingerprint"] for f in found["findings"]}
    assert "pfc/priority-mismatch" in {f["rule"] for f in fails}
    assert all(f["because_of"] is None or f["because_of"] in shown for f in fails)
    assert found["summary"]["error"] == sum(f["because_of"] is None for f in fails) == 1


def test_what_follows_from_a_consequence_belongs_to_the_first_cause() -> None:
    first = finding(fingerprint="a")
    found = report(
        first, replace(first, fingerprint="b", because_of="a"), replace(first, fingerprint="c", because_of="b")
    )
    (cause,) = causes(found)
    assert [one.fingerprint for one in cause.consequences] == ["b", "c"]
    assert summary(found).error == 1


def test_a_consequence_without_its_cause_counts() -> None:
    alone = report(finding(fingerprint="b", because_of="gone"))
    assert len(list(causes(alone))) == len(alone.counted()) == summary(alone).error == 1
