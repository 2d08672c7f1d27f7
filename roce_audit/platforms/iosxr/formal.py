"""`show running-config formal`: each statement of an interface stands behind the interface's name, on a line of its own."""

from __future__ import annotations

from dataclasses import replace

from roce_audit.patterns import lazy
from roce_audit.text.document import Document

_STATEMENT = lazy(
    r"^(interface (?:preconfigure )?[A-Za-z][\w./-]{1,80}(?: l2transport)?)"
    r" (?!l2transport\b|(?:point-to-point|multipoint)[ \t]*$)(\S[^\n]*)$",
    8,
)
"""The name, which may say how it forwards, and what is said of it."""


def in_blocks(document: Document) -> Document:
    """The same configuration with its interfaces as blocks, each line on the line that said it."""
    if _STATEMENT.search(document.text) is None:
        return document
    kept: list[str] = []
    numbers: list[int] = []
    open_block = ""
    for index, line in enumerate(document.text.split("\n")):
        number = document.line(index)
        found = _STATEMENT.match(line)
        if found is not None and found[1] != open_block:
            kept.append(found[1])
            numbers.append(number)
        open_block = line.rstrip() if found is None else found[1]
        kept.append(line if found is None else f" {found[2]}")
        numbers.append(number)
    return replace(document, text="\n".join(kept), lines=tuple(numbers), first_line=1)
