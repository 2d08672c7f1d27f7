"""Reading plain data back into objects; see portable.py. A table is hostile until it is read."""

from __future__ import annotations

import json
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from itertools import chain, repeat
from typing import Any

from roce_audit.platforms.portreading import IdleKind, Labels, PortReading
from roce_audit.readings.portable import ATOMS, FACTS, Damaged, arity, classes, is_shared, names
from roce_audit.text.block import PartKey, Texts, key_of_shapes, texts

_FEW_ROWS = 1 << 16
"""What a table may have beyond one row a byte, since runs of rows take few: what is hostile stays small, and no table comes near it."""
_COMPARABLE = frozenset({str, int})
_OF_ONE_PORT = (Labels,)
"""Classes of which hardly any two objects of different tables are equal."""


class Reader:
    """Reads the tables of one run: what is equal in several of them becomes one object."""

    def __init__(self, root: type) -> None:
        self._root = root
        self._classes = classes(root)
        own = {PortReading: self._ports, IdleKind: self._idle_kinds}
        self._makers = [own.get(cls) or _maker(cls) for cls in self._classes]
        self._strings: dict[str, str] = {}
        self._plain: dict[tuple[type, object], object] = {}
        self._rows: dict[tuple[object, ...], tuple[object, ...]] = {}
        """Tuples of strings and whole numbers alone: of them equal ones hold the same, which True and 1 do not."""
        self._made: dict[tuple[int, ...], object] = {}
        self._keys: dict[PartKey, PartKey] = {}
        self._facts: dict[tuple[int, int | None], tuple[Any, object]] = {}
        """Facts and what they were read from -> the facts of such ports, and what must live as long as its id is used."""

    def read(self, data: bytes) -> dict[str, Any]:
        """Name -> object, of one table. Raises Damaged."""
        try:
            table = json.loads(data)
            strings = table["strings"]
            if not {str}.issuperset(map(type, strings)):
                raise Damaged("a string is none")
            objects = [*map(self._strings.setdefault, strings, strings), *map(self._value, table["values"])]
            most = len(objects) + len(data) + _FEW_ROWS
            for kind, is_placed, *columns in table["groups"]:
                objects += self._group(kind, is_placed, columns, objects, most - len(objects))
            found = {str(name): objects[number] for name, number in table["roots"]}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError) as error:
            raise Damaged(f"{type(error).__name__}: {error}") from None
        if not all(type(one) is self._root for one in found.values()):
            raise Damaged(f"something else than a {self._root.__name__}")
        return found

    def _value(self, value: object) -> Any:
        kind = type(value)
        if kind not in ATOMS:
            raise Damaged("a plain value is none")
        return self._plain.setdefault((kind, repr(value) if kind is float else value), value)

    def _group(
        self, kind: int, is_placed: object, columns: Sequence[Any], objects: Sequence[Any], most: int
    ) -> Sequence[Any]:
        """The objects of one class that are made of those before them, `most` of them."""
        cls, make = self._classes[kind], self._makers[kind]
        parts = list(_filled(columns, arity(cls), objects, most) if arity(cls) else _rows(columns, objects, most))
        if is_placed or not is_shared(cls) or cls in _OF_ONE_PORT:  # in no other table
            return make(parts)
        if cls is tuple and _COMPARABLE.issuperset(map(type, chain.from_iterable(parts[0]))):
            return list(map(self._rows.setdefault, parts[0], parts[0]))
        ids: Iterable[tuple[int, ...]]
        ids = (
            zip(*(map(id, column) for column in parts), strict=True)
            if arity(cls)
            else [tuple(map(id, row)) for row in parts[0]]
        )
        keys = [(kind, *key) for key in ids]
        found = list(map(self._made.get, keys))
        new = [n for n, one in enumerate(found) if one is None]
        for n, one in zip(new, make([[column[n] for n in new] for column in parts]), strict=True):
            found[n] = self._made[keys[n]] = one
        return found

    def _ports(self, columns: Sequence[Sequence[Any]]) -> Sequence[object]:
        """Ports. As after reading, they share their facts where all their statements are the same, and only there."""
        *own, keys = columns
        pairs = list(zip(map(id, own[FACTS]), map(id, keys), strict=True))
        distinct = dict(zip(pairs, zip(own[FACTS], keys, strict=True), strict=True))
        shared = {pair: self._shared(facts, key) for pair, (facts, key) in distinct.items()}
        own[FACTS] = list(map(shared.__getitem__, pairs))
        return _PORTS(own)

    def _idle_kinds(self, columns: Sequence[Sequence[Any]]) -> Sequence[object]:
        """What idle ports have in common, which share their facts by the same rule."""
        own = list(columns)
        keys = [self._keys.setdefault(key, key) for key in map(key_of_shapes, own[_IDLE_SHAPES])]
        own[_IDLE_FACTS] = list(map(self._shared, own[_IDLE_FACTS], keys))
        return _IDLE(own)

    def _shared(self, facts: Any, key: object) -> Any:
        found = self._facts.get((id(facts), id(key)))
        if found is None:
            is_first = (id(facts), None) not in self._facts
            self._facts[(id(facts), None)] = (facts, None)
            found = self._facts[(id(facts), id(key))] = (facts if is_first else replace(facts), key)
        return found[0]


