"""How a model class is written: frozen, slotted, every field with its unit and meaning beside it."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import field, fields
from functools import cache
from typing import Any, dataclass_transform

from roce_audit.records import dataclass
from roce_audit.values import Cell


def doc(text: str, *, size: int | None = None) -> Any:
    """A model field without a default; `text` gives unit and meaning.

    `size` is given for a field `Cell[tuple[X, ...]]` that always has that many elements (8 queues, 64 code points).
    """
    return field(metadata={"doc": text, "size": size})


@dataclass_transform(frozen_default=True, field_specifiers=(doc,))
def model(cls: type) -> Any:
    """Class decorator of the model: a frozen, slotted dataclass."""
    return dataclass(frozen=True, slots=True)(cls)


@cache
def fact_types(cls: type) -> Mapping[str, Any]:
    """Field name -> annotation of a model class, resolved (an empty mapping for anything else)."""
    if not hasattr(cls, "__dataclass_fields__"):
        return {}
    return typing.get_type_hints(cls)


@cache
def documentation(cls: type) -> Mapping[str, str]:
    """Field name -> unit and meaning."""
    return {f.name: f.metadata.get("doc", "") for f in fields(cls)}


@cache
def size_of(cls: type, name: str) -> int | None:
    """How many elements the tuple field `name` always has; None when it varies."""
    for f in fields(cls):
        if f.name == name:
            size = f.metadata.get("size")
            return size if isinstance(size, int) else None
    raise KeyError(name)


def inside_cell(annotation: Any) -> Any:
    """`int` for `Cell[int]`; the annotation itself when it is no Cell."""
    if typing.get_origin(annotation) is Cell:
        return typing.get_args(annotation)[0]
    return annotation


def element_of(annotation: Any) -> Any:
    """`Queue` for `tuple[Queue, ...]` or `frozenset[Queue]`; None for anything else."""
    if typing.get_origin(annotation) in (tuple, frozenset):
        return typing.get_args(annotation)[0]
    return None
