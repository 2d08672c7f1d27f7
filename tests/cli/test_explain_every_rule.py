"""`explain` on every rule and platform: it never crashes, and its verdict is the one of the run."""

from __future__ import annotations

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.engine.subjects import Subjects
from roce_audit.policy import Policy, load
from roce_audit.proof import examples
from roce_audit.views.rulefacts import entries
from roce_audit.views.ruletext import rule_lines
from roce_audit.views.verdict import verdict_lines

RULES = rulepack.load()
_SUBJECTS = 3


def test_every_rule_can_be_told() -> None:
    wrong = []
    for rule, entry in zip(RULES, entries(RULES, Policy.empty()), strict=True):
        told = list(rule_lines(entry, 100))
        if not told[0].startswith(f"{rule.id}: ") or not any(line.startswith("source") for line in told):
            wrong.append((rule.id, told))
    assert wrong == []


@pytest.mark.parametrize("platform", examples.with_base())
def test_the_explanation_agrees_with_the_run(platform: str) -> None:
    root = examples.folder(platform) / examples.BASE
    policy = load(root / "roce-audit.yaml")
    checked = check(Request(paths=(str(root),), policy=policy, rules=RULES))
    verdicts = {
        (finding.rule, member.id): finding.verdict for finding in checked.report.findings for member in finding.members
    }
    subjects = Subjects(checked.site, checked.seen)
    words = {"fails": "fails", "unknown": "undetermined"}
    for rule in RULES:
        for subject, _ in zip(subjects.of(rule.scope, rule.uses_class), range(_SUBJECTS), strict=False):
            first = next(iter(verdict_lines(rule, subject.id, checked, policy)))
            said = words.get(verdicts.get((rule.id, subject.id), ""))
            if said is not None:
                assert first.endswith(said), first
            else:
                assert first.rpartition(": ")[2].startswith(("holds", "not applicable")), first
