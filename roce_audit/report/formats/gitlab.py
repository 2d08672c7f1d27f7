"""GitLab code quality: an array of issues, one a primary line. Empty array: nothing found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from roce_audit.engine.findings import Report, Severity
from roce_audit.report.options import Options
from roce_audit.report.perline import LineResult, results
from roce_audit.report.words import clean, prose

WANTS = ("blocks",)

_SEVERITY: Mapping[Severity, str] = {"error": "critical", "warning": "minor", "info": "info", "none": "info"}


def render(report: Report, options: Options) -> Iterator[str]:
    """Worst first; what was accepted is left out, for GitLab has no word for it."""
    mark = "["
    for result in results(report, options, accepted=False):
        yield f"{mark}\n {json.dumps(_issue(result))}"
        mark = ","
    yield "[]\n" if mark == "[" else "\n]\n"


def _issue(result: LineResult) -> dict[str, object]:
    finding = result.finding
    return {
        "description": prose(result.message),
        "check_name": prose(finding.rule),
        "fingerprint": result.fingerprint,
        "severity": _SEVERITY[finding.severity],
        "location": {"path": clean(result.at.path), "lines": {"begin": max(result.at.line, 1)}},
    }
