"""Frozen dataclasses as plain data and back, from their definitions alone: a new field needs no word here.

A `Writer` holds a table of rows in which equal values stand once: 64 like ports are one row and 64 references, and so are equal
facts of a whole fleet. The table is JSON, its rows by class and field by field, so that a `Reader` makes all objects of a class at
once. Reading it makes nothing but the classes that the definitions of the root class reach, so
whatever stands in it, no code runs.

Why it pays (CPU seconds, 60 hosts of eight NICs and 16 switches of 64 ports): loading and reading the texts 7.9, writing the table
0.3, parsing its JSON 0.05 and rebuilding the objects 0.08.
"""

from __future__ import annotations

import json
import sys
import types
import typing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from functools import cache
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import Any

from roce_audit.platforms.base import Labels, PortReading
from roce_audit.text.block import PartKey, Parts, PartShape, PlacedParts, Texts, key_of, texts

_ATOMS = (str, int, float, bool, type(None))


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
def _is_shared(cls: type) -> bool:
    """Whether equal objects may be one: not where an object is itself and no other, or may change."""
    if not is_dataclass(cls):
        return cls not in (list, dict)
    return cls.__setattr__ is not object.__setattr__ and cls.__eq__ is not object.__eq__


class Writer:
    """A table that grows object by object."""

    def __init__(self, root: type) -> None:
        self._numbers = {cls: number for number, cls in enumerate(classes(root))}
        self._atoms: dict[type, dict[object, int]] = {cls: {} for cls in _ATOMS}
        """Class of a plain value -> value (of a float how it is written) -> the complement of its number."""
        self._values: list[object] = []
        self._rows: list[tuple[int, ...]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self._by_id: dict[int, int] = {}
        """Object -> its row."""
        self._held: list[object] = []
        """What is in `_by_id`, so that its id is no other's."""
        self._roots: list[tuple[str, int]] = []
        self._forms: dict[type, _Form] = {}
        self._ports = _Ports()
        self._arity = list(map(arity, self._numbers))
        self._names_file = [is_dataclass(cls) and not {"path", "paths"}.isdisjoint(names(cls)) for cls in self._numbers]

    def __len__(self) -> int:
        return len(self._roots)

    def add(self, name: str, subject: object, keeps: Callable[[str], bool] | None = None) -> bool:
        """Write an object under a name; False, and nothing is written, where `keeps` denies one of its strings.

        Raises TypeError for what the definitions do not reach.
        """
        values, rows = len(self._values), len(self._rows)
        number = self._write(subject)
        if keeps is not None and not all(keeps(v) for v in self._values[values:] if isinstance(v, str)):
            self._forget(values, rows)
            return False
        self._roots.append((name, number))
        return True

    def strings(self) -> Iterator[str]:
        """Every string that is written, each once."""
        return (value for value in self._values if isinstance(value, str))

    def _forget(self, values: int, rows: int) -> None:
        """Leave the first of each, as if no more had been written."""
        del self._values[values:], self._rows[rows:]
        for numbers in self._atoms.values():
            for key in [key for key, n in numbers.items() if ~n >= values]:
                del numbers[key]
        for row in [row for row, n in self._known.items() if n >= rows]:
            del self._known[row]
        for one in [one for one, n in self._by_id.items() if n >= rows]:
            del self._by_id[one]

    def data(self) -> bytes:
        """The table as one line of JSON."""
        groups = self._grouped()
        strings = [n for n, value in enumerate(self._values) if type(value) is str]
        others = [n for n, value in enumerate(self._values) if type(value) is not str]
        number = [0] * (len(self._rows) + len(self._values))
        rows = (n for members in groups.values() for n in members)
        for new, old in enumerate((*(~n for n in strings), *(~n for n in others), *rows)):
            number[old] = new  # that of a plain value, which rows refer to by the complement, counts from the end
        plain = [
            [kind, is_placed, *self._columns(kind, [self._rows[n] for n in members], number)]
            for (_, kind, is_placed, _), members in groups.items()
        ]
        roots = [[name, number[n]] for name, n in self._roots]
        table = {
            "strings": [self._values[n] for n in strings],
            "values": [self._values[n] for n in others],
            "groups": plain,
            "roots": roots,
        }
        return json.dumps(table, separators=(",", ":")).encode()

    def _grouped(self) -> dict[tuple[int, int, bool, int], list[int]]:
        """The rows of one class by what they need before them: (level, class, whether it names a file, parts) -> their numbers."""
        levels: list[int] = []
        placed: list[bool] = []
        groups: dict[tuple[int, int, bool, int], list[int]] = {}
        for number, (kind, *row) in enumerate(self._rows):
            inner = [n for n in row if n >= 0]
            level = 1 + max(map(levels.__getitem__, inner)) if inner else 0
            is_placed = self._names_file[kind] or any(map(placed.__getitem__, inner))
            levels.append(level)
            placed.append(is_placed)
            groups.setdefault((level, kind, is_placed, len(row)), []).append(number)
        return {key: groups[key] for key in sorted(groups)}

    def _columns(self, kind: int, rows: Sequence[tuple[int, ...]], number: Sequence[int]) -> Iterable[object]:
        """Rows of one class as a column for each field, with its runs; a number stands for a column of which all are the same.

        Of what has any number of parts a group holds those of one: how many they are, and a column of all parts.
        """
        if not self._arity[kind]:
            yield len(rows)
            yield _packed([number[n] for row in rows for n in row[1:]])
            return
        columns = [list(map(number.__getitem__, column)) for column in islice(zip(*rows, strict=True), 1, None)]
        alike = [len(set(column)) == 1 for column in columns]
        if all(alike) and len(rows) > 1:
            alike[0] = False  # or nothing would say how many they are
        yield from (column[0] if same else _packed(column) for same, column in zip(alike, columns, strict=True))

    def _write(self, subject: Any) -> int:
        """The number of the row of an object that is no plain value; in a row, a plain value is the complement of its number."""
        kind, children, is_shared = self._forms.get(type(subject)) or self._form(type(subject))
        atoms, by_id, strings = self._atoms, self._by_id, self._atoms[str]
        row = [kind]
        for part in children(subject):  # most are strings, or were written before: a call for each would cost the most
            cls = type(part)
            plain = strings if cls is str else atoms.get(cls)
            if plain is None:
                number = by_id.get(id(part))
                row.append(self._write(part) if number is None else number)
                continue
            value = repr(part) if cls is float else part
            number = plain.get(value)
            if number is None:
                number = plain[value] = ~len(self._values)
                self._values.append(part)
            row.append(number)
        key = tuple(row)
        number = self._known.get(key) if is_shared else None
        if number is None:
            number = len(self._rows)
            self._rows.append(key)
            if is_shared:
                self._known[key] = number
        self._by_id[id(subject)] = number
        self._held.append(subject)
        return number

    def _form(self, cls: type) -> _Form:
        """How objects of a class are written."""
        kind = dict if cls not in self._numbers and issubclass(cls, Mapping) else cls
        if kind not in self._numbers:
            raise TypeError(f"{cls.__qualname__} is no plain data")
        children = self._ports.parts_of if cls is PortReading else _children(cls)
        found = self._forms[cls] = self._numbers[kind], children, _is_shared(cls)
        return found


def _packed(column: list[int]) -> list[int] | dict[str, list[list[int]]]:
    """The same as its runs, where that is shorter: [first number, how many, whether each is one more than the one before]."""
    runs: list[list[int]] = []
    before, step = -2, 0
    for number in column:
        if runs and number - before == step and runs[-1][1] > 1:
            runs[-1][1] += 1
        elif runs and runs[-1][1] == 1 and 0 <= number - before <= 1:
            step = number - before
            runs[-1][1:] = 2, step
        else:
            runs.append([number, 1, 0])
        before = number
    return {"runs": runs} if len(runs) * _RUN < len(column) else column


_RUN = 3
"""Numbers that a run takes."""


class _Ports:
    """What ports are written as, with what those of one table have in common."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[object, PartKey]] = {}
        """Facts of ports -> these, so that the id is no other's, and the statements that they were read from."""
        self._shapes: dict[tuple[object, ...], tuple[PartShape, ...]] = {}
        """What parts have in common -> their shapes; see `_placed`."""

    def parts_of(self, port: PortReading) -> Iterable[object]:
        """What a port is made of, and what it was read from: as after reading, equal facts of other statements are others."""
        known = self._keys.get(id(port.facts))
        if known is None:
            known = self._keys[id(port.facts)] = (port.facts, key_of(port.parts))
        own = list(_PORT(port))
        own[_PARTS] = self._placed(port.parts)
        return (*own, known[1])

    def _placed(self, parts: Parts) -> PlacedParts:
        """The same, with what ports have in common apart from where it stands."""
        if isinstance(parts, PlacedParts):
            return parts
        key = tuple([(p.role, p.kind, p.name, id(p.block.texts), p.unknown, id(p.block.offsets)) for p in parts])
        shapes = self._shapes.get(key)
        if shapes is None:  # it holds what the key has the ids of
            shapes = tuple(
                [PartShape(p.role, p.block.texts, p.block.offsets, p.kind, p.name, p.unknown) for p in parts]
            )
            self._shapes[key] = shapes
        paths = tuple([part.block.path for part in parts])
        return PlacedParts(shapes, paths if len(set(paths)) > 1 else paths[:1], tuple([p.block.first for p in parts]))


_Form = tuple[int, Callable[[Any], Iterable[Any]], bool]
"""The number of a class, what an object of it is made of, and whether equal ones are one."""


def _children(cls: type) -> Callable[[Any], Iterable[Any]]:
    """What the objects of a class are made of, in order."""
    if is_dataclass(cls):
        own = names(cls)
        return attrgetter(*own) if len(own) > 1 else lambda subject: [getattr(subject, name) for name in own]
    if issubclass(cls, Enum):
        return lambda subject: (subject.value,)
    if cls is date:
        return lambda subject: (subject.isoformat(),)
    if cls is Texts:
        return lambda subject: subject.statements
    if issubclass(cls, Mapping):
        return lambda subject: [one for pair in subject.items() for one in pair]
    if issubclass(cls, frozenset):
        return lambda subject: sorted(subject, key=repr)  # the same bytes in every process
    return iter


def arity(cls: type) -> int:
    """Of how many parts an object of a class is made; 0: of any number."""
    if issubclass(cls, Enum) or cls is date:
        return 1
    if not is_dataclass(cls):
        return 0
    return len(names(cls)) + (cls is PortReading)


class Reader:
    """Reads the tables of one run: what is equal in several of them becomes one object."""

    def __init__(self, root: type) -> None:
        self._root = root
        self._classes = classes(root)
        self._makers = [self._ports if cls is PortReading else _maker(cls) for cls in self._classes]
        self._strings: dict[str, str] = {}
        self._plain: dict[tuple[type, object], object] = {}
        self._rows: dict[tuple[object, ...], tuple[object, ...]] = {}
        """Tuples of strings and whole numbers alone: of them equal ones hold the same, which True and 1 do not."""
        self._made: dict[tuple[int, ...], object] = {}
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
            for kind, is_placed, *columns in table["groups"]:
                objects += self._group(kind, is_placed, columns, objects)
            found = {str(name): objects[number] for name, number in table["roots"]}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError) as error:
            raise Damaged(f"{type(error).__name__}: {error}") from None
        if not all(type(one) is self._root for one in found.values()):
            raise Damaged(f"something else than a {self._root.__name__}")
        return found

    def _value(self, value: object) -> Any:
        kind = type(value)
        if kind not in _ATOMS:
            raise Damaged("a plain value is none")
        return self._plain.setdefault((kind, repr(value) if kind is float else value), value)

    def _group(self, kind: int, is_placed: object, columns: Sequence[Any], objects: Sequence[Any]) -> Sequence[Any]:
        """The objects of one class that are made of those before them."""
        cls, make = self._classes[kind], self._makers[kind]
        parts = list(_filled(columns, arity(cls), objects) if arity(cls) else _rows(columns, objects))
        if is_placed or not _is_shared(cls) or cls in _OF_ONE_PORT:  # in no other table
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
        pairs = list(zip(map(id, own[_FACTS]), map(id, keys), strict=True))
        distinct = dict(zip(pairs, zip(own[_FACTS], keys, strict=True), strict=True))
        shared = {pair: self._shared(facts, key) for pair, (facts, key) in distinct.items()}
        own[_FACTS] = list(map(shared.__getitem__, pairs))
        return _PORTS(own)

    def _shared(self, facts: Any, key: object) -> Any:
        found = self._facts.get((id(facts), id(key)))
        if found is None:
            is_first = (id(facts), None) not in self._facts
            self._facts[(id(facts), None)] = (facts, None)
            found = self._facts[(id(facts), id(key))] = (facts if is_first else replace(facts), key)
        return found[0]


