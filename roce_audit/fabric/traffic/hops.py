"""Hops: the path of one class through one port, each step a cell of that port's facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from roce_audit.fabric.similar.samefacts import all_said
from roce_audit.model import Class, Hop, Port, Priority, TrafficClass
from roce_audit.values import Cell, Cited, DefaultLocation, Place, Where, Why, absent, known, unknown

_MOST = 5_000
_known: dict[tuple[int, object], tuple[Port, Hop]] = {}
"""Hops by the id of the facts, which are held, and all that a class says and where: the devices of a fleet share facts, and each file
that is checked by itself makes its classes anew. As many as these at most."""


class Hops:
    """Hops, one object per facts and class."""

    def __init__(self) -> None:
        self._memo: dict[tuple[int, int], Hop] = {}
        self._kept: list[object] = []

    def of(self, facts: Port, cls: Class) -> Hop:
        """The hop of this class at a port with these facts."""
        key = (id(facts), id(cls))
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = _hop_once(facts, cls)
            self._kept += (facts, cls)  # ids stay valid as long as the objects live
        return found


def _hop_once(facts: Port, cls: Class) -> Hop:
    key = (id(facts), all_said(cls))
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = facts, _hop(facts, cls)
    return found[1]


def _hop(facts: Port, cls: Class) -> Hop:
    numbers = _class_numbers(facts, cls)
    number = _only(numbers)
    traffic_class = pick(facts.classes, number)
    priority = _only(cls.priority)
    on = step_to(facts.pfc, "priorities")
    pfc_priority = pick(facts.priorities, priority)
    # where nobody shows how the class is marked, its packets are those that its priority pauses
    is_unmarked = not facts.is_nic and numbers.why is Why.NOT_VISIBLE and not cls.dscp.is_known
    by_pause = pfc_priority if is_unmarked else traffic_class
    group_number = step_to(by_pause, "group")
    return Hop(
        priority=priority,
        traffic_class=traffic_class,
        dscp_classes=numbers,
        mapped_instead=_mapped_instead(facts, cls, pfc_priority),
        mapped_to_it=_mapped_to_it(facts, cls, pfc_priority),
        queue=pick(facts.queues, step_to(by_pause, "queue")),
        group=pick(facts.groups, group_number),
        pfc_priority=pfc_priority,
        pfc_on=_contains(on, priority),
        group_priorities=feeding(facts, on, group_number),
        sharers=_sharers(facts, traffic_class, on),
    )


def _class_numbers(facts: Port, cls: Class) -> Cell[frozenset[int]]:
    """Internal classes that the class's packets are put in: by DSCP, or by tag where the class is given by PCP alone.

    A switch port that believes nothing but the tag goes by it where the class is given by both.
    """
    by_tag = _is_by_tag(facts, cls)
    marks, table = (cls.pcp, facts.pcp) if by_tag else (cls.dscp, facts.dscp)
    if not marks.is_known:
        return Cell(None, Why.NOT_VISIBLE if marks.is_absent else marks.why, marks.at)
    if not table.is_known:
        return Cell(None, table.why, table.at)
    cells = [table.get()[mark] for mark in sorted(marks.get())]
    not_known = next((cell for cell in cells if not cell.is_known), None)
    if not_known is not None:
        return Cell(None, not_known.why, not_known.at)
    # a mark that this very port sets is part of the evidence; one that the policy or the majority names is not
    own = (at for at in marks.at if not isinstance(at, Place | Cited))
    return known(frozenset(cell.get() for cell in cells), *own, *_places(cells))


def _is_by_tag(facts: Port, cls: Class) -> bool:
    believes_tag = not facts.is_nic and facts.trust.value == "pcp"
    return cls.pcp.is_known and (believes_tag or not cls.dscp.is_known)


def _mapped_instead(facts: Port, cls: Class, priority: Cell[Priority]) -> Cell[frozenset[int]]:
    """Where a slip in a map's code point is written: the class falls to a default, and the line that was meant for it maps another."""
    group = step_to(priority, "group")
    by_tag = _is_by_tag(facts, cls)
    marks, said = (cls.pcp, facts.pcp) if by_tag else (cls.dscp, facts.dscp)
    if not (marks.is_known and said.is_known and facts.classes.is_known and group.is_known):
        return absent()
    table, classes = said.get(), facts.classes.get()
    by_line = mapped(table)
    if not by_line.isdisjoint(marks.get()):
        return absent()
    protected = {one.number for one in classes if one.group.is_known and one.group.get() == group.get()}
    found = {
        code: cell for code, cell in enumerate(table) if cell.is_known and cell.get() in protected and code in by_line
    }
    return known(frozenset(found), *_places(list(found.values()))) if found else absent()


