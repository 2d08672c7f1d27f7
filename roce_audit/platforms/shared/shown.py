"""Rows and lines of answers that show several things at once: where one of them cannot be read, nobody knows about the others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.text.document import Document

_PLAIN = lazy(r"[\w \t:;,./()%+*#'\"\[\]-]*")
ODD = " ?"
"""Behind a statement made of a line that no device prints: the statement is then not understood."""


def doubt(line: str) -> str:
    """ODD for a line with characters that no such line has, else nothing."""
    return "" if _PLAIN.fullmatch(line) else ODD


def rows(document: Document, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int, str]]:
    """(what a row says, its line, `doubt` of it) of each line that is a row of this form; blanks around it do not count."""
    for number, line in enumerate(document.text.split("\n"), document.first_line):
        found = pattern.fullmatch(line.strip())
        if found is not None:
            yield found, number, doubt(line)
