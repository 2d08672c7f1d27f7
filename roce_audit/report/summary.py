"""The numbers at the end of every report. Consequences are not counted; what is accepted is counted apart."""

from __future__ import annotations

from roce_audit.engine.findings import Checks, Finding, Report
from roce_audit.records import dataclass
from roce_audit.report.words import count


@dataclass(frozen=True, slots=True)
class Summary:
    """How many findings (groups) of which sort."""

    error: int
    warning: int
    info: int
    unknown: int
    suppressed: int
    baselined: int
    fixable: int | None
    """Findings with a change that was proved to fix them; None where none was tried."""


def summary(report: Report) -> Summary:
    """Counts the findings of a report."""
    counted = report.counted()
    causes = report.standing()
    fails = [finding.severity for finding in counted if finding.verdict == "fails"]
    return Summary(
        error=fails.count("error"),
        warning=fails.count("warning"),
        info=fails.count("info"),
        unknown=sum(finding.verdict == "unknown" for finding in counted),
        suppressed=sum(finding.suppressed is not None for finding in causes),
        baselined=sum(finding.suppressed is None and finding.baselined for finding in causes),
        fixable=None if report.changes_tried == "none" else sum(map(has_change, counted)),
    )


def has_change(finding: Finding) -> bool:
    """Whether a change was proved to fix it."""
    return finding.fix is not None and bool(finding.fix.commands)


def fixable_line(report: Report) -> str:
    """`3 of 7 findings have a proved change: roce-audit fix`; empty where nothing fails, or none was found."""
    failing = sum(finding.verdict == "fails" for finding in report.counted())
    fixable = summary(report).fixable
    if fixable is None:
        return "roce-audit fix looks for changes that fix them (not done here: many files)" if failing else ""
    more = " (not all were tried)" if report.changes_tried == "some" else ""
    if not fixable:
        return f"no change was proved{more}: roce-audit fix tries further" if more else ""
    return f"{fixable:,} of {count(failing, 'finding')} {'has' if fixable == 1 else 'have'} a proved change{more}: roce-audit fix"


def summary_line(report: Report) -> str:
    """`2 errors, 5 warnings, 3 infos · 2,210 checks passed, 7 failed, 12 undetermined, 300 not applicable · 2 lines unread`."""
    numbers = summary(report)
    parts = [
        f"{count(numbers.error, 'error')}, {count(numbers.warning, 'warning')}, {count(numbers.info, 'info')}",
        checks_words(report.checks),
    ]
    if report.coverage.unread:
        parts.append(f"{count(report.coverage.lines_unread, 'line')} unread")
    if numbers.suppressed:
        parts.append(f"{numbers.suppressed:,} suppressed")
    if numbers.baselined:
        parts.append(f"{numbers.baselined:,} baselined")
    return " · ".join(parts)


def checks_words(checks: Checks) -> str:
    """`2,210 checks passed, 7 failed, 12 undetermined, 300 not applicable`."""
    return (
        f"{count(checks.passed, 'check')} passed, {checks.failed:,} failed, {checks.undetermined:,} undetermined, "
        f"{checks.not_applicable:,} not applicable"
    )


def nothing_judged(report: Report) -> str:
    """Why a report without errors and warnings is no clean bill; empty where RoCE ports were judged."""
    numbers = summary(report)
    if numbers.error or numbers.warning:
        return ""
    if not report.coverage.recognised:
        return "nothing to judge: no device recognised"
    if not report.coverage.devices:
        return "nothing to judge: no device in what was asked for"
    if not report.coverage.ports_roce.get("yes", 0):
        alone = [fabric for fabric in report.fabrics if fabric.jobs and not fabric.devices]
        if alone and len(alone) == len(report.fabrics):
            if all(fabric.classes for fabric in alone):
                return ""
            return "judged for contradictions alone: no host beside these files, and no class to hold them against (policy roce:)"
        if not any(report.coverage.ports_roce.values()):
            return "nothing to judge: no port is in what was given: give the configuration of the switches, the answers of the hosts"
        return "nothing to judge: no RoCE evidence"
    return ""
