"""The blocks of a page that can be run: those behind `<!-- run -->` or `<!-- run: exit=N -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_BLOCK = re.compile(r"<!-- run(?:: exit=(\d+))? -->\n```sh\n(.*?)```", re.S)


def blocks(page: Path) -> Iterator[tuple[str, int]]:
    """(commands, exit code that the page promises) in order."""
    for code, commands in _BLOCK.findall(page.read_text(encoding="utf-8")):
        yield commands, int(code or 0)
