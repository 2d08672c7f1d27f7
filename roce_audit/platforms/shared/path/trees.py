"""Texts of nested blocks (YAML, braces) as paths of words: each block is a line, what is in it stands below, indented."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from roce_audit.platforms.repair import Edit
from roce_audit.platforms.shared.path.texts import Said, Words


@dataclass(slots=True)
class Node:
    """One line: the words it adds to those around it. `last` is the last line of its block, the closing one included."""

    words: Words
    line: int
    last: int
    is_block: bool = False
    below: list[Node] = field(default_factory=list)


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
        self.said: Sequence[Said] = list(_said(root, ()))

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
        start = inside[: len(inside) - len(inside.lstrip())]
        if not node.below:
            header = self._lines[node.line - 1]
            start = header[: len(header) - len(header.lstrip())] + self._form.step
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
        found = re.search(rf"(?<![^\s'\"]){re.escape(said.words[-1])}(?=['\"]?\s*(?:#.*)?$)", old)
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


def _said(node: Node, around: Words) -> Iterator[Said]:
    for inner in node.below:
        words = (*around, *inner.words)
        if inner.below:
            yield from _said(inner, words)
        else:
            yield Said(words, inner.line)


_BRACE_WORDS = re.compile(r'"[^"]*"|[^\s"]+')


def brace_words(text: str) -> Words:
    """The words of a line; quoted ones stay whole and quoted."""
    return tuple(_BRACE_WORDS.findall(text))


def braces(lines: Sequence[str]) -> Node | None:
    """The tree of blocks in braces, whose statements end with their line; None for a text that is not whole, or written otherwise."""
    root = Node((), 0, len(lines), True)
    open_: list[Node] = [root]
    listing: Node | None = None
    for number, raw in enumerate(lines, 1):
        text = raw.strip()
        if not text or text.startswith(("#", "!")):
            continue
        if listing is not None:
            listing.words, listing.last = (*listing.words, *brace_words(text)), number
            listing = None if text == "]" else listing
        elif text.endswith("["):
            listing = Node(brace_words(text), number, number)
            open_[-1].below.append(listing)
        elif text == "}":
            if len(open_) == 1:
                return None
            open_.pop().last = number
        elif text.endswith("{"):
            node = Node(brace_words(text[:-1]), number, number, True)
            open_[-1].below.append(node)
            open_.append(node)
        elif text.count("[") != text.count("]") or "{" in text or "}" in text:
            return None
        else:
            open_[-1].below.append(Node(brace_words(text), number, number))
    return root if len(open_) == 1 else None


_YAML_KEY = re.compile(r"^(\s*)(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^\s'\"#][^#:\n]*?))\s*:(?:\s+(\S.*?))?\s*$")


def yaml_block(lines: Sequence[str], first: int, last: int) -> Node | None:
    """The tree of the block mapping on these lines (counted from 1); None where anything but keys and scalars stands there."""
    root = Node((), 0, last, True)
    open_: list[tuple[int, Node]] = [(-1, root)]
    for number in range(first, last + 1):
        raw = lines[number - 1]
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        found = _YAML_KEY.match(raw.partition(" #")[0])
        if found is None:
            return None
        indent = len(found[1])
        while open_[-1][0] >= indent:
            open_.pop()
        key = next(text for text in found.groups()[1:4] if text is not None)
        value = found[5]
        words: Words = (key,) if value in (None, "{}", "[]") else (key, value.strip("'\""))
        if value is not None and value[:1] in "{[&*!|>" and value not in ("{}", "[]"):
            return None
        node = Node(words, number, number, value is None)
        open_[-1][1].below.append(node)
        for _, around in open_[1:]:
            around.last = number
        open_.append((indent, node))
    return root
