"""A host bundle: many answers of one host in one file.

A bundle begins with `@@ ROCE-AUDIT-BUNDLE 2` and ends with `@@ END <number of sections>`. Between them stand sections:
`@@ B <id> <device|-> <command>`, body lines (`|` a line of standard output, `!` a line of standard error), and
`@@ E <exit status> <length>`, the length of the body as it stands there in bytes. `@@ S <id> <device|-> <why> <command>` says
that a command was left out, and why: no-tool, no-time. Version 1 has no lengths and no number of sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources.splitting.bundlesection import BEGIN, END, Section, Whole, section, whole
from roce_audit.text.document import Document
from roce_audit.text.sentences import listed

VERSION = 2
_TITLE = "@@ ROCE-AUDIT-BUNDLE "
_HEADER = lazy(rf"{_TITLE}([0-9]{{1,6}})[ \t]*$", re.M)
_SKIPPED = lazy(r"@@ S (\S+) (\S+) (no-tool|no-time)[: ](\S(?:.*\S)?)\s*\Z")
_LAST = lazy(r"@@ END(?: ([0-9]{1,6}))?\s*\Z")
_BEGIN_SIGN = lazy("\n@@ B ")
_NO_TOOL, _NO_TIME = 127, 124


@dataclass(frozen=True, slots=True)
class Bundle:
    """One bundle: its documents and what is wrong with it, as (line, clause)."""

    line: int
    documents: tuple[Document, ...]
    problems: tuple[tuple[int, str], ...]
    damage: str = ""
    """The first problem by which lines of it are missing or changed; a command for which there was no time is none."""


@dataclass
class _Open:
    """A section whose end was not reached yet."""

    id: str
    argv: str
    line: int
    runs: list[str] = field(default_factory=list)
    """Lines of the body, or several of them in one piece."""

    def closed(self) -> Section:
        """The section as it is with these lines."""
        return section(self.id, self.argv, "\n".join(self.runs))


def is_bundle(text: str) -> bool:
    """Whether a bundle begins somewhere in the text (a login banner may stand before it)."""
    return next(_headers(text), None) is not None


def begins(text: str) -> bool:
    """Whether a text begins as a bundle, and so is no file of another form, whatever the host answered."""
    return _HEADER.match(text) is not None


def _headers(text: str) -> Iterator[re.Match[str]]:
    """Where bundles begin."""
    at = text.find(_TITLE) if "@" in text else -1  # one character is looked for at the speed of memory
    while at >= 0:
        found = _HEADER.match(text, at)
        if found is not None and text[at - 1 : at] in ("", "\n"):
            yield found
        at = text.find(_TITLE, at + len(_TITLE))


def split(text: str, path: str, first_line: int = 1) -> tuple[Bundle, ...]:
    """The bundles of a text, one a host. A bundle that is cut off has `truncated` documents and a problem.

    `first_line` is the line of the file on which the text begins. Blank lines in it are no part of a bundle.
    """
    starts = list(_headers(text))
    found = []
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        line = text.count("\n", 0, start.start()) + first_line
        if int(start.group(1)) > VERSION:
            problem = (line, f"a bundle of version {start.group(1)}: this program reads version {VERSION}")
            found.append(Bundle(line, (), (problem,), problem[1]))
        else:
            found.append(_bundle(text[start.start() : end], path, line, int(start.group(1))))
    return tuple(found)


def recounted(before: str, after: str) -> str:
    """`after` is the text of bundles `before` with words replaced in its lines: the lengths that were right are right again."""
    lines = after.split("\n")
    was = now = 0
    for number, (old, new) in enumerate(zip(before.split("\n"), lines, strict=True)):
        if old[:1] in ("|", "!"):
            was, now = was + len(old.encode()) + 1, now + len(new.encode()) + 1
            continue
        ended = END.match(old)
        if ended is not None and ended.group(2) == str(was):
            lines[number] = f"@@ E {ended.group(1)} {now}"
        was = now = 0
    return "\n".join(lines)


@dataclass
class _Reading:
    """A bundle on its way through its lines."""

    path: str
    version: int
    documents: list[Document] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    section: _Open | None = None
    sections: int = 0
    whole: bool = False
    late: list[str] = field(default_factory=list)
    """Commands for which there was no time."""

    def line(self, number: int, line: str) -> bool:
        """Take one line, or several lines of standard output; True when it was the last of the bundle."""
        if self.section is not None:
            if line[:1] in ("|", "!"):
                self.section.runs.append(line)
                return False
            if not line or self._close(number, line):
                return False
        begun = BEGIN.match(line)
        if begun is not None:
            self.section = _Open(begun.group(1), begun.group(3), number)
            return False
        skipped, last = _SKIPPED.match(line), _LAST.match(line)
        if skipped is not None:
            self._skip(number, line, skipped)
        elif last is not None:
            self.whole = True
            self._count(number, last)
        return last is not None

    def whole_section(self, number: int, found: Whole) -> None:
        """Take a section that begins in this line, holds nothing but its body, and is as long as it says."""
        self.sections += 1
        self.documents.append(found.section.document(self.path, number + 1, found.status))

    def _close(self, number: int, line: str) -> bool:
        """End the section; whether `line` is its end, as it should be."""
        begun, ended = self.section, END.match(line)
        if begun is None:
            return False
        self.section = None
        self.sections += 1
        closed = begun.closed()
        damage = ""
        if ended is None:
            damage = f"the section {begun.id} that begins in line {begun.line} has no end"
        elif self.version > 1 and ended.group(2) != str(closed.length):
            damage = (
                f"the section {begun.id} that begins in line {begun.line} holds {closed.length:,} bytes, "
                f"the host sent {int(ended.group(2) or 0):,}: lines are missing or changed"
            )
        if damage:
            self.problems.append((number, damage))
        status = int(ended.group(1)) if ended and not damage else None
        self.documents.append(closed.document(self.path, begun.line + 1, status))
        return ended is not None

    def _skip(self, number: int, line: str, found: re.Match[str]) -> None:
        """A command that was left out: the line itself is the answer, and the status what a shell says then."""
        self.sections += 1
        if found.group(3) == "no-time":
            self.late.append(found.group(4))
        status = _NO_TIME if found.group(3) == "no-time" else _NO_TOOL
        self.documents.append(Document(self.path, line, found.group(4), number, status))

    def _count(self, number: int, last: re.Match[str]) -> None:
        if self.version > 1 and last.group(1) != str(self.sections):
            text = f"the bundle holds {self.sections} sections, the host sent {last.group(1) or 'an unknown number'}"
            self.problems.append((number, text))

    def finish(self, last_line: int) -> str:
        """After the last line: what is still open, and what follows from a missing end. Gives the damage."""
        if self.section is not None:
            self.documents.append(self.section.closed().document(self.path, self.section.line + 1, None))
        damage = next((text for _, text in self.problems), "")
        if self.late:
            shown = listed(self.late, 3, spare_one=False)
            self.problems.append((last_line, f"the time for the whole run was over before {shown}"))
        if not self.whole:
            text = "the bundle has no `@@ END`: it is cut off, and nothing in it counts as complete"
            self.problems.append((last_line, text))
            self.documents = [_cut(d) for d in self.documents]
            damage = damage or text
        return damage


def _bundle(text: str, path: str, first_line: int, version: int) -> Bundle:
    reading = _Reading(path, version)
    text = text.rstrip("\n")
    first, *runs = _BEGIN_SIGN.split(text)
    last = _piece_by_piece(reading, first, first_line, is_first=True)
    number = first_line + first.count("\n") + 1
    for run in runs if not last else ():
        found = _whole_section(run, version) if reading.section is None else None
        if found is not None:
            reading.whole_section(number, found)
            number += found.section.lines + 2
            continue
        last = _piece_by_piece(reading, f"B {run}", number, is_first=False)
        if last:
            break
        number += run.count("\n") + 1
    damage = reading.finish(last or first_line + text.count("\n"))
    return Bundle(first_line, tuple(reading.documents), tuple(reading.problems), damage)


def _piece_by_piece(reading: _Reading, run: str, number: int, is_first: bool) -> int:
    """Take the lines from one beginning of a section to the next; the line that ends the bundle, 0 where none does."""
    pieces = run.split("\n@@ ")
    at = 0
    while at < len(pieces):
        found = None
        if reading.section is None and at + 1 < len(pieces) and pieces[at].startswith("B "):
            found = _whole_section(f"{pieces[at][2:]}\n@@ {pieces[at + 1]}", reading.version)
        if found is not None:
            reading.whole_section(number, found)
            number += found.section.lines + 2
            at += 2
            continue
        lines = _runs(pieces[at], number, is_first=is_first and at == 0)
        ended = next((line_number for line_number, line in lines if reading.line(line_number, line)), 0)
        if ended:
            return ended
        number += pieces[at].count("\n") + 1
        at += 1
    return 0


def _whole_section(piece: str, version: int) -> Whole | None:
    """A section with its end; None where anything about them needs a closer look."""
    found = whole(piece)
    return found if found is not None and (found.is_right or version == 1) else None


def _runs(piece: str, number: int, is_first: bool) -> Iterator[tuple[int, str]]:
    """(line number, line) of the lines of a piece; lines of standard output alone that stand behind its mark are one."""
    mark, _, body = piece.partition("\n")
    yield number, mark if is_first else f"@@ {mark}"
    lines = piece.count("\n")
    if body.startswith("|") and body.count("\n|") == lines - 1:
        yield number + 1, body
    elif lines:
        yield from enumerate(body.split("\n"), number + 1)


def _cut(document: Document) -> Document:
    return Document(
        document.path, document.text, document.command, document.first_line, document.exit_status, truncated=True
    )
