"""Conditions over model paths: text is resolved against the model once, then evaluated by closures over three values.

Nothing is ever handed to Python's own evaluation. What each operator makes of doubt and absence:

- a step through an absent cell is absent; through an unknown one it is unknown, and the read is that cell
- `x is None` asks whether x is known to be absent
- comparing an absent value, or computing with it, is unknown: neither `x < 5` nor `not x < 5` holds of nothing. Test
  `x is not None and x < 5`; a conjunction stops at its first definite failure
- words are the exception: an absent word equals no word, so `port.fec == 'rs'` is False where no FEC is configured
- division by zero, overflow and values of an unexpected type are unknown, with a note
"""

from __future__ import annotations

import ast
import types
from collections.abc import Mapping
from typing import Any, Protocol

from roce_audit.engine.conditions import loops, operations
from roce_audit.engine.conditions.kinds import describe, inner, joined, kind_of
from roce_audit.engine.conditions.logic import (
    ABSENT,
    Term,
    conjunction,
    implied,
    lift,
    lift_over_unknown,
    negate,
    truth,
)
from roce_audit.engine.conditions.operations import Bound, Part, Run
from roce_audit.engine.conditions.syntax import ExpressionError, column_of, parse
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.formulas.function import Function
from roce_audit.model.base import fact_types, inside_cell, size_of

__all__ = ["Bound", "Compiler", "Expression", "ExpressionError", "judge"]

Roots = Mapping[str, tuple[tuple[str, type], ...]]
MAX_NESTED_LOOPS = 2
_QUANTIFIERS = ("all", "any")
_AGGREGATES = ("sum", "known_sum", "min", "max", "len", "first_of")
_NOTHING: Mapping[str, Any] = types.MappingProxyType({})


class Expression:
    """A compiled expression. Calling it with the subject's objects (not cells) gives a Term; it never raises."""

    __slots__ = ("_run", "fields", "reads", "text", "type")

    def __init__(
        self,
        text: str,
        annotation: Any,
        reads: frozenset[tuple[str, str]],
        fields: frozenset[tuple[type, str]],
        run: Run,
    ) -> None:
        self.text = text
        self.type = annotation
        self.reads = reads
        self.fields = fields
        self._run = run

    def __call__(self, env: Mapping[str, object] | Bound) -> Term:
        return self._run(env if isinstance(env, Bound) else Bound(env))

    def once(self, bound: Bound) -> Term:
        """The value as a `let`: computed at most once per subject."""
        term = bound.lets.get(self)
        if term is None:
            term = bound.lets[self] = self._run(Bound(bound.roots, bound.lets))
        return term


class Compiler:
    """Resolves expressions of one scope: `roots` maps a name to (env key, model class) pairs, searched in order."""

    def __init__(self, roots: Roots, functions: Mapping[str, Function]) -> None:
        self.roots = roots
        self.functions = functions

    def compile(self, text: str, names: Mapping[str, Expression | type] = _NOTHING) -> Expression:
        """Compile one expression; raises ExpressionError.

        `names` holds results of earlier expressions, and parameters as dotted names (`params.incast`: int), which are
        read as attributes of the environment's `params`.
        """
        work = _Compilation(self, text, names)
        part = work.part(parse(text))
        return Expression(text, part.type, frozenset(work.reads), frozenset(work.fields), part.run)

    def reserved(self) -> frozenset[str]:
        """Names that a `let` must not take."""
        return frozenset({*self.roots, *self.functions, *_QUANTIFIERS, *_AGGREGATES, "params"})


class Conditions(Protocol):
    """What a rule asks of a subject."""

    @property
    def when(self) -> Expression | None:
        """Which subjects it is about."""

    @property
    def require(self) -> Expression:
        """What must hold; compiled where some subject is one of those."""


def judge(rule: Conditions, env: Mapping[str, object] | Bound, condition: Term | None = None) -> Term | None:
    """The verdict of a rule on one subject; None when it does not apply. Unknown `when` with true `require` holds.

    `condition` is what `when` gives, where that is known already.
    """
    bound = env if isinstance(env, Bound) else Bound(env)
    if rule.when is None:
        return truth(rule.require(bound))
    if condition is None:
        condition = truth(rule.when(bound))
    if condition.known and not condition.value:
        return None
    return implied(condition, truth(rule.require(bound)))


