"""Paths of Junos: the object that one is about, and the statements that it makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from roce_audit.platforms.junos.ranges import is_wild
from roce_audit.platforms.junos.table import DEVICE_WIDE, REFERENCES, TABLE
from roce_audit.platforms.shared.path.tables import heading, naming
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.leads import WILD, Node
from roce_audit.text.statements.rows import VALUE
from roce_audit.text.structured.nodes import Words

names = naming(TABLE, REFERENCES)
"""Everything that a leaf names, by its value and by its keys."""
header = heading(TABLE, frozenset(DEVICE_WIDE))
"""The object that a path is about; None where it is none of ours."""


@lru_cache(65_536)
def pieces(mode: str, words: Words) -> tuple[tuple[Words, int], ...]:
    """The statements that one path below an object's header makes, each with the index of its last word.

    One statement may set several leaves (`queue-num 4 no-loss`), and a list several values; where one of them is not
    understood, nobody knows what the statement as a whole is meant to say.
    """
    found = tuple(_Pieces(mode, words).all())
    if len(found) > 1 and any(TABLE.parse(mode, " ".join(each)).unread for each, _ in found):
        return ((words, len(words) - 1),)
    return found


class _Pieces:
    """A walk along the rows of a mode: where a leaf is complete, the next word may be one of the block around it."""

    def __init__(self, mode: str, words: Words) -> None:
        self.mode = mode
        self.words = words
        self.strict = TABLE.modes[mode].strict
        self.way: list[tuple[Node, Words]] = [(TABLE.modes[mode].leads, ())]
        self.pending = False
        """The last words are a leaf, or the way to one, and nothing was made of them yet."""

    def all(self) -> Iterator[tuple[Words, int]]:
        """Every statement."""
        words, at = self.words, 0
        while at < len(words):
            node, path = self.way[-1]
            below = node.below.get(words[at])
            if below is None and WILD in node.below and _is_value(node):
                end = words.index("]", at) if words[at] == "[" and "]" in words[at:] else at
                yield from [((*path, words[n]), n) for n in range(at, end + 1) if words[n] not in ("[", "]")]
                del self.way[-1:]  # a value ends its leaf: what follows stands beside it
                at, self.pending = end + 1, False
                continue
            below = below or node.below.get(WILD)
            if below is not None:
                self.way.append((below, (*path, words[at])))
                at, self.pending = at + 1, True
                continue
            if self.pending and node.leaf is not None:
                yield path, at - 1
                if not node.below and len(self.way) > 1:
                    del self.way[-1:]
            around, path = self.way[-1]
            again = words[at] in around.below and (around, path) != (node, path)
            if again or (not self.strict and not self.pending and at):
                self.pending = False
                at += 0 if again else len(words)
                continue
            # nobody knows this word: what follows it may be known all the same
            end = at + 1
            while end < len(words) and not (self.strict and words[end] in around.below):
                end += 1
            if self.strict or node.leaf is None or node.below:
                yield (*path, *words[at:end]), at
            at, self.pending = end, False
        node, path = self.way[-1]
        if self.pending and (node.leaf is not None or not _keys_are_read(self.mode, path)):
            yield path, len(words) - 1


def _is_value(node: Node) -> bool:
    """Whether a leaf's value stands behind this word, and not a key."""
    row = node.below[WILD].leaf
    last = row.form[-1] if row is not None else None
    return isinstance(last, Capture) and last.name == VALUE


def _keys_are_read(mode: str, path: Words) -> bool:
    """Whether all keys of an entry in which nothing is said are understood; a group's wildcard is, whatever it stands for."""
    node = TABLE.modes[mode].leads
    keys = 0
    for word in path:
        keys += word not in node.below and not is_wild(word)
        node = node.below.get(word) or node.below[WILD]
    leaf = TABLE.parse(mode, " ".join(path)).meant
    return not keys or (leaf is not None and len(leaf.keys) == keys)
