"""Comments that speak to us: `! roce-audit: ignore[pfc/watchdog-off] reason="..." until=2027-01-31`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.outline import Outline
from roce_audit.text.structured.indented import depth
from roce_audit.values import Place

_MARK = "roce-audit:"
_NAMES = ("roce-audit", "roce_audit", "roceaudit", "ROCE-AUDIT", "Roce-audit", "RoCE-audit")
_MEANT = lazy(r"roce[-_]?audit[ \t]{0,9}:?[ \t]{0,9}(?:ignore|disable|suppress|noqa)\b", re.I)
"""The mark as somebody may write it who does not know it well: what stands behind it suppresses nothing, and is said."""


def may_hold_comments(text: str) -> bool:
    """Whether a text may hold comments to us; quick, for most hold none."""
    return any(name in text for name in _NAMES)


def words_to_us(comment: str) -> str | None:
    """What a comment says to us, behind the mark; all from the mark on where that is not written as it should be."""
    before, mark, said = comment.partition(_MARK)
    if mark:
        return said.strip()
    meant = _MEANT.search(before)
    return None if meant is None else before[meant.start() :].strip()


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that holds the mark; it binds to the statement or stanza on lines `first..last`."""

    text: str
    place: Place
    first: int
    last: int


def addressed_to_us(document: Document, comment: str, outline: Outline) -> tuple[Comment, ...]:
    """All comments of a document that hold the mark, bound to the stanza they stand in, deeper than its header, or to the next."""
    if not may_hold_comments(document.text):
        return ()
    found: list[Comment] = []
    lines = document.text.split("\n")
    spans = sorted((s.line, s.block.first + max(s.block.offsets, default=0)) for s in outline.stanzas)
    behind = _depths_behind(lines, comment)
    for index, line in enumerate(lines):
        text = line.strip()
        said = words_to_us(text) if text.startswith(comment) else None
        if said is None:
            continue
        number = document.first_line + index
        place = Place(document.path, number)
        before = [(first, end) for first, end in spans if first <= number]
        deep = max(depth(line), behind[index])  # people write comments into blocks without indenting them
        around = (
            (first, max(end, number))
            for first, end in reversed(before)
            if depth(lines[first - document.first_line]) < deep and end >= before[-1][0]
        )
        following = ((first, end) for first, end in spans if first > number)
        span = next(around, None) or next(following, None) or (number, document.first_line + len(lines) - 1)
        found.append(Comment(said, place, *span))
    return tuple(found)


def _depths_behind(lines: Sequence[str], comment: str) -> Sequence[int]:
    """For each line how deep the next one stands that says something, and is no comment."""
    found: list[int] = []
    last = 0
    for line in reversed(lines):
        found.append(last)
        if line.strip() and not line.strip().startswith(comment):
            last = depth(line)
    return found[::-1]


Span = Callable[[list[str], int], tuple[int, int]]
"""(all lines, index of the line after a comment) -> first and last line that the comment is bound to, as indices."""


def bound_by(document: Document, comment: str, span: Span) -> tuple[Comment, ...]:
    """The comments of a document that hold the mark, each on a line of its own and bound as `span` says."""
    if not may_hold_comments(document.text):
        return ()
    lines = document.text.split("\n")
    found: list[Comment] = []
    for index, line in enumerate(lines):
        text = line.strip()
        said = words_to_us(text) if text.startswith(comment) else None
        if said is not None:
            first, last = span(lines, index + 1)
            number = document.first_line
            place = Place(document.path, number + index)
            found.append(Comment(said, place, number + first, number + last))
    return tuple(found)


def before_next_line(document: Document, comment: str) -> tuple[Comment, ...]:
    """The same for a text without stanzas: a comment is bound to itself and to the next line that says something."""

    def span(lines: list[str], start: int) -> tuple[int, int]:
        says = (n for n in range(start, len(lines)) if lines[n].strip() and not lines[n].strip().startswith(comment))
        return start - 1, next(says, start - 1)

    return bound_by(document, comment, span)
