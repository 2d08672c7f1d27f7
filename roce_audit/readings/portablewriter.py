"""Writing plain data: a table of rows in which equal values stand once; see portable.py."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date
from enum import Enum
from itertools import islice, repeat
from operator import attrgetter
from typing import Any

from roce_audit.platforms.portreading import PortReading
from roce_audit.readings.portable import ATOMS, PARTS, arity, classes, is_shared, names
from roce_audit.text.block import PartKey, Texts, key_of, placed

_MANY = 8
"""Objects of one class that are written field by field."""
_PORT = attrgetter(*names(PortReading))


class Writer:
    """A table that grows object by object."""

    def __init__(self, root: type) -> None:
        self._numbers = {cls: number for number, cls in enumerate(classes(root))}
        self._atoms: dict[type, dict[object, int]] = {cls: {} for cls in ATOMS}
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
        # letters as they are, which is shorter; what a path has that is no text goes through
        return json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")

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
            yield packed([number[n] for row in rows for n in row[1:]])
            return
        columns = [list(map(number.__getitem__, column)) for column in islice(zip(*rows, strict=True), 1, None)]
        alike = [len(set(column)) == 1 for column in columns]
        if all(alike) and len(rows) > 1:
            alike[0] = False  # or nothing would say how many they are
        yield from (column[0] if same else packed(column) for same, column in zip(alike, columns, strict=True))

    def _write(self, subject: Any) -> int:
        """The number of the row of an object that is no plain value; in a row, a plain value is the complement of its number."""
        kind, children, is_shared = self._forms.get(type(subject)) or self._form(type(subject))
        atoms, by_id, strings = self._atoms, self._by_id, self._atoms[str]
        row = [kind]
        parts = children(subject)
        if type(subject) is tuple and len(subject) >= _MANY:
            types = set(map(type, subject))
            if types == {int}:
                row += self._plain(int, subject)
                parts = ()
            elif len(types) == 1:
                self._write_flat(subject)
        for part in parts:  # most are strings, or were written before: a call for each would cost the most
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

    def _write_flat(self, subjects: tuple[Any, ...]) -> None:
        """Write objects of one class, each field a string or a whole number, field by field; nothing where a field is anything else.

        It takes a third of the time of one object after the other, and what each has of its own is numbered in a row.
        """
        cls = type(subjects[0])
        if not is_dataclass(cls):
            return
        kind, children, is_shared = self._forms.get(cls) or self._form(cls)
        columns = list(zip(*map(children, subjects), strict=True))
        atoms = [set(map(type, column)) for column in columns]
        if not is_shared or not all(types in ({str}, {int}) for types in atoms):
            return
        numbers = [self._plain(atom, column) for column, (atom,) in zip(columns, atoms, strict=True)]
        for subject, row in zip(subjects, zip(repeat(kind), *numbers), strict=True):
            number = self._known.setdefault(row, len(self._rows))
            if number == len(self._rows):
                self._rows.append(row)
            self._by_id[id(subject)] = number
        self._held += subjects

    def _plain(self, atom: type, column: Sequence[Any]) -> Sequence[int]:
        """The numbers of plain values that are all strings, or all whole numbers."""
        plain = self._atoms[atom]
        new = [value for value in dict.fromkeys(column) if value not in plain]
        plain.update(zip(new, range(~len(self._values), ~len(self._values) - len(new), -1), strict=True))
        self._values += new
        return list(map(plain.__getitem__, column))

    def _form(self, cls: type) -> _Form:
        """How objects of a class are written."""
        kind = dict if cls not in self._numbers and issubclass(cls, Mapping) else cls
        if kind not in self._numbers:
            raise TypeError(f"{cls.__qualname__} is no plain data")
        children = self._ports.parts_of if cls is PortReading else _children(cls)
        found = self._forms[cls] = self._numbers[kind], children, is_shared(cls)
        return found


def packed(column: list[int]) -> list[int] | dict[str, list[list[int]]]:
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

    def parts_of(self, port: PortReading) -> Iterable[object]:
        """What a port is made of, and what it was read from: as after reading, equal facts of other statements are others."""
        known = self._keys.get(id(port.facts))
        if known is None:
            known = self._keys[id(port.facts)] = (port.facts, key_of(port.parts))
        own = list(_PORT(port))
        own[PARTS] = placed(port.parts)
        return (*own, known[1])


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
