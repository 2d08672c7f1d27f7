"""Validation errors in words for people: what is wrong, on which line, and what was probably meant."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args, get_origin

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

_SHAPES = {
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "list_type": "must be a list",
    "dict_type": "must be a mapping (key: value)",
    "model_type": "must be a mapping (key: value)",
    "finite_number": "must be a finite number",
}


def problems(
    error: ValidationError, form: type[BaseModel], whole: str = "policy"
) -> list[tuple[tuple[str | int, ...], str]]:
    """Each error as its path in the file and a sentence; several of one path are one. `whole` is what the file is called."""
    found: dict[tuple[str | int, ...], str] = {}
    for detail in error.errors(include_url=False):
        keys = keys_of(form)
        path = _path(detail["loc"], form)
        if detail["type"] == "extra_forbidden":
            keys = keys_of(_annotation_at(form, path[:-1]))
        found.setdefault(path, f"{_name(path) or whole}: {_sentence(detail, path, keys)}")
    return list(found.items())


def keys_of(annotation: Any) -> tuple[str, ...]:
    """The keys of a mapping with fixed keys, as they are written in the file."""
    fields: Mapping[str, Any] = getattr(annotation, "model_fields", {})
    return tuple(field.alias or name for name, field in fields.items())


def _sentence(detail: ErrorDetails, path: tuple[str | int, ...], keys: tuple[str, ...]) -> str:
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind == "extra_forbidden":
        near = get_close_matches(str(path[-1]), keys, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(keys)}"
        return f"unknown key; {hint}"
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(context.get("error", detail["msg"]))
    if kind == "literal_error":
        near = get_close_matches(str(detail["input"]), str(context["expected"]).replace("'", "").split(), n=1)
        hint = f"; did you mean '{near[0].strip(',')}'?" if near else ""
        return f"must be {context['expected']}, not {_short(detail['input'])}{hint}"
    if kind in ("greater_than", "greater_than_equal", "less_than", "less_than_equal"):
        word = {"gt": "above", "ge": "at least", "lt": "below", "le": "at most"}
        limits = " and ".join(f"{word[sign]} {limit}" for sign, limit in context.items() if sign in word)
        return f"must be {limits}, not {_short(detail['input'])}"
    if kind in ("too_short", "too_long"):
        few = kind == "too_short"
        limit = context["min_length" if few else "max_length"]
        return f"needs at {'least' if few else 'most'} {limit} entries, not {context['actual_length']}"
    if kind in _SHAPES:
        return f"{_SHAPES[kind]}, not {_short(detail['input'])}"
    message = detail["msg"]
    return message[:1].lower() + message[1:]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _name(path: tuple[str | int, ...]) -> str:
    words = ""
    for step in path:
        words += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if words else step
    return words


def _path(loc: tuple[str | int, ...], form: type[BaseModel]) -> tuple[str | int, ...]:
    """The error's location without the steps that only pydantic knows: keys marked as such, members of a union."""
    path: list[str | int] = []
    annotation: Any = form
    for step in loc:
        if step == "[key]":
            break
        following = _step(annotation, step)
        if following is None and path and not keys_of(annotation):
            break
        path.append(step if get_origin(annotation) is list else str(step))
        annotation = following
    return tuple(path)


def _annotation_at(form: type[BaseModel], path: tuple[str | int, ...]) -> Any:
    annotation: Any = form
    for step in path:
        annotation = _step(annotation, step)
    return annotation


def _step(annotation: Any, step: str | int) -> Any:
    fields: Mapping[str, Any] = getattr(annotation, "model_fields", {})
    for name, field in fields.items():
        if step == (field.alias or name):
            return _plain(field.annotation)
    if get_origin(annotation) is list and isinstance(step, int):
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) is dict and step != "[key]":
        return _plain(get_args(annotation)[1])
    return None


def _plain(annotation: Any) -> Any:
    """The annotation without `| None` and without what Annotated adds."""
    while True:
        arguments = get_args(annotation)
        if hasattr(annotation, "__metadata__"):
            annotation = arguments[0]
        elif type(None) in arguments and len(arguments) == 2:
            annotation = next(a for a in arguments if a is not type(None))
        else:
            return annotation
