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

from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

VERSION = 2
_HEADER = re.compile(r"@@ ROCE-AUDIT-BUNDLE ([0-9]{1,6})[ \t]*$", re.M)
_BEGIN = re.compile(r"@@ B (\S+) (\S+) (.*)")
_END = re.compile(r"@@ E ([0-9]{1,3})(?: ([0-9]{1,9}))?\s*\Z")
_SKIPPED = re.compile(r"@@ S (\S+) (\S+) (no-tool|no-time)[: ](\S(?:.*\S)?)\s*\Z")
_LAST = re.compile(r"@@ END(?: ([0-9]{1,6}))?\s*\Z")
_NO_TOOL, _NO_TIME = 127, 124
_TIMED_OUT = (124, 137, 141, 143)
"""Exit statuses of what was stopped: by timeout, by KILL or TERM, and an answer that was too long."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """One bundle: its documents and what is wrong with it, as (line, clause)."""

    line: int
    documents: tuple[Document, ...]
    problems: tuple[tuple[int, str], ...]
    damage: str = ""
    """The first problem by which lines of it are missing or changed; a command for which there was no time is none."""


@dataclass
class _Section:
    id: str
    argv: str
    line: int
    runs: list[str] = field(default_factory=list)
    """Lines of the body, or several of them in one piece."""

    @property
    def body(self) -> str:
        """The body as it stands in the bundle."""
        return "\n".join(self.runs)

    @property
    def length(self) -> int:
        """Bytes of the body, with the ends of its lines."""
        return len(self.body.encode()) + 1 if self.runs else 0


@of_text
def is_bundle(text: str) -> bool:
    """Whether a bundle begins somewhere in the text (a login banner may stand before it)."""
    return next(_headers(text), None) is not None


def _headers(text: str) -> Iterator[re.Match[str]]:
    """Where bundles begin. (A pattern that begins with plain characters is looked for at the speed of memory.)"""
    return (found for found in _HEADER.finditer(text) if text[found.start() - 1 : found.start()] in ("", "\n"))


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
        ended = _END.match(old)
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
    section: _Section | None = None
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
        begun = _BEGIN.match(line)
        if begun is not None:
            self.section = _Section(begun.group(1), begun.group(3), number)
            return False
        skipped, last = _SKIPPED.match(line), _LAST.match(line)
        if skipped is not None:
            self._skip(number, line, skipped)
        elif last is not None:
            self.whole = True
            self._count(number, last)
        return last is not None

    def _close(self, number: int, line: str) -> bool:
        """End the section; whether `line` is its end, as it should be."""
        section, ended = self.section, _END.match(line)
        if section is None:
            return False
        self.section = None
        self.sections += 1
        damage = ""
        if ended is None:
            damage = f"the section {section.id} that begins in line {section.line} has no end"
        elif self.version > 1 and ended.group(2) != str(section.length):
            damage = (
                f"the section {section.id} that begins in line {section.line} holds {section.length:,} bytes, "
                f"the host sent {int(ended.group(2) or 0):,}: lines are missing or changed"
            )
        if damage:
            self.problems.append((number, damage))
        self.documents.append(_document(section, self.path, int(ended.group(1)) if ended and not damage else None))
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
            self.documents.append(_document(self.section, self.path, None))
        damage = next((text for _, text in self.problems), "")
        if self.late:
            shown = ", ".join(self.late[:3]) + (f" and {len(self.late) - 3} more" if len(self.late) > 3 else "")
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
    last = first_line + text.count("\n")
    for number, line in _runs(text, first_line):
        if reading.line(number, line):
            last = number
            break
    damage = reading.finish(last)
    return Bundle(first_line, tuple(reading.documents), tuple(reading.problems), damage)


def _runs(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """(line number, line) of all lines; lines of standard output alone that stand between two marks are one piece."""
    number = first_line
    for count, piece in enumerate(text.split("\n@@ ")):
        mark, _, body = piece.partition("\n")
        yield number, f"@@ {mark}" if count else mark
        lines = piece.count("\n")
        if body.startswith("|") and body.count("\n|") == lines - 1:
            yield number + 1, body
        elif lines:
            yield from enumerate(body.split("\n"), number + 1)
        number += lines + 1


def _document(section: _Section, path: str, status: int | None) -> Document:
    """Standard error is shown only where nothing else was said: among JSON it would spoil the answer."""
    is_files = section.argv == "files"
    body = section.body
    if body.startswith("!") or "\n!" in body:
        lines = body.split("\n")
        silent = not any(line[0] == "|" and line[1:].strip() for line in lines)
        keep_errors = silent or is_files
        text = "\n".join(
            line[1:] if line[0] == "|" else (line if is_files else line[1:]) if keep_errors else "" for line in lines
        )
    else:
        text = body[1:].replace("\n|", "\n")
    return Document(
        path,
        text,
        "sysfs" if is_files else section.id if section.argv.startswith("sh -c ") else section.argv,
        section.line + 1,
        status,
        truncated=status is None or status in _TIMED_OUT,
    )


def _cut(document: Document) -> Document:
    return Document(
        document.path, document.text, document.command, document.first_line, document.exit_status, truncated=True
    )
