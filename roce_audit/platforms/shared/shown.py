"""Lines of answers that show several things at once: where one of them cannot be read, nobody knows about the others."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[\w \t:;,./()%+*#'\"\[\]-]*")
ODD = " ?"
"""Behind a statement made of a line that no device prints: the statement is then not understood."""


def doubt(line: str) -> str:
    """ODD for a line with characters that no such line has, else nothing."""
    return "" if _PLAIN.fullmatch(line) else ODD
