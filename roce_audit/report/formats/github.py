"""GitHub workflow commands: findings as annotations at their lines.

GitHub shows ten annotations of each kind a step and drops the rest without a word. So the worst come first, the rest is
listed in the step's log, and the log says how many were left out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping

from roce_audit.engine.findings import Report, Severity
from roce_audit.report.options import Options
from roce_audit.report.perline import LineResult, first_line, results
from roce_audit.report.summary import fixable_line, has_change, nothing_judged, summary_line
from roce_audit.report.words import clean, count, position, prose, reach_words

WANTS = ("changes",)
ANNOTATIONS = 10
"""Annotations of one kind that GitHub shows for a step."""
LISTED = 200
"""Findings that are listed in the log beyond the annotations."""

_COMMAND: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "notice", "none": "notice"}


def render(report: Report, options: Options) -> Iterator[str]:
    """Annotations worst first, then the rest and the summary as plain lines of the log."""
    shown: Counter[str] = Counter()
    rest: list[LineResult] = []
    for problem in report.problems:
        shown["error"] += 1
        yield f"::error title=roce-audit::{_data(f'internal error: {prose(problem)}')}\n"
    for result in results(report, options, accepted=False):
        command = _COMMAND[result.finding.severity]
        if shown[command] < ANNOTATIONS:
            shown[command] += 1
            yield _annotation(command, result)
        else:
            rest.append(result)
    if rest:
        yield from _rest(rest)
    yield _plain(" · ".join(filter(None, (summary_line(report), nothing_judged(report), fixable_line(report)))))


def _annotation(command: str, result: LineResult) -> str:
    at, finding = result.at, result.finding
    where = f"file={_property(at.path)}"
    if at.line:
        where += f",line={at.line}"
    fix = f"\nfix: {prose(finding.fix.note)}" if finding.fix is not None and finding.fix.note else ""
    fix += "\nroce-audit fix has a proved change" if has_change(finding) else ""
    fix += f"\n{finding.page}" if finding.page else ""
    fix += f"\n{reach}" if (reach := reach_words(finding)) else ""
    more = count(len(result.cause.consequences), "consequence")
    follows = f"\nand {more}" if result.cause.consequences else ""
    return f"::{command} {where},title={_property(finding.rule)}::{_data(result.message + fix + follows)}\n"


def _rest(rest: list[LineResult]) -> Iterator[str]:
    left = Counter(_COMMAND[result.finding.severity] for result in rest)
    kinds = ", ".join(count(number, kind) for kind, number in left.items())
    yield _plain(f"not annotated, for GitHub shows {ANNOTATIONS} of a kind: {kinds}")
    if os.environ.get("GITHUB_STEP_SUMMARY"):
        yield _plain('-f markdown="$GITHUB_STEP_SUMMARY" puts them into the job summary')
    yield "::group::findings without annotation\n"
    for result in rest[:LISTED]:
        yield _plain(f"- {position(result.at.path, result.at.line)}: {first_line(result)}")
    if len(rest) > LISTED:
        yield _plain(f"- and {len(rest) - LISTED:,} more")
    yield "::endgroup::\n"


def _data(text: str) -> str:
    """The message of a workflow command."""
    lines = "\n".join(clean(line) for line in text.split("\n"))
    return lines.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(clean(text)).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    """A line of the log that GitHub does not take for a command, whatever names stand in it."""
    text = clean(text).replace("##[", "# #[")
    return f"{'- ' if text.lstrip().startswith('::') else ''}{text}\n"
