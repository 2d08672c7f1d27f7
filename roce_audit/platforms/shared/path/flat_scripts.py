"""Scripts without indentation, in which a statement at the margin may begin a stanza or belong to the one before it."""

from __future__ import annotations

import re

from roce_audit.records import dataclass

_INSIDE = "\v"
"""White space that is no indentation: the line is inside its stanza, and the stanza is still one of a flat script."""
_LOOK_AHEAD = 8
"""Lines between a header and the first line below it: marks and blank lines."""


@dataclass(frozen=True, slots=True)
class TwoMeanings:
    """A statement that defines a thing where lines of it follow, and applies it where it stands in certain stanzas."""

    statement: re.Pattern[str]
    """Matches the statement at the beginning of a line."""
    member: re.Pattern[str]
    """Matches a line of the thing it would define."""
    holder: re.Pattern[str]
    """Matches the header of a stanza in which it applies the thing."""
    stanza: re.Pattern[str]
    """Matches the header of any stanza."""

    def told_apart(self, text: str) -> str:
        """The text in which each of these statements that applies something stands inside its stanza."""
        if not re.search(f"^(?:{self.statement.pattern})", text, re.M):
            return text
        lines = text.split("\n")
        header = ""
        for index, line in enumerate(lines):
            if self.statement.match(line):
                if self.holder.match(header) and not self._defines(lines, index):
                    lines[index] = _INSIDE + line
                else:
                    header = line
            elif self.stanza.match(line):
                header = line
        return "\n".join(lines)

    def _defines(self, lines: list[str], index: int) -> bool:
        for line in lines[index + 1 : index + _LOOK_AHEAD]:
            text = line.strip()
            if text and not text.startswith("!"):
                return self.member.match(text) is not None
        return False
