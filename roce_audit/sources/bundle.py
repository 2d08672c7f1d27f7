"""A host bundle: many answers of one host in one file.

A bundle begins with `@@ ROCE-AUDIT-BUNDLE 1` and ends with `@@ END`. Between them stand sections: `@@ B <id> <device|-> <argv>`,
body lines (`|` a line of standard output, `!` a line of standard error), `@@ E <exit status>`; `@@ S <id> <device> <why>` says
that a section was left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

VERSION = 1
_HEADER = re.compile(r"^@@ ROCE-AUDIT-BUNDLE ([0-9]{1,6})[ \t]*$", re.M)
_BEGIN = re.compile(r"@@ B (\S+) (\S+) (.*)")
_END = re.compile(r"@@ E ([0-9]{1,3})\s*\Z")
_SKIPPED = re.compile(r"@@ S (\S+) (\S+) no-tool:(\S+)\s*\Z")
_TIMED_OUT = (124, 137)


@dataclass(frozen=True, slots=True)
class Bundle:
    """One bundle: its documents and what is wrong with it, as (line, clause)."""

    line: int
    documents: tuple[Document, ...]
    problems: tuple[tuple[int, str], ...]


@dataclass
class _Section:
    id: str
    argv: str
    line: int
    body: list[str] = field(default_factory=list)


@of_text
def is_bundle(text: str) -> bool:
    """Whether a bundle begins somewhere in the text (a login banner may stand before it)."""
    return _HEADER.search(text) is not None


def split(text: str, path: str) -> tuple[Bundle, ...]:
    """The bundles of a file, one a host. A bundle that is cut off has `truncated` documents and a problem."""
    starts = list(_HEADER.finditer(text))
    found = []
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        line = text.count("\n", 0, start.start()) + 1
        if int(start.group(1)) > VERSION:
            problem = (line, f"a bundle of version {start.group(1)}: this program reads version {VERSION}")
            found.append(Bundle(line, (), (problem,)))
        else:
            found.append(_bundle(text[start.start() : end], path, line))
    return tuple(found)


def _bundle(text: str, path: str, first_line: int) -> Bundle:
    lines = text.split("\n")
    documents: list[Document] = []
    problems: list[tuple[int, str]] = []
    section: _Section | None = None
    complete = False
    for number, line in enumerate(lines, first_line):
        if section is not None and line[:1] in ("|", "!"):
            section.body.append(line)
            continue
        ended = _END.match(line) if section is not None else None
        if section is not None:
            if ended is None:
                problems.append((number, f"the section {section.id} that begins in line {section.line} has no end"))
            documents.append(_document(section, path, int(ended.group(1)) if ended else None))
            section = None
        if ended is not None:
            continue
        begun, skipped = _BEGIN.match(line), _SKIPPED.match(line)
        if begun is not None:
            section = _Section(begun.group(1), begun.group(3), number)
        elif skipped is not None:
            # the line itself is the answer: the host has no such tool, as a shell says with status 127
            documents.append(Document(path, line, skipped.group(3), number, 127))
        elif line.rstrip() == "@@ END":
            complete = True
            break
    if section is not None:
        documents.append(_document(section, path, None))
    if not complete:
        text_ = "the bundle has no `@@ END`: it is cut off, and nothing in it counts as complete"
        problems.append((first_line + len(text.rstrip("\n").split("\n")) - 1, text_))
        documents = [_cut(d) for d in documents]
    return Bundle(first_line, tuple(documents), tuple(problems))


def _document(section: _Section, path: str, status: int | None) -> Document:
    """Standard error is shown only where nothing else was said: among JSON it would spoil the answer."""
    silent = not any(line[0] == "|" and line[1:].strip() for line in section.body)
    is_files = section.argv == "files"
    keep_errors = silent or is_files
    body = [
        line[1:] if line[0] == "|" else (line if is_files else line[1:]) if keep_errors else "" for line in section.body
    ]
    return Document(
        path,
        "\n".join(body),
        "sysfs" if is_files else section.id if section.argv.startswith("sh -c ") else section.argv,
        section.line + 1,
        status,
        truncated=status is None or status in _TIMED_OUT,
    )


def _cut(document: Document) -> Document:
    return Document(
        document.path, document.text, document.command, document.first_line, document.exit_status, truncated=True
    )
