"""One self-contained HTML file: opens from disk, loads nothing, light or dark."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.findings import Report
from roce_audit.report.html.page import page
from roce_audit.report.options import Options

WANTS = ("site", "changes")


def render(report: Report, options: Options) -> Iterator[str]:
    """Without `site` there are findings and coverage, and no pictures."""
    yield from page(report, options)
