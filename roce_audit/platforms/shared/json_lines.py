"""JSON that is written one member a line, changed line by line: only the lines that say something else are touched."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.repair import Edit
from roce_audit.platforms.shared.path.texts import Said
from roce_audit.text.structured.indented import blanks
from roce_audit.text.structured.nodes import Words

_MEMBER = re.compile(r'^(\s*"(?:[^"\\]|\\.)*"\s*:\s*)("(?:[^"\\]|\\.)*"|[-\w.]+)(\s*+,?\s*+)$')
_OPENS = re.compile(r'^(\s*)"(?:[^"\\]|\\.)*"\s*:\s*\{\s*$')
_NUMBER = lazy(r"-?\d+(?:\.\d+)?\Z")
_SWITCH = {"on": "true", "off": "false", "true": "true", "false": "false"}


def value_of(line: str) -> str | None:
    """The scalar that a line holds; None for a line that is no member with a scalar."""
    found = _MEMBER.match(line)
    if found is None:
        return None
    return str(json.loads(found[2])) if found[2].startswith('"') else found[2]


def with_value(line: str, value: str) -> str | None:
    """The line with another value in the manner of the old one; None for a line that is no member with a scalar."""
    found = _MEMBER.match(line)
    if found is None:
        return None
    bare = _SWITCH.get(value, value) if found[2] in ("true", "false") else value
    return f"{found[1]}{json.dumps(value) if found[2].startswith(chr(34)) else bare}{found[3]}"


def opening(line: str) -> str | None:
    """The indentation of a line that opens an object as a member; None for other lines."""
    found = _OPENS.match(line)
    return None if found is None else found[1]


def without(path: str, lines: Sequence[str], first: int, last: int) -> list[Edit]:
    """The edits that take these lines out, and the comma before them where they were the last ones."""
    edits = [Edit(path, number, lines[number - 1], None) for number in range(first, last + 1)]
    before = lines[first - 2] if first > 1 else ""
    if not lines[last - 1].rstrip().endswith(",") and before.rstrip().endswith(","):
        edits.insert(0, Edit(path, first - 1, before, before.rstrip()[:-1]))
    return edits


class JsonPaths:
    """A JSON text as paths of words. Leaves are changed, taken out, and added beside others of the same object."""

    def __init__(self, path: str, lines: Sequence[str], said: Sequence[Said]) -> None:
        self._path, self._lines = path, lines
        self.said = said

    def write(self, words: Words, instead_of: Said | None, behind: int = 0) -> list[Edit]:
        """In the line of the leaf, or before a leaf of the same object."""
        if instead_of is not None:
            old = self._lines[instead_of.line - 1]
            new = with_value(old, words[-1]) if words[:-1] == instead_of.words[:-1] else None
            return [] if new is None else [Edit(self._path, instead_of.line, old, new)]
        beside = next((said for said in self.said if said.words[:-2] == words[:-2] and self._is_leaf(said)), None)
        if beside is None or len(words) < 2:
            return []
        value = words[-1] if _NUMBER.match(words[-1]) or words[-1] in ("true", "false") else json.dumps(words[-1])
        text = f"{blanks(self._lines[beside.line - 1])}{json.dumps(words[-2])}: {value},"
        return [Edit(self._path, beside.line - 1, None, text)]

    def erase(self, said: Said) -> list[Edit]:
        """Without its line."""
        return without(self._path, self._lines, said.line, said.line) if self._is_leaf(said) else []

    def take_back(self, words: Words, behind: int) -> list[Edit]:
        """JSON only says what there is."""
        return []

    def _is_leaf(self, said: Said) -> bool:
        """Whether its line is that of the leaf itself, and not of a list or of an object's name."""
        line = self._lines[said.line - 1]
        key = line.strip().partition('"')[2].partition('"')[0].rpartition(":")[2]
        return value_of(line) is not None and len(said.words) > 2 and key == said.words[-2]
