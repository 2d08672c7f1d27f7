"""Answers in which each neighbour is a row of a table: columns that stand below their headings, or between vertical bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_GAP = lazy(r"[ \t]{2,}")
_RULE = lazy(r"[-=+| \t]{3,}+\Z")


@dataclass(frozen=True, slots=True)
class Columns:
    """How one platform heads its columns."""

    headings: Mapping[str, str]
    """Heading, as written -> what stands below it: port, system, chassis, port_id, description, or "" for what is passed over."""
    wrapped: bool = False
    """A long first cell stands on a line of its own."""

    def read(self, document: Document) -> Iterator[Neighbour]:
        """The neighbours of all rows below the headings; a row without a port, or with nobody in it, is none."""
        columns: Sequence[tuple[int, str]] = ()
        first = ""
        for number, line in document.numbered():
            found = self._heading(line)
            if found:
                columns, first = found, ""
            elif columns and line.strip() and not _RULE.match(line):
                if self.wrapped and len(line.split()) == 1 and not line[0].isspace():
                    first = line.strip()
                    continue
                said = {name: text for (_, name), text in zip(columns, _cells(line, columns), strict=False) if name}
                if first and not said.get(columns[0][1], ""):
                    said[columns[0][1]] = first
                first = ""
                yield from row(document, number, said)

    def _heading(self, line: str) -> Sequence[tuple[int, str]]:
        """(where the column begins, what it holds) of each heading, if all that name something are in the line."""
        columns = []
        for heading, name in self.headings.items():
            at = line.find(heading)
            if at >= 0:
                columns.append((at, name))
            elif name:
                return ()
        return sorted(columns)


def _cells(line: str, columns: Sequence[tuple[int, str]]) -> Sequence[str]:
    """What stands below each heading. A row that is too long somewhere has moved: then gaps tell, if there are as many.

    Nothing for a line that is no row. A name that was cut to its column (`gpu1.examp...`) may touch the next one.
    """
    starts = [at for at, _ in columns]
    in_words = [at for at in starts if 0 < at < len(line) and not line[at - 1].isspace() and not line[at].isspace()]
    if any(line[at - 3 : at] != "..." for at in in_words):
        parts = _GAP.split(line.strip())
        return parts if len(parts) == len(columns) else ()
    cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)]
    return () if any(_GAP.search(cell) for cell in cells) else cells


def row(document: Document, number: int, said: Mapping[str, str]) -> Iterator[Neighbour]:
    """The neighbour of one row, if there is one."""
    rest = {name: text for name, text in said.items() if name != "port"}
    found = neighbour(said.get("port", ""), Place(document.path, number), **rest)
    if found is not None:
        yield found


@dataclass(frozen=True, slots=True)
class Boxes:
    """A table drawn with bars, whose headings may take several lines."""

    headings: Mapping[str, str]
    """Heading in lower case -> what stands below it."""

    def read(self, document: Document) -> Iterator[Neighbour]:
        """The neighbours of all rows; rows of one neighbour that take several lines are put together."""
        above: list[list[str]] = []
        names: list[str] = []
        for number, line in document.numbered():
            text = line.strip()
            if text.startswith("+="):
                titles = [" ".join(filter(None, parts)).lower() for parts in zip(*above, strict=False)]
                names = [self.headings.get(title, "") for title in titles]
                above = []
            elif text.startswith("|"):
                cells = [cell.strip() for cell in text.strip("|").split("|")]
                if not names:
                    above.append(cells)
                elif len(cells) == len(names):
                    yield from row(document, number, {n: c for n, c in zip(names, cells, strict=True) if n})
