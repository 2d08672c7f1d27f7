"""`roce-audit check`: judge files; no network, no writes unless an output file is named."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from roce_audit.answered import Answer, Question
from roce_audit.audit import Checked, Request, check
from roce_audit.cli.errors import INTERNAL, NOTHING
from roce_audit.cli.request import given_files, request
from roce_audit.cli.screen import on_screen, writable
from roce_audit.cli.unreached import beyond
from roce_audit.cli.unreached import checked as allowed
from roce_audit.engine.findings import SEVERITIES, Report
from roce_audit.report.deliver import Output, deliver, outputs
from roce_audit.report.options import Options
from roce_audit.report.registry import wants
from roce_audit.sources.lines import SourceLines

FINDINGS = 1
INCOMPLETE = 4
MOST_FILES = 16
"""Files up to which every check says what changes fix; for one switch it costs a tenth of a second."""
MOST_FILES_CARRIED = 200
"""The same for reports that carry the changes: some seconds at most."""


def run(options: argparse.Namespace) -> int:
    """Check, write the reports, and say by the exit code what was found."""
    allowed(options.max_unreachable)
    if options.shard is not None:
        from roce_audit.cli.merge import write_part

        return write_part(options)
    if not options.watch:
        return _once(options)
    from roce_audit.cli.watch import watch

    return watch(options, lambda: _once(options))


def _once(options: argparse.Namespace) -> int:
    wanted = outputs(options.format or ["text"], given_files(options))
    asked = replace(request(options, options.paths), narrow=True, blocks="blocks" in all_wants(wanted))
    if options.no_cache:
        answer = answer_of(with_changes(check(asked), asked, wanted), wanted)
    else:
        answer = _found(asked, wanted)
    write_reports(wanted, answer, options)
    return exit_code(answer.report, options.fail_on, options.strict, options.max_unreachable)


def _found(asked: Request, wanted: Sequence[Output]) -> Answer:
    """The answer that an earlier run gave to the same question; else it is worked out, and kept for the next one."""
    question = Question(asked, all_wants(wanted))
    answer = question.kept()
    if answer is None:
        answer, lines = _worked_out(question, wanted)
        question.keep(answer, lines)
    return answer


def _worked_out(question: Question, wanted: Sequence[Output]) -> tuple[Answer, SourceLines]:
    """The answer, and the lines that it quotes. The site that it was found in is let go: nothing asks for it any more."""
    checked = check(question.request, question.plan, question.quoted)
    return answer_of(with_changes(checked, question.request, wanted), wanted), checked.lines


def all_wants(wanted: Sequence[Output]) -> frozenset[str]:
    """What the formats need beyond the report."""
    return frozenset[str]().union(*(wants(output.name) for output in wanted))


def with_changes(checked: Checked, asked: Request, wanted: Sequence[Output]) -> Checked:
    """The run with what fixes its failures, where the search for it costs little or a report carries it."""
    report = checked.report
    carried = "changes" in all_wants(wanted)
    files = report.coverage.documents + report.coverage.context.files
    if not any(finding.verdict == "fails" for finding in report.counted()):
        return replace(checked, report=replace(report, changes_tried="all"))
    if files > (MOST_FILES_CARRIED if carried else MOST_FILES) or report.problems:
        return checked
    from roce_audit.fixing import attaching

    return attaching.with_changes(checked, asked)


def answer_of(checked: Checked, wanted: Sequence[Output]) -> Answer:
    """What the reports of a run are written from."""
    if "site" not in all_wants(wanted):
        return Answer(checked.report)
    from roce_audit.views.sitedrawing import site_drawing

    return Answer(checked.report, site_drawing(checked))


def write_reports(wanted: Sequence[Output], answer: Answer, options: argparse.Namespace) -> None:
    """Write every format to its file, or to standard output."""
    files = Options(
        verbosity=options.verbose - options.quiet,
        strict=options.strict,
        fail_on=options.fail_on,
        now=datetime.now(UTC),
        site=answer.site,
    )
    deliver(answer.report, wanted, writable(sys.stdout), on_screen(files, options.color, sys.stdout), files)


def exit_code(report: Report, fail_on: str, strict: bool, max_unreachable: str = "0") -> int:
    """The first that holds: 70 internal, 3 nothing recognised, 1 findings, 4 not judged, 0."""
    if report.problems:
        return INTERNAL
    if not report.coverage.recognised:
        return NOTHING
    counted = [finding for finding in report.counted() if finding.verdict == "fails" and not finding.in_maintenance]
    if fail_on != "never":
        bar = SEVERITIES.index(fail_on)
        if any(SEVERITIES.index(finding.severity) <= bar for finding in counted):
            return FINDINGS
    missing = len(report.coverage.unreached)
    unjudged = report.coverage.blind or report.coverage.incomplete
    if unjudged or beyond(missing, report.coverage.devices + missing, max_unreachable):
        return INCOMPLETE
    if strict and (report.checks.undetermined or report.coverage.ports_roce.get("undecided")):
        return INCOMPLETE
    return 0
