"""JUnit XML: one test case a primary line, and a suite about the run itself, so that a report is never empty.

A finding at or above `--fail-on` is a failure. Milder ones and suppressed ones are `skipped` with their message: test
reports show these without failing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from roce_audit.engine.findings import SEVERITIES, Finding, Report
from roce_audit.records import dataclass
from roce_audit.report.options import Options
from roce_audit.report.perline import LONGEST_LINE, LineResult, results
from roce_audit.report.summary import nothing_judged, summary_line
from roce_audit.report.words import clean, count, position, prose, reach_words

_NOT_XML = re.compile("[\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Case:
    suite: str
    classname: str
    name: str
    outcome: str
    """`passed`, `failure`, `error` or `skipped`."""
    kind: str = ""
    message: str = ""
    text: str = ""
    file: str = ""
    line: int = 0


def render(report: Report, options: Options) -> Iterator[str]:
    """A suite a topic, worst first, after the suite about the run."""
    cases = [*_run(report), *(_case(result, options) for result in results(report, options, accepted=True))]
    suites: dict[str, list[_Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="roce-audit" {_counts(cases)}>\n'
    for name, inside in suites.items():
        when = f" timestamp={_attribute(options.now.strftime('%Y-%m-%dT%H:%M:%S'))}" if options.now else ""
        yield f" <testsuite name={_attribute(name)} {_counts(inside)}{when}>\n"
        for case in inside:
            yield from _written(case)
        yield " </testsuite>\n"
    yield "</testsuites>\n"


def _run(report: Report) -> Iterator[_Case]:
    """What was read and judged at all: the part that a report without findings consists of."""
    suite = "roce-audit"
    nothing = nothing_judged(report)
    outcome = "failure" if not report.coverage.recognised else "skipped" if nothing else "passed"
    yield _Case(suite, suite, "something was judged", outcome, "coverage", nothing, summary_line(report))
    for path, family in report.coverage.blind:
        words = f"{family} could not be judged on any RoCE port, because lines were not understood"
        yield _Case(suite, f"{suite}.coverage", f"{family} of {path}", "failure", "coverage", words, words, path)
    for device in report.coverage.unreached:
        yield _Case(suite, f"{suite}.coverage", f"{device} was reached", "failure", "coverage", "not reached", device)
    for number, problem in enumerate(report.problems, 1):
        yield _Case(suite, f"{suite}.internal", f"internal error {number}", "error", "internal", problem, problem)


def _case(result: LineResult, options: Options) -> _Case:
    finding, at = result.finding, result.at
    outcome = "failure" if not result.cause.accepted and _fails(finding, options) else "skipped"
    return _Case(
        suite=finding.topic,
        classname=finding.rule,
        name=f"{result.about} ({position(at.path, at.line)})",
        outcome=outcome,
        kind=finding.severity if finding.verdict == "fails" else "unknown",
        message=_accepted(finding) + result.message,
        text="\n".join(_words(result)),
        file=at.path,
        line=at.line,
    )


def _fails(finding: Finding, options: Options) -> bool:
    if finding.verdict == "unknown":
        return options.strict
    return options.fail_on != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(options.fail_on)


def _accepted(finding: Finding) -> str:
    if finding.suppressed is not None:
        return f"suppressed ({finding.suppressed.reason}): "
    return "in the baseline: " if finding.baselined else ""


def _words(result: LineResult) -> Iterator[str]:
    finding = result.finding
    for at in (result.at, *result.related):
        yield prose(f"{position(at.path, at.line)}: {at.text[:LONGEST_LINE]}" + (f"  ({at.note})" if at.note else ""))
    for label, text in (
        ("spread", finding.spread),
        ("reach", reach_words(finding)),
        ("why", finding.why),
        ("source", finding.source),
    ):
        if text:
            yield prose(f"{label}: {text}")
    if finding.fix is not None:
        yield prose(f"fix: {finding.fix.note}")
        yield from (f"  {clean(command)}" for command in finding.fix.commands)
    if result.cause.consequences:
        yield f"and {count(len(result.cause.consequences), 'consequence')}"


def _written(case: _Case) -> Iterator[str]:
    where = f" file={_attribute(case.file)}" if case.file else ""
    where += f' line="{case.line}"' if case.line else ""
    head = f"  <testcase classname={_attribute(case.classname)} name={_attribute(case.name)}{where}"
    if case.outcome == "passed":
        yield f"{head}>\n   <system-out>{_text(case.text)}</system-out>\n  </testcase>\n"
        return
    kind = "" if case.outcome == "skipped" else f" type={_attribute(case.kind)}"
    yield f"{head}>\n   <{case.outcome} message={_attribute(case.message)}{kind}>{_text(case.text)}</{case.outcome}>\n"
    yield "  </testcase>\n"


def _counts(cases: list[_Case]) -> str:
    outcomes = Counter(case.outcome for case in cases)
    return (
        f'tests="{len(cases)}" failures="{outcomes["failure"]}" errors="{outcomes["error"]}" '
        f'skipped="{outcomes["skipped"]}" time="0"'
    )


def _attribute(text: str) -> str:
    return quoteattr(_xml(prose(text)))


def _text(text: str) -> str:
    return escape("\n".join(_xml(clean(line)) for line in text.split("\n")))


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
