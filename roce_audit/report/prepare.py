"""What is done to every report before any format sees it: secrets are cut out, findings are put in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from roce_audit.engine.findings import SEVERITIES, Finding, Location, Report, nics_reached
from roce_audit.text.names import natural
from roce_audit.text.secrets.redact import redact


def prepare(report: Report) -> Report:
    """The same report, safe to show and in its final order."""
    unread = tuple(replace(line, text=redact(line.text)) for line in report.coverage.unread)
    shown = cache(redact)  # many places quote lines that read alike
    return replace(
        report,
        findings=tuple(sorted((_redacted(finding, shown) for finding in report.findings), key=_order)),
        coverage=replace(report.coverage, unread=unread),
        problems=tuple(map(redact, report.problems)),
    )


def _order(finding: Finding) -> tuple[object, ...]:
    return (
        SEVERITIES.index(finding.severity),
        -nics_reached(finding),
        finding.rule,
        natural(finding.device or ""),
        natural(finding.subject),
        finding.fingerprint,
    )


def _redacted(finding: Finding, shown: Callable[[str], str]) -> Finding:
    """Quoted lines lose their secrets; in findings about the input itself, all words that may quote a line do."""
    finding = replace(finding, locations=tuple(_safe(at, shown(at.text), shown(at.block)) for at in finding.locations))
    if finding.topic != "input":
        return finding
    return replace(
        finding,
        subject=redact(finding.subject),
        message=redact(finding.message),
        unknown_because=redact(finding.unknown_because),
        members=tuple(
            replace(member, id=redact(member.id), subject=redact(member.subject), value=redact(member.value))
            for member in finding.members
        ),
        values=_redacted_values(finding.values),
    )


def _safe(at: Location, text: str, block: str) -> Location:
    return at if (text, block) == (at.text, at.block) else replace(at, text=text, block=block)


def _redacted_values(values: Mapping[str, object]) -> dict[str, object]:
    return {name: redact(value) if isinstance(value, str) else value for name, value in values.items()}
