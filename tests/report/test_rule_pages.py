"""Links to the pages of rules: in every format that can carry them, and only where something is published."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Report
from roce_audit.engine.rules import rulepages
from roce_audit.policy import Policy
from roce_audit.report import render

ROOT = Path(__file__).parents[2]
BASE = "https://docs.example.net/roce/"
PAGE = f"{BASE}reference/rules/pfc/priority-off.html"


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One port whose PFC is off."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(ROOT / "fixtures" / "fabric-faulty" / "backend" / "spine1.cfg", "spine1.cfg"))


def judged(path: Path) -> Report:
    return check(Request((str(path),), Policy.empty(), select=("pfc/priority-off",))).report


def test_a_published_page_is_linked(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulepages, "DOCUMENTATION", BASE)
    found = judged(faulty)
    (rule,) = json.loads("".join(render("sarif", found)))["runs"][0]["tool"]["driver"]["rules"]
    assert rule["helpUri"] == PAGE
    assert f"%0A{PAGE}" in "".join(render("github", found))
    assert f'"{PAGE}"' in "".join(render("html", found))


def test_as_long_as_nothing_is_published_nothing_is_linked(faulty: Path) -> None:
    assert rulepages.DOCUMENTATION == ""
    found = judged(faulty)
    assert found.findings
    assert "helpUri" not in "".join(render("sarif", found))


def test_a_rule_of_a_site_has_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulepages, "DOCUMENTATION", BASE)
    assert rulepages.rule_page("pfc/priority-off") == PAGE
    assert rulepages.rule_page("pfc/our-own") == ""
    assert (ROOT / "docs" / "reference" / "rules" / "pfc" / "priority-off.md").is_file()
