"""The settings of a port by which it is compared with similar ports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any

from roce_audit.fabric.classes.votes import paused_priorities
from roce_audit.fabric.port import FabricPort, of_facts_alone
from roce_audit.model import Port
from roce_audit.model.walk import Path, cells, follow, named_parts
from roce_audit.text.block import Role, roles_of
from roce_audit.values import At, Cell, DefaultLocation, Why, known

WHETHER_AT_ALL = "profile"
"""The name of a buffer profile follows the cable as well; that a port has none while similar ports have one is odd."""
_FIRMWARE = ("nic", "firmware")
_UNLESS_SAID = frozenset(
    {("nic", name) for name in ("roce", "cma_mode", "cma_tos", "roce_dscp", "takes_any_order", "tunnel_keeps_marks")}
)
"""What is absent where nothing says so: a firmware that does not list the field, a folder of configfs that nobody made. It is no
other setting than that of similar NICs."""
_Roles = tuple[Role, ...]
"""Of the parts that a port was read from."""
_OF_EACH = "share"
"""Beside a line that shares the bandwidth, each queue has a line of its own for its share: a queue without one has none."""
UNSAID = "not said"
"""Nothing says it on this port, and no default is documented: odd where similar ports do say it."""


_BYTES_OF = {"min_value": "min_bytes", "min_unit": "min_bytes", "max_value": "max_bytes", "max_unit": "max_bytes"}


def _is_said_in_bytes(facts: Port, path: Path) -> bool:
    """Whether it is but the wording of a threshold that is known in bytes: two syntaxes of one platform use other units."""
    other = _BYTES_OF.get(str(path[-1]))
    said = follow(facts, (*path[:-1], other)) if other is not None else None
    return said is not None and said.is_known


class Settings:
    """The compared settings of a port's facts, memoised; `within` are the fields of a port below which they lie.

    Facts that differ have most of their fields in common, so what a field says is found out once for all that share it.
    """

    def __init__(self, compared: Callable[[Path], bool], within: Collection[str]) -> None:
        self._compared = compared
        self._within = within
        self._walked: dict[tuple[str, int], Sequence[tuple[Path, Cell[Any]]]] = {}
        """Name and id of what a field holds -> its cells; the facts hold it, and the ports hold the facts."""
        self._told: dict[tuple[str, int, _Roles], dict[Path, Cell[Any]]] = {}
        self._roles_of: dict[int, _Roles] = {}
        self._memo: dict[int, dict[Path, Cell[Any]]] = {}
        self._misread: dict[tuple[str, int], dict[Path, Cell[Any]]] = {}

    def of(self, port: FabricPort) -> dict[Path, Cell[Any]]:
        """Those that are known, or known to be absent."""
        facts = port.reading.facts
        found = self._memo.get(id(facts))
        if found is None:
            found = self._memo[id(facts)] = {}
            for name, part in self._parts(facts):
                found |= self._below(port, name, part)
        return found

    def at(self, port: FabricPort, path: Path) -> Cell[Any] | None:
        """One of them; None where nothing is known of it."""
        name = str(path[0])
        return self._below(port, name, getattr(port.reading.facts, name)).get(path)

    def where_they_differ(self, ports: Sequence[FabricPort]) -> Sequence[dict[Path, Cell[Any]]]:
        """The settings of each of these ports, without those below fields in which all of them are equal."""
        found: list[dict[Path, Cell[Any]]] = [{} for _ in ports]
        for columns in zip(*[self._parts(port.reading.facts) for port in ports], strict=True):
            first, *others = {id(part): part for _, part in columns}.values()
            if any(other != first for other in others):
                for settings, port, (name, part) in zip(found, ports, columns, strict=True):
                    settings |= self._below(port, name, part)
        return found

    def misread(self, port: FabricPort, below: Collection[str | int]) -> dict[Path, Cell[Any]]:
        """Those below some fields that are written somewhere and yet unknown."""
        facts = port.reading.facts
        found: dict[Path, Cell[Any]] = {}
        for name, part in self._parts(facts):
            if name not in below:
                continue
            if (name, id(part)) not in self._misread:
                its = [
                    (p, c) for p, c in self._cells(name, part) if c.is_unknown and c.at and c.why is not Why.NO_DEFAULT
                ]
                self._misread[name, id(part)] = {_named(facts, path): cell for path, cell in its}
            found |= self._misread[name, id(part)]
        return found

    def _below(self, port: FabricPort, name: str, part: Any) -> dict[Path, Cell[Any]]:
        """Those below one field of the port."""
        roles = self._roles(port)
        key = (name, id(part), roles)
        found = self._told.get(key)
        if found is None:
            found = self._told[key] = dict(_read(port.reading.facts, self._cells(name, part), roles))
        return found

    def _roles(self, port: FabricPort) -> _Roles:
        """Those of the first port of these facts that was asked for."""
        facts = port.reading.facts
        found = self._roles_of.get(id(facts))
        if found is None:
            found = self._roles_of[id(facts)] = roles_of(port.reading.parts)
        return found

    def _parts(self, facts: Port) -> Iterable[tuple[str, Any]]:
        """The fields below which compared settings lie."""
        return [(name, part) for name, part in named_parts(facts).items() if name in self._within]

    def _cells(self, name: str, part: Any) -> Sequence[tuple[Path, Cell[Any]]]:
        found = self._walked.get((name, id(part)))
        if found is None:
            below = cells(part, (name,))
            found = self._walked[name, id(part)] = [(path, cell) for path, cell in below if self._compared(path)]
        return found


def _read(facts: Port, below: Iterable[tuple[Path, Cell[Any]]], roles: _Roles) -> Iterator[tuple[Path, Cell[Any]]]:
    """Of the cells below one field the values that are known, and of each object on the way to them that it is there at all."""
    there: set[Path] = set()  # objects that were looked at on the way
    paused = _paused_queues(facts)
    for path, cell in below:
        if _is_said_in_bytes(facts, path):
            continue
        if cell.is_unknown:
            if cell.why is Why.NO_DEFAULT and (path[-1] == _OF_EACH or _said_by_nobody(cell, roles)):
                yield _named(facts, path), known(UNSAID, *[at for at in cell.at if isinstance(at, DefaultLocation)])
            continue
        for end in range(1, len(path)) if path[:-1] not in there else ():  # what is around it was looked at first
            if path[:end] in there:
                continue
            there.add(path[:end])
            around = follow(facts, path[:end])
            if around is not None and is_dataclass(around.value):
                yield path[:end], known("set", *around.at)
        if (cell.is_absent and path in _UNLESS_SAID) or (_is_limit(path) and path[1] not in paused):
            continue
        yield _named(facts, path), _compared_value(path, cell)


def _compared_value(path: Path, cell: Cell[Any]) -> Cell[Any]:
    if (path[-1] == WHETHER_AT_ALL or _is_limit(path)) and cell.is_known:
        return known("set", *cell.at)
    if path == _FIRMWARE and cell.is_known:
        # tools tell one version with and without its package: `233.0.152.2/pkg 233.1.135.7`
        return known(cell.get().split("/")[0].split(" ")[0], *cell.at)
    return cell


def _is_limit(path: Path) -> bool:
    """Whether it is a dynamic limit of a queue: templates give uplinks others than ports of hosts, so that the queue of a lossless class
    has one is compared, and not which."""
    return path[0] == "queues" and path[-1] == "alpha"


@of_facts_alone
def _paused_queues(facts: Port) -> frozenset[int]:
    """The queues of the priorities with PFC, as far as they are known."""
    paused = paused_priorities(facts)
    return frozenset(
        one.queue.get() for one in facts.priorities.or_else(()) if one.number in paused and one.queue.is_known
    )


def _said_by_nobody(cell: Cell[Any], roles: _Roles) -> bool:
    """Whether no line of the port or of what it binds has to do with it."""
    return all(isinstance(at, DefaultLocation) or (isinstance(at, At) and roles[at.part] == "device") for at in cell.at)


def _named(facts: Port, path: Path) -> Path:
    """The path with names for numbers in lists whose elements go by a name: their order means nothing."""
    if path[0] != "nic":
        return path  # the lists of a port itself have one place for each number
    steps: list[str | int] = []
    for end, step in enumerate(path, 1):
        around = follow(facts, path[: end - 1]) if isinstance(step, int) else None
        listed = around.value if around is not None and isinstance(around.value, tuple) else ()
        element: object = listed[step] if isinstance(step, int) and step < len(listed) else None
        steps.append(
            str(getattr(element, "name", step)) if isinstance(step, int) and hasattr(element, "name") else step
        )
    return tuple(steps)
