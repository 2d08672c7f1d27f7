"""What is said below a finding's headline: source lines, other places, why (all of it with -v), fix, consequences."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.findings import Finding, Location
from roce_audit.records import dataclass
from roce_audit.report.words import clean, count, first_sentence, position, prose, reach_words, subjects

RELATED_SHOWN = 3
ALSO_SHOWN = 5
MEASURE = 110
"""Characters a line of prose has at most, however wide the terminal is."""


@dataclass(frozen=True, slots=True)
class Note:
    """`label: words`, or the words alone; `commands` are typed as they stand."""

    label: str
    words: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A place as it is shown: where, what it is, and the text there, empty for a file as a whole."""

    line: int
    where: str
    note: str
    text: str
    primary: bool

    def shortened(self, room: int) -> str:
        """The text in at most `room` characters (20 at the least)."""
        room = max(room, 20)
        return self.text if len(self.text) <= room else self.text[: room - 1] + "…"


@dataclass(frozen=True, slots=True)
class Detail:
    """One finding with its consequences; `explain`: why and source are said; `everything`: nothing is folded."""

    finding: Finding
    consequences: tuple[Finding, ...]
    explain: bool
    everything: bool

    def places(self) -> list[Place]:
        """The first primary place, and the related ones."""
        return [self._place(at) for at in (*self._primaries()[:1], *self._related())]

    def notes(self) -> Iterator[Note]:
        """What stands below the places."""
        yield from self._also()
        hidden = sum(at.role == "related" for at in self.finding.locations) - len(self._related())
        if hidden:
            yield Note("", f"and {count(hidden, 'more related line')} (-v)")
        yield from self._reasons()
        yield from self._fix()
        yield from self._consequences()

    def _primaries(self) -> list[Location]:
        return [at for at in self.finding.locations if at.role == "primary"]

    def _related(self) -> list[Location]:
        related = [at for at in self.finding.locations if at.role == "related"]
        return related if self.everything else related[:RELATED_SHOWN]

    def _place(self, at: Location) -> Place:
        note = prose(at.note)
        if self.everything and at.field:
            note = f"{note} ({clean(at.field)})"
        text = clean(at.text).rstrip() if at.line else ""
        return Place(at.line, position(at.path, at.line), note, text, at.role == "primary")

    def _also(self) -> Iterator[Note]:
        """The places of further members: one entry a line, with the members that stand there."""
        primaries = self._primaries()
        places: dict[tuple[str, int], dict[str, None]] = {}
        for member in self.finding.members:  # of several classes each is one
            places.setdefault((member.path, member.line), {})[clean(member.subject)] = None
        for at in primaries:
            places.setdefault((at.path, at.line), {})
        if primaries:
            places.pop((primaries[0].path, primaries[0].line), None)
        entries = [
            position(path, line) + (f" ({', '.join([*names][:3])}{', ...' if len(names) > 3 else ''})" if names else "")
            for (path, line), names in places.items()
        ]
        if entries:
            shown = entries if self.everything or len(entries) <= ALSO_SHOWN + 1 else entries[:ALSO_SHOWN]
            more = len(entries) - len(shown)
            yield Note("also", ", ".join(shown) + (f" and {count(more, 'more line')} (-v)" if more else ""))

    def _reasons(self) -> Iterator[Note]:
        finding = self.finding
        if finding.spread:
            yield Note("spread", prose(finding.spread))
        if reach := reach_words(finding):
            yield Note("", reach)
        if self.explain and finding.why:
            short = f"{first_sentence(finding.why)} (roce-audit explain {prose(finding.rule)})"
            yield Note("why", prose(finding.why) if self.everything else short)
        if self.explain and self.everything and finding.source:
            yield Note("source", prose(finding.source))

    def _fix(self) -> Iterator[Note]:
        """`[*]` marks a proved change; its commands are shown with -v."""
        fix = self.finding.fix
        if fix is None:
            return
        words = f"{'[*] ' if fix.commands else ''}{prose(fix.note)}".rstrip()
        commands = tuple(map(clean, fix.commands)) if self.everything else ()
        yield Note("fix", f"{words} (does not disturb traffic)" if fix.safe else words, commands)

    def _consequences(self) -> Iterator[Note]:
        if self.consequences and not self.everything:
            yield Note("", f"also causes {count(len(self.consequences), 'finding')} (-v)")
        elif self.consequences:
            for finding in self.consequences:
                message = prose(finding.message)
                yield Note("also causes", f"{finding.severity}[{prose(finding.rule)}] {subjects(finding)}: {message}")
