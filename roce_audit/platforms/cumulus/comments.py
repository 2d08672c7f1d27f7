"""Comments that speak to us: `# roce-audit: ignore[...]` binds to the next statement and to what stands below it."""

from __future__ import annotations

from roce_audit.text.comments import Comment, bound_by
from roce_audit.text.document import Document
from roce_audit.text.structured.indented import end, says

SIGN = "#"


def addressed(document: Document) -> tuple[Comment, ...]:
    """All comments of a document that hold the mark."""
    return bound_by(document, SIGN, _span)


def _span(lines: list[str], start: int) -> tuple[int, int]:
    """The next statement at or after `start`, and the last line that is indented deeper than it."""
    first = next((i for i in range(start, len(lines)) if says(lines[i], (SIGN,))), None)
    return (start - 1, start - 1) if first is None else (first, end(lines, first, (SIGN,)) - 1)
