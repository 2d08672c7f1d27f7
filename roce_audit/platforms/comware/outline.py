"""Outline of a configuration in sections: a `#` alone ends one.

`display current-configuration` indents the statements of many sections by one blank although they stand below nothing; people
paste lines with the prompt before them, and scripts leave a view with `quit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.shared.cli.prompts import without_prompts
from roce_audit.text.outline import Outline, Outliner
from roce_audit.text.statements.table import StatementTable
from roce_audit.text.structured.indented import depth

_BANNER = re.compile(r" ?header (?:legal|login|motd|shell|incoming) +(\S)(.*)")
_LONGEST_BANNER = 100
_LEAVING = {"quit": "exit", "return": "end"}


class Sections(Outliner):
    """Cuts texts into the stanzas of their sections."""

    def __init__(self, table: StatementTable) -> None:
        super().__init__(table, lambda header, text, end: None)

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; `first_line` is the line of the file on which it begins."""
        return super().outline("\n".join(_laid_out(text.split("\n"))), path, first_line)


def _laid_out(lines: list[str]) -> Iterator[str]:
    """The lines as the common outliner reads them, as many as before: global statements moved to the margin, no prompts."""
    margin: int | None = None
    """How far the section's own statements are indented; None at its beginning."""
    hidden = 0
    for number, raw in enumerate(lines):
        line = without_prompts(raw)
        bare = line.strip()
        if hidden:
            hidden -= 1
            yield ""
            continue
        if line.rstrip() == "#":
            margin = None
            yield "end"
            continue
        if not bare or bare.startswith("#"):
            yield line
            continue
        indent = depth(line)
        margin = indent if margin is None else min(margin, indent)
        hidden = _banner(lines, number)
        yield "" if hidden else line[margin:indent] + _LEAVING.get(bare, bare)


def _banner(lines: list[str], number: int) -> int:
    """How many lines below this one belong to the banner that it begins; any character may delimit it."""
    found = _BANNER.match(lines[number])
    if found is None or found[1] in found[2]:
        return 0
    for below, line in enumerate(lines[number + 1 : number + 1 + _LONGEST_BANNER], 1):
        if found[1] in line:
            return below
    return 0
