"""Blocks: runs of statements that stand together, with their texts shared over the whole fleet.

`Texts` are interned: equal statement lists are one object, so a memo key costs as much as the number of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, overload

from roce_audit.records import dataclass
from roce_audit.text.memo import Memory
from roce_audit.values import At, Cited, DefaultLocation, Far, Header, Place, Where

CONTEXT = "\x1f"
"""Separates the headers of nested blocks from a statement: `uc-tx-queue 3<CONTEXT>priority strict`."""
SHOWN = "state"
"""The kind of a part that a show command told of a port, and no configuration."""


class Texts:
    """An interned tuple of statements: what is equal is identical, unless the memory was emptied in between. See `texts`."""

    __slots__ = ("statements",)

    def __init__(self, statements: tuple[str, ...]) -> None:
        self.statements = statements

    def __repr__(self) -> str:
        return f"Texts({self.statements!r})"


_INTERNED: Memory[tuple[str, ...], Texts] = Memory()
_OFFSETS: Memory[tuple[int, ...], tuple[int, ...]] = Memory()


def texts(statements: tuple[str, ...]) -> Texts:
    """The one `Texts` object for these statements."""
    return _INTERNED.get(statements) or _INTERNED.keep(statements, Texts(statements))


def _shared(offsets: tuple[int, ...]) -> tuple[int, ...]:
    found = _OFFSETS.get(offsets)
    return _OFFSETS.keep(offsets, offsets) if found is None else found


@dataclass(frozen=True, slots=True)
class Block:
    """Statements of one stanza of one file. Statement i stands on line `first + offsets[i]`."""

    texts: Texts
    path: str
    first: int
    offsets: tuple[int, ...]

    def place(self, index: int) -> Place:
        """The line of statement `index`, or of the block's header."""
        return Place(self.path, self.first + (self.offsets[index] if index >= 0 else 0))


class LateBlock:
    """A block of `count` statements that is cut when somebody asks for it: hardly any access list is named by what is read."""

    __slots__ = ("_cut", "_found", "count", "first", "path")

    def __init__(self, path: str, first: int, count: int, cut: Callable[[], tuple[Texts, tuple[int, ...]]]) -> None:
        self.path = path
        self.first = first
        self.count = count
        self._cut = cut
        self._found: Block | None = None

    def cut(self) -> Block:
        """The block."""
        if self._found is None:
            found, offsets = self._cut()
            self._found = Block(found, self.path, self.first, offsets)
        return self._found


def block(path: str, first: int, statements: tuple[str, ...], lines: tuple[int, ...]) -> Block:
    """A block from absolute line numbers (one per statement); texts and offsets are interned."""
    offsets = tuple([line - first for line in lines])
    return Block(texts(statements), path, first, _shared(offsets))


_LED: Memory[tuple[Texts, tuple[int, ...], int, str], tuple[Texts, tuple[int, ...]]] = Memory()


def with_first(inner: Block, line: int, statement: str) -> Block:
    """The block with one more statement before the others, which stands on `line`."""
    shift = inner.first - line
    key = (inner.texts, inner.offsets, shift, statement)
    found = _LED.get(key)
    if found is None:
        offsets = _shared((0, *[shift + offset for offset in inner.offsets]))
        found = _LED.keep(key, (texts((statement, *inner.texts.statements)), offsets))
    led, offsets = found
    return Block(led, inner.path, line, offsets)


HEADER = -1
"""The index of a block's header, in places where statements have theirs."""


def headers(lines: Iterable[Where]) -> tuple[At, ...]:
    """The headers of the stanzas that these statements stand in: where something is missing beside what they say."""
    return tuple(dict.fromkeys(DefaultLocation(at.part, HEADER) for at in lines if isinstance(at, At)))


Role = Literal["own", "lag", "bound", "device"]
"""own: the port's stanza; lag: its channel's; bound: a policy or profile the port names; device: for all ports."""


@dataclass(frozen=True, slots=True)
class Part:
    """A block that concerns a port, and in which way; `kind` and `name` are the platform's (a policy and its name)."""

    role: Role
    block: Block
    kind: str = ""
    name: str = ""
    unknown: tuple[str, ...] = ()
    """Model paths that it might set, where nobody can tell what it is about."""


