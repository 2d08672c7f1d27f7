"""JSON lines: the run on the first line, then one finding a line, each with all its locations. Plain ASCII."""

from __future__ import annotations

import json
from collections.abc import Iterator

from roce_audit.engine.findings import Report
from roce_audit.report.formats.json import finding_dict, run_dict
from roce_audit.report.options import Options

WANTS = ("changes",)


def render(report: Report, options: Options) -> Iterator[str]:
    """Findings as in the JSON report; those that could not be judged only under `--strict`."""
    yield _line({"record": "run", **run_dict(report)})
    for finding in report.findings:
        if finding.verdict == "fails" or options.strict:
            yield _line({"record": "finding", **finding_dict(finding)})


def _line(record: dict[str, object]) -> str:
    return json.dumps(record, allow_nan=False, separators=(",", ":")) + "\n"
