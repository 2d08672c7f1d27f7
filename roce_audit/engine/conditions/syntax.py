"""The text of an expression to a checked syntax tree: Python's grammar, of which only a small part is let through.

Every node type and every field of it is on a list; what is not listed is refused, also what later Pythons may add.
"""

from __future__ import annotations

import ast
import warnings

MAX_CHARACTERS = 1000
MAX_DEPTH = 40
MAX_CONSTANT = 2**64

_FIELDS: dict[type[ast.AST], frozenset[str]] = {
    ast.Constant: frozenset({"value"}),
    ast.Name: frozenset({"id", "ctx"}),
    ast.Attribute: frozenset({"value", "attr", "ctx"}),
    ast.Subscript: frozenset({"value", "slice", "ctx"}),
    ast.Compare: frozenset({"left", "ops", "comparators"}),
    ast.BoolOp: frozenset({"op", "values"}),
    ast.UnaryOp: frozenset({"op", "operand"}),
    ast.BinOp: frozenset({"left", "op", "right"}),
    ast.IfExp: frozenset({"test", "body", "orelse"}),
    ast.Call: frozenset({"func", "args"}),
    ast.GeneratorExp: frozenset({"elt", "generators"}),
    ast.comprehension: frozenset({"target", "iter", "ifs"}),
    ast.Tuple: frozenset({"elts", "ctx"}),
    ast.Set: frozenset({"elts"}),
    **dict.fromkeys((ast.Load, ast.Store, ast.And, ast.Or, ast.Not, ast.USub), frozenset()),
    **dict.fromkeys((ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Eq, ast.NotEq), frozenset()),
    **dict.fromkeys((ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.BitAnd, ast.BitOr), frozenset()),
    **dict.fromkeys((ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv), frozenset()),
}
_WORDS = {
    "keywords": "arguments are given by position",
    "kind": "strings have no prefix",
    "is_async": "'async' is not allowed",
    "Starred": "'*' is not allowed before an argument",
    "Lambda": "'lambda' is not allowed",
    "JoinedStr": "f-strings are not allowed",
    "NamedExpr": "':=' is not allowed",
    "Pow": "powers are not allowed",
    "LShift": "shifts are not allowed",
    "RShift": "shifts are not allowed",
    "Slice": "slices are not allowed",
    "List": "write ( ) instead of [ ]",
}


class ExpressionError(ValueError):
    """An expression that is not accepted; `column` counts characters from 1."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(f"column {column}: {message}")
        self.column = column
        self.message = message


def parse(text: str) -> ast.expr:
    """The checked tree of one expression. Raises ExpressionError, whatever the text."""
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(MAX_CHARACTERS + 1, f"longer than {MAX_CHARACTERS:,} characters")
    text = text.replace("\n", " ")
    if not text.strip():
        raise ExpressionError(1, "empty expression")
    if not text.isprintable() or "\\" in text or "#" in text:
        at = next(n for n, one in enumerate(text) if not one.isprintable() or one in "\\#")
        raise ExpressionError(at + 1, f"{text[at]!r} is not allowed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Python only frowns at ("1or 2") is refused, not printed
            body = ast.parse(text.lstrip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError, Warning) as error:
        offset = getattr(error, "offset", None) or 1
        reason = error.msg if isinstance(error, SyntaxError) else "nested too deeply or not readable"
        raise ExpressionError(len(text) - len(text.lstrip()) + offset, reason) from None
    _check(body, text)
    return body


def column_of(node: ast.AST, text: str) -> int:
    """Column of a node in characters from 1 (`ast` counts UTF-8 bytes, behind leading blanks)."""
    stripped = text.replace("\n", " ").lstrip()
    offset = getattr(node, "col_offset", 0)
    return len(text) - len(stripped) + len(stripped.encode()[:offset].decode(errors="ignore")) + 1


def _check(body: ast.expr, text: str) -> None:
    todo: list[tuple[ast.AST, int, ast.AST]] = [(body, 1, body)]
    while todo:
        node, depth, nearest = todo.pop()
        nearest = node if hasattr(node, "col_offset") else nearest
        name = type(node).__name__
        allowed = _FIELDS.get(type(node))
        if allowed is None:
            raise ExpressionError(column_of(nearest, text), _WORDS.get(name, f"'{name}' is not allowed"))
        if depth > MAX_DEPTH:
            raise ExpressionError(column_of(nearest, text), f"nested deeper than {MAX_DEPTH}")
        for field in node._fields:
            value = getattr(node, field, None)
            if field not in allowed and value not in (None, [], 0):
                raise ExpressionError(column_of(nearest, text), _WORDS.get(field, f"'{field}' is not allowed"))
            if isinstance(value, ast.AST):
                todo.append((value, depth + 1, nearest))
            elif isinstance(value, list):
                todo += [(child, depth + 1, nearest) for child in value if isinstance(child, ast.AST)]
        if isinstance(node, ast.Constant):
            _check_constant(node, text)


def _check_constant(node: ast.Constant, text: str) -> None:
    value = node.value
    if value is not None and type(value) not in (bool, int, float, str):
        raise ExpressionError(column_of(node, text), f"a constant of type {type(value).__name__} is not allowed")
    if isinstance(value, (int, float)) and not abs(value) <= MAX_CONSTANT:
        raise ExpressionError(column_of(node, text), "the number is larger than 2**64")
