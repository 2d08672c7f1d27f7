"""What compiles the texts of one rule file: each with the names it may use, its mistakes at their place in the file."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping

from roce_audit.engine.conditions.expressions import Compiler, Expression
from roce_audit.engine.conditions.kinds import describe, kind_of
from roce_audit.engine.conditions.syntax import ExpressionError
from roce_audit.engine.rules.messages import Template
from roce_audit.engine.rules.scopes import Scope, compiler_for


class RuleError(Exception):
    """A rule file that cannot be used; `line` and `column` count from 1."""

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {message}")
        self.path = path
        self.line = line
        self.column = column
        self.message = message


class _Names(Mapping[str, Expression | type]):
    """What the expressions of a rule may name: its parameters and each `let`, compiled in their order when one is asked for."""

    def __init__(self, compiler: RuleCompiler, parameters: Mapping[str, type], let: Mapping[str, str]) -> None:
        self._compiler = compiler
        self._let = let
        self._known: dict[str, Expression | type] = {f"params.{name}": kind for name, kind in parameters.items()}
        self._waiting = list(let)

    def compile(self, name: str = "") -> None:
        """Compile each `let` up to this one; without a name all of them. Raises RuleError."""
        while self._waiting and name not in self._known:
            following = self._waiting[0]
            # it may name those before it, and nothing else
            self._known[following] = self._compiler.let(following, self._let[following], self._known)
            del self._waiting[0]

    def __getitem__(self, name: str) -> Expression | type:
        self.compile(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        yield from (*self._known, *self._waiting)

    def __len__(self) -> int:
        return len(self._known) + len(self._waiting)


class RuleCompiler:
    """Compiles the texts of one rule, field by field (`require`, `severity.error`); all of it raises RuleError.

    `places` maps a field to its line and column in the file `path`.
    """

    def __init__(
        self,
        path: str,
        places: Mapping[str, tuple[int, int]],
        scope: Scope,
        parameters: Mapping[str, type],
        let: Mapping[str, str],
    ) -> None:
        self._path = path
        self._places = places
        self._compiler: Compiler = compiler_for(scope)
        self._names = _Names(self, parameters, let)

    def compile_names(self) -> None:
        """Compile each `let`, whether anything names it or not."""
        self._names.compile()

    def let(self, name: str, text: str, names: Mapping[str, Expression | type]) -> Expression:
        """What a name stands for, said with other names."""
        field = f"let.{name}"
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
            raise self.error(field, f"'{name}' is no name")
        if name in self._compiler.reserved():
            raise self.error(field, f"'{name}' already means something else")
        return self._compiled(field, text, names)

    def expression(self, field: str, text: str) -> Expression:
        """A value of any kind."""
        return self._compiled(field, text, self._names)

    def condition(self, field: str, text: str) -> Expression:
        """What is true, false or unknown."""
        expression = self.expression(field, text)
        if kind_of(expression.type) != "bool":
            raise self.error(field, f"a condition is needed here, not {describe(expression.type)}")
        return expression

    def number(self, field: str, text: str) -> Expression:
        """A number, or unknown."""
        expression = self.expression(field, text)
        if kind_of(expression.type) != "number":
            raise self.error(field, f"a number is needed here, not {describe(expression.type)}")
        return expression

    def template(self, field: str, text: str) -> Template:
        """A sentence with values in it."""
        try:
            return Template(text, self._compiler, self._names)
        except ExpressionError as error:
            raise self.error(field, error.message, error.column) from None

    def error(self, field: str, message: str, column: int = 1) -> RuleError:
        """The error at its place; where the text is folded over lines, the column is told in words."""
        line, first = self._places.get(field, (1, 0))
        if first > 0:
            return RuleError(self._path, line, first + column - 1, f"{field}: {message}")
        return RuleError(self._path, line, 1, f"{field}: {message} (at character {column})")

    def _compiled(self, field: str, text: str, names: Mapping[str, Expression | type]) -> Expression:
        try:
            return self._compiler.compile(text, names)
        except ExpressionError as error:
            raise self.error(field, error.message, error.column) from None
