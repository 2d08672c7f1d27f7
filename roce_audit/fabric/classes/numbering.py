"""How a switch numbers what it keeps for a priority: the same class can be group 3 on one and group 4 on another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roce_audit.fabric.classes.votes import paused_priorities, protected_classes
from roce_audit.model import Port
from roce_audit.model.walk import Path, follow
from roce_audit.records import dataclass

_NUMBERED = frozenset({"dscp", "pcp", "classes", "priorities", "queues", "groups"})
_Names = Mapping[int, int]
"""A number on one port -> the number of the same thing on the other."""


@dataclass(frozen=True, slots=True)
class _Numbering:
    """The numbers of one port in terms of another one's; only those that differ."""

    classes: _Names
    queues: _Names
    groups: _Names


class Numberings:
    """How ports differ in their numbers, worked out once for each two readings: those of a fleet are compared setting by setting."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], tuple[Port, Port, _Numbering | None]] = {}

    def explain(self, mine: Port, theirs: Port, path: Path) -> bool:
        """Whether a setting in which two ports differ is equal once each is asked by its own number."""
        if path[0] not in _NUMBERED:
            return False
        pair = (id(mine), id(theirs))
        kept = self._found.get(pair)
        if kept is None:  # both are kept as well, so that no other takes their id
            kept = self._found[pair] = (mine, theirs, _numbering(mine, theirs))
        return kept[2] is not None and _is_equal(mine, theirs, path, kept[2])


def _is_equal(mine: Port, theirs: Port, path: Path, found: _Numbering) -> bool:
    around = {"classes": found.classes, "queues": found.queues, "groups": found.groups}.get(str(path[0]), {})
    there = (path[0], around.get(path[1], path[1]), *path[2:]) if isinstance(path[1], int) else path
    here, other = follow(mine, path), follow(theirs, there)
    if here is None or other is None or here.is_unknown or other.is_unknown:
        return False
    by_name = {"dscp": found.classes, "pcp": found.classes, "queue": found.queues, "group": found.groups}
    said = by_name.get(str(path[0]), by_name.get(str(path[-1]), {}))
    return here.value == other.value or (isinstance(here.value, int) and said.get(here.value) == other.value)


def _numbering(mine: Port, theirs: Port) -> _Numbering | None:
    """How two ports differ in their numbers, by the priorities that both pause; None where they do not."""
    paused = paused_priorities(mine)
    if not paused or paused != paused_priorities(theirs):
        return None
    found = _Numbering(*(_renamed(mine, theirs, paused, ask) for ask in (_class_of, _queue_of, _group_of)))
    return found if found.classes or found.queues or found.groups else None


def _class_of(facts: Port, priority: int) -> int | None:
    mine = protected_classes(facts, priority)
    return next(iter(mine)) if len(mine) == 1 else None


def _queue_of(facts: Port, priority: int) -> int | None:
    number = _class_of(facts, priority)
    cell = follow(facts, ("classes", number, "queue")) if number is not None else None
    return cell.value_or_none() if cell is not None else None


def _group_of(facts: Port, priority: int) -> int | None:
    cell = follow(facts, ("priorities", priority, "group"))
    return cell.value_or_none() if cell is not None else None


def _renamed(mine: Port, theirs: Port, paused: frozenset[int], ask: Callable[[Port, int], int | None]) -> _Names:
    """What each priority is kept in; what was displaced has taken the place that became free."""
    both = [(ask(mine, priority), ask(theirs, priority)) for priority in sorted(paused)]
    names = {one: other for one, other in both if one is not None and other is not None}
    if len(names) < len(paused) or len(set(names.values())) < len(names):
        return {}
    free = sorted(set(names) - set(names.values()))
    displaced = sorted(set(names.values()) - set(names))
    return {one: other for one, other in {**names, **dict(zip(displaced, free, strict=True))}.items() if one != other}
