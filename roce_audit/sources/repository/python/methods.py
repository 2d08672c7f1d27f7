"""Values of a program of Python, and what its own functions and methods make of them where they only reshape texts and lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from roce_audit.sources.repository.python.texts import (
    LONGEST,
    MOST,
    Elsewhere,
    OneOf,
    Table,
    Text,
    TooMuch,
    joined,
    plain,
    spliced,
)

_CHARACTERS_OF_STEP = 200
_ITEMS_OF_STEP = 20
_MOST_VALUES = 8
"""Values that one name may have."""
_SAME_LINES: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper}
NOT_DONE = object()
"""What a method gives back that is none of these."""


def bare(value: Any) -> Any:
    return value.text if isinstance(value, Text) else value


def copied(value: Any) -> Any:
    return list(value) if isinstance(value, list) else value.copy() if isinstance(value, Table) else value


def size(value: Any) -> int:
    """What it costs to make a value once more, in steps."""
    if isinstance(value, Text):
        return len(value.text) // _CHARACTERS_OF_STEP
    return (
        len(value.rows if isinstance(value, Table) else value) // _ITEMS_OF_STEP
        if isinstance(value, list | Table)
        else 0
    )


def is_same(a: Any, b: Any) -> bool:
    """Whether two values are the same, without a look at what is inside of what they hold."""
    if isinstance(a, Table) and isinstance(b, Table):
        return [*a.rows] == [*b.rows] and all(map(_is_alike, a.rows.values(), b.rows.values()))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_is_alike, a, b))
    return _is_alike(a, b)


def _is_alike(a: Any, b: Any) -> bool:
    return a is b or (
        not isinstance(a, list | Table | OneOf) and not isinstance(b, list | Table | OneOf) and bool(a == b)
    )


def one_of(values: Sequence[Any]) -> Any:
    several = [inner for one in values for inner in (one.values if isinstance(one, OneOf) else (one,))]
    known = [one for one in several if not isinstance(one, Elsewhere)]
    return OneOf(tuple(known[:_MOST_VALUES])) if known else Elsewhere()


def sized(values: list[Any]) -> list[Any]:
    if len(values) > LONGEST // 10:
        raise TooMuch
    return values


def builtin(name: str, values: tuple[Any, ...]) -> Any:
    """The functions of Python that make lists and texts."""
    made = _BUILTINS.get(name)
    return NOT_DONE if made is None else made(values)


def _range(values: tuple[Any, ...]) -> Any:
    if not 0 < len(values) <= 3 or not all(isinstance(one, int) for one in values):
        return NOT_DONE
    if len(values) == 3 and not values[2]:
        return Elsewhere()
    numbers = range(*values)
    return list(numbers) if len(numbers) <= MOST else Elsewhere()


def _items(values: tuple[Any, ...]) -> Any:
    if not values:
        return NOT_DONE
    first = values[0]
    if isinstance(first, Table):
        return [Text(str(key), (first.lines[key],)) for key in first.rows]
    return list(first) if isinstance(first, list) else Elsewhere()


def _copy(values: tuple[Any, ...]) -> Any:
    return copied(values[0]) if len(values) == 1 else NOT_DONE


def _int(values: tuple[Any, ...]) -> Any:
    if len(values) == 1 and isinstance(values[0], Text) and values[0].text.isdecimal() and len(values[0].text) < 12:
        return int(values[0].text)
    return _copy(values)


def _str(values: tuple[Any, ...]) -> Any:
    return plain(values[0], 1) if len(values) == 1 and isinstance(values[0], int) else _copy(values)


def _enumerate(values: tuple[Any, ...]) -> Any:
    if not values or not isinstance(values[0], list):
        return NOT_DONE
    start = values[1] if len(values) == 2 and isinstance(values[1], int) else 0
    return [[number, one] for number, one in enumerate(values[0], start)]


def _zip(values: tuple[Any, ...]) -> Any:
    if not values or not all(isinstance(one, list) for one in values):
        return NOT_DONE
    return [list(those) for those in zip(*values, strict=False)]


def _len(values: tuple[Any, ...]) -> Any:
    return len(values[0]) if values and isinstance(values[0], list) else NOT_DONE


_BUILTINS: Mapping[str, Callable[[tuple[Any, ...]], Any]] = {
    "range": _range,
    "list": lambda values: _items(values) if values else [],
    **dict.fromkeys(("tuple", "sorted", "reversed", "set"), _items),
    **dict.fromkeys(("dict", "dedent", "deepcopy"), _copy),
    "int": _int,
    "str": _str,
    "enumerate": _enumerate,
    "zip": _zip,
    "len": _len,
}


def on_value(name: str, on: Any, values: tuple[Any, ...], named: Mapping[str, Any], line: int) -> Any:
    """The methods of texts, lists and dictionaries, and those of modules that only reshape a text."""
    if name in ("dedent", "deepcopy") and isinstance(on, Elsewhere) and len(values) == 1:
        return copied(values[0])
    if isinstance(on, Text):
        return _on_text(name, on, values, named, line)
    if isinstance(on, list):
        return _on_list(name, on, values)
    if isinstance(on, Table):
        return _on_table(name, on, values, line)
    return NOT_DONE


def _on_text(name: str, on: Text, values: tuple[Any, ...], named: Mapping[str, Any], line: int) -> Any:
    first = bare(values[0]) if values else None
    if name == "format":
        return spliced(on, list(values), named, is_percent=False)
    if name == "join":
        return joined(on, values[0], line) if values and isinstance(values[0], list) else Elsewhere()
    if name == "splitlines" or (name == "split" and first == "\n"):
        return on.rows()
    if name in ("strip", "lstrip"):
        return on.stripped()
    if name == "rstrip":
        return on.made(lambda text: text.rstrip(" \t"))
    if name == "replace" and len(values) == 2 and isinstance(first, str) and isinstance(bare(values[1]), str) and first:
        return on.made(lambda text: text.replace(first, bare(values[1])))
    if name in _SAME_LINES:
        return on.made(partial(_SAME_LINES[name]))
    return Elsewhere()


def _on_list(name: str, on: list[Any], values: tuple[Any, ...]) -> Any:
    if name == "append" and len(values) == 1:
        sized(on).append(values[0])
    elif name in ("extend", "__iadd__") and len(values) == 1:
        on += sized(values[0]) if isinstance(values[0], list) else [Elsewhere()]
    elif name == "insert" and len(values) == 2 and isinstance(values[0], int):
        on.insert(values[0], values[1])
    elif name == "copy":
        return list(on)
    else:
        return Elsewhere()
    return None


def _on_table(name: str, on: Table, values: tuple[Any, ...], line: int) -> Any:
    key = bare(values[0]) if values else None
    if name == "items":
        return [[Text(one, (on.lines[one],)) if isinstance(one, str) else one, inner] for one, inner in on.rows.items()]
    if name == "values":
        return list(on.rows.values())
    if name == "keys":
        return [Text(str(one), (on.lines[one],)) for one in on.rows]
    if name == "get" and values:
        if isinstance(key, Elsewhere):
            return one_of(tuple(on.rows.values()))
        return on.rows.get(key, values[1] if len(values) > 1 else None) if isinstance(key, str | int) else Elsewhere()
    if name == "update" and values and isinstance(values[0], Table):
        on.rows.update(values[0].rows)
        on.lines.update(values[0].lines)
        return None
    if name == "setdefault" and isinstance(key, str | int) and len(values) == 2:
        on.lines.setdefault(key, line)
        return on.rows.setdefault(key, values[1])
    if name == "copy":
        return on.copy()
    return Elsewhere()
