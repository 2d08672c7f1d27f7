"""What the statements of a block say by themselves, wherever the block stands: equal blocks are looked at once."""

from __future__ import annotations

import contextlib

from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.filters import FILTER, Filter
from roce_audit.platforms.shared.cli.syntax import Syntax
from roce_audit.platforms.shared.references import Name
from roce_audit.records import dataclass
from roce_audit.text.block import CONTEXT, Block, Texts
from roce_audit.text.memo import Memory


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """What a block says: how many relevant statements, which were not understood, what they name."""

    relevant: int
    unread: tuple[int, ...]
    names: tuple[tuple[int, Name, str], ...]
    """(index of the statement, the name it refers to, the statement itself)."""
    lag: str


@dataclass(frozen=True, slots=True)
class Header:
    """The header of an interface stanza."""

    given: str
    """The ports as they are written."""
    names: tuple[tuple[str, str], ...] | None
    """Their names and kinds; None where it is no name of this platform."""
    is_taken_back: bool


def given_in(header: str) -> str:
    """The ports of an interface stanza, as its header names them."""
    return header.partition(" ")[2].removeprefix("range ").strip()


class Knowledge:
    """What is known of the blocks of one platform by their texts alone."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self._labels: Memory[tuple[tuple[str, ...], str], Labels] = Memory()
        self._headers: Memory[str, Header] = Memory()
        self._known: Memory[tuple[Texts, str], BlockFacts] = Memory()

    def labels(self, lines: tuple[str, ...], kind: str) -> Labels:
        """The labels of a port of this kind; most lines that name something are on many switches."""
        key = (lines, kind)
        found = self._labels.get(key)
        return self._labels.keep(key, self.syntax.labels(lines, kind)) if found is None else found

    def of(self, block: Block, kind: str) -> BlockFacts:
        """The knowledge of a block of this kind."""
        key = (block.texts, kind)
        found = self._known.get(key)
        return self._known.keep(key, self._look_at(block.texts.statements, kind)) if found is None else found

    def header(self, header: str) -> Header:
        """What the header of an interface names; fleets have few of them."""
        found = self._headers.get(header)
        return self._headers.keep(header, self._named(header)) if found is None else found

    def _named(self, header: str) -> Header:
        word, _, taken_back = header.partition(" ")
        is_taken_back = word in self.syntax.table.negations
        given = given_in(taken_back if is_taken_back else header)
        names: tuple[tuple[str, str], ...] | None = None
        with contextlib.suppress(ValueError):
            interfaces = self.syntax.interfaces
            names = tuple([(name, interfaces.kind(name)) for name in interfaces.expand(given)])
        return Header(given, names, is_taken_back)

    def _look_at(self, statements: tuple[str, ...], kind: str) -> BlockFacts:
        if self.syntax.table.takes_any_line(kind):
            return BlockFacts(len(statements), (), (), "")
        relevant, lag = 0, ""
        unread: list[int] = []
        names: list[tuple[int, Name, str]] = []
        for index, statement in enumerate(statements):
            parsed = self.syntax.table.parse(kind, statement)
            relevant += parsed.is_ours
            if parsed.unread and all(header.value is not None for header in parsed.context):
                unread.append(index)
            if parsed.value is not None:
                quote = statement.rpartition(CONTEXT)[2]
                if isinstance(parsed.value, Filter):
                    names += [] if parsed.value.name is None else [(index, (FILTER, parsed.value.name), quote)]
                names.extend((index, name, quote) for name in self.syntax.named_by(parsed.value, kind))
                lag = (self.syntax.lag_of(parsed.value) if kind == "port" else "") or lag
        return BlockFacts(relevant, tuple(unread), tuple(names), lag)


_OF_PLATFORM: dict[str, Knowledge] = {}


def knowledge_of(syntax: Syntax) -> Knowledge:
    """The knowledge of a platform's blocks, shared by all its devices."""
    return _OF_PLATFORM.setdefault(syntax.name, Knowledge(syntax))
