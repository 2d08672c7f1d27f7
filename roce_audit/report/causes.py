"""Root causes: each finding that stands for itself, with the findings that follow from it."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.findings import Finding, Report, roots
from roce_audit.records import dataclass


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
    """All causes, in the report's order, each with all that follows from it, at whatever distance."""
    following: dict[int, list[Finding]] = {}
    found = list(zip(report.findings, roots(report.findings), strict=True))
    for finding, root in found:
        if root is not finding:
            following.setdefault(id(root), []).append(finding)
    for finding, root in found:
        if root is finding:
            yield Cause(finding, tuple(following.get(id(finding), ())))


def reported(report: Report, *, unknown: bool) -> Iterator[Cause]:
    """The causes that count: failures that nobody accepted, and with `unknown` what could not be judged."""
    for cause in causes(report):
        if not cause.accepted and (unknown or cause.finding.verdict == "fails"):
            yield cause
