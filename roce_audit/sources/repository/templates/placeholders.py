"""Placeholders of templates, playbooks and charts, and what certain values make of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.jinja.values import fill

PLACEHOLDER = lazy(
    r"\{\{-?\s{0,8}(?P<name>\.?[A-Za-z_]\w{0,60}(?:\.\w{1,60}|\[['\"]?\w{1,60}['\"]?\]){0,8})"
    r"(?P<filters>(?:\s{0,8}\|\s{0,8}\w{1,20}(?:\([^(){}\n]{0,80}\)|\s{1,4}\"[^\"{}\n]{0,80}\"|\s{1,4}[\w.-]{1,40})?){0,4})\s{0,8}-?\}\}"
)
_FILTER = lazy(r"\|\s{0,8}(\w{1,20})\s{0,4}(?:\(([^(){}\n]{0,80})\)|(\"[^\"{}\n]{0,80}\"|[\w.-]{1,40}))?")
_AS_IT_IS = frozenset({"int", "string", "trim", "quote", "squote", "toString", "mandatory", "lower"})
_DEFAULTS = frozenset({"default", "d"})
EXPRESSION = lazy(r"\{\{-?[^{}\n]{1,300}-?\}\}")
_COMPUTED = lazy(r"[-+*~%/]\s|\|\s{0,8}(?:join|first|last|replace|upper|lower|int)\b")
"""An expression that makes something of its variables; a name alone is filled in elsewhere."""
_BRACKET = lazy(r"\[['\"]?(\w{1,60})['\"]?\]")
PLAIN = lazy(r"[\w.,:/@%+ -]{1,300}")
MOST_ITEMS = 64
_DEEPEST = 6


class Certain(Mapping[str, Any]):
    """Variables of which all is certain, by their names; what a loop goes through has none."""

    def __init__(self, values: Mapping[str, str], without: set[str]) -> None:
        self._rows: dict[str, dict[str, str]] = defaultdict(dict)
        for one, value in values.items():
            name, _, rest = one.partition(".")
            self._rows[name][rest] = value
        self._without = without
        self.used: dict[str, None] = {}

    def __getitem__(self, name: str) -> Any:
        rows = self._rows.get(name, {})
        rows = {"": rows[""]} if "" in rows else rows
        lost = [one for one, value in rows.items() if not value or "{{" in value]
        if name in self._without or any(one == "" or any(map(str.isdigit, one.split("."))) for one in lost):
            raise KeyError(name)  # what is left of a list would be another list
        rows = {one: value for one, value in rows.items() if one not in lost}
        if not rows:
            raise KeyError(name)
        self.used.update(dict.fromkeys(f"{name}.{one}".rstrip(".") for one in rows))
        return _tree(rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        try:
            return self[str(name)] is not None
        except KeyError:
            return False


def worked_out(expression: str, certain: Certain) -> str:
    """What an expression of certain values comes to; as it is written where that is not known, or no word or number."""
    if _COMPUTED.search(expression) is None:
        return expression
    value = fill(expression, certain)
    is_plain = isinstance(value, str | int) and not isinstance(value, bool) and PLAIN.fullmatch(str(value))
    return str(value) if is_plain else expression


def whole_list(rows: Mapping[str, str]) -> list[Any] | None:
    """A list by the dotted names of its values; None where one of them is not certain, or where it may have more."""
    if not all(rows.values()) or len({name.partition(".")[0] for name in rows}) >= MOST_ITEMS:
        return None
    tree = _tree(rows)
    return tree if isinstance(tree, list) and tree else None


def _tree(rows: Mapping[str, str]) -> Any:
    if set(rows) == {""}:
        plain = rows[""]
        return int(plain) if plain.isdigit() and not plain.startswith("0") else plain
    inside: dict[str, dict[str, str]] = defaultdict(dict)
    for name, value in rows.items():
        first, _, rest = name.partition(".")
        inside[first][rest] = value
    if set(inside) == {str(number) for number in range(len(inside))}:
        return [_tree(inside[str(number)]) for number in range(len(inside))]
    return {key: _tree(one) for key, one in inside.items()}


def named(found: re.Match[str], loops: Mapping[str, str]) -> str:
    """The variable that a placeholder names."""
    name = _BRACKET.sub(r".\1", found["name"])
    first, dot, rest = name.partition(".")
    return f"{loops[first]}.0{dot}{rest}" if first in loops else name


def resolved(found: re.Match[str], known: Mapping[str, str], loops: Mapping[str, str]) -> str | None:
    name = named(found, loops)
    value: str | None = known.get(name)
    is_set = name in known
    for word, bracketed, given in _FILTER.findall(found["filters"]):
        if word in _DEFAULTS:
            plain = (bracketed.partition(",")[0] or given).strip()
            if (
                not is_set
                and re.fullmatch(r"[\"']?[\w.,:/-]{1,100}[\"']?", plain)
                and not re.fullmatch(r"[A-Za-z_][\w.]*", plain)
            ):
                value, is_set = plain.strip("\"'"), True
        elif word not in _AS_IT_IS:
            return None
    if not value:
        return None
    return f'"{value}"' if re.search(r"\|\s*quote\b", found["filters"]) else value


def flattened(before: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """(dotted name, value) of everything that a value holds; empty for what is no word or number."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str) and re.fullmatch(r"\w{1,60}", key):
                name = f"{before}{key}"
                yield from (
                    flattened(f"{name}.", inner, depth + 1)
                    if isinstance(inner, dict | list)
                    else [(name, scalar(inner))]
                )
    elif isinstance(value, list):
        for index, inner in enumerate(value[:MOST_ITEMS]):
            name = f"{before}{index}"
            yield from (
                flattened(f"{name}.", inner, depth + 1) if isinstance(inner, dict | list) else [(name, scalar(inner))]
            )


def scalar(value: Any) -> str:
    """A word or number; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    plain = str(value)
    return plain if PLAIN.fullmatch(plain) or PLACEHOLDER.fullmatch(plain) else ""
