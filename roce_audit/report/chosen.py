"""Which findings, lists and closing words a report for people shows; how they are laid out is the layout's business."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from roce_audit.engine.findings import Finding, Report
from roce_audit.records import dataclass
from roce_audit.report.causes import causes, reported
from roce_audit.report.detail import Detail
from roce_audit.report.options import Options
from roce_audit.report.summary import fixable_line, nothing_judged, summary, summary_line
from roce_audit.report.words import clean, count, headline, position, prose
from roce_audit.text.sentences import listed

INFOS_SHOWN = 10
LISTED = 5
"""How many unread lines, needs, files are shown before the rest is a count."""

Tone = Literal["error", "warning", "info", "unknown", "fix", "plain"]
"""What a line is about, for layouts with colours."""


def tone(finding: Finding) -> Tone:
    """The severity; what could not be judged has a tone of its own."""
    return "unknown" if finding.severity == "none" else finding.severity


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings that are shown, how many infos are folded, and what is accepted, a line each."""

    shown: tuple[Detail, ...]
    folded: int
    accepted: tuple[str, ...]


def findings(report: Report, options: Options) -> Findings:
    """Failures that nobody accepted; with -v and strict also what could not be judged, with -v what is accepted."""
    everything = options.verbosity > 0
    shown: list[Detail] = []
    infos = folded = 0
    explained: set[str] = set()
    for cause in reported(report, unknown=options.strict or everything):
        infos += cause.finding.severity == "info"
        if cause.finding.severity == "info" and infos > INFOS_SHOWN and not everything:
            folded += 1
            continue
        explain = everything or cause.finding.rule not in explained
        explained.add(cause.finding.rule)
        shown.append(Detail(cause.finding, cause.consequences, explain, everything))
    accepted = [_accepted(cause.finding) for cause in causes(report) if cause.accepted] if everything else []
    return Findings(tuple(shown), folded, tuple(accepted))


def _accepted(finding: Finding) -> str:
    if finding.suppressed is None:
        return f"baselined: {headline(finding)}"
    by = finding.suppressed
    return f"suppressed: {headline(finding)} ({prose(by.reason)}, until {by.until}; {position(by.path, by.line)})"


@dataclass(frozen=True, slots=True)
class Listing:
    """A head, and the lines below it; the last may say how many more there are."""

    head: str
    lines: tuple[str, ...]


def not_read(report: Report, options: Options) -> list[Listing]:
    """Lines, files and devices that were not read or judged, and notes."""
    coverage = report.coverage
    everything = options.verbosity > 0
    unread = [f"{position(line.path, line.line)}: {clean(line.text.strip())}" for line in coverage.unread]
    groups: list[tuple[str, list[str]]] = [
        # each is a finding as well
        (f"{count(coverage.lines_unread, 'line')} not understood", unread if everything else []),
        (
            "not checked on any RoCE port",
            [f"{clean(path)}: {', '.join(families)}" for path, families in _by_path(coverage.blind).items()],
        ),
        (f"{count(len(coverage.unreached), 'device')} not reached", [prose(name) for name in coverage.unreached]),
        (
            f"{count(len(coverage.unrecognised), 'file')} not recognised",
            _unrecognised(coverage.unrecognised, everything),
        ),
        ("Notes", [prose(note) for note in coverage.notes]),
    ]
    return [Listing(head, tuple(_first(entries, everything))) for head, entries in groups if entries]


def _unrecognised(files: Sequence[tuple[str, str]], everything: bool) -> list[str]:
    """A line a file; of many a line a kind, of which the rarest comes first: what does not belong stands out among what does."""
    if everything or len(files) <= LISTED:
        return [f"{clean(path)}: {prose(why)}" for path, why in files]
    kinds: dict[str, list[str]] = {}
    for path, why in files:
        kinds.setdefault(why, []).append(clean(path))
    rarest_first = sorted(kinds.items(), key=lambda kind: (len(kind[1]), kind[0]))
    return [f"{prose(why)}: {listed(paths, 1)}" for why, paths in rarest_first]


def _first(entries: list[str], everything: bool) -> list[str]:
    more = 0 if everything else len(entries) - LISTED
    return [*entries[:LISTED], f"and {more:,} more (-v)"] if more > 0 else entries


def _by_path(blind: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, family in blind:
        found.setdefault(path, []).append(prose(family))
    return found


def left_out(report: Report, options: Options) -> list[str]:
    """Sentences on what was not asked: files excluded by the policy, with -v rules without anything to check."""
    out: list[str] = []
    if report.coverage.excluded:
        out.append(f"{count(report.coverage.excluded, 'file')} excluded by the policy")
    if report.nothing_to_judge and report.coverage.devices and options.verbosity > 0:
        names = [prose(rule) for rule in report.nothing_to_judge]
        out.append(f"{count(len(names), 'rule')} had nothing to check: {listed(names, len(names))}")
    return out


def closing(report: Report) -> list[tuple[str, Tone]]:
    """Internal errors, why nothing was judged, how much can be fixed; the totals last."""
    numbers = summary(report)
    worst: Tone = "error" if numbers.error else "warning" if numbers.warning else "plain"
    lines: list[tuple[str, Tone]] = [(f"internal error: {prose(problem)}", "error") for problem in report.problems]
    lines += [(nothing_judged(report), "warning"), (fixable_line(report), "fix"), (summary_line(report), worst)]
    return [(text, tone) for text, tone in lines if text]
