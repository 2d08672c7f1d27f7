"""Below a finding's headline: source lines under a gutter, other places, why (all of it with -v), fix, consequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from roce_audit.engine.findings import Finding, Location
from roce_audit.report.ansi import Style, paint
from roce_audit.report.options import Options
from roce_audit.report.words import clean, count, first_sentence, position, prose, reach_words, subjects, wrapped

RELATED_SHOWN = 3
ALSO_SHOWN = 5
MEASURE = 110
"""Characters a line of prose has at most, however wide the terminal is."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One finding with its consequences; `explain` says whether why and source are printed."""

    finding: Finding
    consequences: tuple[Finding, ...]
    explain: bool

    def lines(self, options: Options) -> Iterator[str]:
        """The lines, without line ends."""
        everything = options.verbosity > 0
        primaries = [at for at in self.finding.locations if at.role == "primary"]
        related = [at for at in self.finding.locations if at.role == "related"]
        shown = related if everything else related[:RELATED_SHOWN]
        gutter = max((len(str(at.line)) for at in (*primaries[:1], *shown)), default=1)
        style: Style = "unknown" if self.finding.severity == "none" else self.finding.severity
        for at in primaries[:1]:
            yield from _snippet(at, "-->", gutter, options, style, everything)
        for at in shown:
            yield from _snippet(at, ":::", gutter, options, style, everything)
        notes = list(self._also(primaries, everything))
        if len(related) > len(shown):
            notes.append(f"and {count(len(related) - len(shown), 'more related line')} (-v)")
        notes += self._words(everything)
        for note in notes:
            yield from _note(note, gutter, options)
        yield from self._fix(gutter, options, everything)
        for words in self._consequences(everything):
            yield from _note(words, gutter, options)

    def _also(self, primaries: list[Location], everything: bool) -> Iterator[str]:
        """The places of further members: one entry a line, with the members that stand there."""
        places: dict[tuple[str, int], list[str]] = {}
        for member in self.finding.members:
            places.setdefault((member.path, member.line), []).append(clean(member.subject))
        for at in primaries:
            places.setdefault((at.path, at.line), [])
        if primaries:
            places.pop((primaries[0].path, primaries[0].line), None)
        entries = [
            position(path, line) + (f" ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})" if names else "")
            for (path, line), names in places.items()
        ]
        if entries:
            shown = entries if everything or len(entries) <= ALSO_SHOWN + 1 else entries[:ALSO_SHOWN]
            more = len(entries) - len(shown)
            yield f"also: {', '.join(shown)}" + (f" and {count(more, 'more line')} (-v)" if more else "")

    def _words(self, everything: bool) -> Iterator[str]:
        finding = self.finding
        if finding.spread:
            yield f"spread: {prose(finding.spread)}"
        if reach := reach_words(finding):
            yield reach
        if self.explain and finding.why:
            why = (
                prose(finding.why)
                if everything
                else f"{first_sentence(finding.why)} (roce-audit explain {prose(finding.rule)})"
            )
            yield f"why: {why}"
        if self.explain and everything and finding.source:
            yield f"source: {prose(finding.source)}"

    def _fix(self, gutter: int, options: Options, everything: bool) -> Iterator[str]:
        """`[*]` marks a proved change; its commands are shown with -v."""
        fix = self.finding.fix
        if fix is None:
            return
        note = f"fix:{' [*]' if fix.commands else ''} {prose(fix.note)}".rstrip()
        yield from _note(f"{note} (does not disturb traffic)" if fix.safe else note, gutter, options)
        for command in fix.commands if everything else ():
            yield " " * (gutter + 6) + clean(command)

    def _consequences(self, everything: bool) -> Iterator[str]:
        if self.consequences and not everything:
            yield f"also causes {count(len(self.consequences), 'finding')} (-v)"
        elif self.consequences:
            for finding in self.consequences:
                message = prose(finding.message)
                yield f"also causes: {finding.severity}[{prose(finding.rule)}] {subjects(finding)}: {message}"


def _snippet(at: Location, arrow: str, gutter: int, options: Options, style: Style, everything: bool) -> Iterator[str]:
    pad = " " * gutter
    where, note = position(at.path, at.line), prose(at.note)
    if everything and at.field:
        note = f"{note} ({clean(at.field)})"
    beside = bool(note) and gutter + 6 + len(where) + len(note) <= options.width
    yield f"{pad}{paint(arrow, 'info', options.color)} {where}{f'  {note}' if beside else ''}"
    if note and not beside:
        yield from wrapped(note, options.width, " " * (gutter + 6), " " * (gutter + 6))
    text = clean(at.text).rstrip()
    if not at.line or not text:
        return
    room = max(options.width - gutter - 3, 20)
    if len(text) > room:
        text = text[: room - 1] + "…"
    bar = paint("|", "info", options.color)
    yield f"{pad} {bar}"
    yield f"{at.line:>{gutter}} {bar} {text}"
    if at.role == "primary":
        begin = len(text) - len(text.lstrip())
        yield f"{pad} {bar} {' ' * begin}{paint('^' * (len(text) - begin), style, options.color)}"


def _note(text: str, gutter: int, options: Options) -> Iterator[str]:
    indent = " " * (gutter + 1)
    lines = wrapped(text, min(options.width, MEASURE), f"{indent}= ", f"{indent}  ")
    for line in lines:
        head, colon, rest = line.partition(":")
        labelled = colon and line is lines[0] and head.strip(" =").isalpha()
        style: Style = "fix" if head.strip(" =") == "fix" else "dim"
        yield paint(head + colon, style, options.color) + rest if labelled else line
