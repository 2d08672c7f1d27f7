"""Prometheus text format, for the textfile collector of node_exporter: findings, coverage, when the last run succeeded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.engine.findings import Report
from roce_audit.report.causes import reported
from roce_audit.report.options import Options
from roce_audit.report.summary import summary
from roce_audit.report.words import prose

WANTS = ("previous",)

_SUCCESS = "roce_audit_last_success_timestamp_seconds"
_BEFORE = re.compile(rf"^{_SUCCESS} ([0-9]{{1,12}}(?:\.[0-9]{{1,9}})?)$", re.MULTILINE)

Sample = tuple[Mapping[str, str], float]


def render(report: Report, options: Options) -> Iterator[str]:
    """Gauges only. The time of the last success is carried over from the file's old text when this run is none."""
    numbers, checks, coverage = summary(report), report.checks, report.coverage
    succeeded = not report.problems and coverage.recognised
    yield from _gauge(
        "roce_audit_findings",
        "Open findings by severity and topic, counted on each device they concern.",
        [
            ({"severity": severity, "topic": topic, "device": device}, number)
            for (severity, topic, device), number in sorted(_by_device(report).items())
        ],
    )
    yield from _gauge(
        "roce_audit_summary",
        "Findings as the summary counts them: groups of equal faults, without consequences.",
        [
            ({"kind": kind}, getattr(numbers, kind))
            for kind in ("error", "warning", "info", "unknown", "suppressed", "baselined")
        ],
    )
    yield from _gauge(
        "roce_audit_checks",
        "Checks by result, one a rule and subject.",
        [({"result": name}, getattr(checks, name)) for name in ("passed", "failed", "undetermined", "not_applicable")],
    )
    yield from _gauge(
        "roce_audit_ports",
        "Ports by whether they carry RoCE.",
        [({"roce": name}, coverage.ports_roce.get(name, 0)) for name in ("yes", "no", "undecided", "not_data")],
    )
    for name, text, value in (
        ("devices", "Devices read.", coverage.devices),
        ("documents", "Files read.", coverage.documents),
        ("links", "Links both of whose ends were read.", coverage.links),
        ("lines_relevant", "Lines that concern lossless settings.", coverage.lines_relevant),
        ("lines_unread", "Lines that concern lossless settings and were not understood.", coverage.lines_unread),
        ("inputs_missing", "Missing inputs that would decide undetermined checks.", len(coverage.missing_input)),
        ("devices_unreached", "Devices that could not be reached.", len(coverage.unreached)),
        ("documents_incomplete", "Bundles and files whose end is missing.", len(coverage.incomplete)),
        ("families_blind", "Families of settings that could not be judged in a file.", len(coverage.blind)),
    ):
        yield from _gauge(f"roce_audit_{name}", text, [({}, value)])
    version = {"version": report.version}
    yield from _gauge("roce_audit_info", "The program that wrote this; the value is always 1.", [(version, 1)])
    yield from _gauge("roce_audit_up", "1: the last run read devices and met no internal error.", [({}, succeeded)])
    yield from _times(options, succeeded)


def _by_device(report: Report) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for cause in reported(report, unknown=False):
        finding = cause.finding
        for device in {member.device for member in finding.members} or {finding.device or ""}:
            found[(finding.severity, finding.topic, device)] += 1
    return found


def _times(options: Options, succeeded: bool) -> Iterator[str]:
    now = options.now.timestamp() if options.now is not None else None
    if now is not None:
        yield from _gauge("roce_audit_last_run_timestamp_seconds", "When the last run ended.", [({}, int(now))])
    before = _BEFORE.search(options.previous)
    last = now if succeeded else float(before[1]) if before is not None else None
    if last is not None:
        yield from _gauge(_SUCCESS, "When the last run ended that read devices without error.", [({}, int(last))])


def _gauge(name: str, text: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {text}\n# TYPE {name} gauge\n"
    for labels, value in samples:
        inside = ",".join(f'{label}="{_label(word)}"' for label, word in labels.items())
        yield f"{name}{{{inside}}} {int(value)}\n" if inside else f"{name} {int(value)}\n"


def _label(text: str) -> str:
    return prose(text).replace("\\", "\\\\").replace('"', '\\"')
