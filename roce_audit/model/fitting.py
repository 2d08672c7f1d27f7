"""Whether a model object holds what its annotations say: no other type, no word that a Literal does not have."""

from __future__ import annotations

import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from roce_audit.model.base import element_of, fact_types, inside_cell, size_of
from roce_audit.model.walk import Path
from roce_audit.values import Cell

_Fit = Callable[[Any], Path | None]
"""The path to the first value that does not fit; None where all do."""

_PLAIN: dict[Any, tuple[type, ...]] = {int: (int,), float: (int, float), bool: (bool,), str: (str,)}


def misfit(subject: Any) -> Path | None:
    """The path to the first value below a model object that its annotation does not allow; None where all fit."""
    return _of_object(subject.__class__)(subject)


@cache
def _fit(annotation: Any) -> _Fit:
    if inside_cell(annotation) is not annotation:
        return _of_cell(inside_cell(annotation))
    if typing.get_origin(annotation) is Literal:
        words = frozenset(typing.get_args(annotation))
        return lambda value: None if isinstance(value, str) and value in words else ()
    if annotation in _PLAIN:
        types = _PLAIN[annotation]
        return lambda value: None if type(value) in types else ()
    element = element_of(annotation)
    if element is not None:
        return _of_row(typing.get_origin(annotation), element)
    return lambda value: _of_object(annotation)(value) if value.__class__ is annotation else ()


def _of_cell(annotation: Any) -> _Fit:
    inner = _fit(annotation)

    def fit(cell: Any) -> Path | None:
        if type(cell) is not Cell:
            return ()
        return inner(cell.value) if cell.why is None else None

    return fit


def _of_row(kind: Any, annotation: Any) -> _Fit:
    inner = _fit(annotation)

    def fit(row: Any) -> Path | None:
        if type(row) is not kind:
            return ()
        for index, value in enumerate(row):
            found = inner(value)
            if found is not None:
                return (index, *found)
        return None

    return fit


@cache
def _of_object(cls: Any) -> _Fit:
    steps = [(name, _fit(annotation), size_of(cls, name) or 0) for name, annotation in fact_types(cls).items()]

    def fit(subject: Any) -> Path | None:
        for name, inner, size in steps:
            value = getattr(subject, name)
            found = inner(value)
            if found is not None:
                return (name, *found)
            if size and value.why is None and len(value.value) < size:
                return (name,)
        return None

    return fit
