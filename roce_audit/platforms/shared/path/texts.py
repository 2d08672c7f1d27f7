"""Texts in which settings are written as paths of words, and how a line of them is added, changed or taken out.

A text is changed line by line, so that comments, order and everything else stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from roce_audit.platforms.repair import Edit
from roce_audit.records import dataclass
from roce_audit.text.structured.nodes import Words


@dataclass(frozen=True, slots=True)
class Said:
    """One statement: its words from the root, and its line; `takes_back` undoes what was said before."""

    words: Words
    line: int
    takes_back: bool = False


class PathText(Protocol):
    """One text of such statements."""

    said: Sequence[Said]

    def write(self, words: Words, instead_of: Said | None, behind: int = 0) -> list[Edit]:
        """Say this, in place of another statement or added, and not before line `behind` where the last one holds.

        No edits where the form of the text does not allow it.
        """
        ...

    def erase(self, said: Said) -> list[Edit]:
        """Take a statement out."""
        ...

    def take_back(self, words: Words, behind: int) -> list[Edit]:
        """Add a statement that takes back what others said up to line `behind`; no edits where the form knows none."""
        ...


@dataclass(frozen=True, slots=True)
class FlatForm:
    """How a line of a flat text reads: `read` gives where its words begin, the words, and whether it takes them back."""

    read: Callable[[str], tuple[int, Words, bool] | None]
    write: Callable[[Words], str]
    take_back: Callable[[Words], str] | None = None
    """The text of a line (without what stands before its words) that takes back."""


class FlatText:
    """A list of statements, one a line, of which the last one holds."""

    def __init__(self, path: str, lines: Sequence[str], form: FlatForm) -> None:
        self._path, self._lines, self._form = path, lines, form
        self._begins: dict[int, int] = {}
        said = []
        for number, text in enumerate(lines, 1):
            found = form.read(text)
            if found is not None:
                self._begins[number] = found[0]
                said.append(Said(found[1], number, found[2]))
        self.said: Sequence[Said] = said

    def write(self, words: Words, instead_of: Said | None, behind: int = 0) -> list[Edit]:
        """In place of a line, or behind the last one that begins like it."""
        if instead_of is None:
            return self._added(words, self._form.write(words), behind)
        old = self._lines[instead_of.line - 1]
        new = old[: self._begins[instead_of.line]] + self._form.write(words)
        return [Edit(self._path, instead_of.line, old, new)]

    def erase(self, said: Said) -> list[Edit]:
        """Without its line."""
        return [Edit(self._path, said.line, self._lines[said.line - 1], None)]

    def take_back(self, words: Words, behind: int) -> list[Edit]:
        """One more line."""
        return [] if self._form.take_back is None else self._added(words, self._form.take_back(words), behind)

    def _added(self, words: Words, text: str, behind: int) -> list[Edit]:
        if not self.said:
            return []
        nearest = max(self.said, key=lambda said: (common(said.words, words), said.line)).line
        nearest = max(nearest, behind)
        before = self._lines[nearest - 1][: self._begins[nearest]]
        return [Edit(self._path, nearest, None, before + text)]


def common(one: Words, other: Words) -> int:
    """How many words two statements begin with alike."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
