"""Root causes: each finding that stands for itself, with the findings that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from roce_audit.engine.findings import Finding, Report


@dataclass(frozen=True, slots=True)
class Cause:
    """One finding and its consequences."""

    finding: Finding
    consequences: tuple[Finding, ...]

    @property
    def accepted(self) -> bool:
        """Suppressed or in the baseline: told, and not counted."""
        return self.finding.suppressed is not None or self.finding.baselined


def causes(report: Report) -> Iterator[Cause]:
    """All causes, in the report's order. A consequence whose cause is not in the report stands for itself."""
    ids = {finding.fingerprint for finding in report.findings}
    following: dict[str, list[Finding]] = {}
    standing: list[Finding] = []
    for finding in report.findings:
        if finding.because_of in ids and finding.because_of != finding.fingerprint:
            following.setdefault(finding.because_of, []).append(finding)
        else:
            standing.append(finding)
    for finding in standing:
        yield Cause(finding, tuple(following.get(finding.fingerprint, ())))


def told(report: Report, *, unknown: bool) -> Iterator[Cause]:
    """The causes that count: failures that nobody accepted, and with `unknown` what could not be judged."""
    for cause in causes(report):
        if not cause.accepted and (unknown or cause.finding.verdict == "fails"):
            yield cause