_Columns = Sequence[Sequence[Any]]


def _filled(columns: Sequence[Any], count: int, objects: Sequence[Any], most: int) -> Iterator[Sequence[Any]]:
    """The columns of a class with so many fields, with objects in place of their numbers. Raises Damaged."""
    lengths = {_length(column, most) for column in columns if type(column) is not int}
    if len(columns) != count or len(lengths) > 1:
        raise Damaged("columns of another form")
    length = max(lengths, default=1)
    for column in columns:
        yield referred([column], objects) * length if type(column) is int else referred(column, objects)


def _rows(columns: Sequence[Any], objects: Sequence[Any], most: int) -> Iterator[Sequence[Any]]:
    """One column: the parts of each object of a class that has any number of them. Raises Damaged."""
    count, numbers = columns
    total = _length(numbers, most)
    if not 0 < count <= most or total % count:
        raise Damaged("another number of parts")
    parts = iter(referred(numbers, objects))
    yield list(zip(*[parts] * (total // count), strict=True)) if total else [()] * count


def _length(column: Any, most: int) -> int:
    """How many rows a column is of. Raises Damaged for more than `most`: nothing is made for the asking."""
    if type(column) is list:
        return len(column)
    length: int = sum(count for _, count, _ in column["runs"])
    if not 0 <= length <= most:
        raise Damaged("more rows than there are")
    return length


def referred(column: Any, objects: Sequence[Any]) -> list[Any]:
    """The objects of the numbers of a column. Raises Damaged."""
    if type(column) is list:
        if min(column, default=0) < 0:
            raise Damaged("a row refers to nothing")
        return list(map(objects.__getitem__, column))
    found: list[Any] = []
    for first, count, is_rising in column["runs"]:
        if first < 0 or count < 1 or first + (count if is_rising else 1) > len(objects):
            raise Damaged("a row refers to nothing")
        found += objects[first : first + count] if is_rising else [objects[first]] * count
    return found


def _maker(cls: type) -> Callable[[_Columns], Sequence[Any]]:
    """What makes objects of a class from the columns of their fields, all at once."""
    if cls is Texts:
        return lambda columns: list(map(texts, columns[0]))
    if cls is dict:
        return lambda columns: [dict(zip(row[::2], row[1::2], strict=True)) for row in columns[0]]
    if cls is tuple:
        return lambda columns: columns[0]
    if cls is date:
        return lambda columns: list(map(date.fromisoformat, columns[0]))
    slots = [getattr(cls, name, None) for name in names(cls)] if is_dataclass(cls) else []
    puts = [slot.__set__ for slot in slots if isinstance(slot, types.MemberDescriptorType)]
    if not puts or len(puts) < len(fields(cls)) or hasattr(cls, "__post_init__"):
        return lambda columns: list(map(cls, *columns))

    def make(columns: _Columns) -> Sequence[Any]:
        made: list[object] = list(map(object.__new__, repeat(cls, len(columns[0]))))
        # field by field for all of them costs half of one `__init__` after the other
        for put, column in zip(puts, columns, strict=True):
            deque(map(put, made, column), 0)
        return made

    return make


_PORTS = _maker(PortReading)
_IDLE = _maker(IdleKind)
_IDLE_FACTS, _IDLE_SHAPES = (names(IdleKind).index(name) for name in ("facts", "shapes"))
