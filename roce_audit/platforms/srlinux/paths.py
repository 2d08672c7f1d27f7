"""Paths of SR Linux: the object that one is about, and the statements that it makes of it."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.shared.path.tables import heading, naming
from roce_audit.platforms.srlinux.table import DEVICE_WIDE, REFERENCES, TABLE
from roce_audit.text.statements.forms import Capture
from roce_audit.text.statements.leads import WILD, Node
from roce_audit.text.statements.rows import VALUE

Words = tuple[str, ...]
names = naming(TABLE, REFERENCES)
"""Everything that a leaf names, by its value and by its keys."""
header = heading(TABLE, frozenset(DEVICE_WIDE))
"""The object that a path is about; None where it is none of ours."""


def takes_value(node: Node) -> bool:
    """Whether a leaf's value stands behind this word."""
    row = node.below[WILD].leaf if WILD in node.below else None
    last = row.form[-1] if row is not None else None
    return isinstance(last, Capture) and last.name == VALUE


def pieces(mode: str, words: Words) -> Iterator[tuple[str, int]]:
    """The statements that one path below an object's header makes, each with the index of its last word.

    One path may set several leaves of a container, and a leaf-list several values.
    """
    node, at, said = TABLE.modes[mode].leads, 0, False
    path: list[str] = []
    while at < len(words):
        word = words[at]
        below = node.below.get(word) or node.below.get(WILD)
        if below is None or below.never:
            yield " ".join((*path, *words[at:])), at
            return
        if not takes_value(below):
            node = below
            path.append(word)
            said = node.leaf is not None
            if said:
                yield " ".join(path), at
            at += 1
            continue
        end = _end_of_list(words, at + 1) if words[at + 1 : at + 2] == ("[",) else min(at + 2, len(words))
        values = [i for i in range(at + 1, end) if words[i] not in ("[", "]")]
        for index in values:
            yield " ".join((*path, word, words[index])), index
        if not values:
            yield " ".join((*path, word)), at
        at, said = end, True
    if not said and not _keys_are_read(mode, path):
        yield " ".join(path), len(words) - 1


def _keys_are_read(mode: str, path: list[str]) -> bool:
    """Whether all keys of an entry in which nothing is said are understood."""
    node = TABLE.modes[mode].leads
    keys = 0
    for word in path:
        keys += word not in node.below
        node = node.below.get(word) or node.below[WILD]
    leaf = TABLE.parse(mode, " ".join(path)).meant
    return not keys or (leaf is not None and len(leaf.keys) == keys)


def _end_of_list(words: Words, start: int) -> int:
    return words.index("]", start) + 1 if "]" in words[start:] else len(words)
