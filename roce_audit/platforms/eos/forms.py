"""Forms of an EOS configuration other than its own text, as the lines that they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.platforms.eos import avd, cmdtree
from roce_audit.text.document import Document
from roce_audit.text.structured.positions import PlacedError

Lines = Sequence[tuple[int, str]]
"""Lines of the file, and the statement with its indentation."""


def lines_of(text: str, first_line: int) -> Lines | PlacedError | None:
    """The lines that another form stands for, or why it cannot be read; None for a text of statements."""
    if cmdtree.is_tree(text):
        return cmdtree.rendered(text, first_line)
    if avd.is_structured(text):
        return avd.fault(text, first_line) or avd.rendered(text, first_line)
    return None


def statements(document: Document) -> tuple[str, Lines | None]:
    """The text of statements that a document stands for, and the line of the file for each; None where they are its own lines."""
    lines = lines_of(document.text, document.first_line)
    if lines is None:
        return document.text, None
    if isinstance(lines, PlacedError):
        return "", ()
    return "\n".join(said for _, said in lines), lines


def line_at(document: Document, text: str, lines: Lines | None, offset: int) -> int:
    """The line of the file on which the character at `offset` of such a text stands."""
    return document.line_at(offset) if lines is None else lines[text.count("\n", 0, offset)][0]
