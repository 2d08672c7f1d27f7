"""The text of single lines, for reports: files are read again only where a finding points at them."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping

from roce_audit.sources.files import STDIN, misnamed
from roce_audit.text.decode import LIMIT_BYTES, decode, decode_part, has_own_lines
from roce_audit.text.document import Document
from roce_audit.text.wholefile import read_plain
from roce_audit.values import Place

_KEPT_FILES = 16
_PIECE_BYTES = 2_000
"""Of a text that is decoded where one of its lines is asked for."""
_NEVER_HEADS = frozenset("}])!#")
"""First characters of lines that close a block or comment on it."""

_DEEPEST = 12


class Misnamed(ValueError):
    """A file cannot be opened by the name it is shown by."""


def text_of(path: str) -> str:
    """The text of a file as it was judged. Raises OSError, and Misnamed for one that has no name to open it by."""
    if why := misnamed(path):
        raise Misnamed(why)
    with open(path, "rb") as file:
        return decode(file.read(LIMIT_BYTES + 1)).text


Quoted = Mapping[str, Mapping[int, str]]
"""Lines by their files and numbers, as an earlier run quoted them from the same texts."""


class SourceLines:
    """Lines of the files of a run; `given` holds texts that no file has (standard input), `quoted` lines that are known already."""

    def __init__(self, given: Mapping[str, str] | None = None, quoted: Quoted | None = None) -> None:
        self._given = {path: _of_text(text) for path, text in (given or {}).items()}
        self._quoted = quoted or {}
        self._files: OrderedDict[str, _File] = OrderedDict()
        self.opened: set[str] = set()
        """The files that lines were looked for in, whether they could be opened or not."""

    def __call__(self, place: Place) -> str:
        """The line at a place; "" where there is none."""
        known = None if place.path in self._given else self._quoted.get(place.path)
        if known is not None and place.line in known:
            return known[place.line]
        return self._of(place.path).line(place.line)

    def block(self, place: Place) -> str:
        """The heads of the stanzas around a line, by indentation, outermost first: `class-map a > match`; "" at the left edge."""
        return self._of(place.path).block(place.line)

    def _of(self, path: str) -> _File:
        found = self._given.get(path) or self._files.get(path)
        if found is None:
            self.opened.add(path)
            try:
                found = _of_data(read_plain(path, LIMIT_BYTES))
            except OSError:
                found = _of_text("")
            self._files[path] = found
            if len(self._files) > _KEPT_FILES:
                self._files.popitem(last=False)
        return found


def standard_input(documents: Iterable[Document]) -> Mapping[str, str]:
    """The lines that came by standard input, for `SourceLines`: no file has them."""
    lines: list[str] = []
    for document in documents:
        if document.path == STDIN and not document.lines:
            text = document.text.split("\n")
            start = document.first_line - 1
            lines += [""] * (start + len(text) - len(lines))
            lines[start : start + len(text)] = text
    return {STDIN: "\n".join(lines)} if lines else {}


def _of_data(data: bytes) -> _File:
    return _File(data, decode_part) if has_own_lines(data) else _of_text(decode(data).text)


def _of_text(text: str) -> _File:
    return _File(text.encode("utf-8", "surrogatepass"), lambda part: part.decode("utf-8", "surrogatepass"))


class _File:
    """One text, of which only those pieces are decoded that are asked for."""

    def __init__(self, data: bytes, decoded: Callable[[bytes], str]) -> None:
        self._data = data
        self._decoded = decoded
        """Makes text of whole lines of the data."""
        self._starts = [0]
        """Where pieces of some whole lines begin, as far as anybody looked."""
        self._firsts = [0]
        """How many lines stand before each of them."""
        self._ended = False
        self._pieces: dict[int, list[str]] = {}
        self._heads: dict[int, int] = {}
        """Number of a line -> that of the head above it, as far as anybody looked: lines side by side have the same."""

    def line(self, number: int) -> str:
        """A line by its number from 1; "" where there is none."""
        piece = self._piece_of(number - 1)
        lines, at = self._lines(piece), number - 1 - self._firsts[piece]
        return lines[at] if 0 <= at < len(lines) else ""

    def block(self, number: int) -> str:
        """The heads of the stanzas around a line, outermost first."""
        heads: list[str] = []
        for line in self._around(number):
            head = " ".join(line.split()).rstrip(" {[")
            if head:
                heads.append(head)
            if len(heads) == _DEEPEST:
                break
        return " > ".join(reversed(heads))

    def _around(self, number: int) -> Iterator[str]:
        """The line above that is indented less, the one above that, and so on to the left edge."""
        above = self._head(number)
        while above:
            yield self.line(above)
            above = self._head(above)

    def _head(self, number: int) -> int:
        """The number of the nearest line above that is indented less and opens a block; 0 where there is none."""
        found = self._heads.get(number)
        if found is not None:
            return found
        found, at = 0, number
        depth = _indent(self.line(number))
        beside = [number]
        for line in self._upwards(number) if depth else ():
            at -= 1
            text = line.lstrip()
            indent = len(line) - len(text)
            if not text or indent > depth:
                continue
            if indent < depth:
                depth = indent
                if text[0] not in _NEVER_HEADS:
                    found = at
                    break
                if not depth:
                    break
            elif at in self._heads:
                found = self._heads[at]
                break
            beside.append(at)
        self._heads.update(dict.fromkeys(beside, found))
        return found

    def _upwards(self, number: int) -> Iterator[str]:
        """The lines above one, the nearest first."""
        piece = self._piece_of(number - 1)
        yield from reversed(self._lines(piece)[: number - 1 - self._firsts[piece]])
        for before in range(piece - 1, -1, -1):
            yield from reversed(self._lines(before))

    def _lines(self, piece: int) -> list[str]:
        found = self._pieces.get(piece)
        if found is None:
            start = self._starts[piece]
            end = self._starts[piece + 1] - 1 if piece + 1 < len(self._starts) else len(self._data)
            found = self._pieces[piece] = self._decoded(self._data[start:end]).split("\n")
        return found

    def _piece_of(self, index: int) -> int:
        """The piece that a line is in; the last one for lines behind the end."""
        while not self._ended and self._firsts[-1] <= index:
            start = self._starts[-1]
            end = self._data.find(b"\n", start + _PIECE_BYTES)
            if end < 0:
                self._ended = True
                break
            self._starts.append(end + 1)
            self._firsts.append(self._firsts[-1] + self._data.count(b"\n", start, end + 1))
        return max(bisect_right(self._firsts, index) - 1, 0)


def _indent(line: str) -> int:
    text = line.lstrip()
    return len(line) - len(text) if text else 0
