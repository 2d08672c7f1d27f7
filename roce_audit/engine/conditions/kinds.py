"""Static types of expressions: what an annotation of the model may be compared and computed with."""

from __future__ import annotations

import typing
from typing import Any, Literal

from roce_audit.model.base import element_of, fact_types, inside_cell

Kind = Literal["number", "bool", "text", "set", "tuple", "model", "none"]


def kind_of(annotation: Any) -> Kind:
    """Which kind of value an annotation (without its Cell) stands for."""
    if annotation is bool:
        return "bool"
    if annotation in (int, float):
        return "number"
    if annotation is str or typing.get_origin(annotation) is Literal:
        return "text"
    if typing.get_origin(annotation) is frozenset:
        return "set"
    if typing.get_origin(annotation) is tuple:
        return "tuple"
    if annotation is type(None):
        return "none"
    if fact_types(annotation):
        return "model"
    raise TypeError(f"the model uses {annotation!r}, which expressions do not know")


def words_of(annotation: Any) -> tuple[str, ...]:
    """The values a Literal allows; empty for everything else."""
    return typing.get_args(annotation) if typing.get_origin(annotation) is Literal else ()


def inner(annotation: Any) -> Any:
    """Type of the elements of a set or tuple, without their Cell."""
    return inside_cell(element_of(annotation))


def describe(annotation: Any) -> str:
    """A few words for error messages: `a number`, `a set of numbers`, `a Queue`."""
    kind = kind_of(annotation)
    if kind == "model":
        return f"a {annotation.__name__}"
    if kind in ("set", "tuple"):
        element = inner(annotation)
        plural = {"number": "numbers", "text": "texts", "bool": "truth values"}
        what = plural.get(kind_of(element), getattr(element, "__name__", "things"))
        return f"a {'set' if kind == 'set' else 'row'} of {what}"
    return {"number": "a number", "bool": "a truth value", "text": "text", "none": "None"}[kind]


def joined(left: Any, right: Any) -> Any | None:
    """The type that holds values of both; None when there is none."""
    if left == right:
        return left
    kinds = {kind_of(left), kind_of(right)}
    if kinds == {"number"}:
        return float
    if kinds == {"text"}:
        return str
    return None
