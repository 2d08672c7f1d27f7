"""The closures behind expressions: each takes a subject and gives a Term; the compiler has checked the types."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from roce_audit.engine.conditions.kinds import describe, inner, joined, kind_of, words_of
from roce_audit.engine.conditions.logic import (
    ABSENT,
    Term,
    conjunction,
    dotted,
    lift,
    merge,
    propagate_unknown,
    truth,
    unknown_term,
    unwrap,
)
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.records import dataclass
from roce_audit.values import Cell


class Bound:
    """A subject's objects by name, with the values of `let` that were already computed, and loop variables."""

    __slots__ = ("lets", "local", "roots")

    def __init__(self, roots: Mapping[str, object], lets: dict[Any, Term] | None = None) -> None:
        self.roots = roots
        self.lets: dict[Any, Term] = {} if lets is None else lets
        self.local: list[Term] = [Term(None), Term(None)]


Run = Callable[[Bound], Term]


@dataclass(frozen=True, slots=True)
class Part:
    """A compiled piece: closure, type without Cell, value where it is constant, size where a row has a fixed one."""

    run: Run
    type: Any
    constant: Any = None
    size: int | None = None


NUMBERS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.USub: operator.neg,
}
SETS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Sub: operator.sub,
}
_ORDER: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda element, group: element in group,
    ast.NotIn: lambda element, group: element not in group,
}


# -- reading


def read_root_field(key: str, name: str) -> Run:
    """Field `name` of the object that the subject holds under `key`: what most expressions read, in one step."""
    path = (key, name)
    reads = (path,)

    def read(bound: Bound) -> Term:
        thing = bound.roots[key]
        try:
            cell = getattr(thing, name)
        except AttributeError:
            return unknown_term(reads, f"{dotted(path)}: {type(thing).__name__} has no such field")
        if type(cell) is Cell and cell.why is None:
            return Term(cell.value, reads, True, path)
        return unwrap(cell, (), path)

    return read


def read_parameter(name: str) -> Run:
    """A rule's parameter; one without a value is absent. Parameters are no evidence, so nothing is read."""

    def read(bound: Bound) -> Term:
        value = getattr(bound.roots["params"], name)
        return Term(ABSENT if value is None else value, (), True, ("params", name))

    return read


def read_field(base: Run, name: str) -> Run:
    """Field `name` of an object."""

    def read(bound: Bound) -> Term:
        term = base(bound)
        if not term.known or term.value is ABSENT:
            return term
        path = (*term.path, name)
        try:
            return unwrap(getattr(term.value, name), term.reads, path)
        except AttributeError:
            return unknown_term(term.reads or (path,), f"{dotted(path)}: {type(term.value).__name__} has no such field")

    return read


def read_element(row: Run, index: Run) -> Run:
    """A numbered element; one outside the row is unknown."""

    def read(bound: Bound) -> Term:
        things, number = row(bound), index(bound)
        if things.known and things.value is ABSENT and number.known:
            return things
        not_known = propagate_unknown((things, number))
        if not_known is not None:
            return not_known
        around = merge((things, number))
        at = number.value
        if type(at) is not int or type(things.value) is not tuple or not 0 <= at < len(things.value):
            return unknown_term(around, f"{dotted(things.path)} has no element {at}")
        return unwrap(things.value[at], around, (*things.path, at))

    return read


# -- comparing and computing


def mismatch(op: ast.cmpop, left: Part, right: Part) -> str:
    """Why two types cannot be compared this way; empty when they can."""
    kinds = (kind_of(left.type), kind_of(right.type))
    if isinstance(op, ast.In | ast.NotIn):
        if kinds[1] != "set":
            return f"'in' needs a set, not {describe(right.type)}: use any(x == … for x in …)"
        element = Part(right.run, inner(right.type))
        if right.constant is not None:
            return next((m for w in right.constant if (m := _unlike(left, Part(right.run, type(w), w)))), "")
        return _unlike(left, element)
    if kinds == ("set", "set"):
        if joined(inner(left.type), inner(right.type)) is None:
            return f"cannot compare {describe(left.type)} with {describe(right.type)}"
        return ""
    if kinds[0] in ("set", "tuple", "model") or kinds[1] in ("set", "tuple", "model"):
        return f"cannot compare {describe(left.type)} with {describe(right.type)}"
    if not isinstance(op, ast.Eq | ast.NotEq) and kinds != ("number", "number"):
        return f"{describe(left.type)} has no order" if kinds[0] == kinds[1] else _unlike(left, right)
    return _unlike(left, right)


