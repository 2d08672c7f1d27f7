"""One line a finding, for editors and grep: `path:line: severity[rule] device subject: message`."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.findings import Finding, Report
from roce_audit.report.options import Options
from roce_audit.report.summary import nothing_judged, summary_line
from roce_audit.report.words import headline, position, primary, prose


def render(report: Report, options: Options) -> Iterator[str]:
    """The findings that count, then the summary."""
    for finding in report.counted():
        if finding.verdict == "fails" or options.strict:
            yield f"{_position(finding)}: {headline(finding)}\n"
    for problem in report.problems:
        yield f"internal error: {prose(problem)}\n"
    nothing = nothing_judged(report)
    yield summary_line(report) + (f" · {nothing}" if nothing else "") + "\n"


def _position(finding: Finding) -> str:
    at = primary(finding) or next(iter(finding.members), None)
    return "-" if at is None else position(at.path, at.line)
