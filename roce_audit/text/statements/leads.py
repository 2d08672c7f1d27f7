"""What a line is about, although nobody understood it: the rows that begin as it does, and what they set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from roce_audit.records import dataclass
from roce_audit.text.statements.forms import Capture, leads
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.statements.rows import Row

_FEWEST_CUT = 3
"""Letters that a word lacks which somebody cut short."""
WILD = ""
"""Stands for any word among the next words of a node."""


@dataclass
class Node:
    """The rows of one mode that begin with the same words."""

    below: dict[str, Node] = field(default_factory=dict)
    paths: dict[str, None] = field(default_factory=dict)
    """Model paths that any of these rows sets, in the order of the table."""
    ends: bool = False
    """Some row has no further words, or goes on with what is captured."""

    never: bool = False
    """Some row says that what goes no further than this is never understood."""
    taken_back: bool = False
    """Such a row that says what it is to take that back."""
    leaf: Row | None = None
    """The leaf of a tree whose last word this is."""
    passing: Row | None = None
    """One of the leaves that go through here, or end here: all of them have the same keys so far."""
    endless: bool = False
    """A leaf takes any further words."""
    is_judged: bool = False
    """Some row that ends here says something that is asked for."""

    def words(self) -> list[str]:
        """The words that may come next."""
        return [word for word in self.below if word != WILD]


def tree(rows: Iterable[Row]) -> Node:
    """The rows of a mode by the words they begin with."""
    root = Node()
    for row in rows:
        for sequence in leads(row.form):
            node = root
            node.paths.update(dict.fromkeys(row.paths))
            for word in sequence:
                node.ends = node.ends or word is None
                node = node.below.setdefault(word or WILD, Node())
                node.paths.update(dict.fromkeys(row.paths))
                node.passing = row if row.leaf else node.passing
            node.ends = True
            node.never = node.never or row.make is None
            node.taken_back = node.taken_back or (row.make is None and row.no_make is not None)
            node.is_judged = node.is_judged or row.is_judged
            if row.leaf:
                node.leaf, node.endless = row, isinstance(row.form[-1], Capture) and row.form[-1].many
    return root


@dataclass(frozen=True, slots=True)
class Found:
    """How far a line goes along with the rows: `node` is where they part, `depth` how many words are theirs."""

    node: Node
    depth: int
    misspelt: int | None = None
    """Which of these words is misspelt."""
    hidden: tuple[str, ...] = ()
    """What the leaves on the way would set but for the misspelt word: `subintrface 0 mtu` would also make the subinterface."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Model paths that the line might set."""
        return tuple(dict.fromkeys((*self.node.paths, *self.hidden)))


def follow(root: Node, words: Sequence[str], known: Iterable[str] = ()) -> Found:
    """Where a line parts from the rows; one misspelt word on the way is taken for what is meant, unless it is `known`."""
    node: Node = root
    misspelt: int | None = None
    hidden: tuple[str, ...] = ()
    for depth, word in enumerate(words):
        below = node.below.get(word)
        if below is None and misspelt is None and not (depth == 0 and word in known):
            wanted = meant(word, node.words())
            if wanted is not None:
                below, misspelt = node.below[wanted], depth
        if below is None:
            below = node.below.get(WILD)
        if below is None:
            return Found(node, len(words) if node.endless else depth, misspelt, hidden)
        node = below
        if misspelt is not None and node.leaf is not None:
            hidden += node.leaf.paths
    return Found(node, len(words), misspelt, hidden)


def begun_by(word: str, candidates: Iterable[str]) -> str:
    """The one of these that a word is cut short from; "" where it begins none or several, lacks so little that it is a slip, or is
    whole as far as it goes, as `service` is beside `service-policy`: that is another word."""
    begun = [one for one in candidates if one.startswith(word)]
    if len(begun) != 1 or len(begun[0]) - len(word) < _FEWEST_CUT or begun[0][len(word)] == "-":
        return ""
    return begun[0]


def begun_header(word: str, candidates: Iterable[str]) -> str:
    """The same of the first word of a header, which may lack as little as two letters behind a hyphen (`policy-m`)."""
    begun = [one for one in candidates if one.startswith(word)]
    is_short = len(begun) == 1 and "-" in word[:-1] and len(begun[0]) - len(word) == _FEWEST_CUT - 1
    return begun[0] if is_short else begun_by(word, begun)


def in_full(root: Node, words: Sequence[str]) -> list[str]:
    """The words, and in place of each that is cut short and the beginning of one only that may stand there, that one."""
    node: Node | None = root
    found: list[str] = []
    for word in words:
        if node is not None and word not in node.below and WILD not in node.below:
            word = begun_by(word, node.below) or word
        node = None if node is None else node.below.get(word) or node.below.get(WILD)
        found.append(word)
    return found
