"""Three-valued terms (Kleene): what an expression yields, with the model paths that decided it.

A term is known (a value, or ABSENT: it is known that there is none) or unknown. Its reads name only what decided: of a
definite failure what failed, of an unknown one what was not known. A read is the path of a cell; the cells it leads through follow
from the path itself. A field that is no cell is read as the nearest cell around it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from roce_audit.values import Cell, Why

Path = tuple[str | int, ...]


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()
"""The value of a term that is known not to be there."""


class Term(NamedTuple):
    """What an expression yields. `path` says where a value was read (empty: computed), `note` why there is doubt."""

    value: Any
    reads: tuple[Path, ...] = ()
    known: bool = True
    path: Path = ()
    note: str = ""

    @property
    def is_absent(self) -> bool:
        """True when it is known that there is no such thing."""
        return self.value is ABSENT


def unknown_term(reads: tuple[Path, ...], note: str) -> Term:
    """A term nobody can know, with the reason."""
    return Term(None, reads, False, (), note)


@cache
def dotted(path: Path) -> str:
    """`hop.queue.ecn` or `port.queues[3].ecn` for a path."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def cell_at(roots: Mapping[str, object], path: Path) -> object:
    """Follow a path from the subject's objects; gives the Cell at its end (or the object, where it is no cell).

    Raises LookupError where the path leads through a cell without value.
    """
    thing = roots[str(path[0])]
    for step in path[1:]:
        if isinstance(thing, Cell):
            if thing.why is not None:
                raise LookupError(dotted(path))
            thing = thing.value
        thing = thing[step] if isinstance(step, int) else getattr(thing, step)  # type: ignore[index]
    return thing


def unwrap(thing: object, around: tuple[Path, ...], path: Path) -> Term:
    """The term of a field or element: a cell is read at its own path, anything else as the cells around it."""
    if type(thing) is not Cell:
        return Term(thing, around or (path,), True, path)
    if thing.why is None:
        return Term(thing.value, (*(r for r in around if path[: len(r)] != r), path), True, path)
    if thing.why is Why.ABSENT:
        return Term(ABSENT, (path,), True, path)
    return Term(None, (path,), False, path, f"{dotted(path)}: {thing.why}")


def merge(terms: Iterable[Term]) -> tuple[Path, ...]:
    """All reads of the terms, each once, in order."""
    found: dict[Path, None] = {}
    for term in terms:
        found.update(dict.fromkeys(term.reads))
    return tuple(found)


def propagate_unknown(terms: Iterable[Term]) -> Term | None:
    """The doubt that unknown or absent terms bring to a computation; None when all have values."""
    not_known = [t for t in terms if not t.known or t.value is ABSENT]
    if not not_known:
        return None
    first = not_known[0]
    note = f"{dotted(first.path) or 'a value'} is absent" if first.known else first.note
    return unknown_term(merge(not_known), note)


def lift(function: Callable[..., Any], *terms: Term) -> Term:
    """Apply a function to values. Unknown and absent operands, and every failure of the function, make doubt."""
    not_known = propagate_unknown(terms)
    if not_known is not None:
        return not_known
    reads = terms[0].reads if len(terms) == 1 else merge(terms)
    try:
        value = function(*[t.value for t in terms])
    except (ArithmeticError, TypeError, ValueError, LookupError, AttributeError) as error:
        return unknown_term(reads, str(error) or type(error).__name__)
    if type(value) is float and not math.isfinite(value):
        return unknown_term(reads, "the result is no finite number")
    return Term(value, reads)


def lift_over_unknown(function: Callable[..., Any], *terms: Term) -> Term:
    """Apply a function that is handed None for unknown and absent operands; where it cannot do without, they are the doubt."""
    given = [t.value if t.known and t.value is not ABSENT else None for t in terms]
    try:
        value = function(*given)
    except (ArithmeticError, TypeError, ValueError, LookupError) as error:
        missing = [t for t, value in zip(terms, given, strict=True) if value is None and t.reads]
        return unknown_term(merge(missing or terms), str(error) or type(error).__name__)
    return Term(value, merge(t for t, value in zip(terms, given, strict=True) if value is not None))


def truth(term: Term) -> Term:
    """The term as a truth value: absent, and anything that is no bool, is doubt."""
    if not term.known or type(term.value) is bool:
        return term
    if term.value is ABSENT:
        return unknown_term(term.reads, f"{dotted(term.path) or 'a value'} is absent")
    return unknown_term(term.reads, f"{dotted(term.path) or 'a value'} is no truth value")


def negate(term: Term) -> Term:
    """Kleene's not."""
    return term._replace(value=not term.value) if term.known else term


def conjunction(terms: Iterable[Term], *, stop: bool) -> Term:
    """Kleene's and over truth values; a definite failure wins over doubt.

    With `stop` the first definite failure ends it, so that a guard guards what stands behind it; without it all
    failures are named.
    """
    failed: list[Term] = []
    not_known: list[Term] = []
    held: list[Term] = []
    for term in terms:
        if not term.known:
            not_known.append(term)
        elif term.value:
            held.append(term)
        else:
            failed.append(term)
            if stop:
                break
    if failed:
        return Term(False, merge(failed))
    if not_known:
        return unknown_term(merge(not_known), not_known[0].note)
    return Term(True, merge(held))


def implied(condition: Term, term: Term) -> Term:
    """Kleene's implication: under an unknown condition only a term that holds anyway is known."""
    if condition.known:
        return term if condition.value else Term(True, condition.reads)
    if term.known and term.value:
        return term
    return unknown_term(merge((condition,) if term.known else (condition, term)), condition.note)
