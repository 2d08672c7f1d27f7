"""Loops of expressions: `all`, `any`, `sum`, `min`, `max`, `len` and the like over sets and rows, with filters, in three values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from roce_audit.engine.conditions.logic import (
    Term,
    conjunction,
    dotted,
    implied,
    lift,
    merge,
    negate,
    propagate_unknown,
    truth,
    unknown_term,
    unwrap,
)
from roce_audit.engine.conditions.operations import Bound, Run

Each = Callable[[Bound], tuple[Term, Iterable[tuple[Term, Term]]]]
"""The source of a loop, and of each element its filter and its body."""


def elements(source: Run) -> Each:
    """The elements of a set or row, without a loop."""

    def each(bound: Bound) -> tuple[Term, Iterable[tuple[Term, Term]]]:
        group = source(bound)
        return group, [(_TRUE, element) for element in _spread(group)]

    return each


def size(source: Run) -> Run:
    """`len` of a set or row, without a loop: what is in it makes no difference."""

    def run(bound: Bound) -> Term:
        group = source(bound)
        not_known = _not_a_group(group)
        return Term(len(group.value), merge((group,))) if not_known is None else not_known

    return run


def loop(source: Run, slot: int, filters: Sequence[Run], body: Run) -> Each:
    """`body for x in source if filters`, x being local variable `slot`."""

    def each(bound: Bound) -> tuple[Term, Iterable[tuple[Term, Term]]]:
        group = source(bound)
        return group, pairs(bound, group)

    def pairs(bound: Bound, group: Term) -> Iterator[tuple[Term, Term]]:
        for element in _spread(group):
            bound.local[slot] = element
            kept = conjunction((truth(test(bound)) for test in filters), stop=True) if filters else _TRUE
            yield kept, body(bound) if not kept.known or kept.value else _TRUE

    return each


_TRUE = Term(True)


def _spread(group: Term) -> Iterator[Term]:
    if type(group.value) is tuple:
        for at, thing in enumerate(group.value):
            yield unwrap(thing, group.reads, (*group.path, at))
    elif isinstance(group.value, frozenset):
        for thing in sorted(group.value, key=_order):
            yield Term(thing, group.reads, True, group.path)


def _not_a_group(term: Term) -> Term | None:
    """The doubt about a loop's source: unknown, absent, or no set or row."""
    if type(term.value) in (tuple, frozenset):
        return None
    return propagate_unknown((term,)) or unknown_term(term.reads, f"{dotted(term.path)} is no set or row")


def _order(thing: object) -> tuple[str, Any]:
    return type(thing).__name__, thing if isinstance(thing, int | float | str) else repr(thing)


def quantify(name: str, each: Each) -> Run:
    """`all` and `any`: an element whose filter is unknown counts only if it would hold anyway."""
    invert: Callable[[Term], Term] = negate if name == "any" else lambda term: term

    def run(bound: Bound) -> Term:
        group, found = each(bound)
        not_known = _not_a_group(group)
        if not_known is not None:
            return not_known
        # the first element that decides an `any` ends it; of an `all` every failure is named
        term = conjunction((implied(kept, invert(truth(body))) for kept, body in found), stop=name == "any")
        return invert(term if term.reads or not term.known else term._replace(reads=group.reads))

    return run


def fold(name: str, each: Each) -> Run:
    """`sum`, `known_sum`, `min`, `max`, `len` of the elements that pass the filter; an unknown filter makes the result unknown.

    `first_of` is the least element that passes for certain: it names one that failed, whatever the others may be. `known_sum`
    adds up what passes for certain: numbers that are not negative make at least that, whatever the others may be.
    """
    combine = _COMBINE[name]

    def run(bound: Bound) -> Term:
        group, pairs = each(bound)
        not_known = _not_a_group(group)
        if not_known is not None:
            return not_known
        found = list(pairs)
        if name == "len":
            unknown_terms = [kept for kept, _ in found if not kept.known]
            if unknown_terms:
                return unknown_term(merge(unknown_terms), unknown_terms[0].note)
            return Term(sum(kept.value for kept, _ in found), merge([group, *(kept for kept, _ in found)]))
        if name in ("first_of", "known_sum"):
            sure = [(kept, body) for kept, body in found if kept.known and kept.value and body.known]
            found = sure or (found if name == "first_of" else [])
        kept_terms = [body if kept.known else kept for kept, body in found if not kept.known or kept.value]
        if not kept_terms:
            return lift(lambda _: combine(()), group)
        return lift(lambda *values: combine(values), *kept_terms)

    return run


def aggregate(name: str, terms: Callable[[Bound], list[Term]]) -> Run:
    """`min(a, b)` and `max(a, b)`."""
    combine = _COMBINE[name]
    return lambda bound: lift(lambda *values: combine(values), *terms(bound))


_COMBINE: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "sum": sum,
    "known_sum": sum,
    "min": min,
    "max": max,
    "first_of": min,
    "len": len,
}
