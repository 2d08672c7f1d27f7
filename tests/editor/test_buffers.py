"""Open files judged as they stand: what is shown where, with which context, and what a change is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request
from roce_audit.editor import buffers
from roce_audit.editor.explaining import explanation
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.policy import Policy

ROOT = Path(__file__).parents[2]
SITE = ROOT / "fixtures" / "fabric"
SPINE = SITE / "backend" / "spine1.cfg"
ON = "  priority-flow-control mode on"
OFF = "  priority-flow-control mode off"


def request_of(path: str) -> Request:
    return Request((path,), Policy.empty())


@pytest.fixture
def broken() -> str:
    text = SPINE.read_text()
    assert ON in text
    return text.replace(ON, OFF, 1)


def judge(text: str, *folders: Path) -> buffers.Judged:
    return buffers.judge(str(SPINE), {str(SPINE): text}, request_of, [str(folder) for folder in folders])


def test_a_file_is_judged_in_its_folder(broken: str) -> None:
    """Only links and neighbours say that this port of the spine carries RoCE."""
    found = {mark.rule: mark for mark in judge(broken, SITE).marks}
    mark = found["pfc/priority-off"]
    line = broken.split("\n")[mark.line]
    assert line[mark.start : mark.end] == OFF.strip()
    assert "spine1 Ethernet1/" in mark.message
    assert any("leaf" in at.path for at in mark.related)
    assert "pfc/priority-off" not in {m.rule for m in judge(SPINE.read_text(), SITE).marks}


def test_line_ends_of_the_editor_do_not_matter(broken: str) -> None:
    assert judge(broken.replace("\n", "\r\n"), SITE).marks == judge(broken, SITE).marks


def test_a_folder_that_does_not_hold_the_file_is_no_context(broken: str, tmp_path: Path) -> None:
    assert judge(broken, tmp_path).marks == judge(broken).marks


def test_the_change_is_for_the_text_in_the_editor(broken: str) -> None:
    moved = "! a line more\n" + broken
    edits, why_not = buffers.fix(str(SPINE), "pfc/priority-off", {str(SPINE): moved}, request_of, [str(SITE)])
    assert why_not == ""
    (edit,) = edits[str(SPINE)]
    lines = moved.split("\n")
    assert (lines[edit.first : edit.end], edit.text) == ([OFF], f"{ON}\n")


def test_what_has_no_change_says_why() -> None:
    edits, why_not = buffers.fix(
        str(SPINE), "pfc/priority-off", {str(SPINE): SPINE.read_text()}, request_of, [str(SITE)]
    )
    assert (edits, why_not) == ({}, "nothing is left to fix")


def test_an_explanation_shows_the_examples_of_the_platform_alone(broken: str) -> None:
    rule = judge(broken, SITE).rules["pfc/priority-off"]
    text = explanation(rule, "nxos")
    assert text.startswith("**pfc/priority-off**: ")
    assert "nxos: " in text
    assert "eos: " not in text
    assert "```" not in explanation(rule, "no such platform")


def test_of_several_folders_the_innermost_is_the_context(broken: str) -> None:
    """The back end alone: the other fabrics of the site are no part of it."""
    assert judge(broken, ROOT, SITE.parent, SPINE.parent).marks == judge(broken, SPINE.parent).marks


def test_a_fix_over_a_finding_speaks_no_paths_of_the_model() -> None:
    """What stands in braces in a rule are values of a finding, which the finding itself tells."""
    rules = load([builtin_folder()])
    fixes = [part for rule in rules for part in explanation(rule, "none").split("\n\n") if part.startswith("Fix: ")]
    assert fixes
    assert not [fix for fix in fixes if "{" in fix or "port." in fix]
