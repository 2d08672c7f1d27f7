"""Answers that show the maps of a switch as they run: what leads elsewhere than the configuration says counts, and is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line, Programmed, as_configured, lines_of
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place


class Entry(NamedTuple):
    """One entry of a map: what leads where."""

    kind: str
    """Which map, as the platform calls it."""
    mark: int
    to: int
    line: int


@dataclass(frozen=True)
class RunningMaps:
    """What a platform knows of its maps and of the command that shows them."""

    command: re.Pattern[str]
    entries: Callable[[Iterable[Line]], Iterator[Entry]]
    """What an answer shows."""
    configured: Callable[[Iterable[Document]], Mapping[tuple[str, int], int]]
    """(map, mark) -> what lines of the configuration lead it to."""
    by_default: Callable[[str, int], object]
    """What a map leads a mark to where no line says so."""
    statements: Mapping[str, tuple[str, ...]]
    """Map -> the lines of a configuration that say an entry of it, with places for the mark and for what it leads to."""
    words: Mapping[str, str]
    """Map -> the same for people."""

    def programmed(self, answer: Document, documents: Sequence[Document]) -> Programmed | None:
        """What the answer makes of the configuration of its switch; None for the answers of other commands."""
        if not self.command.match(answer.command or ""):
            return None
        shown = list(self.entries(lines_of(answer)))
        if not shown:
            return Programmed(is_read=not answer.text.strip())
        said = self.configured(documents)
        is_alone = not any(map(is_configuration, documents))
        changed = [one for one in shown if is_alone or said.get(one[:2], self.by_default(*one[:2])) != one.to]
        lines = [(text.format(one.mark, one.to), one.line) for one in changed for text in self.statements[one.kind]]
        told = (self._told(one, said[one[:2]], answer) for one in changed if one[:2] in said)
        return Programmed(as_configured(answer, lines), tuple(told))

    def _told(self, entry: Entry, before: int, answer: Document) -> Seen:
        words = self.words[entry.kind]
        what = words.format(entry.mark, entry.to)
        text = f"{words.format(entry.mark, before)} is configured, and {what} runs"
        return seen("conflict", what, text, Place(answer.path, entry.line), what, ())
