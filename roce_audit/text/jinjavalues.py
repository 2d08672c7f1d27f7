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
"""Values in values of variables."""
_NESTED = 20
"""Brackets in brackets."""
_STEPS = 10_000
_CHARACTERS_OF_STEP = 4
_MOST = 1_024
_LONGEST = 10_000
"""Items of a list, and characters of a text, that are worked out."""


class Open(Exception):
    """A value stands elsewhere, or is made in a way that is not followed."""


class _Effort:
    """What one question may cost: a text from a stranger may ask for values of values without end."""

    def __init__(self) -> None:
        self.depth = 0
        self._left = _STEPS

    def spend(self, steps: int) -> None:
        """Take these steps. Raises Open where none are left."""
        self._left -= steps
        if self._left < 0 or self.depth > _DEPTH:
            raise Open


def value_of(written: Any, variables: Mapping[str, Any], effort: _Effort | None = None) -> Any:
    """What is written, with the values of its variables. Raises Open where one of the whole is not known."""
    effort = effort or _Effort()
    if isinstance(written, str):
        if "{{" not in written and "{%" not in written:
            return written
        whole = _WHOLE.fullmatch(written)
        if whole is not None:
            return _Reader(whole[1], variables, effort).value()
        if "{%" in written:
            raise Open
        return _EXPRESSION.sub(lambda found: _text(_Reader(found[1], variables, effort).value()), written)
    if isinstance(written, list):
        return [fill(one, variables, effort) for one in written]
    if isinstance(written, dict):
        return {key: fill(one, variables, effort) for key, one in written.items()}
    return written


def fill(written: Any, variables: Mapping[str, Any], effort: _Effort | None = None) -> Any:
    """The same; what is not known stays as it is written."""
    effort = effort or _Effort()
    try:
        return value_of(written, variables, effort)
    except Open:
        pass
    if not isinstance(written, str) or "{%" in written:
        return written

    def known(found: re.Match[str]) -> str:
        try:
            return _text(_Reader(found[1], variables, effort).value())
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
    return str(_sized(value))


def _sized(value: Any) -> Any:
    """The value. Raises Open where it is too large to be what somebody means."""
    if isinstance(value, int) and abs(value) >= 10**12:
        raise Open
    if (isinstance(value, str) and len(value) > _LONGEST) or (isinstance(value, list) and len(value) > _MOST):
        raise Open
    return value


class _Reader:
    """One expression, read from left to right."""

    def __init__(self, text: str, variables: Mapping[str, Any], effort: _Effort) -> None:
        self._variables = variables
        self._effort = effort
        effort.spend(1 + len(text) // _CHARACTERS_OF_STEP)
        self._tokens: list[tuple[str, str]] = []
        at = nested = 0
        text = text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise Open
            kind = str(found.lastgroup)
            self._tokens.append((kind, found[kind]))
            nested += kind == "sign" and found[kind] in "(["
            nested -= kind == "sign" and found[kind] in ")]"
            if nested > _NESTED:
                raise Open
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
            left = _sized(_joined(left, sign, self._product()))
        return left

    def _product(self) -> Any:
        left = self._filtered()
        while sign := self._next("*", "//", "%"):
            right = self._filtered()
            if not (_is_number(left) and _is_number(right)) or (sign != "*" and right == 0):
                raise Open
            left = _sized(left * right if sign == "*" else left // right if sign == "//" else left % right)
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
        self._effort.spend(len(value) if isinstance(value, str | list | dict) else 1)
        try:
            return _sized(work(value, *given))
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
            value = self._inside(_below(value, key))
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
        return self._inside(self._variables[text])

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
        if len(numbers) > _MOST:
            raise Open
        return list(numbers)


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


def _in_one(value: Any, sign: Any = "") -> str:
    between, texts = _text(sign), []
    length = 0
    for one in _listed(value):
        texts.append(_text(one))
        length += len(texts[-1]) + len(between)
        if length > _LONGEST:
            raise Open
    return between.join(texts)


def _replaced(value: Any, old: Any, new: Any) -> str:
    text, before, behind = _text(value), _text(old), _text(new)
    if len(text) + text.count(before) * len(behind) > _LONGEST:
        raise Open
    return text.replace(before, behind)


def _product(value: Any, *others: Any) -> list[Any]:
    joined = itertools.product(_listed(value), *map(_listed, others))
    return [list(one) for one in itertools.islice(joined, _MOST + 1)]


def _unique(value: Any) -> list[Any]:
    return list({repr(one): one for one in _listed(value)}.values())


def _but(value: Any, others: Any) -> list[Any]:
    left_out = {repr(one) for one in _listed(others)}
    return [one for one in _listed(value) if repr(one) not in left_out]


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
    "unique": _unique,
    "sort": lambda value: sorted(_listed(value)),
    "length": lambda value: len(value),
    "join": _in_one,
    "union": lambda value, other: [*_listed(value), *_but(other, value)],
    "difference": _but,
    "product": _product,
    "zip": lambda value, *others: [list(one) for one in zip(_listed(value), *map(_listed, others), strict=False)],
    "dict2items": _pairs,
    "mandatory": lambda value: value,
    "quote": lambda value: value,
    "replace": _replaced,
}
"""The filters that give what they are given in another shape."""
