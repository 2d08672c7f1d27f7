"""What the calls of a program of Python are given, read from its syntax tree. Nothing is run.

Assignments, loops, functions of the program's own and what is done with texts are followed, within limits. Of a condition that is not
known both ways are followed: what differs between them is one of several values.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any

from roce_audit.records import dataclass
from roce_audit.sources.repository.pythonmethods import (
    NOT_DONE,
    bare,
    builtin,
    copied,
    is_same,
    on_value,
    one_of,
    size,
    sized,
)
from roce_audit.sources.repository.pythontexts import (
    Elsewhere,
    OneOf,
    Table,
    Text,
    TooMuch,
    as_json,
    constant,
    plain,
    spliced,
)

_STEPS = 100_000
_DEEPEST = 60
"""Expressions in expressions."""
_MOST_CALLS = 10
"""Functions that call functions."""
_MOST_TURNS = 128
_HOSTS = ("host", "hostname", "ip", "address", "target", "name")
_SYSTEMS = ("device_type", "platform", "os", "vendor", "transport")

Scope = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is not of the program's own functions: its last name, on what, with what. `way` tells the ways of conditions apart."""

    name: str
    on: Any
    values: tuple[Any, ...]
    named: Mapping[str, Any]
    line: int
    way: tuple[int, ...]


@dataclass
class _State:
    calls: list[Call] = field(default_factory=list)
    perhaps: list[range] = field(default_factory=list)
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    followed: set[str] = field(default_factory=set)
    way: tuple[int, ...] = ()
    left: int = _STEPS
    depth: int = 0
    calls_deep: int = 0


@dataclass(frozen=True, slots=True)
class Followed:
    """The calls of a program in their order, the lines that stand under a condition which is not known, and whether all was followed."""

    calls: tuple[Call, ...]
    perhaps: tuple[range, ...]
    is_whole: bool


