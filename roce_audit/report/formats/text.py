"""The report for people at a terminal: what was read, the findings with their lines, what was assumed, the totals."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.findings import Finding, Report
from roce_audit.report.ansi import Style, paint
from roce_audit.report.assumptions import INPUTS_SHOWN, Assumption, assumptions, missing_words, read_words, undetermined
from roce_audit.report.causes import causes, reported
from roce_audit.report.detail import Detail
from roce_audit.report.options import Options
from roce_audit.report.summary import fixable_line, nothing_judged, summary, summary_line
from roce_audit.report.words import NARROWEST, clean, count, headline, listed, position, prose, wrapped

INFOS_SHOWN = 10
_BESIDE = " " * 6
LISTED = 5
"""How many unread lines, needs, files are shown before the rest is a count."""


def render(report: Report, options: Options) -> Iterator[str]:
    """All blocks, each followed by an empty line."""
    quiet = options.verbosity < 0
    blocks = [] if quiet else [_head(report, options)]
    blocks += _findings(report, options)
    blocks += [] if quiet else [_assumed(report, options), _undetermined(report, options), _not_read(report, options)]
    blocks += [_end(report, options)]
    yield "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def _head(report: Report, options: Options) -> list[str]:
    read, classes = read_words(report)
    if not classes:
        return [paint(read, "bold", options.color)]
    if len(read) + len(classes) + len(_BESIDE) <= options.width:
        return [paint(read, "bold", options.color) + _BESIDE + classes]
    return [paint(read, "bold", options.color), *wrapped(classes, options.width, rest="  ")]


def _assumed(report: Report, options: Options) -> list[str]:
    lines = list(assumptions(report))
    if not lines:
        return []
    names = max(len(line.name) for line in lines)
    indent = 9 + (names + 2 if names else 0)
    out = [paint("Assumed", "bold", options.color)]
    for line in lines:
        if options.width - indent < NARROWEST:  # no room beside the names
            out.append(f"  {line.label} {line.name}".rstrip())
            out += [f"    {words}" for words in _parted(line, options.width - 4)]
            continue
        head = f"  {line.label:<7}{line.name:<{names}}"
        first, *rest = _parted(line, options.width - indent) or [""]
        out.append(f"{head:<{indent}}{first}")
        out += [" " * indent + more for more in rest]
    return out


def _parted(line: Assumption, width: int) -> list[str]:
    """Parts with dots between them, broken between two parts where they fit a line each."""
    glued = [part.replace(" ", "\xa0") if len(part) + 2 <= width else part for part in line.words]
    return [text.replace("\xa0", " ") for text in wrapped("\xa0· ".join(glued), width)]


def _undetermined(report: Report, options: Options) -> list[str]:
    left = undetermined(report)
    if left is None:
        return []
    everything = options.verbosity > 0
    out = wrapped(f"Undetermined  {' '.join(left.sentences())}", options.width, rest="  ")
    out[0] = paint(out[0][:12], "bold", options.color) + out[0][12:]
    for needs, shown in (
        (left.by_user, None if everything else INPUTS_SHOWN),
        (left.by_nobody if everything else (), None),
    ):
        for need in needs[:shown]:
            out += wrapped(missing_words(need), options.width, "  ", "    ")
        if shown is not None and len(needs) > shown:
            out.append(f"  and {count(len(needs) - shown, 'more input')} (-v)")
    return out


def _findings(report: Report, options: Options) -> list[list[str]]:
    all_shown = options.verbosity > 0
    blocks: list[list[str]] = []
    infos = folded = 0
    explained: set[str] = set()
    for cause in reported(report, unknown=options.strict or all_shown):
        infos += cause.finding.severity == "info"
        if cause.finding.severity == "info" and infos > INFOS_SHOWN and not all_shown:
            folded += 1
            continue
        explain = all_shown or cause.finding.rule not in explained
        explained.add(cause.finding.rule)
        blocks.append(_finding(Detail(cause.finding, cause.consequences, explain), options))
    if folded:
        blocks.append([f"and {count(folded, 'more info')} (-v)"])
    accepted = [_accepted(cause.finding) for cause in causes(report) if cause.accepted] if all_shown else []
    if accepted:
        blocks.append(accepted)
    return blocks


def _finding(detail: Detail, options: Options) -> list[str]:
    finding = detail.finding
    word: Style = "unknown" if finding.severity == "none" else finding.severity
    first, *rest = wrapped(headline(finding), options.width, rest="  ")
    mark = f"{word}[{prose(finding.rule)}]"
    if first.startswith(mark):
        first = paint(mark, word, options.color) + paint(first[len(mark) :], "bold", options.color)
    return [first, *(paint(line, "bold", options.color) for line in rest), *detail.lines(options)]


def _accepted(finding: Finding) -> str:
    if finding.suppressed is None:
        return f"baselined: {headline(finding)}"
    by = finding.suppressed
    return f"suppressed: {headline(finding)} ({prose(by.reason)}, until {by.until}; {position(by.path, by.line)})"


def _not_read(report: Report, options: Options) -> list[str]:
    coverage = report.coverage
    shown = None if options.verbosity > 0 else LISTED
    unread = [f"{position(line.path, line.line)}: {clean(line.text.strip())}" for line in coverage.unread]
    groups: list[tuple[str, list[str]]] = [
        (
            f"{count(coverage.lines_unread, 'line')} not understood",
            unread if shown is None else [],
        ),  # each is a finding as well
        (
            "not checked on any RoCE port",
            [f"{clean(path)}: {', '.join(families)}" for path, families in _by_path(coverage.blind).items()],
        ),
        (f"{count(len(coverage.unreached), 'device')} not reached", [prose(name) for name in coverage.unreached]),
        (
            f"{count(len(coverage.unrecognised), 'file')} not recognised",
            [f"{clean(path)}: {prose(why)}" for path, why in coverage.unrecognised],
        ),
        ("Notes", [prose(note) for note in coverage.notes]),
    ]
    out: list[str] = []
    for head, entries in groups:
        if entries:
            out.append(paint(f"{head}:", "bold", options.color))
            for entry in entries[:shown]:
                out += [f"  {line}" for line in wrapped(entry, options.width - 2, rest="  ")]
            if shown is not None and len(entries) > shown:
                out.append(f"  and {len(entries) - shown:,} more (-v)")
    if coverage.excluded:
        out.append(f"{count(coverage.excluded, 'file')} excluded by the policy")
    if report.nothing_to_judge and coverage.devices and shown is None:
        names = [prose(rule) for rule in report.nothing_to_judge]
        words = f"{count(len(names), 'rule')} had nothing to check: {listed(names, len(names))}"
        out += wrapped(words, options.width, rest="  ")
    return out


def _by_path(blind: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, family in blind:
        found.setdefault(path, []).append(prose(family))
    return found


def _end(report: Report, options: Options) -> list[str]:
    numbers = summary(report)
    worst: Style = "error" if numbers.error else "warning" if numbers.warning else "bold"
    out = [paint(f"internal error: {prose(problem)}", "error", options.color) for problem in report.problems]
    nothing = nothing_judged(report)
    if nothing:
        out.append(paint(nothing, "warning", options.color))
    fixable = fixable_line(report)
    out += [paint(line, "fix", options.color) for line in wrapped(fixable, options.width)]
    return [*out, paint(summary_line(report), worst, options.color)]  # one line, for people look for it at the end
