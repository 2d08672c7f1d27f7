"""What expressions of a program of Python come to, as far as its text says; nothing is run.

A value that stands elsewhere is one of `Elsewhere`; one that a condition decides is one of several.
"""

from __future__ import annotations

import ast
import posixpath
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.sources.repository.python.methods import bare, one_of, size, sized
from roce_audit.sources.repository.python.texts import (
    Closure,
    Elsewhere,
    Instance,
    OneOf,
    Table,
    Text,
    TooMuch,
    constant,
    plain,
    spliced,
)

_STEPS = 100_000
_DEEPEST = 60
"""Expressions in expressions."""
MOST_TURNS = 128

_OF_PATHS: Mapping[str, Callable[[str], str]] = {
    "name": posixpath.basename,
    "stem": lambda path: posixpath.splitext(posixpath.basename(path))[0],
    "parent": posixpath.dirname,
}
"""Attributes of paths."""

Scope = dict[str, Any]


def _row_name(key: Any) -> str | int | None:
    """The name of a row of a dictionary, a placeholder for one that stands elsewhere; None for what is no name."""
    name = plain(key, 0) if isinstance(key, Elsewhere) else key
    found = bare(name)
    return found if isinstance(found, str | int) else None


def _is_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


class Expressions(ABC):
    """The values of expressions, in the scopes of a program; what calls come to, those say who follow them."""

    def __init__(self) -> None:
        self._globals: Scope = {}
        self._of_self: Instance | None = None
        self._left = _STEPS
        self._depth = 0

    @abstractmethod
    def _call(self, node: ast.Call, scope: Scope) -> Any: ...

    @abstractmethod
    def _yield(self, values: Sequence[Any]) -> None: ...

    def _spend(self, steps: int = 1) -> None:
        self._left -= steps
        if self._left < 0:
            raise TooMuch

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        self._spend()
        self._depth += 1
        if self._depth > _DEEPEST:
            self._depth -= 1
            return Elsewhere()
        try:
            found = self._worked_out(node, scope)
            self._spend(size(found))
            return found
        finally:
            self._depth -= 1

    def _worked_out(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Constant(value=str()):
                return constant(node, str(node.value))
            case ast.Constant(value=bool() | int() | float() | None):
                return node.value
            case ast.Name():
                return scope.get(node.id, self._globals.get(node.id, Elsewhere(node.id)))
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.JoinedStr():
                return self._formatted(node, scope)
            case ast.List() | ast.Tuple() | ast.Set():
                return self._listed(node.elts, scope)
            case ast.Dict():
                return self._table(node, scope)
            case ast.BinOp():
                return self._sum(self._value(node.left, scope), self._value(node.right, scope), node.op)
            case ast.IfExp():
                asked = self._truth(node.test, scope)
                if asked is not None:
                    return self._value(node.body if asked else node.orelse, scope)
                return one_of((self._value(node.body, scope), self._value(node.orelse, scope)))
            case ast.Subscript():
                return self._member(node, scope)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() if len(node.generators) <= 2:
                return [self._value(node.elt, inner) for inner in self._turns(node.generators, scope)]
            case ast.DictComp() if len(node.generators) == 1:
                made = Table()
                for inner in self._turns(node.generators, scope):
                    key = _row_name(self._value(node.key, inner))
                    if key is not None:
                        made.rows[key], made.lines[key] = self._value(node.value, inner), node.key.lineno
                return made
            case ast.Await() | ast.Starred():
                return self._value(node.value, scope)
            case ast.Yield() if node.value is not None:
                self._yield([self._value(node.value, scope)])
                return None
            case ast.YieldFrom():
                self._yield(self._items(self._value(node.value, scope)) or [Elsewhere()])
                return None
            case ast.NamedExpr():
                value = self._value(node.value, scope)
                self._assign(node.target, value, scope)
                return value
            case ast.Lambda():
                return Closure(node, scope)
            case ast.Call():
                return self._call(node, scope)
        return Elsewhere()

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        on = self._value(node.value, scope)
        its = on if isinstance(on, Instance) else self._of_self if _is_self(node) else None
        if its is not None and node.attr in its.attributes:
            return its.attributes[node.attr]
        if isinstance(on, Text) and node.attr in _OF_PATHS:
            return on.made(_OF_PATHS[node.attr])
        held = self._globals.get(f".{node.attr}")
        if held is not None:
            return held
        if isinstance(on, Elsewhere):
            return Elsewhere(node.attr, on.session, on.system)
        return Elsewhere(node.attr)

    def _formatted(self, node: ast.JoinedStr, scope: Scope) -> Text:
        pieces = [
            one.value if isinstance(one, ast.Constant) else self._value(one.value, scope)
            for one in node.values
            if isinstance(one, ast.Constant | ast.FormattedValue)
        ]
        whole = "".join(str(one) for one in pieces if isinstance(one, str))
        lines = iter(constant(node, whole).lines)
        line = next(lines)
        found = Text("", (line,))
        for one in pieces:
            if isinstance(one, str):
                own = [line, *(line := next(lines, line) for _ in range(one.count("\n")))]
                found = found.plus(Text(one, tuple(own)))
            else:
                given = plain(one, line)
                found = found.plus(given)
        return found

    def _listed(self, elements: Sequence[ast.expr], scope: Scope) -> list[Any]:
        found: list[Any] = []
        for one in elements:
            value = self._value(one, scope)
            inner = self._items(value) if isinstance(one, ast.Starred) else None
            found += inner if inner is not None else [value]
        return found

    def _table(self, node: ast.Dict, scope: Scope) -> Table:
        made = Table()
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self._value(value_node, scope)
            if key_node is None:
                if isinstance(value, Table):
                    made.rows.update(value.rows)
                    made.lines.update(value.lines)
                continue
            key = _row_name(self._value(key_node, scope))
            if key is not None:
                made.rows[key], made.lines[key] = value, key_node.lineno
        return made

    def _turns(self, generators: Sequence[ast.comprehension], scope: Scope) -> Iterator[Scope]:
        first, *others = generators
        over = self._items(self._value(first.iter, scope))
        if over is None:
            over = [Elsewhere(first.target.id if isinstance(first.target, ast.Name) else "value")]
        for value in over[:MOST_TURNS]:
            inner = dict(scope)
            self._assign(first.target, value, inner)
            if any(self._truth(one, inner) is False for one in first.ifs):
                continue
            yield from self._turns(others, inner) if others else (inner,)

    def _member(self, node: ast.Subscript, scope: Scope) -> Any:
        on = self._value(node.value, scope)
        if isinstance(node.slice, ast.Slice):
            bounds = [
                None if part is None else self._value(part, scope)
                for part in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            is_known = isinstance(on, list) and all(part is None or isinstance(part, int) for part in bounds)
            return on[slice(*bounds)] if is_known and bounds[2] != 0 else Elsewhere()
        key = bare(self._value(node.slice, scope))
        if isinstance(on, Table):
            if isinstance(key, str | int):
                return on.rows.get(key, Elsewhere(str(key)))
            return one_of(tuple(on.rows.values()))  # which of them, nobody says
        if isinstance(on, list) and isinstance(key, int) and -len(on) <= key < len(on):
            return on[key]
        return Elsewhere(str(key)) if isinstance(key, str) else Elsewhere()

    def _sum(self, a: Any, b: Any, op: ast.operator) -> Any:
        if isinstance(op, ast.Mod) and isinstance(a, Text):
            values = b if isinstance(b, list) else [b]
            return spliced(a, values, b.rows if isinstance(b, Table) else {}, is_percent=True)
        if isinstance(op, ast.Add):
            if isinstance(a, Text) or isinstance(b, Text):
                first = a if isinstance(a, Text) else plain(a, b.lines[0])
                return first.plus(b if isinstance(b, Text) else plain(b, first.lines[-1]))
            if isinstance(a, list) and isinstance(b, list):
                return sized([*a, *b])
        if isinstance(op, ast.Div) and isinstance(b, Text):  # a path
            return Text(f"{a.text}/{b.text}", b.lines) if isinstance(a, Text) else b
        if isinstance(op, ast.BitOr) and isinstance(a, Table) and isinstance(b, Table):
            return Table({**a.rows, **b.rows}, {**a.lines, **b.lines})
        if not (isinstance(a, int) and isinstance(b, int)) or max(abs(a), abs(b)) > 10**9:
            return Elsewhere()
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv() if b:
                return a // b
            case ast.Mod() if b:
                return a % b
        return Elsewhere()

    def _items(self, value: Any) -> list[Any] | None:
        """What a loop goes through; None where that is not known."""
        if isinstance(value, Table):
            return [Text(key, (value.lines[key],)) if isinstance(key, str) else key for key in value.rows]
        return value if isinstance(value, list) else None

    def _truth(self, test: ast.expr, scope: Scope) -> bool | None:
        match test:
            case ast.Compare(left=ast.Name(id="__name__")):
                return True
            case ast.UnaryOp(op=ast.Not()):
                inner = self._truth(test.operand, scope)
                return None if inner is None else not inner
            case ast.Compare(ops=[op], comparators=[right]):
                a, b = self._value(test.left, scope), self._value(right, scope)
                return self._compared(bare(a), bare(b), op)
        value = self._value(test, scope)
        if isinstance(value, Elsewhere | OneOf):
            return None
        return bool(value.rows if isinstance(value, Table) else value.text if isinstance(value, Text) else value)

    def _compared(self, a: Any, b: Any, op: ast.cmpop) -> bool | None:
        if isinstance(a, Elsewhere | OneOf | Table | list) or isinstance(b, Elsewhere | OneOf):
            return None
        if isinstance(op, ast.In | ast.NotIn):
            inside = b.rows if isinstance(b, Table) else [bare(one) for one in b] if isinstance(b, list) else b
            if not isinstance(inside, str | list | dict) or (isinstance(inside, str) and not isinstance(a, str)):
                return None
            return (a in inside) == isinstance(op, ast.In)
        if isinstance(op, ast.Eq | ast.NotEq):
            return bool(a == b) == isinstance(op, ast.Eq)
        return None

    def _assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        match target:
            case ast.Name():
                scope[target.id] = replace(value, name=target.id) if isinstance(value, Elsewhere) else value
            case ast.Attribute() if self._of_self is not None and _is_self(target):
                self._of_self.attributes[target.attr] = value
            case ast.Attribute():
                self._globals[f".{target.attr}"] = value  # self.commands: one object of each class is enough
            case ast.Tuple() | ast.List():
                parts = value if isinstance(value, list) and len(value) == len(target.elts) else []
                for number, part in enumerate(target.elts):
                    name = part.id if isinstance(part, ast.Name) else "value"
                    self._assign(part, parts[number] if parts else Elsewhere(name), scope)
            case ast.Subscript():
                into, key = self._value(target.value, scope), _row_name(self._value(target.slice, scope))
                if isinstance(into, Table) and key is not None:
                    into.rows[key], into.lines[key] = value, target.lineno
