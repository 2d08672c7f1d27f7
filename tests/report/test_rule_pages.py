"""Links to the pages of rules: in every format that can carry them, and only where something is published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from report_samples import finding, report

from roce_audit.report import render, rulepages

DOCS = Path(__file__).parents[2] / "docs"
BASE = "https://docs.example.net/roce/"
PAGE = f"{BASE}reference/rules/pfc/priority-off.html"


@pytest.fixture(params=["pfc/priority-off", "own/rule"])
def rendered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, str]]:
    monkeypatch.setattr(rulepages, "DOCUMENTATION", BASE)
    found = report(finding(request.param))
    return request.param, {name: "".join(render(name, found)) for name in ("sarif", "github", "html")}


def test_a_published_page_is_linked_and_a_rule_of_a_site_has_none(rendered: tuple[str, dict[str, str]]) -> None:
    rule, texts = rendered
    page = PAGE if rule == "pfc/priority-off" else None
    (described,) = json.loads(texts["sarif"])["runs"][0]["tool"]["driver"]["rules"]
    assert described.get("helpUri") == page
    for name in ("github", "html"):
        assert (PAGE in texts[name].replace("%3A", ":")) is (page is not None)
        assert (BASE in texts[name]) is (page is not None)


def test_as_long_as_nothing_is_published_nothing_is_linked() -> None:
    assert rulepages.DOCUMENTATION == ""
    found = report(finding("pfc/priority-off"))
    assert "helpUri" not in "".join(render("sarif", found))
    assert rulepages.rule_page("pfc/priority-off") == ""


def test_the_page_is_one_of_the_documentation() -> None:
    assert (DOCS / "reference" / "rules" / "pfc" / "priority-off.md").is_file()
