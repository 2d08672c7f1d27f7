"""The statement table of one syntax: which statements of which blocks concern us, what they say, what is unknown without them.

Its modes are the kinds of blocks; the outermost mode of a command line is "top". A line that begins as a row does and is not
understood is *not parsed*: a finding, and doubt about what the row sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from roce_audit.text.block import CONTEXT
from roce_audit.text.leftout import MARKS_BEGIN, is_mark
from roce_audit.text.memo import Memory
from roce_audit.text.statements.grammar import Grammar
from roce_audit.text.statements.leads import Found, follow, in_full
from roce_audit.text.statements.leaves import read_keys, read_leaf
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf

_NOT_OURS = Parsed(None, None)


@dataclass
class StatementTable:
    """All statements of one syntax. Parsing is memoised by mode and text."""

    name: str
    modes: Mapping[str, Mode]
    types: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    """Name of a capture's type -> what reads it; raises ValueError for what it is not."""
    negations: tuple[str, ...] = ("no", "default")
    comments: tuple[str, ...] = ("!",)
    _parsed: Memory[tuple[str, str], Parsed] = field(default_factory=Memory, repr=False)
    _followed: Memory[tuple[str, str], Found] = field(default_factory=Memory, repr=False)
    _begun: Memory[tuple[str, ...], tuple[str | None, bool]] = field(default_factory=Memory, repr=False)

    @cached_property
    def grammar(self) -> Grammar:
        """What understands the statements."""
        return Grammar({name: mode.rows for name, mode in self.modes.items()}, self.types, self.negations)

    def takes_any_line(self, mode: str) -> bool:
        """Whether every line of a block of this mode is kept as it stands, whatever its words."""
        return mode in self.modes and self.modes[mode].takes_any_line

    def is_settled_by(self, mode: str, word: str) -> bool:
        """Whether a line of `mode` that begins with this word is none of ours, whatever stands behind it."""
        known = self.modes.get(mode)
        return known is not None and word not in self.negations and known.is_settled_by(word)

    def says_nothing(self, mode: str, word: str) -> bool:
        """Whether a line of `mode` that begins with this word opens nothing and is none of ours, whatever stands behind it."""
        known = self.modes.get(mode)
        if known is None or known.strict or known.raw or known.guess is not None or word in self.negations:
            return known is None
        return known.is_foreign(word) or known.is_settled_by(word)

    def settling_words(self, mode: str) -> Sequence[str]:
        """The words of which `is_settled_by` holds."""
        known = self.modes.get(mode)
        return sorted(word for word in known.known if self.is_settled_by(mode, word)) if known is not None else ()

    def nearly_settling_words(self, mode: str) -> Mapping[str, frozenset[str]]:
        """Words that settle a line as those do, but for lines on which one of these stands behind them."""
        known = self.modes.get(mode)
        found = known.nearly_settled if known is not None else {}
        return {word: behind for word, behind in found.items() if word not in self.negations}

    def begins(self, mode: str, text: str) -> tuple[str | None, bool]:
        """The mode of the block that this line opens in `mode`, and whether the line is ours, as `opens` and `paths` say.

        Routes, prefix lists and the like differ far behind the words that decide.
        """
        known = self.modes.get(mode)
        if known is None or not text:
            return None, False
        words = self._words(text)
        keys = [(mode, *key) for key in known.beginnings(words)] if known.guess is None else []
        for key in keys:
            found = self._begun.get(key)
            if found is not None:
                return found
        found = self.opens(mode, text), self.paths(mode, text) is not None
        depth = 0 if known.takes_any_line or not keys else self._found(mode, text).depth
        enough = next((key for key in keys if depth < len(key) - 1 - key.count("")), None)
        return found if enough is None else self._begun.keep(enough, found)

    def begins_nothing(self, mode: str, words: Sequence[str]) -> bool:
        """Whether it was found that a line of `mode` with these first words and more behind them opens nothing and is not ours."""
        return any(self._begun.get((mode, *words[:count])) == (None, False) for count in range(1, len(words) + 1))

    def is_foreign(self, mode: str, word: str) -> bool:
        """Whether nothing in `mode` begins with a word, or nearly."""
        return mode not in self.modes or self.modes[mode].is_foreign(word)

    def opens(self, mode: str, text: str) -> str | None:
        """The mode of the block that this line opens in `mode`; None when it opens none we know."""
        known = self.modes.get(mode)
        if known is None:
            return None
        first, _, rest = text.partition(" ")
        if rest and first in self.negations:
            text, first = rest, rest.partition(" ")[0]
        for header, opened in known.headers_by_word.get(first, ()):
            if text.startswith(header) and text[len(header) : len(header) + 1] in ("", " "):
                return opened
        return None

    def paths(self, mode: str, text: str) -> tuple[str, ...] | None:
        """The model paths that this line of `mode` touches; None when it is not ours.

        A misspelt word of ours is ours: `prority-flow-control` touches what `priority-flow-control` does. An empty text is
        the head of a block, and says nothing itself.
        """
        known = self.modes.get(mode)
        if known is None or not text:
            return None
        if known.takes_any_line:
            return ()
        if text[0] in MARKS_BEGIN and is_mark(text):
            return tuple(known.leads.paths)  # what stood there may have set anything in the block
        words = self._words(text)
        found = self._found(mode, text)
        if found.misspelt is not None:
            paths = found.paths
            if paths or known.strict or found.misspelt or found.node.is_judged:
                return paths
            # a first word that would set nothing: does the platform want it told?
            return None if known.guess is None else known.guess(words, 0)
        if found.depth < 2 and self.misspelt_header(mode, text) is not None:
            return ()
        parted = words[found.depth] if found.depth < len(words) else None
        if parted is not None and not found.depth and self._is_known(mode, text):
            return None
        if parted in known.ignored and known.is_tree:
            return None
        begun = found.depth > 1 or (found.depth == 1 and (found.node.ends or words[0] not in known.shared))
        if begun and (parted is None or not known.lenient or found.node.never):
            return found.paths
        if known.guess is not None:
            return known.guess(words, found.depth)
        return tuple(known.leads.paths) if known.strict or known.raw else None

    def misspelt_header(self, mode: str, text: str) -> str | None:
        """The mode of the block that a line would open but for one misspelt word: nobody reads what stands in it. None: no such line."""
        known, words = self.modes.get(mode), self._words(text)
        if known is None or not known.may_open(words[0]) or self.opens(mode, text) is not None:
            return None
        return None if _is_sentence(words) else known.nearly_opens(words)

    def _is_known(self, mode: str, text: str) -> bool:
        """Whether the line begins with a word that is known and not ours, or opens a block."""
        return self._words(text, 1)[0] in self.modes[mode].known or self.opens(mode, text) is not None

    def _found(self, mode: str, text: str) -> Found:
        """How far a line goes along with the rows of its mode; asked when texts are cut and when they are parsed."""
        key = (mode, text)
        found = self._followed.get(key)
        if found is None:
            known = self.modes[mode]
            found = self._followed.keep(key, follow(known.leads, self._words(text), known.known))
        return found

    def is_label(self, mode: str, text: str) -> bool:
        """Whether this line only names things: no row goes along with more of it than its first word."""
        labels = self.modes[mode].labels if mode in self.modes else ()
        if not labels or self._words(text, 1)[0] not in labels:
            return False
        return self._found(mode, text).depth < 2

    def is_also_label(self, mode: str, text: str) -> bool:
        """Whether this line, one of ours, names things as well."""
        also = self.modes[mode].also_labels if mode in self.modes else ()
        return bool(also) and self._words(text, 1)[0] in also

    def lists(self, mode: str, text: str) -> bool:
        """Whether the table of `mode` names the leading words of this line as they are spelt."""
        if mode not in self.modes:
            return False
        known, words = self.modes[mode], self._words(text)
        if self.opens(mode, text) is not None or words[0] in known.ignored or words[0] in known.labels:
            return True
        below = known.leads.below.get(words[0])
        return below is not None and (
            below.ends or words[0] not in known.shared or words[1:2] in ([w] for w in below.below)
        )

    def knows(self, mode: str, text: str) -> bool:
        """Whether the table of `mode` names the leading words of this line, or a word that is misspelt in it."""
        if mode not in self.modes or self.modes[mode].is_foreign(self._words(text, 1)[0]):
            return False
        return self.lists(mode, text) or self._found(mode, text).misspelt is not None

    @cached_property
    def openers(self) -> Mapping[str, Mapping[str, str]]:
        """mode -> leading words -> the mode of the block that such a line opens."""
        return {name: mode.opens for name, mode in self.modes.items()}

    def parse(self, mode: str, statement: str) -> Parsed:
        """The statement of a block of `mode`; `statement` may carry the headers of nested blocks before CONTEXT."""
        key = (mode, statement)
        found = self._parsed.get(key)
        return self._parsed.keep(key, self._parse(mode, statement)) if found is None else found

    def _parse(self, mode: str, statement: str) -> Parsed:
        *headers, text = statement.split(CONTEXT)
        around: list[Parsed] = []
        for header in headers:
            around.append(self.parse(mode, header))
            mode = self.opens(mode, header) or mode
        parsed = self._one(mode, text)
        return replace(parsed, context=tuple(around)) if around else parsed

    def _one(self, mode: str, text: str) -> Parsed:
        paths = self.paths(mode, text)
        if paths is None:
            return _NOT_OURS
        if self.modes[mode].raw:
            return Parsed(paths, text)
        found = self._found(mode, text)
        is_back = found.node.taken_back and text.partition(" ")[0] in self.negations
        in_doubt = found.misspelt is not None or (found.node.never and not is_back)
        value = None if in_doubt else self._read(mode, text, found)
        if value is None and (full := self.in_full(mode, text)):
            value = self.grammar.understand(mode, full)
        return Parsed(paths, value) if value is not None else Parsed(paths, None, meant=self._meant(text, found))

    def in_full(self, mode: str, text: str) -> str:
        """A statement of rows whose words are cut short (`service-pol type qos in X`), in full; "" where it is none that is understood.

        A command line takes a word that only one other begins with; no device prints one.
        """
        known = self.modes.get(mode)
        words = self._words(text)
        if known is None or known.is_tree or known.raw or not known.may_begin_short(words[0]):
            return ""
        full = " ".join(in_full(known.leads, words))
        said = f"{text.partition(' ')[0]} {full}" if len(words) <= text.count(" ") else full
        return said if said != text and self.grammar.understand(mode, said) is not None else ""

    def header_in_full(self, mode: str, text: str) -> str:
        """A header whose first word is cut short (`policy-m type qos IN`), in full; "" where it is none."""
        known = self.modes.get(mode)
        first, _, rest = text.partition(" ")
        word = known.header_begun_by(first) if known is not None else ""
        full = f"{word} {rest}".rstrip()
        return full if word and self.opens(mode, full) is not None else ""

    def _read(self, mode: str, text: str, found: Found) -> object:
        """What a statement says; None where nobody understands it. A leaf of a tree has no negated form."""
        if found.node.leaf is not None:
            words = self._words(text)
            negated = len(words) <= text.count(" ")
            return None if negated else read_leaf(found.node.leaf, words, self.types)
        value = self.grammar.understand(mode, text)
        if value is None:
            uncommented = self._before_comment(text)
            value = None if uncommented == text else self.grammar.understand(mode, uncommented)
        return value

    def _meant(self, text: str, found: Found) -> Leaf | None:
        """The leaf that was not understood."""
        row = found.node.leaf or found.node.passing
        if row is None:
            return None
        words = self._words(text)
        whole = found.node.leaf is not None and found.depth == len(words)
        return Leaf(row.leaf if whole else "", read_keys(row, words[: found.depth], self.types), None)

    def _before_comment(self, text: str) -> str:
        """A statement without the remark that people write behind it (`pause pfc-cos 3 ! lossless`); no device prints one."""
        return min((text.partition(f" {sign} ")[0] for sign in self.comments), key=len, default=text)

    def _words(self, text: str, most: int = -1) -> list[str]:
        """The words of a line, without its negation; with `most`, no more than so many."""
        words = text.split(" ", most + 1 if most > 0 else -1)
        words = words[1:] if words[0] in self.negations and len(words) > 1 else words
        return words[:most] if most > 0 else words


def _is_sentence(words: Sequence[str]) -> bool:
    """Whether a line is part of a sentence about what its first word names: `interface, but never`."""
    return words[0].endswith(",") and len(words) > 1 and words[1].isalpha() and words[1].islower()
