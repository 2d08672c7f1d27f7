"""The proof that a written policy changes no verdict: the site is judged once more, with it."""

from __future__ import annotations

from roce_audit.audit import Checked, Request, check
from roce_audit.engine.fingerprints import identity


def changes(before: Checked, request: Request) -> tuple[str, ...]:
    """Rule and subject of every verdict that is another one in the new request; empty where all are the same."""
    after = check(request)
    old, new = _verdicts(before), _verdicts(after)
    different = {f"{rule} of {subject}" for rule, subject, *_ in old ^ new}
    if not different and before.report.checks != after.report.checks:
        different = {"how many subjects are asked"}
    return tuple(sorted(different))


def _verdicts(checked: Checked) -> set[tuple[str, str, str, bool]]:
    """What fails and what is unknown; all else that was asked holds."""
    return {
        (outcome.rule.id, subject.id, identity(outcome.rule, subject), outcome.fails)
        for subject, outcome in checked.judged.each()
    }
