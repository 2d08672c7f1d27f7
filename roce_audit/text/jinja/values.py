"""The values of Jinja's expressions, as playbooks use them: names and their members, sums, lists, and the filters that only reshape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.jinja.filters import FILTERS, MOST, NAMED_ARGUMENTS, Open, below, listed, sized, text_of
from roce_audit.text.memo import of_text

__all__ = ["Effort", "Open", "fill", "is_open", "value_of"]

_EXPRESSION = lazy(r"\{\{-?((?:[^{}\n]|\n){1,400})-?\}\}")
_WHOLE = lazy(r"\s{0,40}\{\{-?((?:[^{}]){1,400})-?\}\}\s{0,40}")
_EITHER = lazy(r"(?P<yes>[^{}]{1,150}?) if (?P<asked>[^{}]{1,150}?) else (?P<no>[^{}]{1,150})")
_TOKEN = lazy(
    r"\s*(?:(?P<number>\d{1,12})|(?P<name>[A-Za-z_]\w{0,60})|(?P<text>'[^'\n]{0,200}'|\"[^\"\n]{0,200}\")"
    r"|(?P<sign>//|[-+*%~|.,:=()\[\]]))"
)
_DEPTH = 8
"""Values in values of variables."""
_NESTED = 20
"""Brackets in brackets."""
_STEPS = 10_000
_CHARACTERS_OF_STEP = 4


class Effort:
    """What one question may cost: a text from a stranger may ask for values of values without end."""

    def __init__(self) -> None:
        self.depth = 0
        self._left = _STEPS

    def spend(self, steps: int) -> None:
        """Take these steps. Raises Open where none are left."""
        self._left -= steps
        if self._left < 0 or self.depth > _DEPTH:
            raise Open


def value_of(written: Any, variables: Mapping[str, Any], effort: Effort | None = None) -> Any:
    """What is written, with the values of its variables. Raises Open where one of the whole is not known."""
    effort = effort or Effort()
    if isinstance(written, str):
        if "{{" not in written and "{%" not in written:
            return written
        whole = _WHOLE.fullmatch(written)
        if whole is not None:
            return _worked_out(whole[1], variables, effort)
        if "{%" in written:
            raise Open
        return _EXPRESSION.sub(lambda found: text_of(_worked_out(found[1], variables, effort)), written)
    if isinstance(written, list):
        return [fill(one, variables, effort) for one in written]
    if isinstance(written, dict):
        return {key: fill(one, variables, effort) for key, one in written.items()}
    return written


def fill(written: Any, variables: Mapping[str, Any], effort: Effort | None = None) -> Any:
    """The same; what is not known stays as it is written."""
    effort = effort or Effort()
    try:
        return value_of(written, variables, effort)
    except Open:
        pass
    if not isinstance(written, str) or "{%" in written:
        return written

    def known(found: re.Match[str]) -> str:
        try:
            return text_of(_worked_out(found[1], variables, effort))
        except Open:
            return found[0]

    return _EXPRESSION.sub(known, written)


def _worked_out(expression: str, variables: Mapping[str, Any], effort: Effort) -> Any:
    """What an expression comes to. Raises Open where that is not known."""
    chosen = _EITHER.fullmatch(expression) if " if " in expression else None
    if chosen is None:
        return _Reader(expression, variables, effort).value()
    from roce_audit.text.jinja.conditions import decided  # conditions are made of values

    effort.spend(_CHARACTERS_OF_STEP)
    holds = decided(chosen["asked"], variables, effort)
    if holds is None:
        raise Open
    return _Reader(chosen["yes"] if holds else chosen["no"], variables, effort).value()


def is_open(value: Any) -> bool:
    """Whether something in a value stands elsewhere."""
    if isinstance(value, str):
        return "{{" in value or "{%" in value
    if isinstance(value, dict):
        return any(map(is_open, value.values()))
    return isinstance(value, list) and any(map(is_open, value))


@of_text
def _tokens(text: str) -> Sequence[tuple[str, str]] | None:
    """The words of an expression with their kinds; None where one is not known, or brackets are nested too deeply."""
    found: list[tuple[str, str]] = []
    at = nested = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        kind = str(token.lastgroup)
        found.append((kind, token[kind]))
        nested += kind == "sign" and token[kind] in "(["
        nested -= kind == "sign" and token[kind] in ")]"
        if nested > _NESTED:
            return None
        at = token.end()
    return found


class _Reader:
    """One expression, read from left to right."""

    def __init__(self, text: str, variables: Mapping[str, Any], effort: Effort) -> None:
        self._variables = variables
        self._effort = effort
        effort.spend(1 + len(text) // _CHARACTERS_OF_STEP)
        tokens = _tokens(text.strip())
        if tokens is None:
            raise Open
        self._tokens = tokens
        self._at = 0

    def value(self) -> Any:
        """What the whole expression comes to."""
        found = self._sum()
        if self._at < len(self._tokens) or found is None:
            raise Open
        return found

    def _next(self, *signs: str) -> str:
        """The sign that follows, if it is one of these."""
        if self._at < len(self._tokens) and self._tokens[self._at][0] == "sign" and self._tokens[self._at][1] in signs:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return ""

    def _need(self, sign: str) -> None:
        if not self._next(sign):
            raise Open

    def _sum(self) -> Any:
        left = self._product()
        while sign := self._next("+", "-", "~"):
            left = sized(_joined(left, sign, self._product()))
        return left

    def _product(self) -> Any:
        left = self._filtered()
        while sign := self._next("*", "//", "%"):
            right = self._filtered()
            if not (_is_number(left) and _is_number(right)) or (sign != "*" and right == 0):
                raise Open
            left = sized(left * right if sign == "*" else left // right if sign == "//" else left % right)
        return left

    def _filtered(self) -> Any:
        value: Any = None
        first = self._at
        try:
            value = self._member()
        except Open:
            self._at = self._behind_name(first)
            if [text for _, text in self._tokens[self._at : self._at + 2]] not in (["|", "default"], ["|", "d"]):
                raise
        while self._next("|"):
            value = self._filter(value)
        return value

    def _behind_name(self, at: int) -> int:
        """Where a name and its members end."""
        at += 1
        while at + 1 < len(self._tokens) and self._tokens[at][1] in (".", "["):
            at += 3 if self._tokens[at][1] == "[" else 2
        return at

    def _filter(self, value: Any) -> Any:
        if self._at >= len(self._tokens):
            raise Open
        name = self._tokens[self._at][1]
        self._at += 1
        given: list[Any] = []
        named: dict[str, Any] = {}
        if self._next("("):
            while not self._next(")"):
                key = self._key()
                if key:
                    named[key] = self._sum()
                else:
                    given.append(self._sum())
                if not self._next(","):
                    self._need(")")
                    break
        if name in ("default", "d"):
            is_lacking = value is None or (given[1:] == [True] and not value)
            return given[0] if is_lacking and given else value
        if named and name not in NAMED_ARGUMENTS:
            raise Open
        work = FILTERS.get(name)
        if work is None or value is None:
            raise Open
        self._effort.spend(len(value) if isinstance(value, str | list | dict) else 1)
        try:
            return sized(work(value, *given, **named))
        except (TypeError, ValueError, IndexError, KeyError):
            raise Open from None

    def _key(self) -> str:
        """The name of an argument that is given by its name; "" for any other."""
        following = self._tokens[self._at : self._at + 2]
        if [kind for kind, _ in following] != ["name", "sign"] or following[1][1] != "=":
            return ""
        self._at += 2
        return following[0][1]

    def _member(self) -> Any:
        """A value and the members asked of it; only the innermost is worked out."""
        value = self._atom()
        while sign := self._next(".", "["):
            if sign == ".":
                if self._at >= len(self._tokens):
                    raise Open
                key: Any = self._tokens[self._at][1]
                self._at += 1
            else:
                first = self._bound()
                if self._next(":"):
                    last = self._bound()
                    self._need("]")
                    value = listed(self._container(value))[first:last]
                    continue
                key = self._sum() if first is None else first
                self._need("]")
            value = below(self._container(value), key)
        return self._inside(value)

    def _container(self, written: Any) -> Any:
        return written if isinstance(written, dict | list) else self._inside(written)

    def _bound(self) -> int | None:
        """The number, below zero perhaps, that a slice begins or ends with."""
        at, sign = self._at, self._next("-")
        if self._at < len(self._tokens) and self._tokens[self._at][0] == "number":
            following = self._tokens[self._at + 1 : self._at + 2]
            if following and following[0][1] in (":", "]"):
                self._at += 1
                number = int(self._tokens[self._at - 1][1])
                return -number if sign else number
        self._at = at
        return None

    def _atom(self) -> Any:
        """A number, a text, a list, what stands in brackets, or what is written for a variable."""
        if self._at >= len(self._tokens):
            raise Open
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "number":
            return int(text)
        if kind == "text":
            return text[1:-1]
        if text == "(":
            value = self._sum()
            self._need(")")
            return value
        if text == "[":
            inside: list[Any] = []
            while not self._next("]"):
                inside.append(self._sum())
                if not self._next(","):
                    self._need("]")
                    break
            return inside
        if kind != "name":
            raise Open
        if text == "range" and self._next("("):
            return self._range()
        if text not in self._variables and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if text not in self._variables:
            raise Open
        return self._variables[text]

    def _inside(self, written: Any) -> Any:
        """The value of a variable, in which others may stand."""
        self._effort.depth += 1
        try:
            return value_of(written, self._variables, self._effort)
        finally:
            self._effort.depth -= 1

    def _range(self) -> list[int]:
        given: list[Any] = []
        while not self._next(")"):
            given.append(self._sum())
            if not self._next(","):
                self._need(")")
                break
        if not 1 <= len(given) <= 3 or not all(map(_is_number, given)) or given[2:] == [0]:
            raise Open
        numbers = range(*given)
        if len(numbers) > MOST:
            raise Open
        return list(numbers)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _joined(left: Any, sign: str, right: Any) -> Any:
    if sign == "~":
        return text_of(left) + text_of(right)
    if _is_number(left) and _is_number(right):
        return left + right if sign == "+" else left - right
    if sign == "+" and isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    raise Open
