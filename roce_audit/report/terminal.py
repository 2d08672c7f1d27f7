"""The layout of the text report on a terminal, by rich: severity beside each finding, its rule at the right edge, labels in a column.

Only `Text` objects are made, of words that are clean already: no markup of rich and no escape of a file is ever interpreted.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleRenderable, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from roce_audit.engine.findings import Report
from roce_audit.report import chosen
from roce_audit.report.assumptions import assumptions, beside, read_words, undetermined
from roce_audit.report.chosen import Tone
from roce_audit.report.detail import MEASURE, Detail, Place
from roce_audit.report.options import Options
from roce_audit.report.words import count, message, prose, subjects

NARROWEST = 60
"""Characters a line below which there is no room for columns, and the plain layout is better."""
_SEVERITY = 7
"""Width of the first column: `warning`, `unknown`."""
_STYLES: dict[Tone, str] = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "unknown": "bold magenta",
    "fix": "bold green",
    "plain": "bold",
}


def render(report: Report, options: Options) -> Iterator[str]:
    """All blocks, each followed by an empty line."""
    quiet = options.verbosity < 0
    parts: list[ConsoleRenderable | None] = [] if quiet else [_head(report, options)]
    parts += _findings(report, options)
    parts += [] if quiet else [_assumed(report), _undetermined(report, options), _not_read(report, options)]
    parts.append(_end(report))
    written = (_written(part, options) for part in parts if part is not None)
    for number, text in enumerate(written):
        yield f"\n{text}" if number else text


def _written(part: ConsoleRenderable, options: Options) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=options.width,
        force_terminal=True,
        color_system="standard" if options.color else None,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().removesuffix("\n").split("\n"))


def _head(report: Report, options: Options) -> ConsoleRenderable:
    read, classes = read_words(report)
    head = Text(read, style="bold")
    behind = beside(read, classes, options.width)
    return Group(head, *_hanging([classes])) if behind is None else Text.assemble(head, behind)


def _findings(report: Report, options: Options) -> list[ConsoleRenderable | None]:
    found = chosen.findings(report, options)
    parts: list[ConsoleRenderable | None] = [_finding(detail) for detail in found.shown]
    if found.folded:
        parts.append(Text(f"and {count(found.folded, 'more info')} (-v)"))
    if found.accepted:
        parts.append(Group(*map(Text, found.accepted)))
    return parts


def _finding(detail: Detail) -> ConsoleRenderable:
    finding = detail.finding
    style = _STYLES[chosen.tone(finding)]
    head = Table.grid(expand=True, padding=(0, 2, 0, 0))
    head.add_column(ratio=1)
    head.add_column(justify="right", no_wrap=True)
    head.add_row(Text(subjects(finding), style="bold"), Text(prose(finding.rule), style="dim"))
    notes = Table.grid(padding=(0, 2, 0, 0))
    notes.add_column(no_wrap=True)
    notes.add_column(max_width=MEASURE)
    for note in detail.notes():
        words = Group(Text(note.words), *(Text(f"  {command}") for command in note.commands))
        notes.add_row(Text(note.label, style="bold green" if note.label == "fix" else "dim"), words)
    body = Group(head, Text(message(finding)), *(_excerpt(place, style) for place in detail.places()), notes)
    grid = Table.grid(expand=True, padding=(0, 2, 0, 0))
    grid.add_column(width=_SEVERITY, no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(Text("unknown" if finding.verdict == "unknown" else finding.severity, style=style), body)
    return grid


def _excerpt(place: Place, style: str) -> ConsoleRenderable:
    where = Text(place.where, style="cyan" if place.primary else "")
    if place.note:
        where.append(f"  {place.note}", style="dim")
    if not place.text:
        return where
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", no_wrap=True, style="dim")
    grid.add_column(no_wrap=True, overflow="ellipsis")
    grid.add_row(f"{place.line} |", Text(place.text))
    if place.primary:
        begin = len(place.text) - len(place.text.lstrip())
        grid.add_row("|", Text(" " * begin + "^" * (len(place.text) - begin), style=style))
    return Group(where, Padding(grid, (0, 0, 0, 2)))


def _assumed(report: Report) -> ConsoleRenderable | None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for line in assumptions(report):
        grid.add_row(Text(line.label, style="dim"), Text(line.name), Text(" · ".join(line.words)))
    return Group(Text("Assumed", style="bold"), Padding(grid, (0, 0, 0, 2))) if grid.row_count else None


def _undetermined(report: Report, options: Options) -> ConsoleRenderable | None:
    left = undetermined(report)
    if left is None:
        return None
    head = Text.assemble(("Undetermined", "bold"), f"  {' '.join(left.sentences())}")
    return Group(head, *_hanging(left.lines(options.verbosity > 0)))


def _not_read(report: Report, options: Options) -> ConsoleRenderable | None:
    lines: list[ConsoleRenderable] = []
    for listing in chosen.not_read(report, options):
        lines.append(Text(listing.head, style="bold"))
        lines += _hanging(listing.lines)
    lines += [Text(sentence) for sentence in chosen.left_out(report, options)]
    return Group(*lines) if lines else None


def _hanging(lines: Iterable[str]) -> Iterator[ConsoleRenderable]:
    """Lines under a head: what does not fit a line goes on two characters further in."""
    for line in lines:
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_row(" -", Text(line))
        yield grid


def _end(report: Report) -> ConsoleRenderable:
    return Group(*(Text(text, style=_STYLES[tone]) for text, tone in chosen.closing(report)))
