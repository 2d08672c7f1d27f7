"""Reports that say which findings have a change that fixes them: the same search as `fix`, within limits.

Measured: a try costs as much as joining the site once more, 5 ms for one switch and a quarter of a second for 65 of 64 ports; of a
site with 20,000 failures and doubts it costs another 1 to 3 seconds; a file that it changes is read once more, some 30 ms for 3,000
lines. All of that is counted, so that a large site waits some seconds, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from roce_audit.audit import Checked, Request, judge
from roce_audit.engine.findings import Finding, Fix, Replacement
from roce_audit.fixing.planning import Fixed, Plan, plan
from roce_audit.fixing.rendering import brought, commands, is_safe
from roce_audit.fixing.trying import Limits
from roce_audit.platforms.repair import Edit

LIMITS = Limits(each=8, tries=60, readings=240, work=40_000, findings=30, members=100)


def with_changes(checked: Checked, request: Request) -> Checked:
    """The same run; each finding that a proved change fixes says its commands."""
    if request.narrow:  # a change must harm nothing of the context either
        request = replace(request, narrow=False)
        checked = replace(checked, judged=judge(checked).judged)
    found = plan(request, LIMITS, checked)
    left = {finding.fingerprint for finding, _ in found.left}
    by_finding: dict[str, list[Fixed]] = defaultdict(list)
    for one in found.fixed:
        for finding in one.findings:
            if finding.fingerprint not in left:
                by_finding[finding.fingerprint].append(one)
    findings = tuple(
        replace(finding, fix=_fix(finding, by_finding[finding.fingerprint], found))
        if finding.fingerprint in by_finding
        else finding
        for finding in checked.report.findings
    )
    report = replace(checked.report, findings=findings, changes_tried="some" if found.spared else "all")
    return replace(checked, report=report)


def _fix(finding: Finding, changes: Iterable[Fixed], found: Plan) -> Fix:
    changes = list(changes)
    note = finding.fix.note if finding.fix is not None and finding.fix.note else changes[0].proposal.how
    note = "; ".join((note, *(words for one in changes for words in brought(one))))
    lines = tuple(line for one in changes for line in commands(one, found.platforms))
    return Fix(all(map(is_safe, changes)), lines, note, _replacements(changes, found))


def _replacements(changes: list[Fixed], found: Plan) -> tuple[Replacement, ...]:
    """The edits of the files; none where one of them is no place to make the change, or not all of it can be said."""
    edits = list(dict.fromkeys(edit for one in changes for edit in one.edits))
    apart = any(edit.path in found.answers or edit.path in found.rendered_from for edit in edits)
    if apart or not all(one.edits for one in changes):
        return ()
    lines = {path: found.before[path].split("\n") for path in {edit.path for edit in edits}}
    return tuple(replacement(edit, lines[edit.path]) for edit in edits)


def replacement(edit: Edit, lines: list[str]) -> Replacement:
    """Lines end where their text does, so that a last line without an end can be changed too."""
    line, new = edit.line, edit.new
    end = len(lines[line - 1]) + 1 if line else 1
    if edit.old is None:  # added behind the line
        return (
            Replacement(edit.path, line, end, line, end, f"\n{new}")
            if line
            else Replacement(edit.path, 1, 1, 1, 1, f"{new}\n")
        )
    if new is not None:
        return Replacement(edit.path, line, 1, line, end, new)
    if line == 1:
        return Replacement(edit.path, 1, 1, 2, 1, "")
    return Replacement(edit.path, line - 1, len(lines[line - 2]) + 1, line, end, "")
