"""Outline: a configuration text cut into stanzas, with the context of every nested statement.

Context follows indentation where there is any, and keywords where there is none (flat pastes). The work is proportional to
the number of top-level lines; equal bodies are cut once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from typing import NamedTuple

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.block import CONTEXT, Block, LateBlock, Texts, texts
from roce_audit.text.block import block as made_block
from roce_audit.text.leftout import MARKS_BEGIN, is_mark
from roce_audit.text.memo import Memory, sized
from roce_audit.text.statements.table import StatementTable
from roce_audit.text.structured.indented import depth

_LEAVING = ("exit", "end", "!")
_ELSEWHERE = lazy(
    r"(?:line|router|route-map|monitor|management|control-plane|role|track|key|daemon|object-group|banner|vlan) "
)
"""How blocks begin that no statement table lists, in all CLIs of this kind."""
_APART = lazy(
    r"(?:ip|ipv6|mac) (?:access-list|as-path|community-list|extcommunity-list|prefix-list|security|sla|vpn-instance) "
    r"|ip security$|vrf (?:context|definition|instance) |vpc domain |stp (?:process |region-configuration$)"
)
"""How more of them begin, whose first word is known inside of other blocks as well."""
_TOP_LINE = lazy(r"\n([^\s!#]\S*(?: \S+)?(?: (?=\S))?)")
"""The first two words of a top-level line, and the blank behind them where a third one follows."""
_INDENTED = lazy(r"\n[ \t]+[^\s!#]")
"""Both are looked for behind a newline before the text: a plain character is found at the speed of memory."""


_BEGINNING = 2
"""Letters of a second word, with which a misspelling of it begins as well."""
_BANNER = "banner "
"""How a line begins below which anything may stand."""

_Body = tuple[Texts, tuple[int, ...], tuple[str, ...]]
"""Statements, how many lines behind the header they stand, and the lines that only name things."""
_Line = tuple[str | None, bool, bool, bool]
"""The mode of the block that a line opens, whether it is a label where no block is open inside, whether it is ours,
and whether both."""


class _Shape(NamedTuple):
    """What bodies have in common."""

    texts: Texts
    offsets: tuple[int, ...]
    named: tuple[tuple[str, int], ...]
    """The lines that only name things; of one that was cut short the word, and which of the cut ones it is, else -1."""


@dataclass(slots=True)
class _Open:
    """The block of the outermost level that is open, while the lines behind it are looked at."""

    mode: str
    header: str
    line: int
    below: str
    """What stands below the header, up to the next line that is not indented."""
    is_flat: bool
    """Whether it is written without indentation."""
    is_inside: bool = False
    """Whether a block that it took a line for is open inside."""
    is_unsure: bool = False
    """Whether a line was passed over that nobody knows."""
    taken: list[str] | None = None
    """Its lines, where some that are not indented were given back to it."""

    @property
    def body(self) -> str:
        """All that belongs to it."""
        return self.below if self.taken is None else "\n".join(self.taken)

    def take(self, line: int, header: str, below: str) -> None:
        """Give it a line that is not indented, and what stands below that."""
        if self.taken is None:
            self.taken = self.below.split("\n")
        index = line - self.line - 1
        del self.taken[index:]  # the empty piece after the last newline
        self.taken.extend([""] * (index - len(self.taken)))
        self.taken.append(header)
        self.taken.extend(below.split("\n"))
        self.is_flat = self.is_flat or not _is_indented(self.below)
        self.is_unsure = False  # the top level does not know this line, so the block had not ended


@dataclass(frozen=True, slots=True)
class Stanza:
    """A block of the outermost level. Statements carry the headers of nested blocks; `mode` is the block's kind."""

    mode: str
    header: str
    line: int
    given: Block | LateBlock
    labels: tuple[str, ...] = ()

    @property
    def block(self) -> Block:
        """The statements below the header."""
        return self.given.cut() if isinstance(self.given, LateBlock) else self.given


@dataclass(frozen=True, slots=True)
class Outline:
    """A text in stanzas. `top` holds the outermost statements that concern us; `headers` counts nothing else."""

    stanzas: tuple[Stanza, ...]
    top: Block
    lines: int


def on_lines(outline: Outline, lines: Sequence[int], count: int) -> Outline:
    """An outline of statements that were put together, on the lines of what they were made of; `count` is how many that has."""

    def moved(made: Block) -> Block:
        places = tuple([lines[made.first + offset - 1] for offset in made.offsets])
        return made_block(made.path, lines[min(made.first, len(lines)) - 1], made.texts.statements, places)

    stanzas = [
        Stanza(one.mode, one.header, lines[one.line - 1], moved(one.block), one.labels) for one in outline.stanzas
    ]
    return Outline(tuple(stanzas), moved(outline.top), count)


