"""Nodes: a text as a tree of statements, each with the lines on which it stands, for reading and for changing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(slots=True)
class Node:
    """A statement, or the head of a block with what stands in it.

    `words` are what it adds to those around it, without quotation marks. Its own lines are `lines`, one a word (that of its
    brace where it has no word); its head ends on line `head`, all of it on line `last`, the closing brace included.
    """

    words: Words
    lines: tuple[int, ...]
    head: int
    last: int
    is_block: bool = False
    below: Sequence[Node] = ()
    prefixes: Words = ()
    """Words before it that say how it is to be taken (`inactive:`)."""
    notes: tuple[str, ...] = ()
    """The comments above it and behind it on its line, with their marks."""

    @property
    def line(self) -> int:
        """Its first line; 0 for the root of a text."""
        return self.lines[0]

    def walk(self, around: Words = ()) -> Iterator[tuple[Words, Node]]:
        """Everything below in the order of the text, each with its words behind those of all blocks around it."""
        for node in self.below:
            words = (*around, *node.words)
            yield words, node
            if node.below:
                yield from node.walk(words)
