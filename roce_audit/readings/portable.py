"""Frozen dataclasses as plain data and back, from their definitions alone: a new field needs no word here.

A `Writer` (portablewriter.py) holds a table of rows in which equal values stand once: 64 like ports are one row and 64 references,
and so are equal facts of a whole fleet. The table is JSON, its rows by class and field by field, so that a `Reader`
(portablereader.py) makes all objects of a class at once. Reading it makes nothing but the classes that the definitions of the root
class reach, so whatever stands in it, no code runs.

Why it pays (CPU seconds, 60 hosts of eight NICs and 16 switches of 64 ports): loading and reading the texts 7.9, writing the table
0.3, parsing its JSON 0.05 and rebuilding the objects 0.08.
"""

from __future__ import annotations

import sys
import types
import typing
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from typing import Any

from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import Texts

ATOMS = (str, int, float, bool, type(None))
"""Classes of plain values."""


class Damaged(ValueError):
    """What should be a table is none, or one of other definitions."""


@cache
def classes(root: type) -> tuple[type, ...]:
    """All classes of which an object of this class may be made, in an order that follows from the definitions alone."""
    found: dict[type, None] = {tuple: None, list: None, frozenset: None, dict: None, date: None}
    waiting: list[Any] = [root]
    seen: set[Any] = set()
    while waiting:
        annotation = waiting.pop()
        if annotation in seen:
            continue
        seen.add(annotation)
        origin = typing.get_origin(annotation)
        if origin is typing.Literal:
            continue
        if origin is not None:
            waiting += [*typing.get_args(annotation), *([] if origin is types.UnionType else [origin])]
        elif isinstance(annotation, type) and (annotation is Texts or issubclass(annotation, Enum)):
            found[annotation] = None
        elif isinstance(annotation, type) and is_dataclass(annotation):
            found[annotation] = None
            waiting += [*typing.get_type_hints(annotation).values(), *filter(_is_in_use, annotation.__subclasses__())]
    return tuple(sorted(found, key=lambda cls: f"{cls.__module__}.{cls.__qualname__}"))


def _is_in_use(cls: type) -> bool:
    """False for what `dataclass(slots=True)` put another class in place of."""
    return getattr(sys.modules[cls.__module__], cls.__name__, None) is cls


@cache
def names(cls: type) -> tuple[str, ...]:
    """The fields that make an object of a dataclass, in order."""
    return tuple(f.name for f in fields(cls) if f.init)


@cache
def is_shared(cls: type) -> bool:
    """Whether equal objects may be one: not where an object is itself and no other, or may change."""
    if not is_dataclass(cls):
        return cls not in (list, dict)
    return cls.__setattr__ is not object.__setattr__ and cls.__eq__ is not object.__eq__


def arity(cls: type) -> int:
    """Of how many parts an object of a class is made; 0: of any number."""
    if issubclass(cls, Enum) or cls is date:
        return 1
    if not is_dataclass(cls):
        return 0
    return len(names(cls)) + (cls is PortReading)


FACTS, PARTS = (names(PortReading).index(name) for name in ("facts", "parts"))
"""Where they stand among the fields of a port."""