def _mapped_to_it(facts: Port, cls: Class, priority: Cell[Priority]) -> Cell[frozenset[int]]:
    """What enters the buffer group of the class's priority for certain, where a map is written and may leave marks to nobody knows what."""
    group = step_to(priority, "group")
    if facts.is_nic or cls.pcp.is_known:
        return absent()
    for said in (facts.dscp, facts.classes, group):
        if not said.is_known:
            return Cell(None, said.why, said.at)
    table, classes = facts.dscp.get(), facts.classes.get()
    unseen = next((cell for cell in table if cell.is_unknown and cell.why is not Why.NO_DEFAULT), None)
    if unseen is not None:
        return Cell(None, unseen.why, unseen.at)
    unmarked = table[0].value
    written = [cell for cell in map(table.__getitem__, sorted(mapped(table))) if cell.value not in (None, unmarked)]
    protected = {one.number for one in classes if one.group.is_known and one.group.get() == group.get()}
    if not written or any(cell.is_known and cell.get() in protected for cell in facts.pcp.or_else(())):
        return absent()
    entering = [code for code, cell in enumerate(table) if cell.is_known and cell.get() in protected]
    meant = [cell for cell in written if cell.get() in protected]
    if meant:
        return known(frozenset(entering), *_places(meant))
    reached = {cell.value for cell in written}
    unplaced = next((one.group for one in classes if one.number in reached and one.group.is_unknown), None)
    if unplaced is not None:
        return Cell(None, unplaced.why, unplaced.at)
    return known(frozenset(entering), *_places(written))


def mapped(table: Sequence[Cell[int]]) -> frozenset[int]:
    """The code points that a line maps; what maps code point 0 or most of them is for all that nothing else names."""
    times = Counter(cell.at for cell in table)
    return frozenset(
        code
        for code, cell in enumerate(table)
        if cell.at != table[0].at
        and not all(isinstance(at, Cited | DefaultLocation) for at in cell.at)
        and 2 * times[cell.at] <= len(table)
    )


def _places(cells: list[Cell[Any]]) -> tuple[Where, ...]:
    return tuple(dict.fromkeys(at for cell in cells for at in cell.at))


def _only(cell: Cell[frozenset[int]]) -> Cell[int]:
    """The single element of a set; several are a conflict."""
    if not cell.is_known:
        return Cell(None, cell.why, cell.at)
    if len(cell.get()) != 1:
        return unknown(Why.CONFLICT, *cell.at)
    return known(next(iter(cell.get())), *cell.at)


def step_to(cell: Cell[Any], field: str) -> Cell[Any]:
    """The field of the object in a cell, or the doubt that covers it."""
    if not cell.is_known:
        return Cell(None, cell.why, cell.at)
    inner: Cell[Any] = getattr(cell.get(), field)
    return inner


def pick(table: Cell[tuple[Any, ...]], index: Cell[int]) -> Cell[Any]:
    """The element that `index` names, with the evidence of the choice."""
    for cell in (index, table):
        if not cell.is_known:
            return Cell(None, cell.why, cell.at)
    if not 0 <= index.get() < len(table.get()):
        return absent(*index.at)
    return known(table.get()[index.get()], *index.at)


def _contains(members: Cell[frozenset[int]], member: Cell[int]) -> Cell[bool]:
    for cell in (members, member):
        if not cell.is_known:
            return Cell(None, cell.why, cell.at)
    return known(member.get() in members.get(), *members.at)


