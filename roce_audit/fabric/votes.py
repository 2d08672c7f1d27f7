"""Votes: what one device does for its lossless priorities, and which code points and tags lead to each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from roce_audit.fabric.port import FabricPort
from roce_audit.model import Port
from roce_audit.values import Cell, Cited

SINGLED_OUT = 4
"""Default maps lead eight code points into a class. Up to half of them, by lines of their own, were meant; seven are a hole."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What leads to a priority's group on one device: all DSCPs, those that a line (no default) sends there, and tags."""

    dscp: frozenset[int] = frozenset()
    explicit: frozenset[int] = frozenset()
    pcp: frozenset[int] = frozenset()

    @property
    def meant(self) -> frozenset[int]:
        """The code points that lines single out, else all that lead there."""
        return self.explicit if 0 < len(self.explicit) <= SINGLED_OUT else self.dscp


@dataclass(frozen=True, slots=True)
class Vote:
    """What one device does: priorities with PFC, and for each the marks that lead to it."""

    priorities: frozenset[int]
    marks: Mapping[int, Marks]


def vote_of(ports: Sequence[FabricPort]) -> Vote | None:
    """One vote a device: what most of its RoCE ports do; None where that is not known or nothing is lossless."""
    by_priorities: dict[frozenset[int], list[Port]] = defaultdict(list)
    for port in ports:
        pfc = port.reading.facts.pfc.value_or_none()
        if pfc is not None and pfc.priorities.is_known and pfc.priorities.get():
            by_priorities[pfc.priorities.get()].append(port.reading.facts)
    if not by_priorities:
        return None
    priorities = max(by_priorities, key=lambda voted: len(by_priorities[voted]))
    counted = Counter(map(id, by_priorities[priorities]))
    distinct = {id(facts): facts for facts in by_priorities[priorities]}
    marks = {}
    for priority in priorities:
        votes: Counter[Marks] = Counter()
        for key, facts in distinct.items():
            votes[marks_of(facts, priority)] += counted[key]
        marks[priority] = votes.most_common(1)[0][0]
    return Vote(priorities, marks)


def marks_of(facts: Port, priority: int) -> Marks:
    """What leads to the internal classes that the priority pauses on this port."""
    mine = _protected(facts, priority)

    def leading(cells: tuple[Cell[int], ...]) -> tuple[frozenset[int], frozenset[int]]:
        hits = [(mark, cell) for mark, cell in enumerate(cells) if cell.is_known and cell.get() in mine]
        said = frozenset(mark for mark, cell in hits if cell.at and not isinstance(cell.at[0], Cited))
        return frozenset(mark for mark, _ in hits), said

    dscp, explicit = leading(facts.dscp.or_else(()))
    # a NIC trusts the tag as its driver sets it up: that is no sign that anybody tags
    tags = frozenset() if facts.is_nic else leading(facts.pcp.or_else(()))[1]
    return Marks(dscp, explicit, tags)


def _protected(facts: Port, priority: int) -> frozenset[int]:
    """The internal classes whose packets the priority pauses; where several priorities share a group, by their queue."""
    if facts.is_nic:
        return frozenset({priority})  # the class of a packet on a NIC is its priority
    priorities = facts.priorities.or_else(())
    if priority >= len(priorities) or not priorities[priority].group.is_known:
        return frozenset()
    group, queue = priorities[priority].group.get(), priorities[priority].queue
    in_group = [c for c in facts.classes.or_else(()) if c.group.is_known and c.group.get() == group]
    in_queue = [c for c in in_group if not queue.is_known or not c.queue.is_known or c.queue.get() == queue.get()]
    return frozenset(c.number for c in in_queue or in_group)
