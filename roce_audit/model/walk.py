"""Walking a model object: all of its cells by path, and one cell by its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from roce_audit.values import Cell

Path = tuple[str | int, ...]
"""Steps from a model object to a cell: field names and indices."""


def cells(subject: Any, path: Path = ()) -> Iterator[tuple[Path, Cell[Any]]]:
    """Every leaf cell below `subject`: cells that hold plain values, and cells that hold none.

    A cell that holds a further object is walked through; it appears itself only when it holds no value.
    """
    if isinstance(subject, Cell):
        if subject.why is None and _has_inside(subject.value):
            yield from cells(subject.value, path)
        else:
            yield path, subject
    elif isinstance(subject, tuple):
        for index, element in enumerate(subject):
            yield from cells(element, (*path, index))
    else:
        for name in _names(subject.__class__):
            yield from cells(getattr(subject, name), (*path, name))


def named_parts(subject: object) -> dict[str, Any]:
    """The fields of an object of several, and what they hold."""
    cls: type = subject.__class__
    return dict(zip(_names(cls), parts(subject), strict=True))


def parts(subject: object) -> tuple[Any, ...]:
    """What the fields of an object of several hold."""
    cls: type = subject.__class__
    return _read_all(cls)(subject)


@cache
def _read_all(cls: type) -> Callable[[object], tuple[Any, ...]]:
    return attrgetter(*_names(cls))


def _has_inside(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(isinstance(v, Cell) or is_dataclass(v) for v in value)
    return is_dataclass(value)


@cache
def _names(cls: type) -> tuple[str, ...]:
    """The fields of a dataclass; none of any other class."""
    return tuple([field.name for field in fields(cls)]) if is_dataclass(cls) else ()


def follow(subject: Any, path: Path) -> Cell[Any] | None:
    """The cell at `path`, or the cell without a value before it; None when there is no such step."""
    last: Cell[Any] | None = subject if isinstance(subject, Cell) else None
    for step in path:
        if isinstance(subject, Cell):
            if subject.why is not None:
                return subject
            subject = subject.value
        if isinstance(step, int):
            if not isinstance(subject, tuple) or step >= len(subject):
                return None
            subject = subject[step]
        else:
            if not hasattr(subject, step):
                return None
            subject = getattr(subject, step)
        if isinstance(subject, Cell):
            last = subject
    return last


def dotted(path: Path) -> str:
    """`queues.3.ecn.min_bytes` for the path to it."""
    return ".".join(map(str, path))
