"""Whether a parcel that came from elsewhere is one that reading could give: a digest says who damaged nothing, not who wrote it.

A table makes objects of the right classes whatever their fields hold. What this looks at: every field holds what its annotation says,
every place of a value lies in the statements of its port, and the readings keep the promises that are asked of platforms.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from roce_audit import promises
from roce_audit.model.walk import cells
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import KeptPorts, PortReading
from roce_audit.readings.parcel import Parcel
from roce_audit.readings.portable import Damaged
from roce_audit.text.block import PlacedParts
from roce_audit.values import At, Cell, Where, Why


class Checker:
    """Looks at the parcels of one run; what several of them share is looked at once."""

    def __init__(self) -> None:
        self._fitting: dict[int, object] = {}
        """What fits, by its id; the objects are held, so that an id is no other's."""
        self._at: dict[int, frozenset[At]] = {}

    def checked(self, parcel: Parcel) -> Parcel:
        """The parcel itself. Raises Damaged for one that no reading gives."""
        if not self._fits_class(parcel, Parcel):
            raise Damaged("fields that hold something else than they may")
        if parcel.alone and len(parcel.alone) != len(parcel.gathered.units):
            raise Damaged("readings of other documents")
        for one in parcel.alone:
            if one.reading is not None:
                self._keeps_promises(one.reading)
        return parcel

    def _keeps_promises(self, reading: DeviceReading) -> None:
        if isinstance(reading.ports, KeptPorts) and not reading.ports.is_even:
            raise Damaged("columns of ports of different lengths")
        try:
            promises.kept(reading)
        except promises.WrongReading as error:
            raise Damaged(str(error)) from None
        if not all(map(self._is_placed, reading.ports)):
            raise Damaged("places of values that are in no statement")
        if reading.saved is not None:
            self._keeps_promises(reading.saved)

    def _is_placed(self, port: PortReading) -> bool:
        found = self._at.get(id(port.facts))
        if found is None:
            said = (at for _, cell in cells(port.facts) for at in cell.at if isinstance(at, At))
            found = self._at[id(port.facts)] = frozenset(said)
        parts = port.parts
        if isinstance(parts, PlacedParts) and not parts.is_even:
            return False
        shapes = parts.shapes if isinstance(parts, PlacedParts) else [part.block for part in parts]
        lengths = [len(shape.offsets) for shape in shapes]
        return all(0 <= at.part < len(lengths) and -1 <= at.index < lengths[at.part] for at in found)

    def _fits(self, value: Any, annotation: Any) -> bool:
        origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation in (Any, object) or isinstance(annotation, typing.TypeVar):
            return not is_dataclass(value) or self._fits_class(value, type(value))
        if origin in (typing.Union, types.UnionType):
            return any(self._fits(value, one) for one in inner)
        if origin is typing.Literal:
            return any(type(value) is type(word) and value == word for word in inner)
        if origin is tuple:
            if type(value) is not tuple:
                return False
            if len(inner) == 2 and inner[1] is Ellipsis:
                return all(self._fits(one, inner[0]) for one in value)
            return len(value) == len(inner) and all(map(self._fits, value, inner))
        if origin in (list, frozenset):
            return type(value) is origin and all(self._fits(one, inner[0]) for one in value)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return type(value) is dict and all(
                self._fits(key, inner[0]) and self._fits(one, inner[1]) for key, one in value.items()
            )
        cls = origin or annotation
        if cls is Cell:
            return type(value) is Cell and self._fits_cell(value)
        if is_dataclass(cls):
            return isinstance(value, typing.cast(type, cls)) and self._fits_class(value, type(value))
        return value is None if cls is types.NoneType else type(value) is cls or (cls is float and type(value) is int)

    def _fits_cell(self, cell: Cell[Any]) -> bool:
        inside = cell.value if isinstance(cell.value, tuple) else (cell.value,)
        return (
            (cell.why is None or isinstance(cell.why, Why))
            and self._fits(cell.at, tuple[Where, ...])
            and all(self._fits(one, Any) for one in inside)
        )

    def _fits_class(self, value: Any, cls: type) -> bool:
        if id(value) in self._fitting:
            return True
        if not all(self._fits(getattr(value, name), annotation) for name, annotation in _annotations(cls)):
            return False
        self._fitting[id(value)] = value
        return True


@cache
def _annotations(cls: Any) -> tuple[tuple[str, Any], ...]:
    hints = typing.get_type_hints(cls)
    return tuple((field.name, hints[field.name]) for field in fields(cls) if field.init)
