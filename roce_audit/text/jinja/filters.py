"""The filters of Jinja that give what they are given in another shape, or a part of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

MOST = 1_024
_LONGEST = 10_000
"""Items of a list, and characters of a text, that are worked out."""


class Open(Exception):
    """A value stands elsewhere, or is made in a way that is not followed."""


def text_of(value: Any) -> str:
    if isinstance(value, bool | float) or not isinstance(value, str | int):
        raise Open
    return str(sized(value))


def sized(value: Any) -> Any:
    """The value. Raises Open where it is too large to be what somebody means."""
    if isinstance(value, int) and abs(value) >= 10**12:
        raise Open
    if (isinstance(value, str) and len(value) > _LONGEST) or (isinstance(value, list) and len(value) > MOST):
        raise Open
    return value


def below(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        if key in value:
            return value[key]
        if isinstance(key, str) and key.isdigit() and int(key) in value:
            return value[int(key)]
    if isinstance(value, list) and str(key).isdigit() and int(key) < len(value):
        return value[int(key)]
    raise Open


def listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _flattened(value: Any) -> list[Any]:
    return [inner for one in listed(value) for inner in (_flattened(one) if isinstance(one, list) else [one])]


def _pairs(value: Any) -> list[Any]:
    if not isinstance(value, dict):
        raise TypeError
    return [{"key": key, "value": one} for key, one in value.items()]


def with_members(value: Any, name: Any, skip_missing: Any = False) -> list[Any]:
    """`subelements('lossless')`: each item with each of those that it lists below a name."""
    found: list[Any] = []
    for one in value.values() if isinstance(value, dict) else listed(value):
        inner = one
        for step in str(name).split("."):
            if skip_missing is True and isinstance(inner, dict) and step not in inner:
                inner = []
                break
            inner = below(inner, step)
        found += [[one, each] for each in listed(inner)]
        sized(found)
    return found


def _in_one(value: Any, sign: Any = "") -> str:
    between, texts = text_of(sign), []
    length = 0
    for one in listed(value):
        texts.append(text_of(one))
        length += len(texts[-1]) + len(between)
        if length > _LONGEST:
            raise Open
    return between.join(texts)


def _replaced(value: Any, old: Any, new: Any) -> str:
    text, before, behind = text_of(value), text_of(old), text_of(new)
    if len(text) + text.count(before) * len(behind) > _LONGEST:
        raise Open
    return text.replace(before, behind)


def _product(value: Any, *others: Any) -> list[Any]:
    joined = itertools.product(listed(value), *map(listed, others))
    return [list(one) for one in itertools.islice(joined, MOST + 1)]


def _unique(value: Any) -> list[Any]:
    return list({repr(one): one for one in listed(value)}.values())


def _but(value: Any, others: Any) -> list[Any]:
    left_out = {repr(one) for one in listed(others)}
    return [one for one in listed(value) if repr(one) not in left_out]


def _of_each(value: Any, attribute: Any = None) -> list[Any]:
    """`map(attribute='name')`; other uses of `map` are not followed."""
    steps = str(attribute).split(".") if isinstance(attribute, str) else []
    found = listed(value) if steps else None
    if found is None:
        raise TypeError
    for step in steps:
        found = [below(one, step) for one in found]
    return found


def _with(value: Any, name: Any, how: Any = None, wanted: Any = None) -> list[Any]:
    """`selectattr('kind', 'equalto', 'host')`: those items of which it is known."""
    asked = [_member_of(one, name) for one in listed(value)]
    if how is None:
        return [one for at, one in enumerate(value) if asked[at]]
    if how == "defined":
        return [one for at, one in enumerate(value) if asked[at] is not None]
    if how in ("equalto", "eq", "==", "in"):
        return [one for at, one in enumerate(value) if (asked[at] in wanted if how == "in" else asked[at] == wanted)]
    raise TypeError


def _member_of(value: Any, name: Any) -> Any:
    """A member of a mapping; None where it has none."""
    if not isinstance(value, dict) or not isinstance(name, str) or "." in name:
        raise TypeError
    return value.get(name)


def _without(value: Any, *asked: Any) -> list[Any]:
    return _but(value, _with(value, *asked))


NAMED_ARGUMENTS = frozenset({"map", "subelements"})
FILTERS: dict[str, Callable[..., Any]] = {
    "int": lambda value: int(value),
    "string": text_of,
    "trim": lambda value: text_of(value).strip(),
    "lower": lambda value: text_of(value).lower(),
    "upper": lambda value: text_of(value).upper(),
    "list": lambda value: listed(value),
    "flatten": _flattened,
    "first": lambda value: listed(value)[0],
    "last": lambda value: listed(value)[-1],
    "unique": _unique,
    "sort": lambda value: sorted(listed(value)),
    "length": lambda value: len(value),
    "join": _in_one,
    "union": lambda value, other: [*listed(value), *_but(other, value)],
    "difference": _but,
    "product": _product,
    "zip": lambda value, *others: [list(one) for one in zip(listed(value), *map(listed, others), strict=False)],
    "dict2items": _pairs,
    "subelements": with_members,
    "mandatory": lambda value: value,
    "quote": lambda value: value,
    "replace": _replaced,
    "map": _of_each,
    "selectattr": _with,
    "rejectattr": _without,
    "bool": lambda value: value if isinstance(value, bool) else str(value).lower() in ("true", "yes", "on", "1"),
}
"""The filters that give what they are given in another shape."""