def _unlike(left: Part, right: Part) -> str:
    """Why two single values can never be equal; empty when they can."""
    if kind_of(left.type) != kind_of(right.type):
        return f"cannot compare {describe(left.type)} with {describe(right.type)}"
    for path, word in ((left, right.constant), (right, left.constant)):
        allowed = words_of(path.type)
        if allowed and isinstance(word, str) and word not in allowed:
            near = did_you_mean(word, allowed)
            return f"'{word}' is never a value here{near or ': ' + ', '.join(allowed)}"
    both = (set(words_of(left.type)), set(words_of(right.type)))
    if all(both) and not both[0] & both[1]:
        return "these two have no word in common"
    return ""


def comparison(op: ast.cmpop, left: Part) -> Callable[[Term, Term], Term]:
    """The comparison of two terms. An absent word is equal to no word; absence of anything else is doubt."""
    function = _ORDER[type(op)]
    membership = isinstance(op, ast.In | ast.NotIn)
    if kind_of(left.type) == "text":
        return _word_comparison(function, membership)
    checked = _member(function) if membership else _same_type(function)
    return lambda a, b: lift(checked, a, b)


def _word_comparison(function: Callable[[Any, Any], Any], membership: bool) -> Callable[[Term, Term], Term]:
    def compare(a: Term, b: Term) -> Term:
        not_known = propagate_unknown([t for t in (a, b) if not t.known or (membership and t is b)])
        if not_known is not None:
            return not_known
        for term in (a,) if membership else (a, b):
            if term.value is not ABSENT and not isinstance(term.value, str):
                return unknown_term(term.reads, f"{dotted(term.path)} is no text")
        if membership and not isinstance(b.value, frozenset):
            return unknown_term(b.reads, f"{dotted(b.path)} is no set")
        return Term(function(a.value, b.value), merge((a, b)))

    return compare


_COMPARABLE: Mapping[type, str] = {bool: "a truth value", int: "a number", float: "a number", frozenset: "a set"}


def _same_type(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compare(a: Any, b: Any) -> Any:
        left, right = _COMPARABLE.get(type(a)), _COMPARABLE.get(type(b))
        if left is None or left != right:
            raise TypeError(f"cannot compare {type(a).__name__} with {type(b).__name__}")
        return function(a, b)

    return compare


def _member(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compare(element: Any, group: Any) -> Any:
        if type(group) is not frozenset or type(element) not in _COMPARABLE:
            raise TypeError(f"cannot look for {type(element).__name__} in {type(group).__name__}")
        return function(element, group)

    return compare


def chain(steps: Sequence[Callable[[Term, Term], Term]], runs: Sequence[Run]) -> Run:
    """`a < b < c`: every operand is computed once, and nothing after the first definite failure."""

    def run(bound: Bound) -> Term:
        def pairs() -> Iterable[Term]:
            left = runs[0](bound)
            for step, operand in zip(steps, runs[1:], strict=True):
                right = operand(bound)
                yield step(left, right)
                left = right

        return conjunction(pairs(), stop=True)

    return run


def calculate(op: type[ast.AST], *operands: Run) -> Run:
    """Arithmetic on numbers, or a set operation; values of another type are doubt."""
    number, group = NUMBERS.get(op), SETS.get(op)

    def compute(*values: Any) -> Any:
        if all(type(v) is int or type(v) is float for v in values) and number is not None:
            return number(*values)
        if all(isinstance(v, frozenset) for v in values) and group is not None:
            return group(*values)
        raise TypeError("a value is not of the expected type")

    if len(operands) == 1:
        (only,) = operands
        return lambda bound: lift(compute, only(bound))
    left, right = operands
    return lambda bound: lift(compute, left(bound), right(bound))


def choose(test: Run, then: Run, other: Run) -> Run:
    """`a if c else b`; under doubt the value is known only where both branches agree."""

    def run(bound: Bound) -> Term:
        condition = truth(test(bound))
        if condition.known:
            branch = then(bound) if condition.value else other(bound)
            return branch._replace(reads=merge((condition, branch))) if branch.known else branch
        a, b = then(bound), other(bound)
        if a.known and b.known and type(a.value) is type(b.value) and a.value == b.value:
            return Term(a.value, merge((a, b)), True, a.path)
        return unknown_term(merge((condition, *(t for t in (a, b) if not t.known))), condition.note)

    return run
