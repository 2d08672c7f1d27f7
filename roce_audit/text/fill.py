"""Settings become facts here, and nowhere else are defaults filled in.

A reader says what the statements set, by model path (`queues.3.ecn.min_bytes`). `fill` builds the frozen model object and
decides for everything that was not set: a documented default where *that kind of block* is complete, else "not visible".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from roce_audit.model.base import element_of, fact_types, inside_cell, size_of
from roce_audit.model.port import Port
from roce_audit.records import dataclass
from roce_audit.text.settings import Settings
from roce_audit.values import Cell, Cited, Where, Why, absent, known, unknown

EVERYTHING = "*"
"""In `complete`: all of the datastore was visible."""


@dataclass(frozen=True, slots=True)
class Default:
    """A documented default; `value` None means that the documented default is that there is none."""

    value: object
    source: str
    unless_said: bool = False
    """It says no more than that nothing was read: so it holds for a fragment as well."""


@dataclass(frozen=True, slots=True)
class Lack:
    """What to make of a path that no statement set.

    `defaults` maps a path or a pattern (`queues.*.ecn`) to a documented default; `complete` holds the first steps of the
    paths whose blocks are wholly visible (or EVERYTHING).
    """

    defaults: Mapping[str, Default]
    complete: frozenset[str]

    def is_complete(self, pattern: str) -> bool:
        """Whether absence below this path is evidence."""
        if EVERYTHING in self.complete:
            return True
        head = pattern
        while True:
            if head in self.complete:
                return True
            if "." not in head:
                return False
            head = head.rpartition(".")[0]

    @property
    def undefined(self) -> Why:
        """Why a name that nothing defines leaves a value open: in a fragment it may well be defined elsewhere."""
        return Why.UNDEFINED if EVERYTHING in self.complete else Why.NOT_VISIBLE

    def otherwise(self, path: str, *at: Where) -> Cell[Any]:
        """What holds at `path` where no statement sets it; `at` is where that shows, before what says so.

        A path is one of the model, or the platform's own for what an object leaves open (`SCHEDULER.weight`).
        """
        steps = ["*" if step.isdigit() else step for step in path.split(".")]
        found = self.cell(path, ".".join(steps))
        return replace(found, at=(*at, *found.at)) if at else found

    def leads_nowhere(self, settings: Settings, paths: Iterable[str], *at: Where) -> None:
        """Nothing defines the name at `at`: what it would set is undefined. A fragment leaves open what is defined elsewhere."""
        if self.undefined is Why.UNDEFINED:
            for path in paths:
                settings.set_unknown(path, Why.UNDEFINED, *at)

    def default(self, path: str, pattern: str) -> Default | None:
        """The documented default for this path, if there is one."""
        return self.defaults.get(path) or self.defaults.get(pattern)

    def cell(self, path: str, pattern: str) -> Cell[Any]:
        """The cell for a path that nothing set."""
        default = self.default(path, pattern)
        if not self.is_complete(pattern) and (default is None or not default.unless_said):
            return unknown(Why.NOT_VISIBLE)
        if default is None:
            return unknown(Why.NO_DEFAULT)
        cited = Cited(default.source)
        return absent(cited) if default.value is None else known(default.value, cited)


@cache
def _plan(cls: type) -> tuple[tuple[str, str, Any, int | None], ...]:
    """(field, how to fill it, type inside, size) for every field of a model class."""
    plan: list[tuple[str, str, Any, int | None]] = []
    hints = fact_types(cls)
    for f in fields(cls):
        inner = inside_cell(hints[f.name])
        element = element_of(inner)
        if inner is hints[f.name]:
            how = "index" if f.name in ("number", "index", "name") else "plain"
        elif hasattr(inner, "__dataclass_fields__"):
            how = "object"
        elif element is not None and hasattr(element, "__dataclass_fields__"):
            how, inner = ("cells" if element is Cell else "objects"), element
        elif element is not None and inside_cell(element) is not element:
            how = "cells"
        else:
            how = "leaf"
        plan.append((f.name, how, inner, size_of(cls, f.name)))
    return tuple(plan)


def fill(cls: type, settings: Settings, lack: Lack) -> Any:
    """The model object of class `cls` that these settings describe."""
    return _Filler(settings, lack).whole(cls)


class _Cover:
    """What holds for all that is missing below a path: the doubt that forbids defaults, and the header where a default shows."""

    __slots__ = ("cells", "doubt", "home")

    def __init__(self, doubt: Cell[Any] | None, home: tuple[Where, ...]) -> None:
        self.doubt = doubt
        self.home = home
        self.cells: dict[str, Cell[Any]] = {}
        """Pattern -> what its paths are where nothing sets them; most of a port is eight times the same."""


class _Filler:
    """One filling: walks the model class and the settings together."""

    def __init__(self, settings: Settings, lack: Lack) -> None:
        self.settings = settings
        self.lack = lack

    def whole(self, cls: type) -> Any:
        """The object of `cls` at the root."""
        return self.object(cls, "", "", None, _Cover(self.settings._no_default.get(""), ()))

    def object(self, cls: type, path: str, pattern: str, index: str | None, above: _Cover) -> Any:
        """An object of `cls` at `path`; `index` is the last step of the path for elements of a tuple."""
        cover = self._cover(path, above)
        values: list[Any] = []
        for name, how, inner, size in _plan(cls):
            if how == "index":
                values.append(index if name == "name" else int(index or 0))
                continue
            below, alike = (f"{path}.{name}", f"{pattern}.{name}") if path else (name, name)
            if how == "leaf":
                values.append(self.leaf(below, alike, cover))
            else:
                values.append(self.cell(how, inner, size, below, alike, cover))
        return cls(*values)

    def cell(self, how: str, inner: Any, size: int | None, path: str, pattern: str, above: _Cover) -> Cell[Any]:
        """The cell at `path`."""
        settings = self.settings
        in_doubt = settings._unknown.get(path)
        if in_doubt is not None:
            return in_doubt
        given = settings._cells.get(path)
        said_below = settings.has_below(path)
        if given is not None and (given.why is not None or not said_below):
            return given
        if said_below:
            at = given.at if given is not None else self._first_place(path)
            return Cell(self._inside(how, inner, size, path, pattern, above), None, at)
        missing = self._missing(path, pattern, above)
        if missing.why is Why.NO_DEFAULT and inner is not Port:
            return Cell(self._inside(how, inner, size, path, pattern, above), None, ())
        return missing

    def _inside(self, how: str, inner: Any, size: int | None, path: str, pattern: str, above: _Cover) -> Any:
        if how == "object":
            return self.object(inner, path, pattern, path.rpartition(".")[2], above)
        cover = self._cover(path, above)
        if how == "objects":
            return self._objects(inner, size, path, pattern, cover)
        return tuple([self.leaf(f"{path}.{i}", f"{pattern}.*", cover) for i in range(size or 0)])

    def leaf(self, path: str, pattern: str, above: _Cover) -> Cell[Any]:
        """The cell of a plain value at `path`."""
        found = self.settings._unknown.get(path)
        if found is None:
            found = self.settings._cells.get(path)
        return self._missing(path, pattern, above) if found is None else found

    def _cover(self, path: str, above: _Cover) -> _Cover:
        """What covers all below `path`: what is said there, else what covers the path itself."""
        doubt, location = self.settings._no_default.get(path), self.settings._default_locations.get(path)
        if doubt is None and location is None:
            return above
        return _Cover(above.doubt if doubt is None else doubt, above.home if location is None else (location,))

    def _missing(self, path: str, pattern: str, above: _Cover) -> Cell[Any]:
        cover = self._cover(path, above)
        if cover.doubt is not None:
            return cover.doubt
        if path in self.lack.defaults:  # of this one path, and of none that is like it
            return _shown(self.lack.cell(path, pattern), cover.home)
        found = cover.cells.get(pattern)
        if found is None:
            found = cover.cells[pattern] = _shown(self.lack.cell(path, pattern), cover.home)
        return found

    def _objects(self, element: type, size: int | None, path: str, pattern: str, above: _Cover) -> tuple[Any, ...]:
        if size is None:
            steps = sorted(s for s in self.settings.children(path) if self.settings.has_below(f"{path}.{s}"))
        else:
            extra = [s for s in self.settings.children(path) if s.isdigit() and int(s) >= size]
            steps = [*map(str, range(size)), *sorted(extra, key=int)]
        return tuple([self._element(element, step, path, pattern, above) for step in steps])

    def _element(self, element: type, step: str, path: str, pattern: str, above: _Cover) -> Any:
        below = f"{path}.{step}"
        doubt = self.settings._unknown.get(below)
        if doubt is None:
            return self.object(element, below, f"{pattern}.*", step, above)
        index = {"index": lambda name: step if name == "name" else int(step)}
        return element(*(index[how](name) if how in index else doubt for name, how, _, _ in _plan(element)))

    def _first_place(self, path: str) -> tuple[Where, ...]:
        for said in (self.settings._cells, self.settings._unknown):
            found = said.get(path)
            if found is not None and found.at:
                return found.at[:1]
        for step in self.settings.children(path):
            at = self._first_place(f"{path}.{step}")
            if at:
                return at
        return ()


def _shown(missing: Cell[Any], home: tuple[Where, ...]) -> Cell[Any]:
    """What holds where nothing is set, with the header below which the line would stand that decides it."""
    if not home or not (missing.at or missing.why is Why.NO_DEFAULT):
        return missing
    return Cell(missing.value, missing.why, (*missing.at, *home))
