"""A section of a host bundle: what one command answered. Most answers of a fleet's hosts are alike, and each is cut out once."""

from __future__ import annotations

from typing import NamedTuple

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

BEGIN = lazy(r"@@ B (\S+) (\S+) (.*)")
END = lazy(r"@@ E ([0-9]{1,3})(?: ([0-9]{1,9}))?\s*\Z")
_END_SIGN = "\n@@ "
_TIMED_OUT = (124, 137, 141, 143)
"""Exit statuses of what was stopped: by timeout, by KILL or TERM, and an answer that was too long."""


@dataclass(frozen=True, slots=True)
class Section:
    """What a command answered, wherever it stands."""

    command: str
    text: str
    length: int
    """Bytes of the body as it stands in the bundle, with the ends of its lines."""
    lines: int
    """Lines of the body."""

    def document(self, path: str, first_line: int, status: int | None) -> Document:
        """The answer as a document; `first_line` is the line of the file behind the mark of its beginning."""
        cut = status is None or status in _TIMED_OUT
        return Document(path, self.text, self.command, first_line, status, truncated=cut)


def section(name: str, argv: str, body: str) -> Section:
    """The section of this name for a body as it stands in a bundle: `|` and `!` before its lines."""
    return _section(name, argv, body, _output(body))


def _section(name: str, argv: str, body: str, output: str | None) -> Section:
    text = _with_errors(body, argv == "files") if output is None else output
    command = "sysfs" if argv == "files" else name if argv.startswith("sh -c ") else argv
    length = len(body) if body.isascii() else len(body.encode())
    lines = text.count("\n") + 1 if output is None else len(body) - len(output)  # each has lost its sign
    return Section(command, text, length + 1 if body else 0, lines if body else 0)


def _output(body: str) -> str | None:
    """The text of a body that is standard output alone; None for any other."""
    text = body[1:].replace("\n|", "\n")
    is_all = not body or (body[0] == "|" and len(body) - len(text) == text.count("\n") + 1)  # a sign less in each line
    return text if is_all else None


def _with_errors(body: str, is_files: bool) -> str:
    """Standard error is shown only where nothing else was said: an answer in JSON would be none with it."""
    lines = body.split("\n")
    silent = not any(line[0] == "|" and line[1:].strip() for line in lines)
    keep_errors = silent or is_files
    return "\n".join(
        line[1:] if line[0] == "|" else (line if is_files else line[1:]) if keep_errors else "" for line in lines
    )


class Whole(NamedTuple):
    """A section with its end."""

    section: Section
    status: int
    is_right: bool
    """It is as long as its end says."""


@of_text
def whole(piece: str) -> Whole | None:
    """The section that a piece is, from behind its `@@ B ` to its end; None where a line in it or behind it is none of a section."""
    begun, _, ended = piece.rpartition(_END_SIGN)
    end = END.match(f"@@ {ended}") if begun and "\n" not in ended else None
    found = _plain(begun) if end is not None else None
    if found is None or end is None:
        return None
    return Whole(found, int(end.group(1)), end.group(2) == str(found.length))


def _plain(piece: str) -> Section | None:
    """The section whose mark, without its `@@ B `, and body are this piece; None where a line in it belongs to no body."""
    mark, newline, body = piece.partition("\n")
    begun = BEGIN.match(f"@@ B {mark}")
    if begun is None or (newline and not body):
        return None
    output = _output(body)
    if output is None and not all(line.startswith(("|", "!")) for line in body.split("\n")):
        return None
    return _section(begun.group(1), begun.group(3), body, output)
