"""The report for people: what was read, the findings with their lines, what was assumed, the totals.

Plain lines in files and pipes; on a terminal the same words laid out with rich.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.findings import Report
from roce_audit.report import chosen
from roce_audit.report.assumptions import Assumption, assumptions, beside, read_words, undetermined
from roce_audit.report.detail import MEASURE, Detail, Note, Place
from roce_audit.report.options import Options
from roce_audit.report.words import NARROWEST, count, headline, wrapped


def render(report: Report, options: Options) -> Iterator[str]:
    """All blocks, each followed by an empty line."""
    if options.terminal:
        from roce_audit.report import terminal  # rich takes longer to import than a small check takes

        if options.width >= terminal.NARROWEST:
            yield from terminal.render(report, options)
            return
    quiet = options.verbosity < 0
    blocks = [] if quiet else [_head(report, options)]
    blocks += _findings(report, options)
    blocks += [] if quiet else [_assumed(report, options), _undetermined(report, options), _not_read(report, options)]
    blocks += [_end(report, options)]
    yield "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def _head(report: Report, options: Options) -> list[str]:
    read, classes = read_words(report)
    behind = beside(read, classes, options.width)
    return [read, *wrapped(classes, options.width, rest="  ")] if behind is None else [read + behind]


def _assumed(report: Report, options: Options) -> list[str]:
    lines = list(assumptions(report))
    if not lines:
        return []
    names = max(len(line.name) for line in lines)
    indent = 9 + (names + 2 if names else 0)
    out = ["Assumed"]
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
    out = wrapped(f"Undetermined  {' '.join(left.sentences())}", options.width, rest="  ")
    for line in left.lines(options.verbosity > 0):
        out += wrapped(line, options.width, "  ", "    ")
    return out


def _findings(report: Report, options: Options) -> list[list[str]]:
    found = chosen.findings(report, options)
    blocks = [_finding(detail, options) for detail in found.shown]
    if found.folded:
        blocks.append([f"and {count(found.folded, 'more info')} (-v)"])
    return [*blocks, list(found.accepted)]


def _finding(detail: Detail, options: Options) -> list[str]:
    out = wrapped(headline(detail.finding), options.width, rest="  ")
    places = detail.places()
    gutter = max((len(str(place.line)) for place in places), default=1)
    for place in places:
        out += _excerpt(place, gutter, options)
    for note in detail.notes():
        out += _note(note, gutter, options)
    return out


def _excerpt(place: Place, gutter: int, options: Options) -> Iterator[str]:
    pad = " " * gutter
    beside = bool(place.note) and gutter + 6 + len(place.where) + len(place.note) <= options.width
    yield f"{pad}{'-->' if place.primary else ':::'} {place.where}{f'  {place.note}' if beside else ''}"
    if place.note and not beside:
        yield from wrapped(place.note, options.width, " " * (gutter + 6), " " * (gutter + 6))
    if not place.text:
        return
    text = place.shortened(options.width - gutter - 3)
    yield f"{pad} |"
    yield f"{place.line:>{gutter}} | {text}"
    if place.primary:
        begin = len(text) - len(text.lstrip())
        yield f"{pad} | {' ' * begin}{'^' * (len(text) - begin)}"


def _note(note: Note, gutter: int, options: Options) -> list[str]:
    indent = " " * (gutter + 1)
    text = f"{note.label}: {note.words}" if note.label else note.words
    lines = wrapped(text, min(options.width, MEASURE), f"{indent}= ", f"{indent}  ")
    return [*lines, *(" " * (gutter + 6) + command for command in note.commands)]


def _not_read(report: Report, options: Options) -> list[str]:
    out: list[str] = []
    for listing in chosen.not_read(report, options):
        out.append(f"{listing.head}:")
        for entry in listing.lines:
            out += [f"  {line}" for line in wrapped(entry, options.width - 2, rest="  ")]
    for sentence in chosen.left_out(report, options):
        out += wrapped(sentence, options.width, rest="  ")
    return out


def _end(report: Report, options: Options) -> list[str]:
    *lines, (totals, _) = chosen.closing(report)
    return [
        *(line for text, _ in lines for line in wrapped(text, options.width)),
        totals,
    ]  # totals: one line, easy to find
