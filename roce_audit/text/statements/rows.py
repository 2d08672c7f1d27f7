"""Rows of a statement table: how a statement is written, what it sets or which statement it makes, how it is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from roce_audit.records import dataclass
from roce_audit.text.statements.forms import Capture, Form, FormError, Word, form, named, negated

VALUE = "value"
"""The name of the capture that holds what a row sets."""


class Nothing(Enum):
    """Understood, and says nothing to the model."""

    NOTHING = "nothing"


NOTHING = Nothing.NOTHING


class _Marker(Enum):
    ABSENT = "absent"
    UNDOCUMENTED = "undocumented"
    CAPTURED = "captured"
    USUAL = "usual"


ABSENT = _Marker.ABSENT
"""As a value: the statement says that there is no such thing."""

UNDOCUMENTED = _Marker.UNDOCUMENTED
"""As a value: the statement sets something, and no document that was read says what."""


class Set(NamedTuple):
    """The statement sets these model paths (below its block) to the value; ABSENT: to nothing; UNDOCUMENTED: nobody knows."""

    paths: tuple[str, ...]
    value: object


class Reset(NamedTuple):
    """The statement takes back what was set at these model paths, so that the default holds."""

    paths: tuple[str, ...]


class Block(NamedTuple):
    """The header of a block about the class, queue or group of this number; None: about nothing that the model has."""

    number: int | None


class Leaf(NamedTuple):
    """What a leaf of a tree says: its name (`*` for each key), the keys on the way to it, and its value (None: it is there)."""

    name: str
    keys: tuple[object, ...]
    value: object


@dataclass(frozen=True, slots=True)
class Sets:
    """Makes `Set` from the value that a row captures, or from a fixed one."""

    paths: tuple[str, ...]
    value: object = _Marker.CAPTURED

    def __call__(self, value: object = _Marker.CAPTURED) -> Set:
        return Set(self.paths, value if self.value is _Marker.CAPTURED else self.value)


def sets(paths: str, value: object = _Marker.CAPTURED) -> Sets:
    """A statement that sets model paths (blank-separated) to its one captured value, or to a fixed one."""
    return Sets(tuple(paths.split()), value)


Maker = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of statement.

    `make` gives the statement from its captures; raises ValueError where they do not fit together. `paths` are the model paths
    below its block that are unknown where such a statement is not understood. `no_make` is None where it has no negated form.
    """

    text: str
    form: Form
    make: Maker | None
    """None: known to be ours, and never understood."""
    paths: tuple[str, ...]
    no_form: Form
    no_make: Maker | None
    default_make: Maker | None = None
    """What `default ...` means, where it is not what `no ...` means."""
    leaf: str = ""
    """Name of the leaf of a tree that it is; "" for a command."""

    @property
    def is_judged(self) -> bool:
        """Whether somebody asks what the statement says, be it for a model path or for what it contradicts."""
        return self.make is not _SAYS_NOTHING


def _check_sets(make: Sets, elements: Form, text: str) -> None:
    """Raises FormError for a row that sets what it does not capture."""
    wanted = {VALUE} if make.value is _Marker.CAPTURED else set()
    if set(named(elements)) != wanted:
        raise FormError(f"{text!r}: sets() takes the one capture called {VALUE}, or a fixed value and no capture")


def _always(value: object) -> Maker:
    return lambda **_: value


_SAYS_NOTHING = _always(NOTHING)


def row(
    text: str,
    make: object = None,
    paths: str = "",
    *,
    no: object = _Marker.USUAL,
    no_form: str = "",
    default: object = None,
) -> Row:
    """A row of a table.

    `make`: `sets(...)`, or the platform's own statement, or what makes it from the captures; left out, the statement says
    nothing to the model. `no` is what the negated statement means: for `sets` a value (ABSENT included) or, left out, back to
    the default; else a statement or what makes one; NOTHING: it says nothing; None: there is no negated form. `no_form`: how
    it is written behind `no`, where that is not the leading words and as much of the rest as somebody likes to write.
    `default`: what it means behind the word `default`, where that is not what it means behind `no`.
    """
    elements = form(text)
    if isinstance(make, Sets):
        _check_sets(make, elements, text)
    touched = tuple(paths.split()) if paths or not isinstance(make, Sets) else make.paths
    return Row(
        text,
        elements,
        _SAYS_NOTHING if make is None else _maker(make),
        touched,
        form(no_form) if no_form else negated(elements),
        _negation(make, no),
        None if default is None else _negation(make, default),
    )


def leaf(text: str, paths: str = "") -> Row:
    """A row for a leaf of a tree: `classifier <name> dscp <dscp:0..63> class <value:0..7>`. It makes a `Leaf`.

    Its keys are what the captures take but for the one called `value`; a tree has no negated forms.
    """
    elements = form(text)
    name = " ".join("*" if isinstance(e, Capture) else "|".join(e.words) for e in _path(elements, text))
    return Row(text, elements, Leaf, tuple(paths.split()), (), None, leaf=name)


def _path(elements: Form, text: str) -> Iterator[Word | Capture]:
    """The words and keys of a leaf, without its value."""
    for element in elements:
        if not isinstance(element, Word | Capture):
            raise FormError(f"{text!r}: a leaf has words, keys and a value")
        if not isinstance(element, Capture) or element.name != VALUE:
            yield element


def unread(text: str, paths: str = "", *, no_form: str = "") -> Row:
    """Words that are ours and that nobody understands: `paths` are unknown wherever a line begins with them.

    `no_form`: how they are taken back, where it is known that this says nothing.
    """
    back = form(no_form) if no_form else ()
    return Row(text, form(text), None, tuple(paths.split()), back, _SAYS_NOTHING if no_form else None)


def _maker(make: object) -> Maker:
    return make if callable(make) else _always(make)


def _negation(make: object, no: object) -> Maker | None:
    if no is None:
        return None
    if isinstance(make, Sets) and no is not NOTHING:
        return _always(Reset(make.paths) if no is _Marker.USUAL else Set(make.paths, no))
    if no is _Marker.USUAL:
        return _always(NOTHING) if make is None else None
    return _maker(no)


__all__ = [
    "ABSENT",
    "NOTHING",
    "UNDOCUMENTED",
    "Block",
    "FormError",
    "Leaf",
    "Maker",
    "Nothing",
    "Reset",
    "Row",
    "Set",
    "Sets",
    "leaf",
    "row",
    "sets",
    "unread",
]
