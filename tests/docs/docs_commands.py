"""The commands of a page: blocks that are run as written, what must be there before, and what the page shows of the answer.

<!-- run first: COMMANDS -->   a line of commands that the page does not show
<!-- run -->                   the ```sh block below is run, and ends with 0
<!-- run: exit=N -->           it ends with N
<!-- not run: REASON -->       it cannot be run here
<!-- output -->                the block below is what the block before it prints: lines left out are `[...]`
<!-- output of: COMMANDS -->   the block below is what this line of commands prints, which the page does not show
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_PART = re.compile(
    r"<!-- run first: (?P<first>[^\n]*?) -->"
    r"|(?:<!-- (?P<mark>run|not run)(?:: (?P<how>[^\n]*?))? -->\n)?```sh\n(?P<commands>.*?)```"
    r"|<!-- output(?: of: (?P<of>[^\n]*?))? -->\n```\w*\n(?P<output>.*?)```",
    re.S,
)


@dataclass
class Block:
    """Commands of a page, and what it promises of them."""

    commands: str
    exit: int | None = 0
    """None: not run, -1: whatever it is."""
    why_not: str = ""
    marked: bool = True
    first: str = ""
    output: list[str] = field(default_factory=list)
    """Lines that are printed, in this order."""


def all_blocks(page: Path) -> list[Block]:
    """Every block of shell commands."""
    found: list[Block] = []
    first = ""
    for part in _PART.finditer(page.read_text(encoding="utf-8")):
        if part["first"] is not None:
            first = part["first"]
        elif part["output"] is not None:
            if part["of"] is not None:
                found.append(Block(part["of"], -1))
            found[-1].output = [line for line in part["output"].splitlines() if line.strip() and line != "[...]"]
        else:
            how = part["how"] or ""
            is_run = part["mark"] == "run"
            code = int(how.removeprefix("exit=") or 0) if is_run else 0
            block = Block(part["commands"], code if is_run else None, "" if is_run else how, part["mark"] is not None)
            block.first, first = first, ""
            found.append(block)
    return found


def blocks(page: Path) -> Iterator[tuple[str, int]]:
    """(commands, exit code that the page promises) of those that are run, in order."""
    for block in all_blocks(page):
        if block.exit is not None and block.exit >= 0:
            yield block.commands, block.exit
