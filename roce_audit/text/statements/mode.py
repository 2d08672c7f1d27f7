"""A kind of block (an interface, a policy, a class in a policy): the statements that may stand in it, and by which of their words a line
is known for one of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from roce_audit.text.memo import Memory
from roce_audit.text.statements.leads import WILD, Node, begun_by, begun_header, tree
from roce_audit.text.statements.misspelling import is_near, meant
from roce_audit.text.statements.rows import Row

_SHORTEST_HEADER = 5
"""Letters of the first word of a header that may be misspelt: shorter ones are near words of other kinds (`vlan` and `vxlan`)."""
_SHORTEST_SHORT = 4
"""Letters of a first word that is cut short: fewer are those of many words that no row has."""
Guess = Callable[[Sequence[str], int], tuple[str, ...] | None]


def _is_alike(first: Sequence[str], header: Sequence[str]) -> bool:
    """Whether a header begins with these words, or nearly, as far as it reaches."""
    return all(word == wanted or is_near(word, wanted) for word, wanted in zip(first, header, strict=False))


@dataclass(frozen=True)
class Mode:
    """A kind of block, and the statements that may stand in it."""

    rows: tuple[Row, ...] = ()
    base: str = ""
    """Model path of what the block describes, below which the paths of its rows lie; `#` stands for its number."""
    opens: Mapping[str, str] = field(default_factory=dict)
    """Leading words (longest match wins) -> the mode of the block that such a line opens."""
    strict: bool = False
    """Ours as a whole: a line that no row begins with touches all that any row sets."""
    lenient: bool = False
    """Holds much that is none of our business: a line that begins as a row does and goes on otherwise is not ours."""
    raw: bool = False
    """Lines are kept as they stand, without a grammar (access lists)."""
    ignored: frozenset[str] = frozenset()
    """First words that are known and say nothing to the model, although they look like ours; in a strict or lenient mode, any
    word that goes on where the rows do not."""
    labels: frozenset[str] = frozenset()
    """First words of lines that only name things (description, vlan, vrf); kept apart from the facts."""
    also_labels: frozenset[str] = frozenset()
    """First words of statements of ours that name things as well: they are kept in both ways."""
    shared: frozenset[str] = frozenset()
    """First words that many other statements begin with: only the word behind them makes a line ours."""
    guess: Guess | None = None
    """(words of a line, how many of them some row has) -> the paths that it might set, None where it is not ours after all.
    Asked of lines that a strict or lenient mode does not know; left out, strict means all paths and lenient none."""
    doubted: str = ""
    """Model paths that are unknown where it is not clear what the header of such a block names."""

    @cached_property
    def takes_any_line(self) -> bool:
        """Whether every line is kept as it stands, whatever its words."""
        return self.raw and not (self.rows or self.opens or self.known or self.guess)

    @cached_property
    def leads(self) -> Node:
        """The rows by their leading words."""
        return tree(self.rows)

    @cached_property
    def is_tree(self) -> bool:
        """Its statements are leaves of a tree: a word that says nothing may stand anywhere on the way to one."""
        return any(row.leaf for row in self.rows)

    @cached_property
    def headers(self) -> tuple[tuple[str, ...], ...]:
        """The words that open a block."""
        return tuple(tuple(words.split(" ")) for words in self.opens)

    @cached_property
    def headers_by_word(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """First word -> the headers that begin with it, longest first, and the mode of the block that each opens."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for header, opened in sorted(self.opens.items(), key=lambda item: -len(item[0])):
            found[header.partition(" ")[0]].append((header, opened))
        return dict(found)

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The first words of those."""
        return frozenset(header[0] for header in self.headers)

    @cached_property
    def gaps(self) -> Mapping[tuple[int, tuple[str, ...]], Sequence[tuple[int, str]]]:
        """(place of a word, the words of a header around it) -> number and word of each header that has it there."""
        found: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]] = defaultdict(list)
        for number, header in enumerate(self.headers):
            for at, word in enumerate(header):
                if at or len(word) >= _SHORTEST_HEADER:
                    found[at, (*header[:at], *header[at + 1 :])].append((number, word))
        return found

    @cached_property
    def gap_places(self) -> frozenset[tuple[int, int]]:
        """(place of a word, words of a header) in `gaps`."""
        return frozenset((at, len(around) + 1) for at, around in self.gaps)

    @cached_property
    def _beginnings(self) -> Memory[str, bool]:
        return Memory()

    def may_open(self, word: str) -> bool:
        """Whether a header begins with this word, or with one of which it may be a misspelling."""
        found = self._beginnings.get(word)
        if found is None:
            found = word in self.first_words or any(is_near(word, wanted) for wanted in self.first_words)
            self._beginnings.keep(word, found)
        return found

    @cached_property
    def _decisive(self) -> Memory[tuple[str, ...], int]:
        return Memory()

    def beginning(self, words: Sequence[str]) -> tuple[str, ...]:
        """The first words that decide what a line opens, as many as may be those of a header, or nearly: one at least. "" stands in
        place of a third that is a name and no word of a header: no two access lists of a fleet are called alike.
        """
        most = self._longest(tuple(words[:1]))
        if most > 2:
            most = max(2, self._longest(tuple(words[:2])))
        if most < 3 or len(words) < 3:
            return tuple(words[:most])
        two = tuple(words[:2])
        is_word = any(words[2] == third or is_near(words[2], third) for third in self._third(two))
        return tuple(words[:most]) if is_word else (*two, "")

    def beginnings(self, words: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """The same and, where that is no name, one word more; of those that something follows."""
        first = self.beginning(words)
        if "" in first:
            return [first]
        return [tuple(words[:count]) for count in (len(first), len(first) + 1) if count < len(words)]

    @cached_property
    def _thirds(self) -> Memory[tuple[str, ...], frozenset[str]]:
        return Memory()

    def _third(self, two: tuple[str, ...]) -> frozenset[str]:
        """The third words of the headers that begin with two words, or nearly."""
        found = self._thirds.get(two)
        if found is None:
            alike = frozenset(header[2] for header in self.headers if len(header) > 2 and _is_alike(two, header))
            found = self._thirds.keep(two, alike)
        return found

    def _longest(self, first: tuple[str, ...]) -> int:
        """Words of the longest header that begins with these, or nearly; at least one."""
        found = self._decisive.get(first)
        if found is None:
            alike = (header for header in self.headers if _is_alike(first, header))
            found = self._decisive.keep(first, max(map(len, alike), default=1))
        return found

    @cached_property
    def _nearly(self) -> Memory[tuple[str, ...], str]:
        return Memory()

    def nearly_opens(self, words: Sequence[str]) -> str | None:
        """The mode of the first block whose header these words begin with but for one that is misspelt, a name behind them."""
        key = self.beginning(words)
        if len(words) <= len(key) and "" not in key:
            return self._nearly_opened(words)
        found = self._nearly.get(key)
        if found is None:
            found = self._nearly.keep(key, self._nearly_opened(words) or "")
        return found or None

    def _nearly_opened(self, words: Sequence[str]) -> str | None:
        near = [
            number
            for at, length in self.gap_places
            if length < len(words)
            for number, wanted in self.gaps.get((at, (*words[:at], *words[at + 1 : length])), ())
            if words[at] != wanted and is_near(words[at], wanted)
        ]
        return self.opens[" ".join(self.headers[min(near)])] if near else None

    @cached_property
    def _settled(self) -> Memory[str, bool]:
        return Memory()

    def is_settled_by(self, word: str) -> bool:
        """Whether nothing behind this first word makes a line ours: no row and no header begins with it, or nearly."""
        found = self._settled.get(word)
        if found is None:
            found = self._settled.keep(word, word in self.known and not self._may_begin(word))
        return found

    @cached_property
    def nearly_settled(self) -> Mapping[str, frozenset[str]]:
        """The first words of lines that name things and, with one of these words behind them, of statements of ours (`ip address` and
        `ip access-group`): with any other word they settle a line."""
        found = {}
        for word in self.labels & self.shared & self.leads.below.keys():
            behind = self.leads.below[word].below
            if behind and WILD not in behind and not self.may_open(word):
                found[word] = frozenset(behind)
        return found

    def _may_begin(self, word: str) -> bool:
        """Whether a row or a header begins with this word, or a header nearly."""
        return word in self.leads.below or WILD in self.leads.below or self.may_open(word)

    @cached_property
    def _foreign(self) -> Memory[str, bool]:
        return Memory()

    def is_foreign(self, word: str) -> bool:
        """Whether nothing of this mode begins with a word, or nearly."""
        found = self._foreign.get(word)
        if found is None:
            begins = self._may_begin(word)
            is_slip = not begins and meant(word, self.leads.words()) is not None
            found = self._foreign.keep(word, not (begins or is_slip or word in self.known))
        return found

    @cached_property
    def _short(self) -> Memory[str, bool]:
        return Memory()

    def may_begin_short(self, word: str) -> bool:
        """Whether a row begins with this word, or one only with a word that this one is the beginning of."""
        found = self._short.get(word)
        if found is None:
            begun = begun_by(word, self.leads.below) if len(word) >= _SHORTEST_SHORT else ""
            is_short = bool(begun) and word not in self.known
            found = self._short.keep(word, word in self.leads.below or is_short)
        return found

    @cached_property
    def _headers_begun(self) -> Memory[str, str]:
        return Memory()

    def header_begun_by(self, word: str) -> str:
        """The first word of a header that this one is cut short from; "" where it is from none, or may be from another word."""
        found = self._headers_begun.get(word)
        if found is None:
            words = {*self.known, *self.leads.below} - {WILD} if len(word) >= _SHORTEST_SHORT and self.opens else set()
            header = begun_header(word, words) if word not in words else ""
            found = self._headers_begun.keep(word, header if header in self.first_words else "")
        return found

    @cached_property
    def known(self) -> frozenset[str]:
        """First words that are no misspelling of others."""
        return self.ignored | self.labels | self.first_words
