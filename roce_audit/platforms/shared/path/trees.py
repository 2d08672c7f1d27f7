"""Texts of nested blocks (YAML, braces) as paths of words: each block is a line, what is in it stands below, indented."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from roce_audit.platforms.repair import Edit
from roce_audit.platforms.shared.path.texts import Said
from roce_audit.records import dataclass
from roce_audit.text.structured.indented import blanks
from roce_audit.text.structured.nodes import Node, Words


@dataclass(frozen=True, slots=True)
class TreeForm:
    """How blocks are written. `closes`: a block ends with a line of its own."""

    leaf: Callable[[Words], str]
    opens: Callable[[Words], str]
    split: Callable[[Words], Sequence[Words]]
    """A path as the lines of its blocks and its leaf, outermost first."""
    closes: str = ""
    step: str = "    "


class TreeText:
    """A tree of lines."""

    def __init__(self, path: str, lines: Sequence[str], root: Node, form: TreeForm) -> None:
        self._path, self._lines, self._root, self._form = path, lines, root, form
        self.said: Sequence[Said] = [Said(words, node.line) for words, node in root.walk() if not node.below]

    def write(self, words: Words, instead_of: Said | None, behind: int = 0) -> list[Edit]:
        """In the line of a leaf that says the same setting, or at the end of the innermost block that is there."""
        if instead_of is not None:
            return self._changed(words, instead_of)
        node, rest = self._root, words
        while True:
            inner = next((n for n in node.below if n.is_block and rest[: len(n.words)] == n.words), None)
            if inner is None or len(inner.words) == len(rest):
                break
            node, rest = inner, rest[len(inner.words) :]
        if node.line and self._lines[node.line - 1].rstrip().endswith(("{}", "[]")):
            return []
        return self._added(node, words, rest)

    def _added(self, node: Node, words: Words, rest: Words) -> list[Edit]:
        pieces = list(self._form.split(words))
        while pieces and sum(map(len, pieces)) > len(rest):
            pieces.pop(0)
        if not pieces or sum(map(len, pieces)) != len(rest):
            return []
        inside = self._lines[node.below[0].line - 1] if node.below else ""
        start = blanks(inside)
        if not node.below:
            start = blanks(self._lines[node.line - 1]) + self._form.step
        texts = [start + self._form.step * n + self._form.opens(piece) for n, piece in enumerate(pieces[:-1])]
        texts.append(start + self._form.step * (len(pieces) - 1) + self._form.leaf(pieces[-1]))
        if self._form.closes:
            texts += [start + self._form.step * n + self._form.closes for n in reversed(range(len(pieces) - 1))]
        behind = node.last - 1 if self._form.closes and node is not self._root else node.last
        return [Edit(self._path, behind, None, "\n".join(texts))]

    def _changed(self, words: Words, said: Said) -> list[Edit]:
        """Only the last word may differ: elsewhere the line would stand in another block."""
        if words[:-1] != said.words[:-1]:
            return []
        old = self._lines[said.line - 1]
        found = re.search(rf"(?<![^\s'\"]){re.escape(said.words[-1])}(?=['\"]?;?\s*(?:#.*)?$)", old)
        if found is None:
            return []
        return [Edit(self._path, said.line, old, old[: found.start()] + words[-1] + old[found.end() :])]

    def erase(self, said: Said) -> list[Edit]:
        """Without its line, and without the blocks that hold nothing else."""
        way = self._way(said)
        if not way:
            return []
        while len(way) > 1 and len(way[-2].below) == 1 and way[-2].line:
            way.pop()
        gone = way[-1]
        return [Edit(self._path, n, self._lines[n - 1], None) for n in range(gone.line, gone.last + 1)]

    def take_back(self, words: Words, behind: int) -> list[Edit]:
        """A tree only says what there is."""
        return []

    def _way(self, said: Said) -> list[Node]:
        node, way = self._root, [self._root]
        while node.line != said.line:
            inner = next((n for n in node.below if n.line <= said.line <= n.last), None)
            if inner is None:
                return []
            node = inner
            way.append(node)
        return way[1:]


def is_one_a_line(root: Node, *, closes: bool) -> bool:
    """Whether no line holds more than one statement or head; `closes`: nor the end of a block beside anything else."""
    return _end(root, 0, closes) is not None


def _end(node: Node, before: int, closes: bool) -> int | None:
    """The last line of what is below a node; None where some of it shares a line, or begins no later than line `before`."""
    for inner in node.below:
        end = _end(inner, inner.head, closes) if inner.is_block else inner.last
        if inner.line <= before or end is None or (closes and inner.is_block and inner.last <= end):
            return None
        before = inner.last
    return before
