"""The text of single lines, for reports: files are read again only where a finding points at them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from roce_audit.sources.files import STDIN
from roce_audit.text.decode import LIMIT_BYTES, decode
from roce_audit.text.document import Document
from roce_audit.values import Place

_KEPT_FILES = 64
_NEVER_HEADS = frozenset("}])!#")
"""First characters of lines that close a block or comment on it."""

_DEEPEST = 12


def text_of(path: str) -> str:
    """The text of a file as it was judged. Raises OSError."""
    with open(path, "rb") as file:
        return decode(file.read(LIMIT_BYTES + 1)).text


class SourceLines:
    """Lines of the files of a run; `given` holds texts that no file has (standard input)."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._given = {path: _File(text) for path, text in (given or {}).items()}
        self._files: OrderedDict[str, _File] = OrderedDict()
        self.opened: set[str] = set()
        """The files that lines were asked of, whether they could be opened or not."""

    def __call__(self, place: Place) -> str:
        """The line at a place; "" where there is none."""
        lines = self._of(place.path).lines
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""

    def block(self, place: Place) -> str:
        """The heads of the stanzas around a line, by indentation, outermost first: `class-map a > match`; "" at the left edge."""
        return self._of(place.path).block(place.line)

    def _of(self, path: str) -> _File:
        found = self._given.get(path) or self._files.get(path)
        if found is None:
            self.opened.add(path)
            try:
                found = _File(text_of(path))
            except OSError:
                found = _File("")
            self._files[path] = found
            if len(self._files) > _KEPT_FILES:
                self._files.popitem(last=False)
        return found


def standard_input(documents: Iterable[Document]) -> Mapping[str, str]:
    """The lines that came by standard input, for `SourceLines`: no file has them."""
    lines: list[str] = []
    for document in documents:
        if document.path == STDIN:
            text = document.text.split("\n")
            start = document.first_line - 1
            lines += [""] * (start + len(text) - len(lines))
            lines[start : start + len(text)] = text
    return {STDIN: "\n".join(lines)} if lines else {}


class _File:
    """One text, and for each line the nearest line above that is indented less."""

    __slots__ = ("_above", "_walked", "lines")

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._above: list[int] | None = None
        self._walked = 0
        """Lines looked at for single ones: as many as there are, and a table of all is made instead."""

    def block(self, line: int) -> str:
        if not 0 < line <= len(self.lines) or not self.lines[line - 1][:1].isspace():
            return ""
        heads: list[str] = []
        at = self._parent(line - 1)
        while at >= 0 and len(heads) < _DEEPEST:
            head = " ".join(self.lines[at].split()).rstrip(" {[")
            if head:
                heads.append(head)
            at = self._parent(at)
        return " > ".join(reversed(heads))

    def _parent(self, of: int) -> int:
        if self._above is None and self._walked < len(self.lines):
            found = _parent(self.lines, of)
            self._walked += of - found
            return found
        if self._above is None:
            self._above = _parents(self.lines)
        return self._above[of]


def _parent(lines: list[str], of: int) -> int:
    """Index of the nearest line above with less indentation; -1 where there is none."""
    depth = len(lines[of]) - len(lines[of].lstrip()) if lines[of].strip() else 0
    for i in range(of - 1, -1, -1):
        if not depth:
            break
        text = lines[i].lstrip()
        indent = len(lines[i]) - len(text)
        if text and indent < depth:
            if text[0] not in _NEVER_HEADS:
                return i
            depth = indent
    return -1


def _parents(lines: list[str]) -> list[int]:
    """The same for each line, in linear time."""
    above: list[int] = []
    open_: list[tuple[int, int]] = []
    for i, line in enumerate(lines):
        text = line.lstrip()
        if not text:
            above.append(-1)
            continue
        depth = len(line) - len(text)
        while open_ and open_[-1][0] >= depth:
            open_.pop()
        above.append(open_[-1][1] if open_ else -1)
        if text[0] not in _NEVER_HEADS:
            open_.append((depth, i))
    return above