class _Compilation:
    """The compilation of one text: a method for each node type that the syntax check lets through."""

    def __init__(self, compiler: Compiler, text: str, names: Mapping[str, Expression | type]) -> None:
        self.roots, self.functions = compiler.roots, compiler.functions
        self.reserved = compiler.reserved()
        self.text, self.names = text, names
        self.variables: dict[str, tuple[int, Any]] = {}
        self.reads: set[tuple[str, str]] = set()
        self.fields: set[tuple[type, str]] = set()
        """Every field that is read, with the model class that has it."""

    def error(self, node: ast.AST, message: str) -> ExpressionError:
        return ExpressionError(column_of(node, self.text), message)

    def part(self, node: ast.expr) -> Part:
        made: Part = getattr(self, "_" + type(node).__name__.lower())(node)
        return made

    def expect(self, node: ast.expr, kind: str, what: str) -> Part:
        part = self.part(node)
        if kind_of(part.type) != kind:
            raise self.error(node, f"{what}, not {describe(part.type)}")
        return part

    def condition(self, node: ast.expr) -> Part:
        return self.expect(node, "bool", "a condition is needed here")

    def number(self, node: ast.expr) -> Part:
        return self.expect(node, "number", "a number is needed here")

    # -- values

    def _constant(self, node: ast.Constant) -> Part:
        if node.value is None:
            raise self.error(node, "None is only tested with 'is None' or 'is not None'")
        term = Term(node.value)
        return Part(lambda bound: term, type(node.value), node.value)

    def _tuple(self, node: ast.Tuple) -> Part:
        return self._display(node, node.elts)

    def _set(self, node: ast.Set) -> Part:
        return self._display(node, node.elts)

    def _display(self, node: ast.expr, elements: list[ast.expr]) -> Part:
        parts = [self.part(e) for e in elements]
        kinds = {kind_of(p.type) for p in parts}
        if not parts or any(p.constant is None for p in parts) or len(kinds) != 1:
            raise self.error(node, "a set holds constants of one type, at least one")
        values = frozenset(p.constant for p in parts)
        term = Term(values)
        annotation = types.GenericAlias(frozenset, (parts[0].type,))
        return Part(lambda bound: term, annotation, values)

    def _name(self, node: ast.Name) -> Part:
        name = node.id
        if name in self.variables:
            slot, annotation = self.variables[name]
            return Part(lambda bound: bound.local[slot], annotation)
        let = self.names.get(name)
        if isinstance(let, Expression):
            self.reads |= let.reads
            self.fields |= let.fields
            return Part(let.once, let.type)
        if name in self.roots:
            raise self.error(node, f"'{name}' needs a field: '{name}.…'")
        known = [*self.variables, *self.roots, *(n.partition(".")[0] for n in self.names)]
        raise self.error(node, f"no name '{name}'{did_you_mean(name, known)}")

    def _attribute(self, node: ast.Attribute) -> Part:
        name, base = node.attr, node.value
        if isinstance(base, ast.Name) and base.id not in self.variables:
            if base.id == "params":
                return self._parameter(node, name)
            if base.id in self.roots:
                return self._root_field(node, base.id, name)
        part = self.part(base)
        if kind_of(part.type) != "model":
            raise self.error(node, f"{describe(part.type)} has no field '{name}'")
        if name not in fact_types(part.type):
            raise self.error(
                node, f"{describe(part.type)} has no field '{name}'{did_you_mean(name, fact_types(part.type))}"
            )
        return self._field(operations.read_field(part.run, name), part.type, name)

    def _parameter(self, node: ast.Attribute, name: str) -> Part:
        annotation = self.names.get(f"params.{name}")
        if not isinstance(annotation, type):
            known = [n.partition(".")[2] for n in self.names if n.startswith("params.")]
            raise self.error(node, f"no parameter '{name}'{did_you_mean(name, known)}")
        self.reads.add(("params", name))
        return Part(operations.read_parameter(name), annotation)

    def _root_field(self, node: ast.Attribute, root: str, name: str) -> Part:
        choices = self.roots[root]
        for key, model in choices:
            if name in fact_types(model):
                self.reads.add((key, name))
                return self._field(operations.read_root_field(key, name), model, name)
        known = [n for _, model in choices for n in fact_types(model)]
        raise self.error(node, f"{root} has no field '{name}'{did_you_mean(name, known)}")

    def _field(self, run: Run, model: Any, name: str) -> Part:
        self.fields.add((model, name))
        return Part(run, inside_cell(fact_types(model)[name]), size=size_of(model, name))

    def _subscript(self, node: ast.Subscript) -> Part:
        row, index = self.part(node.value), self.number(node.slice)
        if kind_of(row.type) != "tuple":
            raise self.error(node, f"{describe(row.type)} has no numbered elements")
        if index.type is not int:
            raise self.error(node.slice, "an element's number is whole")
        if row.size is not None and index.constant is not None and not 0 <= index.constant < row.size:
            raise self.error(node.slice, f"the elements are numbered 0 to {row.size - 1}")
        return Part(operations.read_element(row.run, index.run), inner(row.type))

    # -- logic

    def _boolop(self, node: ast.BoolOp) -> Part:
        runs = [self.condition(value).run for value in node.values]
        if isinstance(node.op, ast.And):
            return Part(lambda bound: conjunction((truth(run(bound)) for run in runs), stop=True), bool)
        return Part(lambda bound: negate(conjunction((negate(truth(run(bound))) for run in runs), stop=True)), bool)

    def _unaryop(self, node: ast.UnaryOp) -> Part:
        if isinstance(node.op, ast.Not):
            run = self.condition(node.operand).run
            return Part(lambda bound: negate(truth(run(bound))), bool)
        part = self.number(node.operand)
        constant = None if part.constant is None else -part.constant
        return Part(operations.calculate(ast.USub, part.run), part.type, constant)

    def _ifexp(self, node: ast.IfExp) -> Part:
        test, then, other = self.condition(node.test), self.part(node.body), self.part(node.orelse)
        annotation = joined(then.type, other.type)
        if annotation is None or kind_of(annotation) in ("model", "tuple"):
            raise self.error(node, f"both branches must agree: {describe(then.type)}, {describe(other.type)}")
        return Part(operations.choose(test.run, then.run, other.run), annotation)

    def _compare(self, node: ast.Compare) -> Part:
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            return self._is_none(node)
        nodes = [node.left, *node.comparators]
        parts = [self.part(n) for n in nodes]
        steps = []
        for at, op in enumerate(node.ops):
            if isinstance(op, ast.Is | ast.IsNot):
                raise self.error(nodes[at + 1], "'is' stands alone, and only before None")
            problem = operations.mismatch(op, parts[at], parts[at + 1])
            if problem:
                raise self.error(nodes[at + 1], problem)
            steps.append(operations.comparison(op, parts[at]))
        if len(steps) == 1:
            compare, left, right = steps[0], parts[0].run, parts[1].run
            return Part(lambda bound: compare(left(bound), right(bound)), bool)
        return Part(operations.chain(steps, [p.run for p in parts]), bool)

    def _is_none(self, node: ast.Compare) -> Part:
        other = node.comparators[0]
        if len(node.ops) > 1 or not (isinstance(other, ast.Constant) and other.value is None):
            raise self.error(other, "'is' stands alone, and only before None")
        run, wanted = self.part(node.left).run, isinstance(node.ops[0], ast.Is)

        def tested(bound: Bound) -> Term:
            term = run(bound)
            return Term((term.value is ABSENT) is wanted, term.reads) if term.known else term

        return Part(tested, bool)

    # -- arithmetic and calls

    def _binop(self, node: ast.BinOp) -> Part:
        left, right = self.part(node.left), self.part(node.right)
        kinds = (kind_of(left.type), kind_of(right.type))
        op = type(node.op)
        run = operations.calculate(op, left.run, right.run)
        if kinds == ("number", "number") and op in operations.NUMBERS:
            whole = op is not ast.Div and left.type is int and right.type is int
            return Part(run, int if whole else float)
        if kinds == ("set", "set") and op in operations.SETS and joined(inner(left.type), inner(right.type)):
            return Part(run, left.type)
        raise self.error(node, f"cannot combine {describe(left.type)} and {describe(right.type)} with this operator")

    def _call(self, node: ast.Call) -> Part:
        if not isinstance(node.func, ast.Name):
            raise self.error(node, "only functions are called")
        name = node.func.id
        if name in _QUANTIFIERS or name in _AGGREGATES:
            return self._fold(node, name)
        function = self.functions.get(name)
        if function is None:
            known = [*self.functions, *_QUANTIFIERS, *_AGGREGATES]
            raise self.error(node, f"no function '{name}'{did_you_mean(name, known)}")
        if len(node.args) != len(function.parameters):
            wanted = ", ".join(parameter for parameter, _ in function.parameters)
            raise self.error(node, f"{name}({wanted}) takes {len(function.parameters)} values, not {len(node.args)}")
        runs = []
        for argument, (parameter, annotation) in zip(node.args, function.parameters, strict=True):
            part = self.part(argument)
            if joined(part.type, annotation) != annotation:
                whole = "a whole number" if annotation is int else describe(annotation)
                raise self.error(argument, f"{parameter} of {name} is {whole}, not {describe(part.type)}")
            runs.append(part.run)
        lifted = lift_over_unknown if function.takes_unknown else lift
        return Part(lambda bound: lifted(function.call, *[run(bound) for run in runs]), function.result)

    def _generatorexp(self, node: ast.GeneratorExp) -> Part:
        raise self.error(node, f"'for' stands only inside {', '.join((*_QUANTIFIERS, *_AGGREGATES))}")

    def _fold(self, node: ast.Call, name: str) -> Part:
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            each, annotation = self._loop(node.args[0], name)
        elif name in _QUANTIFIERS or not node.args:
            raise self.error(node, f"write {name}(… for x in …)")
        elif len(node.args) > 1:
            parts = [self.number(argument) for argument in node.args]
            if name not in ("min", "max"):
                raise self.error(node, f"{name} takes one value")
            whole = all(part.type is int for part in parts)
            runs = [part.run for part in parts]
            return Part(loops.aggregate(name, lambda bound: [run(bound) for run in runs]), int if whole else float)
        else:
            part = self.part(node.args[0])
            if kind_of(part.type) not in ("set", "tuple"):
                raise self.error(node, f"{name} needs a set or row, not {describe(part.type)}")
            if name == "len":
                return Part(loops.size(part.run), int)
            each, annotation = loops.elements(part.run), inner(part.type)
        if name in _QUANTIFIERS:
            return Part(loops.quantify(name, each), bool)
        if name != "len" and kind_of(annotation) != "number":
            raise self.error(node, f"{name} works on numbers, not on {describe(annotation)}")
        return Part(loops.fold(name, each), int if name == "len" else annotation)

    def _loop(self, node: ast.GeneratorExp, name: str) -> tuple[loops.Each, Any]:
        if len(node.generators) != 1:
            raise self.error(node, "one 'for' only")
        (generator,) = node.generators
        target = generator.target
        taken = self.reserved | self.variables.keys() | self.names.keys()
        if not isinstance(target, ast.Name) or target.id in taken or target.id.startswith("_"):
            raise self.error(target, "'for' needs one new name")
        source = self.part(generator.iter)
        if kind_of(source.type) not in ("set", "tuple"):
            raise self.error(generator.iter, f"'for' runs over a set or row, not over {describe(source.type)}")
        slot = len(self.variables)
        if slot >= MAX_NESTED_LOOPS:
            raise self.error(node, f"more than {MAX_NESTED_LOOPS} nested 'for'")
        self.variables[target.id] = (slot, inner(source.type))
        filters = [self.condition(test).run for test in generator.ifs]
        body = self.condition(node.elt) if name in _QUANTIFIERS else self.part(node.elt)
        del self.variables[target.id]
        return loops.loop(source.run, slot, filters, body.run), body.type
