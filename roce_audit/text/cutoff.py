"""Whether a text ends within a line: what a full disk, a limit or a broken copy leaves of a configuration."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.text.document import Document

_LONGEST_LINE = 400
"""Characters of a last line that is looked at."""
_FEWEST_ALIKE = 3
"""Where so many lines go on behind a blank from what the last line holds, and none is just that, it goes on as well."""
_LAST_WORD = lazy(r"(?<![\w-])[A-Za-z][A-Za-z-]{2,60}$")
_CLOSING = frozenset({"end", "exit", "quit", "return", "abort", "commit"})
_FREE = lazy(r"\b(?:description|[\w-]{0,20}name|remark|banner|alias)\b")
"""Statements that hold any words."""


def cut_in_a_line(document: Document) -> str:
    """What shows that a text ends within a line, as one clause; "" where nothing does.

    A text may well end without a line end. Here the last line, or its last word, is but the beginning of others in the text.
    """
    text = document.text
    if document.first_line != 1 or text.endswith("\n"):
        return ""
    end = text.rfind("\n") + 1
    last = text[end:]
    if len(last) > _LONGEST_LINE or not last.strip() or last.strip() in _CLOSING or _FREE.search(last) is not None:
        return ""
    if _is_begun(text, end, last) or _is_word_begun(text, end, last):
        return f"this text ends within a line, `{last.strip()}`: it is cut off"
    return ""


def _is_begun(text: str, end: int, last: str) -> bool:
    """Whether other lines go on from the last one, in the same word or (several of them) in another, and none is the same."""
    stem = last.rstrip()
    behind = [match[1] for match in re.finditer(rf"^{re.escape(stem)}([A-Za-z-]|[ \t]+\S|[ \t]*$)?", text[:end], re.M)]
    if any(found is not None and not found.strip() for found in behind):
        return False
    in_word = stem == last and (stem[-1].isalpha() or stem[-1] == "-")
    return any(found and in_word and found[0].isalpha() for found in behind) or (
        sum(found is not None and found[0].isspace() for found in behind) >= _FEWEST_ALIKE
    )


def _is_word_begun(text: str, end: int, last: str) -> bool:
    word = _LAST_WORD.search(last)
    if word is None or word[0] in _CLOSING:
        return False
    again = re.compile(rf"(?<![\w-]){re.escape(word[0])}(?:([A-Za-z-])|(?![\w-]))")
    return {match[1] is not None for match in again.finditer(text, 0, end)} == {True}
