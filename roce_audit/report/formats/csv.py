"""A table for spreadsheets: one row a member, so that it can be filtered by device and port."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from roce_audit.engine.findings import Finding, Report
from roce_audit.report.options import Options
from roce_audit.report.words import prose

COLUMNS = (
    "severity",
    "verdict",
    "rule",
    "topic",
    "owner",
    "device",
    "subject",
    "path",
    "line",
    "message",
    "spread",
    "nics_on_the_way",
    "fix",
    "status",
    "because_of",
    "finding",
    "fingerprint",
)
_FORMULA = ("=", "+", "-", "@")


def render(report: Report, options: Options) -> Iterator[str]:
    """The head, then the rows, worst first; what could not be judged only under `--strict`."""
    yield row(COLUMNS)
    for finding in report.findings:
        if finding.verdict == "fails" or options.strict:
            yield from _rows(finding)


def _rows(finding: Finding) -> Iterator[str]:
    unknown = finding.verdict == "unknown"
    head = (finding.severity, finding.verdict, finding.rule, finding.topic, finding.owner)
    message = f"{finding.message}: {finding.unknown_because}" if unknown else finding.message
    fix = "" if finding.fix is None else "; ".join((*filter(None, [finding.fix.note]), *finding.fix.commands))
    nics = "" if finding.reach is None else finding.reach.nics
    tail = (message, finding.spread, nics, fix, _status(finding), finding.because_of or "", finding.fingerprint)
    if not finding.members:
        yield row((*head, finding.device or "", finding.subject, "", "", *tail, ""))
    for member in finding.members:
        yield row((*head, member.device, member.subject, member.path, member.line or "", *tail, member.fingerprint))


def _status(finding: Finding) -> str:
    if finding.suppressed is not None:
        return f"suppressed: {finding.suppressed.reason}"
    return "baselined" if finding.baselined else "open"


def row(cells: Sequence[object]) -> str:
    """A line of a table, its end included."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def _cell(cell: object) -> str:
    """One line of text that no spreadsheet takes for a formula."""
    text = prose(str(cell))
    return f"'{text}" if text.startswith(_FORMULA) else text