def _characters(stanza: tuple[str, str]) -> int:
    return len(stanza[1])


class Outliner:
    """Cuts texts of one syntax; memoises bodies.

    `skip` is given every top-level line that begins a banner and its end in the text; it returns where the text goes on behind
    it, or None where it goes on with the next line.
    """

    def __init__(self, table: StatementTable, skip: Callable[[str, str, int], int | None]) -> None:
        self.table = table
        self.skip = skip
        self._cut_by_lines = sized(_characters)(self._by_lines)
        self._known_lines: Memory[tuple[str, str], _Line] = Memory()
        self._raw_lines: Memory[str, tuple[str, int]] = Memory()
        self._headers: Memory[str, tuple[str, str | None, bool]] = Memory()
        self._shape = sized(_characters)(self._cut_shape)
        self._settled: dict[str, re.Pattern[str] | None] = {}
        self._foreign: Memory[str, str] = Memory()
        """How top-level lines begin that say nothing whatever follows, and the first word by which a block may know them."""
        no_statements = "|".join(map(re.escape, table.comments))
        self._silent = re.compile(rf"\n[^\S\n]*+(?:{no_statements}|(?:exit|end|!)[^\S\n]*$|$)", re.M)
        """Where the lines begin that `_kept` does not keep, behind a newline: they are few."""
        self._negations = tuple([f"{word} " for word in table.negations])

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; `first_line` is the line of the file on which it begins."""
        stanzas: list[Stanza] = []
        top: list[tuple[str, int]] = []
        is_flat = not _is_indented(text)
        block: _Open | None = None
        line, counted = first_line, 0
        for start, beginning, rest in self._top_lines(text):
            foreign = self._foreign.get(beginning)
            if foreign is not None:
                if block is None:
                    continue
                if not block.is_flat and self._ends(block.mode, foreign):
                    stanzas.append(self._stanza(block, path))
                    block = None
                    continue
            line += text.count("\n", counted, start)
            counted = start
            behind, _, below = rest.partition("\n")
            header = beginning + behind
            if foreign and block is not None and not block.is_flat and self.table.is_settled_by(block.mode, foreign):
                block.take(line, header, below)
                continue
            clean, mode, ours = self._header(header)
            if foreign is None and mode is None and not ours:
                self._note_foreign(beginning, clean)
            if block is not None:
                if mode is None and self._goes_on(block, line, header, clean, ours, below):
                    continue
                stanzas.append(self._stanza(block, path))
                block = None
            if mode is not None:
                block = _Open(mode, clean, line, below, is_flat)
            elif ours and clean not in _LEAVING:
                top.append((clean, line))
        if block is not None:
            stanzas.append(self._stanza(block, path))
        top_block = made_block(path, first_line, tuple(t for t, _ in top), tuple(n for _, n in top))
        return Outline(tuple(stanzas), top_block, text.count("\n") + 1)

    def _top_lines(self, text: str) -> Iterator[tuple[int, str, str]]:
        """Where each line that is not indented begins, its first words, and the rest up to the next one; without banners."""
        before, *pieces = _TOP_LINE.split(f"\n{text}")
        resume, following = 0, len(before)
        for beginning, rest in zip(pieces[::2], pieces[1::2], strict=True):
            start, following = following, following + 1 + len(beginning) + len(rest)
            if start < resume:
                continue
            header = beginning + rest.partition("\n")[0] if beginning.startswith(_BANNER.rstrip()) else ""
            if header.startswith(_BANNER):
                skipped = self.skip(header, text, start + len(header))
                if skipped is not None:
                    resume = skipped
                    continue
            yield start, beginning, rest

    def _goes_on(self, block: _Open, line: int, header: str, clean: str, ours: bool, below: str) -> bool:
        """Whether the open block goes on with a line that is not indented and opens none: it takes it, or passes over it.

        Where its own lines are not indented either (a flat paste) it takes what its mode knows, as the device does; after an
        indented body only lines that no table of the top level claims. Where nothing in the text is indented, or lines of
        the block were seen not to be, lines that no table claims are passed over, and behind them it takes nothing before a line
        that the top level does not understand.
        """
        if clean == "exit" and block.is_inside:
            block.is_inside = False
            block.take(line, header, "")
            return True
        if clean in _LEAVING:
            return False
        if self._inside(block.mode, clean) and (
            self.table.parse("top", clean).value is None
            if block.is_unsure
            else not ours or not (_is_indented(block.below) or self._is_of_top(block.mode, clean))
        ):
            block.is_inside = block.is_inside or self.table.opens(block.mode, clean) is not None
            block.take(line, header, below)
            return True
        if block.is_flat and not ours and not self._opens_other(clean):
            block.is_unsure = True
            return True
        return False

    def _is_of_top(self, mode: str, text: str) -> bool:
        """Whether the top level understands a line that the block, and those in it, know by its first words alone."""
        parse, modes = self.table.parse, (mode, *self.table.openers.get(mode, {}).values())
        return parse("top", text).value is not None and all(parse(one, text).value is None for one in modes)

    def _stanza(self, block: _Open, path: str) -> Stanza:
        """A block to which nothing more belongs."""
        mode, body = block.mode, block.body
        if self.table.takes_any_line(mode):
            count = body.count("\n") + 1 - len(self._silent.findall(f"\n{body}"))
            late = LateBlock(path, block.line, count, partial(self._kept, body))
            return Stanza(mode, block.header, block.line, late)
        said, offsets, labels = self._cut_alike(mode, body) or self._cut_by_lines((mode, body))
        return Stanza(mode, block.header, block.line, Block(said, path, block.line, offsets), labels)

    def _header(self, header: str) -> tuple[str, str | None, bool]:
        found = self._headers.get(header)
        if found is None:
            clean = " ".join(header.split())
            clean = self.table.header_in_full("top", clean) or clean
            found = (clean, *self.table.begins("top", clean))
            self._headers.keep(header, found)
        return found

    def _note_foreign(self, beginning: str, line: str) -> None:
        """Remember how a line began that is none of ours, where nothing that may stand behind makes another one ours."""
        words = beginning.split(" ")
        if words.pop() or beginning.startswith((_BANNER, *self._negations)):
            return
        if self.table.begins_nothing("top", words) and self.table.misspelt_header("top", line) is None:
            self._foreign.keep(beginning, "" if _APART.match(beginning) else words[0])

    def _ends(self, mode: str, foreign: str) -> bool:
        """Whether a line that says nothing, and begins with this word where a block may know it, ends a block of this mode: no
        line of the block begins so, nor one of a block that is opened in it."""
        modes = (mode, *self.table.openers.get(mode, {}).values())
        return not foreign or all(self.table.is_foreign(one, foreign) for one in modes)

    def _opens_other(self, text: str) -> bool:
        """Whether a line that the table does not list begins a block, or nearly does."""
        begins = _ELSEWHERE.match(text) is not None or _APART.match(text) is not None
        return begins or self.table.misspelt_header("top", text) is not None

    def _inside(self, mode: str, text: str) -> bool:
        """Whether the block knows a line; what the top level lists as it is spelt is no misspelling inside, and what opens a block
        of the top level, or nearly does, is no line of this one: what stands below it would be taken for this block's."""
        if _APART.match(text) is not None:
            return False
        knows = self.table.lists if self.table.lists("top", text) else self.table.knows
        is_known = knows(mode, text) or any(knows(m, text) for m in self.table.openers.get(mode, {}).values())
        return is_known and self.table.misspelt_header("top", text) is None

    def _cut_alike(self, mode: str, body: str) -> _Body | None:
        """What a block of a mode holds, by the lines below its header, from a body that differs only behind words which settle what a
        line is; None where a line with such a word stands in a block that is opened in it.
        """
        settling = self._settling(mode)
        if settling is None:
            return None
        pieces = settling.split(f"\n{body}")  # both groups are kept; `sub` takes thrice as long
        values = pieces[2::3]
        del pieces[2::3]
        shape = self._shape((mode, "".join(pieces)))
        if shape is None:
            return None
        labels = [line if cut < 0 else " ".join((line, *values[cut].split())) for line, cut in shape.named]
        return shape.texts, shape.offsets, tuple(labels)

    def _settling(self, mode: str) -> re.Pattern[str] | None:
        """What finds the lines of a mode that are none of ours by their first word; None where there are no such words.

        Where the second word decides, those that begin as the ones that are ours do are gone through: they may be misspelt.
        """
        if mode not in self._settled:
            nearly = [
                rf"{re.escape(word)}(?![ \t]+(?:{'|'.join(re.escape(one[:_BEGINNING]) for one in sorted(behind))}))"
                for word, behind in sorted(self.table.nearly_settling_words(mode).items())
            ]
            words = "|".join((*map(re.escape, self.table.settling_words(mode)), *nearly))
            self._settled[mode] = re.compile(rf"(\n[ \t]*(?:{words})(?!\S))([^\n]*)") if words else None
        return self._settled[mode]

    def _cut_shape(self, stanza: tuple[str, str]) -> _Shape | None:
        """What bodies of a mode have in common that are this one, behind a newline, but for what stands behind settling words."""
        mode, body = stanza
        cut_behind = (*self.table.settling_words(mode), *self.table.nearly_settling_words(mode))
        return self._gone_through(mode, body, frozenset(cut_behind))

    def _by_lines(self, stanza: tuple[str, str]) -> _Body:
        """What a block of a mode holds, line by line."""
        mode, body = stanza
        shape = self._gone_through(mode, f"\n{body}", frozenset())
        assert shape is not None
        return shape.texts, shape.offsets, tuple([line for line, _ in shape.named])

    def _gone_through(self, mode: str, body: str, cut_behind: Set[str]) -> _Shape | None:
        """What the lines of a body, behind a newline, are in a block of `mode`.

        Where lines are cut short behind the words that settle them in `mode`, None says that one may stand in a block inside.
        """
        statements: list[str] = []
        offsets: list[int] = []
        named: list[tuple[str, int]] = []
        stack: list[tuple[str, int, str]] = []
        cut = -1
        for offset, raw in enumerate(body.split("\n")):
            is_cut = raw.strip(" \t") in cut_behind
            cut += is_cut
            text, indent = self._raw_lines.get(raw) or self._said(raw)
            if not text:
                continue
            if text in _LEAVING:
                if text == "exit" and stack:
                    stack.pop()
                continue
            if is_cut and stack:
                if indent > stack[0][1] or (len(stack) > 1 and indent == stack[1][1]):
                    return None
                stack.clear()
            while stack and not self._belongs(text, indent, mode, stack):
                stack.pop()
            inner, _, context = stack[-1] if stack else (mode, 0, "")
            opened, is_label, is_ours, is_both = self._known_lines.get((inner, text)) or self._line(inner, text)
            if not (is_ours or is_label) and (full := self.table.in_full(inner, text)):
                text, is_ours = full, True
            if (is_label or is_both) and not stack:
                named.append((text, cut if is_cut else -1))
            if is_ours and (stack or not is_label):
                statements.append(context + text)
                offsets.append(offset)
            if opened is not None:
                stack.append((opened, indent, context + text + CONTEXT))
        return _Shape(texts(tuple(statements)), tuple(offsets), tuple(named))

    def _kept(self, body: str) -> tuple[Texts, tuple[int, ...]]:
        """The statements of a body whose lines are kept as they stand, and how many lines behind the header they stand."""
        lines = _clean_lines(body)
        if lines is None:
            lines = [self._said(raw)[0] for raw in body.split("\n")]
        found = [(n, line) for n, line in enumerate(lines, 1) if line and line not in _LEAVING]
        kept = [(n, line) for n, line in found if not line.startswith(self.table.comments)]
        return texts(tuple([line for _, line in kept])), tuple([n for n, _ in kept])

    def _said(self, raw: str) -> tuple[str, int]:
        """A line with single blanks and its indentation; "" for a comment."""
        text = " ".join(raw.split())
        is_comment = text.startswith(self.table.comments) and text not in _LEAVING and not is_mark(text)
        return self._raw_lines.keep(raw, ("" if is_comment else text, depth(raw)))

    def _line(self, mode: str, text: str) -> _Line:
        if text[0] in MARKS_BEGIN and is_mark(text):
            return (None, False, True, False)
        word = text.partition(" ")[0]
        if self.table.says_nothing(mode, word) or self.table.is_settled_by(mode, word):  # no two are the same
            return (None, self.table.is_label(mode, word), False, False)
        opened, is_ours = self.table.begins(mode, text)
        is_ours = opened is not None or is_ours
        is_both = is_ours and self.table.is_also_label(mode, text)
        return self._known_lines.keep((mode, text), (opened, self.table.is_label(mode, text), is_ours, is_both))

    def _belongs(self, text: str, indent: int, mode: str, stack: list[tuple[str, int, str]]) -> bool:
        """Whether a line is inside the innermost open block: deeper, or known (or understood) only there and level with it or
        without indentation."""
        inner, header_indent, _ = stack[-1]
        if indent not in (0, header_indent):
            return indent > header_indent
        outer = stack[-2][0] if len(stack) > 1 else mode
        if not self.table.lists(inner, text) or not self.table.lists(outer, text):
            return self.table.lists(inner, text)
        return self.table.parse(inner, text).value is not None and self.table.parse(outer, text).value is None


def _is_indented(text: str) -> bool:
    """Whether a line is that says something."""
    return _INDENTED.search(f"\n{text}") is not None


def _clean_lines(body: str) -> list[str] | None:
    """The lines of a body that have one indentation and single blanks; None where any of them is otherwise."""
    body = body.rstrip("\n")
    indent = body[: depth(body)]
    text = body[len(indent) :].replace(f"\n{indent}", "\n")
    words = text.replace("\n", " ")
    is_clean = words.isprintable() and "  " not in words and not words.endswith(" ") and "\n" not in indent
    return text.split("\n") if is_clean else None
