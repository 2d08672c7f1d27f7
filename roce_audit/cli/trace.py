"""`roce-audit trace`: one class hop by hop from one place to another, its CNPs back, and where the chain breaks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from roce_audit.audit import Checked, check
from roce_audit.cli.check import FINDINGS, INCOMPLETE
from roce_audit.cli.errors import UsageError, crashed, no_device
from roce_audit.cli.request import request
from roce_audit.cli.screen import on_screen, writable
from roce_audit.engine.findings import SEVERITIES, Finding
from roce_audit.report.options import Options
from roce_audit.report.words import clean
from roce_audit.views.choosing import NothingChosen
from roce_audit.views.tracetext import trace_lines
from roce_audit.views.tracing import NoEnd, Trace, findings_along, traces


def run(options: argparse.Namespace) -> int:
    """Print the traces; the exit code says whether the chain breaks."""
    if options.dscp is not None and not 0 <= options.dscp <= 63:
        raise UsageError(f"--dscp {options.dscp}: code points are 0 to 63 (a ToS byte is four times that)")
    checked = check(request(options, options.paths))
    if checked.report.problems:
        return crashed(checked.report.problems)
    if not checked.devices:
        return no_device()
    try:
        found = traces(checked.site, checked.devices, options.source, options.target, options.dscp, options.app)
    except (NoEnd, NothingChosen) as error:
        raise UsageError(str(error)) from None
    findings = findings_along(found, checked.report.counted())
    _print(found, findings, checked, options)
    return exit_code(found, findings, options.fail_on, options.strict)


def exit_code(found: Sequence[Trace], findings: Sequence[Finding], fail_on: str, strict: bool) -> int:
    """1: the chain breaks, or a finding about its ports counts; 4: not all of it was seen; 0: it holds."""
    bar = SEVERITIES.index(fail_on) if fail_on != "never" else -1
    broken = any(trace.breaks for trace in found) and bar >= SEVERITIES.index("error")
    slow = any(trace.cnps is not None and trace.cnps.breaks for trace in found) and bar >= SEVERITIES.index("warning")
    if broken or slow or any(SEVERITIES.index(finding.severity) <= bar for finding in findings):
        return FINDINGS
    if any(trace.unseen for trace in found):
        return INCOMPLETE
    return INCOMPLETE if strict and any(trace.cnps is None or trace.cnps.unseen for trace in found) else 0


def _print(found: Sequence[Trace], findings: Sequence[Finding], checked: Checked, options: argparse.Namespace) -> None:
    stream = writable(sys.stdout)
    if options.format == "json":
        from roce_audit.views.traceform import json_text

        print(json_text(found, findings, checked.lines), file=stream)
        return
    if options.format == "html":
        from roce_audit.views.tracepage import page

        stream.writelines(page(found, findings, checked.lines))
        return
    color = on_screen(Options(), options.color, stream).color
    for line in trace_lines(found, findings, checked.lines, _red if color else clean, options.quiet > 0):
        print(line if color else clean(line), file=stream)


def _red(text: str) -> str:
    return f"\x1b[1;31m{clean(text)}\x1b[0m"
