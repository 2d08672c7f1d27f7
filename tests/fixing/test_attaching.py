"""Reports say which findings have a proved change, and carry it so that it can be made as they say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.cli import check as verb
from roce_audit.cli.main import main
from roce_audit.engine.findings import Finding, Replacement
from roce_audit.fixing import attaching
from roce_audit.fixing.trying import Limits
from roce_audit.platforms.repair import Edit, applied, as_read, numbered
from roce_audit.policy import Policy
from roce_audit.report.registry import render

FIXTURES = Path(__file__).parents[2] / "fixtures"
SPINE = FIXTURES / "fabric-faulty" / "backend" / "spine1.cfg"


@pytest.fixture
def spine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One switch with one port whose PFC is off."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(SPINE, "spine1.cfg")
    return Path("spine1.cfg")


def judged() -> tuple[Checked, Request]:
    request = Request((".",), Policy.empty())
    return check(request), request


def failing(checked: Checked) -> list[Finding]:
    return [finding for finding in checked.report.findings if finding.verdict == "fails"]


def replaced(text: str, replacements: list[dict[str, object]]) -> str:
    """What a reader of SARIF does: replace from the end, by line and column."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def span(one: dict[str, object]) -> tuple[int, int]:
        region = one["deletedRegion"]
        assert isinstance(region, dict)
        begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
        return begin, starts[region["endLine"] - 1] + region["endColumn"] - 1

    for one in sorted(replacements, key=span, reverse=True):
        begin, end = span(one)
        assert isinstance(one["insertedContent"], dict)
        text = text[:begin] + one["insertedContent"]["text"] + text[end:]
    return text


def test_the_fix_of_a_sarif_report_fixes_the_file(spine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "spine1.cfg", "-f", "sarif"]) == 1
    (result,) = [r for r in json.loads(capsys.readouterr().out)["runs"][0]["results"] if r["level"] == "error"]
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "spine1.cfg"
    spine.write_text(replaced(spine.read_text(), change["replacements"]))
    assert main(["check", "spine1.cfg", "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["error"] == report["summary"]["fixable"] == 0


def test_json_carries_the_commands_and_counts(spine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "spine1.cfg", "-f", "json"])
    report = json.loads(capsys.readouterr().out)
    (error,) = [
        finding for finding in report["findings"] if finding["severity"] == "error" and not finding["because_of"]
    ]
    assert error["fix"]["commands"][:3] == [
        "configure terminal",
        "interface Ethernet1/2",
        "priority-flow-control mode on",
    ]
    assert report["summary"]["fixable"] == 1


def test_text_marks_the_finding_and_counts_at_the_end(spine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "spine1.cfg"])
    text = capsys.readouterr().out
    assert "= fix: [*] " in text
    assert "\n1 of 1 finding has a proved change: roce-audit fix\n" in text
    assert "priority-flow-control mode on\n" not in text
    main(["check", "spine1.cfg", "-v"])
    assert "priority-flow-control mode on\n" in capsys.readouterr().out


def test_a_change_for_which_the_site_is_too_large_is_not_tried_and_that_is_said(
    spine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verb, "MOST_FILES", 0)
    main(["check", "spine1.cfg"])
    text = capsys.readouterr().out
    assert "[*]" not in text
    assert "roce-audit fix looks for changes that fix them" in text
    main(["check", "spine1.cfg", "-f", "json"])  # which carries changes, so it may cost more
    assert json.loads(capsys.readouterr().out)["summary"]["fixable"] == 1
    monkeypatch.setattr(verb, "MOST_FILES_CARRIED", 0)
    main(["check", "spine1.cfg", "-f", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["fixable"] is None


def test_a_selection_is_proved_by_all_rules(spine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "spine1.cfg", "-f", "json", "--select", "pfc"])
    assert json.loads(capsys.readouterr().out)["summary"]["fixable"] == 1


@pytest.mark.parametrize("limits", [Limits(tries=0), Limits(readings=0), Limits(findings=0), Limits(members=0)])
def test_what_the_limits_leave_is_said(spine: Path, monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    monkeypatch.setattr(attaching, "LIMITS", limits)
    checked = attaching.with_changes(*judged())
    assert checked.report.changes_tried == "some"
    assert not any(finding.fix is not None and finding.fix.commands for finding in failing(checked))
    assert "(not all were tried)" in "".join(render("text", checked.report))


def test_a_finding_that_has_no_change_has_no_commands(spine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attaching, "LIMITS", Limits(each=0))
    checked = attaching.with_changes(*judged())
    assert checked.report.changes_tried == "all"
    assert not any(finding.fix is not None and finding.fix.commands for finding in failing(checked))


LINES = ["a", "bb", "ccc"]
EDITS = [
    Edit("f", 2, "bb", "new"),
    Edit("f", 1, "a", None),
    Edit("f", 3, "ccc", None),
    Edit("f", 3, None, "x\ny"),
    Edit("f", 0, None, "x"),
    Edit("f", 1, None, "x"),
]


@pytest.mark.parametrize("edit", EDITS)
def test_a_replacement_does_what_the_edit_does(edit: Edit) -> None:
    found: Replacement = attaching.replacement(edit, LINES)
    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }
    one: dict[str, object] = {"deletedRegion": region, "insertedContent": {"text": found.text}}
    assert replaced("\n".join(LINES), [one]) == "\n".join(applied(LINES, [edit]))


@pytest.mark.parametrize("edit", EDITS)
def test_lines_keep_their_numbers_through_a_change(edit: Edit) -> None:
    after = applied(LINES, [edit])
    numbers = numbered([1, 2, 3], [edit])
    assert len(after) == len(numbers)
    assert all(LINES[number - 1] == line for line, number in zip(after, numbers, strict=True) if number)


def test_an_edit_of_a_line_that_a_change_wrote_is_none_of_the_file_as_it_was_read() -> None:
    assert as_read(Edit("f", 2, "new", "newer"), [1, 0, 3]) is None
    assert as_read(Edit("f", 2, "ccc", None), [1, 3]) == Edit("f", 3, "ccc", None)
