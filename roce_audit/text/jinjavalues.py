"""The values of Jinja's expressions, as playbooks use them: names and their members, sums, lists, and the filters that only reshape."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.patterns import lazy

_EXPRESSION = lazy(r"\{\{-?((?:[^{}\n]|\n){1,400})-?\}\}")
_WHOLE = lazy(r"\s{0,40}\{\{-?((?:[^{}]){1,400})-?\}\}\s{0,40}")
_TOKEN = lazy(
    r"\s*(?:(?P<number>\d{1,12})|(?P<name>[A-Za-z_]\w{0,60})|(?P<text>'[^'\n]{0,200}'|\"[^\"\n]{0,200}\")"
    r"|(?P<sign>//|[-+*%~|.,()\[\]]))"
)
_DEPTH = 8
_MOST = 4_096


class Open(Exception):
    """A value stands elsewhere, or is made in a way that is not followed."""


def value_of(written: Any, variables: Mapping[str, Any], depth: int = 0) -> Any:
    """What is written, with the values of its variables. Raises Open where one of the whole is not known."""
    if isinstance(written, str):
        if "{{" not in written and "{%" not in written:
            return written
        whole = _WHOLE.fullmatch(written)
        if whole is not None:
            return _Reader(whole[1], variables, depth).value()
        if "{%" in written:
            raise Open
        return _EXPRESSION.sub(lambda found: _text(_Reader(found[1], variables, depth).value()), written)
    if isinstance(written, list):
        return [fill(one, variables, depth) for one in written]
    if isinstance(written, dict):
        return {key: fill(one, variables, depth) for key, one in written.items()}
    return written


def fill(written: Any, variables: Mapping[str, Any], depth: int = 0) -> Any:
    """The same; what is not known stays as it is written."""
    try:
        return value_of(written, variables, depth)
    except Open:
        pass
    if not isinstance(written, str) or "{%" in written:
        return written

    def known(found: re.Match[str]) -> str:
        try:
            return _text(_Reader(found[1], variables, depth).value())
        except Open:
            return found[0]

    return _EXPRESSION.sub(known, written)


def is_open(value: Any) -> bool:
    """Whether something in a value stands elsewhere."""
    if isinstance(value, str):
        return "{{" in value or "{%" in value
    if isinstance(value, dict):
        return any(map(is_open, value.values()))
    return isinstance(value, list) and any(map(is_open, value))


def _text(value: Any) -> str:
    if isinstance(value, bool | float) or not isinstance(value, str | int):
        raise Open
    return str(value)


class _Reader:
    """One expression, read from left to right."""

    def __init__(self, text: str, variables: Mapping[str, Any], depth: int) -> None:
        self._variables = variables
        self._depth = depth
        if depth > _DEPTH:
            raise Open
        self._tokens: list[tuple[str, str]] = []
        at = 0
        text = text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise Open
            self._tokens.append((str(found.lastgroup), found[str(found.lastgroup)]))
            at = found.end()
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
            left = _joined(left, sign, self._product())
        return left

    def _product(self) -> Any:
        left = self._filtered()
        while sign := self._next("*", "//", "%"):
            right = self._filtered()
            if not (_is_number(left) and _is_number(right)) or (sign != "*" and right == 0):
                raise Open
            left = left * right if sign == "*" else left // right if sign == "//" else left % right
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
        if self._next("("):
            while not self._next(")"):
                given.append(self._sum())
                if not self._next(","):
                    self._need(")")
                    break
        if name in ("default", "d"):
            return given[0] if value is None and given else value
        work = _FILTERS.get(name)
        if work is None or value is None:
            raise Open
        try:
            return work(value, *given)
        except (TypeError, ValueError, IndexError, KeyError):
            raise Open from None

    def _member(self) -> Any:
        value = self._atom()
        while sign := self._next(".", "["):
            if sign == ".":
                if self._at >= len(self._tokens):
                    raise Open
                key: Any = self._tokens[self._at][1]
                self._at += 1
            else:
                key = self._sum()
                self._need("]")
            value = value_of(_below(value, key), self._variables, self._depth + 1)
        return value

    def _atom(self) -> Any:
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
            listed: list[Any] = []
            while not self._next("]"):
                listed.append(self._sum())
                if not self._next(","):
                    self._need("]")
                    break
            return listed
        if kind != "name":
            raise Open
        if text == "range" and self._next("("):
            return self._range()
        if text not in self._variables:
            raise Open
        return value_of(self._variables[text], self._variables, self._depth + 1)

    def _range(self) -> list[int]:
        given: list[Any] = []
        while not self._next(")"):
            given.append(self._sum())
            if not self._next(","):
                self._need(")")
                break
        if not 1 <= len(given) <= 3 or not all(map(_is_number, given)) or given[2:] == [0]:
            raise Open
        return list(range(*given)[:_MOST])


def _below(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        if key in value:
            return value[key]
        if isinstance(key, str) and key.isdigit() and int(key) in value:
            return value[int(key)]
    if isinstance(value, list) and str(key).isdigit() and int(key) < len(value):
        return value[int(key)]
    raise Open


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _joined(left: Any, sign: str, right: Any) -> Any:
    if sign == "~":
        return _text(left) + _text(right)
    if _is_number(left) and _is_number(right):
        return left + right if sign == "+" else left - right
    if sign == "+" and isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    raise Open


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _flattened(value: Any) -> list[Any]:
    return [inner for one in _listed(value) for inner in (_flattened(one) if isinstance(one, list) else [one])]


def _pairs(value: Any) -> list[Any]:
    if not isinstance(value, dict):
        raise TypeError
    return [{"key": key, "value": one} for key, one in value.items()]


_FILTERS: dict[str, Callable[..., Any]] = {
    "int": lambda value: int(value),
    "string": _text,
    "trim": lambda value: _text(value).strip(),
    "lower": lambda value: _text(value).lower(),
    "upper": lambda value: _text(value).upper(),
    "list": lambda value: _listed(value),
    "flatten": _flattened,
    "first": lambda value: _listed(value)[0],
    "last": lambda value: _listed(value)[-1],
    "unique": lambda value: [one for at, one in enumerate(_listed(value)) if one not in value[:at]],
    "sort": lambda value: sorted(_listed(value)),
    "length": lambda value: len(value),
    "join": lambda value, sign="": _text(sign).join(map(_text, _listed(value))),
    "union": lambda value, other: [*_listed(value), *(one for one in _listed(other) if one not in value)],
    "difference": lambda value, other: [one for one in _listed(value) if one not in _listed(other)],
    "product": lambda value, *others: [
        list(one) for one in itertools.islice(itertools.product(_listed(value), *others), _MOST)
    ],
    "zip": lambda value, *others: [list(one) for one in zip(_listed(value), *others, strict=False)],
    "dict2items": _pairs,
    "mandatory": lambda value: value,
    "quote": lambda value: value,
    "replace": lambda value, old, new: _text(value).replace(old, new),
}
"""The filters that give what they are given in another shape."""
