"""A policy file that people wrote: kept line by line, with settings added to its fabrics."""

from __future__ import annotations

import re
from collections.abc import Sequence


class Existing:
    """The lines of the file; a blank line is added at its end."""

    def __init__(self, text: str) -> None:
        self.lines = [*text.rstrip().split("\n"), ""] if text.strip() else []

    def add_to_fabric(self, name: str, settings: Sequence[str]) -> bool:
        """Write settings at the head of a fabric's block; False where the block is not written line by line."""
        head = re.compile(rf"""\s+(["']?){re.escape(name)}\1\s*:\s*(#.*)?$""")
        start = next((i for i, line in enumerate(self.lines) if re.match(r"fabrics\s*:\s*(#.*)?$", line)), None)
        if start is None:
            return False
        for i in range(start + 1, len(self.lines)):
            if self.lines[i] and not self.lines[i][0].isspace() and self.lines[i][0] != "#":
                return False  # the next section
            if head.match(self.lines[i]):
                inside = self._indent_below(i)
                if inside:
                    self.lines[i + 1 : i + 1] = [f"{inside}{line}" for line in settings]
                return bool(inside)
        return False

    def _indent_below(self, at: int) -> str:
        outer = _indent(self.lines[at])
        below = next((line for line in self.lines[at + 1 :] if line.strip() and not line.lstrip().startswith("#")), "")
        return _indent(below) if len(_indent(below)) > len(outer) else ""


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]
