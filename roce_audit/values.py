"""Cell: a value that knows which statement said it, or knows why it is not known.

Everything the product reads becomes cells; expressions give them three-valued logic. A cell is plain data: equality and
hash look at the value and the reason alone, never at the place, so that equal readings can be shared by a whole fleet.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any, Generic, NoReturn, TypeVar

from roce_audit.records import dataclass

T = TypeVar("T")


class Why(StrEnum):
    """Why a cell holds no value. ABSENT is knowledge (there is none); all others are doubt."""

    ABSENT = "absent"
    NOT_VISIBLE = "not visible"
    NOT_PARSED = "not parsed"
    UNDEFINED = "undefined"
    NO_DEFAULT = "no documented default"
    REFUSED = "refused"
    CONFLICT = "conflict"
    RESET = "reset, wrapped or restarted in between"


@dataclass(frozen=True, slots=True)
class At:
    """A statement relative to the thing it was read for: which of its parts, which statement in that part."""

    part: int
    index: int


@dataclass(frozen=True, slots=True)
class DefaultLocation(At):
    """Behind what is missing: the header of the block that should say it. It says nothing of the value itself."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; `line` counts from 1, 0 means the file as a whole."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Cited:
    """A documented default: no line of the input says it, this document does.

    A source that ends with `(source: unverified)` is what is believed without a document.
    """

    source: str

    @property
    def is_unverified(self) -> bool:
        """True where nobody was found who says it: such a value never makes an error."""
        return self.source.endswith("(source: unverified)")


@dataclass(frozen=True, slots=True)
class Header:
    """Where the port begins that the fabric tells something of."""


@dataclass(frozen=True, slots=True)
class Far:
    """What is said at the far end of that port's cable."""

    at: At | Header


Where = At | Header | Far | Place | Cited
HERE = Header()
THERE = Far(HERE)


@dataclass(frozen=True, slots=True)
class Cell(Generic[T]):
    """A value, or why there is none, and where that was said (the deciding statement first).

    Use the helpers `known`, `absent` and `unknown` to make one.
    """

    value: T | None
    why: Why | None = None
    at: tuple[Where, ...] = field(default=(), compare=False)

    @property
    def is_known(self) -> bool:
        """True when the cell holds a value (absent is not a value)."""
        return self.why is None

    @property
    def is_absent(self) -> bool:
        """True when it is known that there is no such thing."""
        return self.why is Why.ABSENT

    @property
    def is_unknown(self) -> bool:
        """True when neither a value nor its absence is known."""
        return self.why is not None and self.why is not Why.ABSENT

    def __bool__(self) -> NoReturn:
        raise TypeError("a Cell has three values: ask is_known, is_absent or is_unknown")

    def get(self) -> T:
        """The value; raises ValueError where there is none (a programming error: ask `is_known` first)."""
        if self.why is not None:
            raise ValueError(f"cell has no value: {self.why}")
        return self.value  # type: ignore[return-value]

    def value_or_none(self) -> T | None:
        """The value, or None where there is none: for objects that are asked further, never for verdicts."""
        return self.value if self.why is None else None

    def or_else(self, default: T) -> T:
        """The value, or `default` where there is none. For labels and hints only, never for verdicts."""
        return default if self.why is not None else self.value  # type: ignore[return-value]


_ABSENT: Cell[Any] = Cell(None, Why.ABSENT)
"""Said by nobody: most cells of a port are this one."""


def known(value: T, *at: Where) -> Cell[T]:
    """A cell with a value."""
    return Cell(value, None, at)


def absent(*at: Where) -> Cell[T]:
    """A cell for a thing that is known not to be there."""
    return Cell(None, Why.ABSENT, at) if at else _ABSENT


def unknown(why: Why, *at: Where) -> Cell[T]:
    """A cell for a thing nobody could see; `why` says which doubt it is."""
    return Cell(None, why, at)
