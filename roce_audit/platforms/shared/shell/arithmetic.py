"""What `$((26 << 2))` of a shell comes to, and the same in Python."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

_PLAIN = r"[\w\s$<>+*/%|&-]"
_EXPANSION = re.compile(rf"\$\(\(((?:{_PLAIN}|\((?:{_PLAIN}|\({_PLAIN}{{0,40}}\)){{0,60}}\)){{1,80}})\)\)")
_NAME = re.compile(r"\$?\b([A-Za-z_]\w{0,40})\b")
_LARGEST = 2**32
_FURTHEST = 31
_DOES: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}
"""C and Python give these the same precedence."""


def computed(text: str, value_of: Callable[[str], str | None]) -> str:
    """The text with each arithmetic expansion of whole numbers as its result; those that are more than that stay as they are.

    `value_of` gives the value of a variable, None where nobody knows it: in an expansion its name may stand without a `$`.
    """
    if "$((" not in text:
        return text

    def result(found: re.Match[str]) -> str:
        plain = _NAME.sub(lambda name: value_of(name[1]) or name[0], found[1])
        try:
            number = whole_number(ast.parse(plain.strip(), mode="eval").body)
        except (SyntaxError, ValueError):
            return found.group()
        return str(number)

    return _EXPANSION.sub(result, text)


def whole_number(node: ast.expr) -> int:
    """Raises ValueError for anything but a few operators on whole numbers."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        found = node.value
    elif isinstance(node, ast.BinOp) and type(node.op) in _DOES:
        left, right = whole_number(node.left), whole_number(node.right)
        if isinstance(node.op, ast.LShift | ast.RShift) and not 0 <= right <= _FURTHEST:
            raise ValueError(right)
        found = _DOES[type(node.op)](left, right)
    else:
        raise ValueError(ast.dump(node))
    if not 0 <= found < _LARGEST:
        raise ValueError(found)
    return found
