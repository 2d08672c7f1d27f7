"""What the calls of a program of Python are given, read from its syntax tree. Nothing is run.

Assignments, loops, functions of the program's own and what is done with texts are followed, within limits. Of a condition that is not
known both ways are followed: what differs between them is one of several values.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any

from roce_audit.records import dataclass
from roce_audit.sources.repository.python.expressions import MOST_TURNS, Expressions, Scope
from roce_audit.sources.repository.python.files import Files
from roce_audit.sources.repository.python.methods import (
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
from roce_audit.sources.repository.python.texts import (
    Closure,
    Elsewhere,
    Instance,
    Table,
    TooMuch,
    as_json,
)

_MOST_CALLS = 10
"""Functions that call functions."""
_HOSTS = ("host", "hostname", "ip", "address", "target", "name")
_ONCE = "submit"
_FOR_EACH = frozenset({"map", "imap", "imap_unordered", _ONCE})
"""Calls that hand a function on, with what it is given."""
_SYSTEMS = ("device_type", "platform", "os", "vendor", "transport")


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
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)
    way: tuple[int, ...] = ()
    calls_deep: int = 0
    yielded: list[list[Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Followed:
    """The calls of a program in their order, the lines that stand under a condition which is not known, and whether all was followed."""

    calls: tuple[Call, ...]
    perhaps: tuple[range, ...]
    is_whole: bool


def follow(text: str, beside: Files) -> Followed | None:
    """What a program calls; None for a text that is no program of Python. `beside` has what the program reads of the files beside it, and
    gets what it renders.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return None
    program = _Program(beside)
    is_whole = True
    try:
        program.block(tree.body, {})
        program.rest()
    except (_Leave, TooMuch, RecursionError, TypeError, ValueError, LookupError, AttributeError):
        is_whole = False  # values of a stranger's program may be anything where a text is meant; a snippet may end with `return`
    return Followed(tuple(program.state.calls), tuple(program.state.perhaps), is_whole)


class _Leave(Exception):
    """The rest of a function or of a turn is left out."""

    def __init__(self, how: str, value: Any = None) -> None:
        super().__init__(how)
        self.how = how
        self.value = value


class _Program(Expressions):
    def __init__(self, beside: Files) -> None:
        super().__init__()
        self.state = _State()
        self._beside = beside

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
            case ast.Import():
                self.state.modules.update(alias.asname or alias.name.partition(".")[0] for alias in one.names)
            case ast.ClassDef():
                self.state.classes.setdefault(one.name, one)
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
        if len(over) > MOST_TURNS:
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
        is_of_module = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") in self.state.modules
        if own is not None and not is_of_module and (on is None or isinstance(on, Elsewhere | Instance)):
            return self._call_own(own, values, named, on)
        if on is None and name in self.state.classes:
            return self._made(self.state.classes[name], values, named)
        if name in _FOR_EACH and len(values) >= 1 + (name == _ONCE):
            handed = self._handed_on(name, values, named)
            if handed is not NOT_DONE:
                return handed
        done = self._beside.done(name, on, values, named, node.lineno)
        if done is NOT_DONE:
            done = on_value(name, on, values, named, node.lineno) if on is not None else builtin(name, values)
        if done is not NOT_DONE:
            return done
        self.state.calls.append(Call(name, on, values, named, node.lineno, self.state.way))
        if name == "dumps" and values:
            return as_json(values[0], node.lineno)
        before = on if isinstance(node.func, ast.Attribute) else self._value(node.func, scope)
        return _session(before, values, named, node.lineno)

    def _made(self, of: ast.ClassDef, values: Sequence[Any], named: Mapping[str, Any]) -> Instance:
        """An object of a class of the program."""
        made = Instance(of.name, {})
        begins = next((one for one in of.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        if begins is not None:
            self._call_own(begins, values, named, made)
            return made
        fields = [one for one in of.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
        for number, one in enumerate(fields):
            name = getattr(one.target, "id", "")
            given = values[number] if number < len(values) else named.get(name)
            if given is None and one.value is not None:
                given = self._value(one.value, self._globals)
            made.attributes[name] = Elsewhere(name) if given is None else given
        return made

    def _handed_on(self, how: str, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """What calls of a function come to that is handed to another: `pool.map(push, leaves)`, `pool.submit(push, leaf)`."""
        function, *given = values
        own = self.state.functions.get(function.name) if isinstance(function, Elsewhere) else None
        if own is None and not isinstance(function, Closure):
            return NOT_DONE
        turns = [given] if how == _ONCE else [[one] for one in self._items(given[0]) or ()] if given else []
        if how != _ONCE and len(given) > 1:
            return NOT_DONE
        if own is not None:
            return [self._call_own(own, turn, named if how == _ONCE else {}) for turn in turns[:MOST_TURNS]]
        scope = dict(function.scope)
        found = []
        for turn in turns[:MOST_TURNS]:
            scope.update(zip((one.arg for one in function.node.args.args), turn, strict=False))
            found.append(self._value(function.node.body, scope))
        return found

    def _call_own(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        values: Sequence[Any],
        named: Mapping[str, Any],
        on: Any = None,
    ) -> Any:
        self.state.followed.add(function.name)
        if self.state.calls_deep >= _MOST_CALLS:
            return Elsewhere()
        if isinstance(on, Instance):
            before, self._of_self = self._of_self, on
            try:
                return self._call_own(function, values, named)
            finally:
                self._of_self = before
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
        self.state.yielded.append([])
        returned = None
        try:
            self.block(function.body, scope)
        except _Leave as left:
            returned = left.value
        finally:
            self.state.calls_deep -= 1
            yielded = self.state.yielded.pop()
        if yielded and any("contextmanager" in ast.unparse(one) for one in function.decorator_list):
            return yielded[0]
        return yielded or returned

    def _yield(self, values: Sequence[Any]) -> None:
        if self.state.yielded:
            self.state.yielded[-1] = sized([*self.state.yielded[-1], *values])


def _session(before: Any, values: tuple[Any, ...], named: Mapping[str, Any], line: int) -> Elsewhere:
    """What a call that is not followed gives back: perhaps a session with a switch."""
    hosts = [bare(named[one]) for one in _HOSTS if one in named] or [bare(one) for one in values[:1]]
    systems = [bare(named[one]) for one in _SYSTEMS if one in named] or [bare(one) for one in values[:1]]
    host = next((one for one in hosts if isinstance(one, str)), "")
    system = next((one for one in systems if isinstance(one, str)), "")
    on = before if isinstance(before, Elsewhere) else Elsewhere()
    return Elsewhere("value", f"{line} {host}" if host else on.session or str(line), on.system or system, on.read_at)