Parts = Sequence[Part]
"""What a port or device was read from."""


@dataclass(frozen=True, slots=True)
class PartShape:
    """A part without its place."""

    role: Role
    texts: Texts
    offsets: tuple[int, ...]
    kind: str
    name: str
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlacedParts(Sequence[Part]):
    """The parts of a port as they are kept: what many ports have in common once, and of each port only where its parts begin.

    The hosts of a fleet have hundreds of parts each, and hardly any of them is ever asked for: a part is made when it is.
    """

    shapes: tuple[PartShape, ...]
    paths: tuple[str, ...]
    """The file of each part, or the one of all."""
    firsts: tuple[int, ...]
    """The line on which each begins."""

    def __len__(self) -> int:
        return len(self.firsts)

    @overload
    def __getitem__(self, index: int) -> Part: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Part, ...]: ...
    def __getitem__(self, index: int | slice) -> Part | tuple[Part, ...]:
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(len(self))[index]))
        one = self.shapes[index]
        block = Block(one.texts, self._path(index), self.firsts[index], one.offsets)
        return Part(one.role, block, one.kind, one.name, one.unknown)

    def _path(self, index: int) -> str:
        return self.paths[index if len(self.paths) > 1 else 0]

    def place(self, part: int, index: int) -> Place:
        """The line of a statement of a part, or of its header: as its block says, without making that."""
        offset = self.shapes[part].offsets[index] if index >= 0 else 0
        return Place(self._path(part), self.firsts[part] + offset)

    @property
    def is_even(self) -> bool:
        """Whether each part has all that belongs to it."""
        return len(self.shapes) == len(self.firsts) and len(self.paths) in (1, len(self.firsts))


_SHAPES: Memory[tuple[PartShape, ...], tuple[PartShape, ...]] = Memory()


def shapes_of(parts: Parts) -> tuple[PartShape, ...]:
    """What these parts have in common with those of other ports; what is equal is one object."""
    shapes = tuple([PartShape(p.role, p.block.texts, p.block.offsets, p.kind, p.name, p.unknown) for p in parts])
    return _SHAPES.get(shapes) or _SHAPES.keep(shapes, shapes)


def placed(parts: Parts) -> PlacedParts:
    """The same parts, with what ports have in common apart from where it stands."""
    if isinstance(parts, PlacedParts):
        return parts
    paths = tuple([part.block.path for part in parts])
    firsts = tuple([part.block.first for part in parts])
    return PlacedParts(shapes_of(parts), paths if len(set(paths)) > 1 else paths[:1], firsts)


PartKey = tuple[tuple[Role, str, str, Texts, tuple[str, ...]], ...]
"""What the reading of a port depends on: all of its parts, without their places."""


def key_of_shapes(shapes: Iterable[PartShape]) -> PartKey:
    """The memo key of a port whose parts have these shapes."""
    return tuple([(one.role, one.kind, one.name, one.texts, one.unknown) for one in shapes])


def key_of(parts: Parts) -> PartKey:
    """The memo key of a port's parts."""
    if isinstance(parts, PlacedParts):
        return key_of_shapes(parts.shapes)
    return tuple([(p.role, p.kind, p.name, p.block.texts, p.unknown) for p in parts])


def roles_of(parts: Parts) -> tuple[Role, ...]:
    """In which way each of them concerns the port."""
    return tuple([one.role for one in (parts.shapes if isinstance(parts, PlacedParts) else parts)])


def paths_of(parts: Parts) -> Sequence[str]:
    """The files that they stand in, each at least once."""
    return parts.paths if isinstance(parts, PlacedParts) else [part.block.path for part in parts]


def files_of(parts: Parts) -> frozenset[str]:
    """The same, each once."""
    return frozenset(paths_of(parts))


def resolve(where: Where, parts: Parts) -> Place | Cited:
    """The file and line of a cell's `where`, for the port or device that was read from `parts`.

    Raises TypeError for what a port of the fabric alone knows the place of.
    """
    if not isinstance(where, At):
        if isinstance(where, Header | Far):
            raise TypeError(f"{where} is not found by the parts of a reading")
        return where
    if isinstance(parts, PlacedParts):
        return parts.place(where.part, where.index)
    return parts[where.part].block.place(where.index)
