"""The part of SR Linux's data model that concerns us: which words are nodes, keys and values, kind of object by kind.

A pattern is a path in which `*` stands for a key: `wred wred-slope * drop-probability * enable-ecn * min-threshold`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from roce_audit.platforms.shared.leaves import Reader

KEY = "*"
_TYPO_RATIO = 0.88
_SHORTEST_TYPO = 6


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf. `paths` (blank-separated, below the object's base in the model) are unknown when its value is not understood.

    `read` None: a container whose being there says something, or whose words alone are of interest.
    """

    read: Reader | None
    paths: str = ""
    opaque: bool = False
    """Whatever stands behind it is not read."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of object: where it stands, and its leaves. In a strict one every word that is not known is a finding."""

    name: str
    prefix: str
    leaves: Mapping[str, Leaf]
    keys: Mapping[str, Reader] = field(default_factory=dict)
    """Pattern that ends in a key -> what the key may be, where not any name will do."""
    strict: bool = True
    ignored: frozenset[str] = frozenset()
    """Words that are known and say nothing to the model, wherever they stand in the object."""
    reaches: bool = True
    """An unknown word at its beginning might set anything that the object sets."""
    words: frozenset[str] = frozenset()
    """Parts of words by which an unknown node of an object that is not strict is taken for ours."""

    @cached_property
    def tree(self) -> Node:
        """The leaves as a tree of words."""
        root = Node()
        for pattern, leaf in self.leaves.items():
            node = _grown(root, pattern)
            node.leaf, node.pattern = leaf, pattern
        for pattern, reader in self.keys.items():
            _grown(root, pattern).key = reader
        return root


@dataclass
class Node:
    """One word of the tree."""

    below: dict[str, Node] = field(default_factory=dict)
    leaf: Leaf | None = None
    pattern: str = ""
    key: Reader | None = None

    def paths(self) -> tuple[str, ...]:
        """Everything that the leaves at and below this node set."""
        found = dict.fromkeys((self.leaf.paths if self.leaf else "").split())
        for node in self.below.values():
            found.update(dict.fromkeys(node.paths()))
        return tuple(found)


def _grown(node: Node, pattern: str) -> Node:
    for word in pattern.split():
        node = node.below.setdefault(word, Node())
    return node


@dataclass(frozen=True, slots=True)
class Said:
    """What one statement of an object says.

    `leaf` is the pattern of its leaf, "" for a header; `keys` are the words that stand for its `*`. `spoils` are model
    paths, below the object's base, that are unknown because the statement is not understood.
    """

    leaf: str = ""
    keys: tuple[str, ...] = ()
    value: object = None
    ours: bool = True
    unread: bool = False
    spoils: tuple[str, ...] = ()


def pieces(kind: Kind, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The statements that one line of an object makes, each with the index of its last word.

    One line may set several leaves of a container, and a leaf-list several values.
    """
    node, at, said = kind.tree, 0, False
    path: list[str] = []
    while at < len(words):
        word = words[at]
        below = node.below.get(word) or node.below.get(KEY)
        if below is None or (below.leaf is not None and below.leaf.opaque):
            yield (*path, *words[at:]), at
            return
        if below.leaf is None or below.leaf.read is None:
            node, said = below, below.leaf is not None
            path.append(word)
            if said:
                yield tuple(path), at
            at += 1
            continue
        end = _end_of_list(words, at + 1) if words[at + 1 : at + 2] == ("[",) else min(at + 2, len(words))
        values = [i for i in range(at + 1, end) if words[i] not in ("[", "]")]
        for index in values:
            yield (*path, word, words[index]), index
        if not values:
            yield (*path, word), at
        at, said = end, True
    if not said:
        yield tuple(path), len(words) - 1


def _end_of_list(words: tuple[str, ...], start: int) -> int:
    return words.index("]", start) + 1 if "]" in words[start:] else len(words)


@lru_cache(maxsize=65_536)
def parse(kind: Kind, text: str) -> Said:
    """What a statement of an object says. Never raises: what is not understood is `unread` and says what it spoils."""
    words = text.split(" ") if text else []
    node = kind.tree
    keys: list[str] = []
    for index, word in enumerate(words):
        below = node.below.get(word)
        if below is None and KEY in node.below:
            below = node.below[KEY]
            keys.append(word)
        if below is None:
            return _unknown(kind, node, word, tuple(keys))
        node = below
        if node.key is not None and not _is_read(node.key, word):
            return Said("", tuple(keys), None, True, True, node.paths())
        if node.leaf is not None and node.leaf.read is not None:
            return _value(node, tuple(keys), words[index + 1 :])
    return Said(node.pattern if node.leaf is not None else "", tuple(keys))


def _is_read(reader: Reader, text: str) -> bool:
    try:
        reader(text)
    except ValueError:
        return False
    return True


def _value(node: Node, keys: tuple[str, ...], rest: list[str]) -> Said:
    assert node.leaf is not None
    assert node.leaf.read is not None
    try:
        if len(rest) == 1:
            return Said(node.pattern, keys, node.leaf.read(rest[0]))
    except ValueError:
        pass
    return Said(node.pattern, keys, None, True, True, tuple(node.leaf.paths.split()))


def _unknown(kind: Kind, node: Node, word: str, keys: tuple[str, ...]) -> Said:
    """A word that no leaf has: ours in a strict object, else only if it sounds like ours."""
    if word in kind.ignored:
        return Said(ours=False)
    meant = next((w for w in node.below if w != KEY and alike(word, w)), None)
    if meant is not None:
        return Said("", keys, None, True, True, node.below[meant].paths())
    if node is kind.tree and not kind.reaches:  # one odd line must not blind the whole switch
        return Said("", keys, None, True, True) if kind.strict else Said(ours=False)
    if kind.strict or any(part in word for part in kind.words):
        return Said("", keys, None, True, True, node.paths())
    return Said(ours=False)


def alike(word: str, wanted: str) -> bool:
    """Whether a word is the wanted one with something stuck to it that is no part of a word, or nearly the same."""
    if word.startswith(wanted):
        return not (word[len(wanted)].isalnum() or word[len(wanted)] == "-")
    if len(word) < _SHORTEST_TYPO or len(word) > 2 * len(wanted):
        return False
    return SequenceMatcher(None, word, wanted).ratio() >= _TYPO_RATIO
