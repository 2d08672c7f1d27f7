"""A run as it is kept: what failed, what it was judged by, and what became of what had failed before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from roce_audit.audit import Checked, held
from roce_audit.engine.findings import Severity, roots
from roce_audit.engine.fingerprints import identity
from roce_audit.engine.rules.rule import Rule
from roce_audit.fabric import observations
from roce_audit.records import dataclass

Verdict = Literal["fails", "holds", "unknown", "not judged"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One check of a run: a failure, or what became of an earlier one."""

    fingerprint: str
    rule: str
    id: str
    severity: Severity
    verdict: Verdict
    value: str = ""
    message: str = ""
    path: str = ""
    line: int = 0
    accepted: bool = False
    """Suppressed or in the baseline."""
    fabric: str = ""
    cause: str = ""
    """The failure of the same run that it follows from; of runs that were kept nobody knows."""

    @property
    def topic(self) -> str:
        """The part of the rule's id before the slash."""
        return self.rule.partition("/")[0]

    @property
    def shown(self) -> str:
        """What it is about, as people read it: of no device, the subject alone."""
        return self.id.removeprefix(":")

    @property
    def device(self) -> str:
        """The device it is about; "" for a whole fabric."""
        return self.id.partition(":")[0] if ":" in self.id else ""


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `number` is 0 until it is kept."""

    started: datetime
    finished: datetime
    version: str
    rules: str
    """Digest of the rules it was judged by."""
    checks: Mapping[str, int]
    coverage: Mapping[str, int]
    inferred: Mapping[str, Any]
    """Policy values that a majority decided, as text."""
    judged: Mapping[str, Recorded] = field(default_factory=dict)
    """By fingerprint."""
    unreached: tuple[str, ...] = ()
    number: int = 0
    exit_code: int = 0

    def failing(self) -> Mapping[str, Recorded]:
        """What fails, by fingerprint."""
        return {key: item for key, item in self.judged.items() if item.verdict == "fails"}


def run_of(checked: Checked, started: datetime, before: Mapping[str, Recorded], exit_code: int = 0) -> Run:
    """The record of a run; `before` are the failures whose fate it tells."""
    report = checked.report
    failing = dict(_failing(checked))
    fates = fate(checked, {key: item for key, item in before.items() if key not in failing})
    coverage = report.coverage
    return Run(
        started=started,
        finished=datetime.now(UTC),
        version=report.version,
        rules=digest(checked.rules),
        checks={
            "passed": report.checks.passed,
            "failed": report.checks.failed,
            "undetermined": report.checks.undetermined,
            "not_applicable": report.checks.not_applicable,
        },
        coverage={
            "documents": coverage.documents,
            "devices": coverage.devices,
            "ports": coverage.ports,
            "roce ports": coverage.ports_roce.get("yes", 0),
            "undecided ports": coverage.ports_roce.get("undecided", 0),
            "unread lines": coverage.lines_unread,
            "unreached": len(coverage.unreached),
        },
        inferred={name: value for name, value, _ in observations.inferred_values(checked.site)},
        judged={**failing, **fates},
        unreached=coverage.unreached,
        exit_code=exit_code,
    )


def _failing(checked: Checked) -> Iterator[tuple[str, Recorded]]:
    fabric_of = {device.name: fabric.name for fabric in checked.site.fabrics for device in fabric.devices}
    findings = checked.report.findings
    for finding, root in zip(findings, roots(findings), strict=True):
        if finding.verdict == "fails":
            cause = root.members[0].fingerprint if root is not finding and root.members else ""
            accepted = finding.suppressed is not None or finding.baselined
            for member in finding.members:
                yield (
                    member.fingerprint,
                    Recorded(
                        member.fingerprint,
                        finding.rule,
                        member.id,
                        finding.severity,
                        "fails",
                        member.value,
                        finding.message,
                        member.path,
                        member.line,
                        accepted,
                        fabric_of.get(member.device, ""),
                        cause,
                    ),
                )


def fate(checked: Checked, before: Mapping[str, Recorded]) -> dict[str, Recorded]:
    """What became of failures that are none now: they hold, are unknown, or nobody judged them any more."""
    rules = {item.rule for item in before.values()}
    verdicts: dict[str, Verdict] = {}
    for group, rule in held(checked, rules):
        verdicts |= {identity(rule, subject): "holds" for subject in group.each()}
    for group, outcome in checked.judged.outcomes:
        if outcome.rule.id in rules and not outcome.fails:
            verdicts |= {identity(outcome.rule, subject): "unknown" for subject in group.subjects()}
    return {key: _with(item, verdicts.get(key) or _unasked(item, checked)) for key, item in before.items()}


def _unasked(item: Recorded, checked: Checked) -> Verdict:
    """A rule about the input is asked only while there is something to say: of a device that was read, silence is good."""
    read = not item.device or item.device in {device.name for device in checked.devices}
    return "holds" if read and item.rule.startswith("input/") else "not judged"


def _with(item: Recorded, verdict: Verdict) -> Recorded:
    return Recorded(item.fingerprint, item.rule, item.id, item.severity, verdict)


def digest(rules: tuple[Rule, ...]) -> str:
    """What tells two rule packs apart: ids, conditions and parameters."""
    lines = [
        f"{rule.id}\0{rule.when}\0{rule.require}\0{sorted(rule.let.items())}\0{sorted(rule.params)}" for rule in rules
    ]
    return sha256("\n".join(lines).encode()).hexdigest()[:16]