_Columns = Sequence[Sequence[Any]]


def _filled(columns: Sequence[Any], count: int, objects: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The columns of a class with so many fields, with objects in place of their numbers. Raises Damaged."""
    lengths = {_length(column) for column in columns if type(column) is not int}
    if len(columns) != count or len(lengths) > 1:
        raise Damaged("columns of another form")
    length = max(lengths, default=1)
    for column in columns:
        yield _referred([column], objects) * length if type(column) is int else _referred(column, objects)


def _rows(columns: Sequence[Any], objects: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """One column: the parts of each object of a class that has any number of them. Raises Damaged."""
    count, numbers = columns
    total = _length(numbers)
    if not 0 < count <= _MOST_ROWS or total % count:
        raise Damaged("another number of parts")
    parts = iter(_referred(numbers, objects))
    yield list(zip(*[parts] * (total // count), strict=True)) if total else [()] * count


def _length(column: Any) -> int:
    """How many rows a column is of. Raises Damaged for more than any table has: nothing is made for the asking."""
    if type(column) is list:
        return len(column)
    length: int = sum(count for _, count, _ in column["runs"])
    if not 0 <= length <= _MOST_ROWS:
        raise Damaged("more rows than there are")
    return length


def _referred(column: Any, objects: Sequence[Any]) -> list[Any]:
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


_MOST_ROWS = 1 << 26
"""Of one class in a table."""
_COMPARABLE = frozenset({str, int})
_OF_ONE_PORT = (Labels,)
"""Classes of which hardly any two objects of different tables are equal."""
_PORT = attrgetter(*names(PortReading))
_PORTS = _maker(PortReading)
_FACTS, _PARTS = (names(PortReading).index(name) for name in ("facts", "parts"))
