"""Comments that speak to us: `# roce-audit: ignore[...]` binds to the next statement and to what stands below it."""

from __future__ import annotations

from roce_audit.text.comments import Comment, bound_by
from roce_audit.text.document import Document

SIGN = "#"


def addressed(document: Document) -> tuple[Comment, ...]:
    """All comments of a document that hold the mark."""
    return bound_by(document, SIGN, _span)


def _span(lines: list[str], start: int) -> tuple[int, int]:
    """The next statement at or after `start`, and the last line that is indented deeper than it."""
    first = next((i for i in range(start, len(lines)) if _speaks(lines[i])), None)
    if first is None:
        return start - 1, start - 1
    last, depth = first, _depth(lines[first])
    for index in range(first + 1, len(lines)):
        if _speaks(lines[index]):
            if _depth(lines[index]) <= depth:
                break
            last = index
    return first, last


def _speaks(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith(SIGN)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
