"""Rows and lines of answers, and the headings that they stand below.

Of a line that shows several things at once, nobody knows anything where one of them cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.text.document import Document

Shown = tuple[str, int, str]
"""What an answer shows of a port: the port as written, the line, and it as a statement of mode "state"."""
_PLAIN = lazy(r"[\w \t:;,./()%+*#'\"\[\]-]*")
ODD = " ?"
"""Behind a statement made of a line that no device prints: the statement is then not understood."""


def doubt(line: str) -> str:
    """ODD for a line with characters that no such line has, else nothing."""
    return "" if _PLAIN.fullmatch(line) else ODD


def rows(document: Document, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int, str]]:
    """(what a row says, its line, `doubt` of it) of each line that is a row of this form; blanks around it do not count."""
    for number, line in document.numbered():
        found = pattern.fullmatch(line.strip())
        if found is not None:
            yield found, number, doubt(line)


def below(document: Document, heading: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str, int]]:
    """(the heading, a line, its number) of each line that stands below a heading of this form; blanks around lines do not count."""
    above = None
    for number, line in document.numbered():
        text = line.strip()
        found = heading.fullmatch(text)
        if found is not None:
            above = found
        elif above is not None:
            yield above, text, number
