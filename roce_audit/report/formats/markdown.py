"""Markdown for a pull request's comment or a job's summary: what was read, the causes, the assumptions, what was not checked.

At most `LIMIT` characters (GitHub takes 65,536 in a comment); what does not fit is counted. Names and lines of the
configuration are escaped or stand in code, so that they neither format nor mention anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.engine.findings import Report
from roce_audit.report.assumptions import assumptions, missing_words, read_words
from roce_audit.report.causes import Cause, reported
from roce_audit.report.options import Options
from roce_audit.report.summary import fixable_line, has_change, nothing_judged, summary, summary_line
from roce_audit.report.words import clean, count, position, prose, reach_words, subjects

WANTS = ("changes",)
LIMIT = 60_000
SHOWN_INFOS = 10
LISTED = 10

_MARKS = re.compile(r"[\\`*_\[\]|~$]|^(?:[#+=-]|[0-9]+(?=[.)]))|#(?=[0-9])")
_GAP = "\u200b"
"""A blank of no width: parts what a forge would turn into a mention or a link."""
_ICONS = {"error": "🛑", "warning": "⚠️", "info": "ℹ️", "none": "❔"}


def render(report: Report, options: Options) -> Iterator[str]:
    """Head, causes worst first, assumptions, what was not checked. The first line names the tool, so that a bot finds its comment."""
    head = "".join(_head(report))
    tail = "".join((*_assumed(report), *_not_judged(report)))
    yield head
    room = LIMIT - len(head) - len(tail)
    left: dict[str, int] = {}
    infos = 0
    for cause in reported(report, unknown=options.strict):
        infos += cause.finding.severity == "info"
        block = "".join(_cause(cause))
        full = room < len(block) + 200
        if full or (cause.finding.severity == "info" and infos > SHOWN_INFOS):
            word = "unknown" if cause.finding.severity == "none" else cause.finding.severity
            left[word] = left.get(word, 0) + 1
            room = 0 if full else room
            continue
        room -= len(block)
        yield block
    if left:
        yield f"\n…and {', '.join(count(number, f'more {word}') for word, number in left.items())}.\n"
    yield tail


def _head(report: Report) -> Iterator[str]:
    numbers = summary(report)
    worst = "error" if numbers.error else "warning" if numbers.warning else ""
    yield f"<!-- roce-audit -->\n### {_ICONS.get(worst, '✅')} roce-audit\n\n"
    yield f"{_text(nothing_judged(report) or summary_line(report))}\n\n"
    if fixable := fixable_line(report):
        yield f"{_text(fixable)}\n\n"
    yield f"{_text(' · '.join(words for words in read_words(report) if words))}\n\n"
    for problem in report.problems[:LISTED]:
        yield f"**internal error**: {_text(problem[:500])}\n\n"


def _cause(cause: Cause) -> Iterator[str]:
    finding = cause.finding
    word = "unknown" if finding.verdict == "unknown" else finding.severity
    because = f" ({finding.unknown_because})" if finding.verdict == "unknown" else ""
    about = subjects(finding)
    yield f"\n{_ICONS[finding.severity]} **{word}** {_code(finding.rule)} **{_text(about)}**: "
    yield f"{_text(finding.message + because)}\n"
    places = [at for at in finding.locations if at.role == "primary"]
    related = [at for at in finding.locations if at.role == "related"]
    yield "\n<details><summary>lines, why, fix</summary>\n\n"
    for at in (*places[:5], *related[:3]):
        note = f" {_text(at.note[:200])}" if at.note and at.role == "related" else ""
        line = clean(at.text).strip()
        yield f"- {_code(position(at.path, at.line))}{': ' + _code(line[:200]) if line else ''}{note}\n"
    more = len(places[5:]) + len(related[3:])
    if more:
        yield f"- and {count(more, 'more line')}\n"
    for label, text in (
        ("spread", finding.spread),
        ("reach", reach_words(finding)),
        ("why", finding.why),
        ("source", finding.source),
    ):
        if text:
            yield f"- {label}: {_text(text[:800])}\n"
    if finding.fix is not None:
        proved = " (proved by judging the changed texts)" if has_change(finding) else ""
        yield f"- fix{proved}: {_text(finding.fix.note[:800])}\n"
        commands = [clean(command).replace("```", "'''")[:200] for command in finding.fix.commands[:20]]
        if commands:
            yield "\n```\n" + "".join(f"{command}\n" for command in commands) + "```\n"
        if len(finding.fix.commands) > 20:
            yield f"and {count(len(finding.fix.commands) - 20, 'more command')}\n"
    if cause.consequences:
        rules = ", ".join(dict.fromkeys(_code(other.rule) for other in cause.consequences[:LISTED]))
        yield f"- also causes {count(len(cause.consequences), 'finding')}: {rules}\n"
    yield "\n</details>\n"


def _assumed(report: Report) -> Iterator[str]:
    rows = list(assumptions(report))
    if rows:
        yield "\n| assumed | | |\n|---|---|---|\n"
        for row in rows[:40]:
            yield f"| {row.label} | {_text(row.name[:80])} | {_text(' · '.join(row.words)[:400])} |\n"
        if len(rows) > 40:
            yield f"| | | and {count(len(rows) - 40, 'more line')} |\n"


def _not_judged(report: Report) -> Iterator[str]:
    coverage = report.coverage
    groups = [
        (
            f"{count(coverage.lines_unread, 'line')} not understood",
            [f"{_code(position(at.path, at.line))}: {_code(at.text.strip()[:200])}" for at in coverage.unread],
        ),
        (
            f"{count(len(coverage.missing_input), 'missing input')}",
            [_text(missing_words(n)[:400]) for n in coverage.missing_input],
        ),
        (
            "not checked on any RoCE port",
            [f"{_code(path)}: {_text(family)}" for path, family in coverage.blind],
        ),
        (f"{count(len(coverage.unreached), 'device')} not reached", [_code(name) for name in coverage.unreached]),
        (
            f"{count(len(coverage.unrecognised), 'file')} not recognised",
            [f"{_code(path)}: {_text(why[:200])}" for path, why in coverage.unrecognised],
        ),
    ]
    groups = [(head, entries) for head, entries in groups if entries]
    if groups:
        yield f"\n<details><summary>Not checked: {'; '.join(head for head, _ in groups)}</summary>\n"
        for head, entries in groups:
            yield f"\n**{head}**\n\n"
            yield from (f"- {entry}\n" for entry in entries[:LISTED])
            if len(entries) > LISTED:
                yield f"- and {len(entries) - LISTED:,} more\n"
        yield "\n</details>\n"


def _text(text: str) -> str:
    """Prose in which nothing formats, links or mentions."""
    text = prose(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _MARKS.sub(lambda found: f"{found[0]}{_GAP}" if found[0][0].isdigit() else f"\\{found[0]}", text)
    return (
        text.replace("@", f"@{_GAP}")
        .replace("\\#", f"\\#{_GAP}")
        .replace("://", f":{_GAP}//")
        .replace("www.", f"www{_GAP}.")
    )


def _code(text: str) -> str:
    """Code whose fence is longer than any run of backticks in it."""
    text = prose(text)
    if not text:
        return ""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"
