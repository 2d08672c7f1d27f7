"""An answer that shows device-wide settings as they run: its statements count in place of those of the configuration.

A platform tells by it what such an answer comes to as a document of its own configuration, on the lines of the answer, and what
contradicts the configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from roce_audit.platforms.base import Seen
from roce_audit.records import dataclass
from roce_audit.text.document import Document

Line = tuple[str, int]
"""A line of text, and the line of the file on which it stands."""


@dataclass(frozen=True)
class Programmed:
    """What one answer shows beside the configuration of its switch."""

    document: Document | None = None
    """What is read in its place; None where it shows what is configured."""
    told: tuple[Seen, ...] = ()
    is_read: bool = True


Reader = Callable[[Document, Sequence[Document]], Programmed | None]
"""What an answer makes of the configurations beside it; None for the answers of other commands."""


def first_of(*readers: Reader) -> Reader:
    """The first of several readers that knows an answer."""

    def read(answer: Document, documents: Sequence[Document]) -> Programmed | None:
        return next((found for each in readers if (found := each(answer, documents)) is not None), None)

    return read


def as_configured(answer: Document, lines: Sequence[Line]) -> Document | None:
    """The answer as the configuration that it comes to; None where that says nothing."""
    if not lines:
        return None
    text, numbers = "\n".join([text for text, _ in lines]), tuple([number for _, number in lines])
    return replace(answer, text=text, first_line=1, lines=numbers)


def lines_of(document: Document) -> list[Line]:
    """The lines of a document."""
    return [(text, document.line(number)) for number, text in enumerate(document.text.split("\n"))]
