"""Dataclasses whose methods are compiled when they are first called.

The standard decorator compiles six methods of each frozen class when its module is imported, 0.4 ms a class: of the 250 classes that a
check of one file imports that is a quarter of its time, and most of the methods are never called.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, field, fields
from typing import Any, NoReturn, dataclass_transform

_UNSET = object()
"""What a field with a default factory has where nothing is given for it."""


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Standard:
    """What the standard decorator notes of a class, and of a field of it."""

    field: None = None


_PARAMS = _Standard.__dataclass_params__  # type: ignore[attr-defined]
_FIELD = _Standard.__dataclass_fields__["field"]._field_type  # type: ignore[attr-defined]


@dataclass_transform(field_specifiers=(field,))
def dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, **more: bool) -> Any:
    """As `dataclasses.dataclass`: objects are made, compared and hashed by the same rules. What is not frozen and slotted is left to it."""

    def made(cls: type) -> Any:
        if frozen and slots:
            return _lazily(cls, **more)
        return dataclasses.dataclass(frozen=frozen, slots=slots, **more)(cls)

    return made if cls is None else made(cls)


def _lazily(cls: type, *, eq: bool = True, **more: bool) -> Any:
    own = {name for name in ("__repr__", "__eq__", "__hash__") if cls.__dict__.get(name) is not None}
    made: Any = None if more else _slotted(cls)
    if made is None:
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, **more)(cls)
    made.__setattr__ = made.__delattr__ = _refuse
    made.__getstate__, made.__setstate__ = _state, _restore
    made.__init__ = _later(made, "__init__", _init)
    if "__repr__" not in own:
        made.__repr__ = _repr
    if eq and "__eq__" not in own:
        made.__eq__ = _later(made, "__eq__", _eq)
    if eq and "__hash__" not in own:
        made.__hash__ = _later(made, "__hash__", _hash)
    return made


def _slotted(cls: type) -> Any:
    """The class with slots and fields, as the standard decorator makes it in three times as long; None where it has more than fields
    and constants (what `typing` and `dataclasses` mark as something else)."""
    found: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        found |= base.__dict__.get("__dataclass_fields__", {})
    for name, annotation in cls.__annotations__.items():
        if not isinstance(annotation, str) or "KW_ONLY" in annotation or "InitVar" in annotation:
            return None
        if annotation.startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = cls.__dict__.get(name, MISSING)
        one = found[name] = default if isinstance(default, Field) else field(default=default)
        one.name, one.type, one.kw_only = name, annotation, one.kw_only is True
        one._field_type = _FIELD  # type: ignore[union-attr]
    inherited = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    content = {name: one for name, one in cls.__dict__.items() if name not in found}
    content.pop("__dict__", None)
    content.pop("__weakref__", None)
    content["__slots__"] = tuple(name for name in found if name not in inherited)
    content["__match_args__"] = tuple(one.name for one in found.values() if one.init and not one.kw_only)
    content["__dataclass_fields__"] = found
    content["__dataclass_params__"] = _PARAMS
    made = type(cls)(cls.__name__, cls.__bases__, content)
    made.__qualname__ = cls.__qualname__
    return made


def _later(cls: type, name: str, source: Callable[[Sequence[Field[Any]]], str]) -> Callable[..., Any]:
    """A method that at its first call puts the compiled one in its place."""

    def first(self: object, *given: object, **named: object) -> object:
        known = {"_unset": _UNSET, "_fields": cls.__dataclass_fields__}  # type: ignore[attr-defined]
        known |= {f"_set_{one.name}": getattr(cls, one.name).__set__ for one in fields(cls)}
        text = source(fields(cls))
        if name == "__init__" and hasattr(cls, "__post_init__"):
            text += "\n    self.__post_init__()"
        exec(text, known)  # names of fields, and nothing that was read
        setattr(cls, name, known[name])
        return known[name](self, *given, **named)

    return first


def _init(of: Sequence[Field[Any]]) -> str:
    places: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for one in of:
        name, default, value = one.name, "", one.name
        if one.default_factory is not MISSING:
            default = "=_unset"
            value = f"_fields[{name!r}].default_factory()"
            value = f"{value} if {name} is _unset else {name}" if one.init else value
        elif one.default is not MISSING:
            default = f"=_fields[{name!r}].default"
        if one.init:
            (named if one.kw_only else places).append(name + default)
        if one.init or one.default_factory is not MISSING:
            lines.append(f"\n    _set_{name}(self, {value})")
    words = ", ".join(["self", *places, *(["*", *named] if named else [])])
    return f"def __init__({words}):\n    pass{''.join(lines)}"


def _eq(of: Sequence[Field[Any]]) -> str:
    mine, others = (_values(owner, [one for one in of if one.compare]) for owner in ("self", "other"))
    return f"def __eq__(self, other):\n    return {mine} == {others} if other.__class__ is self.__class__ else NotImplemented"


def _hash(of: Sequence[Field[Any]]) -> str:
    return f"def __hash__(self):\n    return hash({_values('self', [o for o in of if (o.compare if o.hash is None else o.hash)])})"


def _values(owner: str, of: Sequence[Field[Any]]) -> str:
    return f"({''.join(f'{owner}.{one.name}, ' for one in of)})"


@reprlib.recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: object, name: str, *value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: Sequence[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