def feeding(facts: Port, on: Cell[frozenset[int]], group: Cell[int]) -> Cell[frozenset[int]]:
    """PFC-enabled priorities that are paused when this group fills."""
    found = assigned(facts, on, "group", group)
    return known(found.get(), *group.at, *found.at, *on.at) if found.is_known else found


def assigned(
    facts: Port, on: Cell[frozenset[int]], field: Literal["group", "queue"], number: Cell[int]
) -> Cell[frozenset[int]]:
    """PFC-enabled priorities that have this group or queue; the places are those of the assignments."""
    for cell in (on, facts.priorities, number):
        if not cell.is_known:
            return Cell(None, cell.why, cell.at)
    found: set[int] = set()
    places: list[Where] = []
    for priority in facts.priorities.get():
        if priority.number not in on.get():
            continue
        its: Cell[int] = getattr(priority, field)
        if its.is_unknown:
            return Cell(None, its.why, its.at)
        if its.is_known and its.get() == number.get():
            found.add(priority.number)
            places.extend(its.at)
    return known(frozenset(found), *places)


def _sharers(facts: Port, mine: Cell[Any], on: Cell[frozenset[int]]) -> Cell[frozenset[int]]:
    """Reachable internal classes beside this one that use its queue or its group and are not lossless themselves."""
    for cell in (mine, facts.classes, facts.dscp, facts.priorities, on):
        if not cell.is_known:
            return Cell(None, cell.why, cell.at)
    stopped = [p for p in facts.priorities.get() if p.number in on.get() and p.group.is_known]
    reachable = {cell.get() for cell in facts.dscp.get() if cell.is_known}
    if not facts.is_nic and facts.trust.is_known and facts.trust.value == "pcp" and facts.pcp.is_known:
        reachable |= {cell.get() for cell in facts.pcp.get() if cell.is_known}
    me = mine.get()
    by_group: list[TrafficClass] = []
    by_queue: list[TrafficClass] = []
    for other in facts.classes.get():
        if other.number == me.number or other.number not in reachable:
            continue
        not_known = next((cell for cell in (other.queue, me.queue, other.group, me.group) if cell.is_unknown), None)
        if not_known is not None:
            return Cell(None, not_known.why, not_known.at)
        if facts.is_nic and other.number in on.get():
            continue  # the class of a packet on a NIC is its priority, and that one is paused
        same_group = _is_same(other.group, me.group)
        if (same_group or _is_same(other.queue, me.queue)) and not _is_stopped_alone(other, me, stopped):
            (by_group if same_group else by_queue).append(other)
    places = [
        *_told_apart(me.group, [other.group for other in by_group], _is_guest(me, me.group, by_group)),
        *_told_apart(me.queue, [other.queue for other in by_queue], _is_guest(me, me.queue, by_queue)),
    ]
    return known(frozenset(other.number for other in (*by_group, *by_queue)), *dict.fromkeys(places))


def _told_apart(mine: Cell[int], others: list[Cell[int]], guest_first: bool) -> tuple[Where, ...]:
    """The lines of who shares a queue or group: first of those that were led to where they do not belong."""
    return _places([mine, *others] if guest_first else [*others, mine]) if others else ()


def _is_guest(me: TrafficClass, shared: Cell[int], others: Sequence[TrafficClass]) -> bool:
    """Whether this class was led to where others belong: queues and groups go by the numbers of their classes; where this one is of
    none of them, it belongs to the many.
    """
    if not shared.is_known or me.number == shared.get():
        return False
    return len(others) > 1 or any(other.number == shared.get() for other in others)


def _is_same(one: Cell[int], other: Cell[int]) -> bool:
    return one.is_known and other.is_known and one.get() == other.get()


def _is_stopped_alone(other: TrafficClass, me: TrafficClass, stopped: Sequence[Priority]) -> bool:
    """Whether a paused priority stops the other class and not this one: by its group, or in one group by its queue."""
    by_group = [priority for priority in stopped if _is_same(priority.group, other.group)]
    if not _is_same(other.group, me.group):
        return bool(by_group)
    if _is_same(other.queue, me.queue):
        return False
    return any(_is_same(priority.queue, other.queue) for priority in by_group)