def follow(text: str) -> Followed | None:
    """What a program calls; None for a text that is no program of Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return None
    program = _Program()
    is_whole = True
    try:
        program.block(tree.body, {})
        program.rest()
    except (TooMuch, RecursionError, TypeError, ValueError, LookupError, AttributeError):
        is_whole = False  # values of a stranger's program may be anything where a text is meant
    return Followed(tuple(program.state.calls), tuple(program.state.perhaps), is_whole)


class _Leave(Exception):
    """The rest of a function or of a turn is left out."""

    def __init__(self, how: str, value: Any = None) -> None:
        super().__init__(how)
        self.how = how
        self.value = value


class _Program:
    def __init__(self) -> None:
        self.state = _State()
        self._globals: Scope = {}

    def block(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        """Follow statements; raises _Leave at `return`, `break` and `continue`."""
        if not self._globals and not self.state.calls_deep:
            self._globals = scope
        for one in statements:
            self._spend()
            self._statement(one, scope)

    def rest(self) -> None:
        """Functions that nothing here calls: frameworks do, with values that stand elsewhere."""
        for name, function in list(self.state.functions.items()):
            if name not in self.state.followed:
                self._call_own(function, (), {})

    def _spend(self, steps: int = 1) -> None:
        self.state.left -= steps
        if self.state.left < 0:
            raise TooMuch

    def _statement(self, one: ast.stmt, scope: Scope) -> None:
        match one:
            case ast.Assign():
                value = self._value(one.value, scope)
                for target in one.targets:
                    self._assign(target, value, scope)
            case ast.AnnAssign() if one.value is not None:
                self._assign(one.target, self._value(one.value, scope), scope)
            case ast.AugAssign():
                added = self._sum(self._value(one.target, scope), self._value(one.value, scope), one.op)
                self._assign(one.target, added, scope)
            case ast.Expr():
                self._value(one.value, scope)
            case ast.For() | ast.AsyncFor():
                self._loop(one, scope)
            case ast.If():
                self._condition(one, scope)
            case ast.With() | ast.AsyncWith():
                for item in one.items:
                    value = self._value(item.context_expr, scope)
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, value, scope)
                self.block(one.body, scope)
            case ast.Try():
                self.block([*one.body, *one.orelse, *one.finalbody], scope)
            case ast.While():
                self._turn(one.body, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.state.functions.setdefault(one.name, one)
            case ast.ClassDef():
                self.block([inner for inner in one.body if not isinstance(inner, ast.Expr)], scope)
            case ast.Return():
                raise _Leave("return", None if one.value is None else self._value(one.value, scope))
            case ast.Break():
                raise _Leave("break")
            case ast.Continue():
                raise _Leave("continue")

    def _turn(self, body: Sequence[ast.stmt], scope: Scope) -> bool:
        """One turn of a loop; False where it is the last."""
        try:
            self.block(body, scope)
        except _Leave as left:
            if left.how == "return":
                raise
            return left.how != "break"
        return True

    def _loop(self, one: ast.For | ast.AsyncFor, scope: Scope) -> None:
        over = self._items(self._value(one.iter, scope))
        if over is None:
            name = one.target.id if isinstance(one.target, ast.Name) else "value"
            over = [Elsewhere(name)]
        if len(over) > _MOST_TURNS:
            raise TooMuch
        for value in over:
            self._assign(one.target, value, scope)
            if not self._turn(one.body, scope):
                break

    def _condition(self, one: ast.If, scope: Scope) -> None:
        asked = self._truth(one.test, scope)
        if asked is not None:
            self.block(one.body if asked else one.orelse, scope)
            return
        self.state.perhaps += [
            range(part[0].lineno, (part[-1].end_lineno or part[-1].lineno) + 1)
            for part in (one.body, one.orelse)
            if part
        ]
        self._spend(1 + sum(map(size, scope.values())))
        other = {name: copied(value) for name, value in scope.items()}
        self._one_way(one.body, scope)
        if one.orelse:
            before, self.state.way = self.state.way, (*self.state.way, one.lineno)
            self._one_way(one.orelse, other)
            self.state.way = before
            for name in {*scope, *other}:
                mine, others = scope.get(name, Elsewhere(name)), other.get(name, Elsewhere(name))
                if not is_same(mine, others):
                    scope[name] = one_of((mine, others))

    def _one_way(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        with suppress(_Leave):  # whether it is left here is not known
            self.block(body, scope)

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
                named = Elsewhere(target.id, value.session, value.system) if isinstance(value, Elsewhere) else value
                scope[target.id] = named
            case ast.Attribute():
                self._globals[f".{target.attr}"] = value  # self.commands: one object of each class is enough
            case ast.Tuple() | ast.List():
                parts = value if isinstance(value, list) and len(value) == len(target.elts) else []
                for number, part in enumerate(target.elts):
                    name = part.id if isinstance(part, ast.Name) else "value"
                    self._assign(part, parts[number] if parts else Elsewhere(name), scope)
            case ast.Subscript():
                into, key = self._value(target.value, scope), bare(self._value(target.slice, scope))
                if isinstance(into, Table) and isinstance(key, str | int):
                    into.rows[key], into.lines[key] = value, target.lineno

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        self._spend()
        self.state.depth += 1
        if self.state.depth > _DEEPEST:
            self.state.depth -= 1
            return Elsewhere()
        try:
            found = self._worked_out(node, scope)
            self._spend(size(found))
            return found
        finally:
            self.state.depth -= 1

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
                    key = bare(self._value(node.key, inner))
                    if isinstance(key, str | int):
                        made.rows[key], made.lines[key] = self._value(node.value, inner), node.key.lineno
                return made
            case ast.Await() | ast.Starred():
                return self._value(node.value, scope)
            case ast.NamedExpr():
                value = self._value(node.value, scope)
                self._assign(node.target, value, scope)
                return value
            case ast.Call():
                return self._call(node, scope)
        return Elsewhere()

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        on = self._value(node.value, scope)
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
            key = bare(self._value(key_node, scope))
            if isinstance(key, str | int):
                made.rows[key], made.lines[key] = value, key_node.lineno
        return made

    def _turns(self, generators: Sequence[ast.comprehension], scope: Scope) -> Iterator[Scope]:
        first, *others = generators
        over = self._items(self._value(first.iter, scope))
        if over is None:
            over = [Elsewhere(first.target.id if isinstance(first.target, ast.Name) else "value")]
        for value in over[:_MOST_TURNS]:
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

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        values = tuple(self._listed(node.args, scope))
        named: dict[str, Any] = {}
        for one in node.keywords:
            value = self._value(one.value, scope)
            if one.arg is not None:
                named[one.arg] = value
            elif isinstance(value, Table):
                named.update({str(key): inner for key, inner in value.rows.items()})
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        on = self._value(node.func.value, scope) if isinstance(node.func, ast.Attribute) else None
        own = self.state.functions.get(name)
        if own is not None and (on is None or isinstance(on, Elsewhere)):
            return self._call_own(own, values, named)
        done = on_value(name, on, values, named, node.lineno) if on is not None else builtin(name, values)
        if done is not NOT_DONE:
            return done
        self.state.calls.append(Call(name, on, values, named, node.lineno, self.state.way))
        if name == "dumps" and values:
            return as_json(values[0], node.lineno)
        before = on if isinstance(node.func, ast.Attribute) else self._value(node.func, scope)
        return _session(before, values, named, node.lineno)

    def _call_own(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, values: Sequence[Any], named: Mapping[str, Any]
    ) -> Any:
        self.state.followed.add(function.name)
        if self.state.calls_deep >= _MOST_CALLS:
            return Elsewhere()
        parameters = [*function.args.posonlyargs, *function.args.args]
        if parameters and parameters[0].arg in ("self", "cls"):
            parameters = parameters[1:]
        scope: Scope = {}
        defaults = function.args.defaults
        for number, one in enumerate([*parameters, *function.args.kwonlyargs]):
            at = number - len(parameters) + len(defaults)
            only = number - len(parameters)
            given = defaults[at] if number < len(parameters) and at >= 0 else None
            given = function.args.kw_defaults[only] if only >= 0 else given
            scope[one.arg] = (
                values[number] if number < len(values) and only < 0 else named[one.arg] if one.arg in named
                else self._value(given, self._globals) if given is not None and (values or named) else Elsewhere(one.arg)
            )  # fmt: skip
        self.state.calls_deep += 1
        try:
            self.block(function.body, scope)
        except _Leave as left:
            return left.value
        finally:
            self.state.calls_deep -= 1
        return None


def _session(before: Any, values: tuple[Any, ...], named: Mapping[str, Any], line: int) -> Elsewhere:
    """What a call that is not followed gives back: perhaps a session with a switch."""
    hosts = [bare(named[one]) for one in _HOSTS if one in named] or [bare(one) for one in values[:1]]
    systems = [bare(named[one]) for one in _SYSTEMS if one in named] or [bare(one) for one in values[:1]]
    host = next((one for one in hosts if isinstance(one, str)), "")
    system = next((one for one in systems if isinstance(one, str)), "")
    on = before if isinstance(before, Elsewhere) else Elsewhere()
    return Elsewhere("value", f"{line} {host}" if host else on.session or str(line), on.system or system)
