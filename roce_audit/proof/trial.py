"""Trials: a tree of files is judged as `check` judges it, and the report compared with what an example claims."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Literal

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding, Report
from roce_audit.engine.rules.rule import Rule
from roce_audit.policy import FILE_NAME, Policy, load
from roce_audit.proof.edits import Mark, Tree
from roce_audit.proof.examples import case_tree, good_tree
from roce_audit.proof.exampletext import Example, ExampleSet
from roce_audit.sources.files import shown

_TODAY = date(2026, 1, 1)
"""Examples mean the same every day: suppressions with a date are judged as of this one."""
_GAP = re.compile(
    r"(?<!taken as )\bunknown\b|\b(?:DSCP|tag|share|alpha) none\b|\b(?:no bytes|no length|no speed|no time)\b"
)
"""What a message says instead of a value that is not there."""
EARLIER = "since/"
"""Files below this folder of a tree make an earlier snapshot: the same tree with them in place of its own."""


class Workbench:
    """A temporary folder in which trees are judged one after the other; equal trees and policies are read once."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="roce-audit-")
        self._root = Path(self._folder.name).resolve()
        self._now: dict[str, str] = {}
        self._policies: dict[str, Policy] = {}

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def judge(self, tree: Tree, rules: Sequence[Rule]) -> Report:
        """The report on these files by these rules alone; its paths are as in the tree. Raises PolicyError."""
        earlier = {name.removeprefix(EARLIER): text for name, text in tree.items() if name.startswith(EARLIER)}
        now = {name: text for name, text in tree.items() if not name.startswith(EARLIER)}
        before = {EARLIER + name: text for name, text in {**now, **earlier}.items()} if earlier else {}
        self._lay_out({**now, **before})
        request = Request(
            paths=(str(self._root),),
            policy=self._policy(tree),
            rules=tuple(rules),
            today=_TODAY,
            since=str(self._root / EARLIER) if earlier else None,
        )
        return check(request).report

    def inside(self, path: str) -> str:
        """A path of the report as a path of the tree."""
        return path.removeprefix(shown(str(self._root)) + "/")

    def _lay_out(self, tree: Tree) -> None:
        for name in self._now.keys() - tree.keys():
            (self._root / name).unlink()
        for name, text in tree.items():
            if self._now.get(name) != text:
                file = self._root / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        self._now = dict(tree)

    def _policy(self, tree: Tree) -> Policy:
        text = tree.get(FILE_NAME)
        if text is None:
            return Policy.empty()
        found = self._policies.get(text)
        if found is None:
            found = self._policies[text] = load(self._root / FILE_NAME)
        return found

    # what examples claim

    def quiet(self, tree: Tree, rules: Sequence[Rule]) -> dict[str, str]:
        """Rule id -> why it is not quiet on a tree that is good for all of these rules (quiet ones are left out).

        Quiet: asked at least once, and holding wherever it is asked. Rules about the input are asked only where there
        is something to be said.
        """
        report = self.judge(tree, rules)
        wrong = {rule.id: "nothing to judge" for rule in rules if rule.id in report.nothing_to_judge and _needs(rule)}
        for finding in reversed(report.findings):  # the worst is said
            wrong[finding.rule] = self._said(finding)
        if report.problems:
            wrong[""] = report.problems[0]
        return wrong

    def wrong(self, found: ExampleSet, example: Example, rule: Rule) -> str:
        """Why the example does not prove what it claims; "" when it does. Raises ExampleError and PolicyError."""
        if example.kind == "good":
            return "; ".join(self.quiet(good_tree(found), [rule]).values())
        case = case_tree(found, example)
        report = self.judge(case.tree, [rule])
        if report.problems:
            return report.problems[0]
        mine = [finding for finding in report.findings if finding.rule == rule.id]
        verdict: Literal["fails", "unknown"] = "fails" if example.kind == "bad" else "unknown"
        wanted = [finding for finding in mine if finding.verdict == verdict]
        if not wanted:
            others = "; ".join(map(self._said, mine)) or "it holds, or is not asked"
            return f"{rule.id} should be {verdict}: {others}"
        gap = next((f.message for f in wanted if verdict == "fails" and _GAP.search(f.message)), None)
        if gap is not None:
            return f"{rule.id} says what it does not know; put it into brackets, which leave it out: {gap}"
        if verdict == "unknown" and len(mine) > len(wanted):
            return f"{rule.id} should be unknown: {'; '.join(map(self._said, mine))}"
        return self._misplaced(case.marks, wanted)

    def _misplaced(self, marks: frozenset[Mark], findings: Sequence[Finding]) -> str:
        if not marks:
            return ""
        places = [(self.inside(at.path), at.line, at.role) for finding in findings for at in finding.locations]
        primary = {(path, line) for path, line, role in places if role == "primary"}
        everywhere = {(path, line) for path, line, _ in places}
        missed = marks - everywhere
        if missed:
            return f"no location at {_listed(missed)}; there are {_listed(everywhere)}"
        if not marks & primary:
            return f"no primary location at {_listed(marks)}; primary is {_listed(primary)}"
        return ""

    def _said(self, finding: Finding) -> str:
        at = next((at for at in finding.locations if at.role == "primary"), None)
        where = f"{self.inside(at.path)}:{at.line}: " if at is not None else ""
        because = f" ({finding.unknown_because})" if finding.unknown_because else ""
        return f"{finding.verdict} at {where}{finding.message}{because}"


def _needs(rule: Rule) -> bool:
    return rule.scope != "input"


def _listed(marks: Iterable[Mark]) -> str:
    return ", ".join(f"{path}:{line}" for path, line in sorted(marks))
