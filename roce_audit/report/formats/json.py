"""The report for programs, schema `roce-audit/report/1` (docs/report.schema.json). Plain ASCII, stable order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import asdict

from roce_audit.engine.findings import Coverage, Finding, Fix, Report, Suppressed
from roce_audit.report.jsontext import pieces
from roce_audit.report.options import Options
from roce_audit.report.summary import summary

WANTS = ("changes",)
SCHEMA = "roce-audit/report/1"

_PORTS = ("yes", "no", "undecided", "not_data")


def render(report: Report, options: Options) -> Iterator[str]:
    """One object; every finding is in it, whatever the options say."""
    run = run_dict(report)
    ends = {name: run.pop(name) for name in ("nothing_to_judge", "problems")}
    yield from pieces({**run, "findings": map(finding_dict, report.findings), **ends})
    yield "\n"


def run_dict(report: Report) -> dict[str, object]:
    """Everything but the findings."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "roce-audit", "version": report.version},
        "policy": {
            "profile": report.profile,
            "file": report.policy_file,
            "inferred": {
                name: {
                    "value": plain(found.value),
                    "support": found.support,
                    "of": found.of,
                    "unit": found.unit,
                    "fabric": found.fabric,
                    "weak": found.weak,
                }
                for name, found in sorted(report.inferred.items())
            },
        },
        "fabrics": [plain(asdict(fabric)) for fabric in report.fabrics],
        "coverage": _coverage(report.coverage),
        "summary": asdict(summary(report)),
        "checks": asdict(report.checks),
        "nothing_to_judge": list(report.nothing_to_judge),
        "problems": list(report.problems),
    }


def plain(value: object) -> object:
    """A value as JSON can say it: sets become sorted lists, whatever JSON does not know becomes text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, Set):
        return sorted((plain(inner) for inner in value), key=lambda inner: (isinstance(inner, str), inner))
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return str(value)


def _coverage(coverage: Coverage) -> dict[str, object]:
    return {
        "documents": coverage.documents,
        "devices": coverage.devices,
        "ports": coverage.ports,
        "nics": coverage.nics,
        "links": coverage.links,
        "links_one_end": coverage.links_one_end,
        "ports_roce": {answer: coverage.ports_roce.get(answer, 0) for answer in _PORTS},
        "ports_roce_by": dict(coverage.roce_by),
        "lines": coverage.lines,
        "lines_relevant": coverage.lines_relevant,
        "lines_unread": coverage.lines_unread,
        "unread": [asdict(line) for line in coverage.unread],
        "unreached": list(coverage.unreached),
        "unrecognised": [{"path": path, "why": why} for path, why in coverage.unrecognised],
        "excluded": coverage.excluded,
        "assumed_whole": list(coverage.assumed_whole),
        "context": {"files": coverage.context.files, "folders": list(coverage.context.folders)},
        "missing_input": [asdict(missing) for missing in coverage.missing_input],
        "notes": list(coverage.notes),
        "blind": [{"path": path, "family": family} for path, family in coverage.blind],
    }


def finding_dict(finding: Finding) -> dict[str, object]:
    """One finding as plain data: an element of `findings`."""
    return {
        "rule": finding.rule,
        "topic": finding.topic,
        "severity": finding.severity,
        "rule_severity": finding.rule_severity,
        "verdict": finding.verdict,
        "confidence": finding.confidence,
        "owner": finding.owner,
        "device": finding.device,
        "platform": finding.platform,
        "subject": finding.subject,
        "members": [
            {
                "id": member.id,
                "path": member.path,
                "line": member.line,
                "fingerprint": member.fingerprint,
                "value": member.value,
            }
            for member in finding.members
        ],
        "members_more": finding.members_more,
        "title": finding.title,
        "message": finding.message,
        "why": finding.unknown_because if finding.verdict == "unknown" else finding.why,
        "source": finding.source,
        "source_url": finding.source_url or None,
        "spread": finding.spread,
        "nics_on_the_way": None if finding.reach is None else asdict(finding.reach),
        "locations": [
            {"path": at.path, "line": at.line, "text": at.text, "role": at.role, "note": at.note, "field": at.field}
            for at in finding.locations
        ],
        "values": plain(finding.values),
        "because_of": finding.because_of,
        "fix": _fix(finding.fix),
        "suppressed": _suppressed(finding.suppressed),
        "baselined": finding.baselined,
        "in_maintenance": finding.in_maintenance,
        "fingerprint": finding.fingerprint,
    }


def _fix(fix: Fix | None) -> dict[str, object] | None:
    if fix is None:
        return None
    return {"safe": fix.safe, "commands": list(fix.commands), "note": fix.note}


def _suppressed(suppressed: Suppressed | None) -> dict[str, object] | None:
    return None if suppressed is None else asdict(suppressed)
