"""Merge-conflict marks: a text that holds them says two things at once, and is no configuration until somebody decides.

What stands between the marks is left out, line for line, so that neither side is taken for what is in force; so are the
indented lines behind them that belong to a stanza which was opened there.
"""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.text.structured.indented import depth

_BEGIN, _END = "<" * 7, ">" * 7
_MARK = lazy(r"^(?:<{7}|>{7}|\|{7}|={7}(?=[ \t]*$))(?:[ \t][^\n]*)?$", re.M)


def may_conflict(text: str) -> bool:
    """Whether a conflict may stand in the text: a row of equals signs alone underlines something."""
    # one character is looked for at the speed of memory
    return ("<" in text and _BEGIN in text) or (">" in text and _END in text)


def without_conflicts(text: str) -> tuple[str, int, int]:
    """The text without its conflicts, the line of the first mark (0: there is none), and how many marks there are."""
    if not may_conflict(text):
        return text, 0, 0
    lines = text.split("\n")
    marks = [number for number, line in enumerate(lines) if _MARK.match(line)]
    if not any(lines[number].startswith((_BEGIN, _END)) for number in marks):
        return text, 0, 0
    inside, least, behind = False, 0, False
    for number, line in enumerate(lines):
        if _MARK.match(line):
            behind = line.startswith(_END) and inside
            inside = not line.startswith(_END)
            least = 0 if line.startswith(_BEGIN) else least
            lines[number] = ""
        elif inside:
            least = max(least, 1) if depth(line) == 0 and line.strip() else least
            lines[number] = ""
        elif behind and least and line.strip() and depth(line):
            lines[number] = ""
        elif line.strip():
            behind = False
    return "\n".join(lines), marks[0] + 1, len(marks)
