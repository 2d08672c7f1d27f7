"""`roce-audit check`: judge files; no network, no writes unless an output file is named."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from roce_audit.audit import check
from roce_audit.cli.errors import INTERNAL, NOTHING, UsageError
from roce_audit.cli.request import request
from roce_audit.engine.findings import SEVERITIES, Report
from roce_audit.report import registry
from roce_audit.report.options import Options

FINDINGS = 1
INCOMPLETE = 4


def run(options: argparse.Namespace) -> int:
    """Check, write the reports, and say by the exit code what was found."""
    outputs = _outputs(options.format or ["text"])
    report = check(request(options, options.paths)).report
    for name, file in outputs:
        if file is None:
            registry.write(name, report, sys.stdout, _options(options, sys.stdout.isatty()))
        else:
            with Path(file).open("w", encoding="utf-8") as stream:
                registry.write(name, report, stream, _options(options, False))
    return exit_code(report, options.fail_on, options.strict)


def _outputs(formats: list[str]) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for text in formats:
        name, equals, file = text.partition("=")
        registry.known(name)
        found.append((name, file if equals else None))
    if sum(file is None for _, file in found) > 1:
        raise UsageError("only one format can go to standard output; write the others to files: -f NAME=FILE")
    return found


def _options(options: argparse.Namespace, terminal: bool) -> Options:
    wanted = options.color == "always" or (options.color == "auto" and terminal and "NO_COLOR" not in os.environ)
    return Options(
        verbosity=options.verbose - options.quiet,
        color=wanted,
        width=shutil.get_terminal_size((100, 40)).columns,
        strict=options.strict,
    )


def exit_code(report: Report, fail_on: str, strict: bool) -> int:
    """The first that holds: 70 internal, 3 nothing recognised, 1 findings, 4 not judged, 0."""
    if report.problems:
        return INTERNAL
    if report.coverage.devices == 0:
        return NOTHING
    counted = [finding for finding in report.counted() if finding.verdict == "fails"]
    if fail_on != "never":
        bar = SEVERITIES.index(fail_on)
        if any(SEVERITIES.index(finding.severity) <= bar for finding in counted):
            return FINDINGS
    if report.coverage.blind or report.coverage.unreached or report.coverage.incomplete:
        return INCOMPLETE
    if strict and (report.judgements.unknown or report.coverage.ports_roce.get("undecided")):
        return INCOMPLETE
    return 0
