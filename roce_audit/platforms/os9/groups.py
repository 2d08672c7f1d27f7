"""Priority groups of a port: which priorities are in which, which share each has, which of them PFC protects.

They stand in a DCB map; before release 9.3 in an output policy, which names its groups and takes shares from QoS policies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.values import At, Why

Where = TypeVar("Where")
PRIORITIES = range(8)
_MOST_LOSSLESS = 2
"""Lossless queues of a port: more paused priorities than this are hardly meant."""


@dataclass
class Groups(Generic[Where]):
    """Groups by number, and the group of each priority; every value with the line that says it."""

    by_number: dict[int, tuple[st.Group, Where]] = field(default_factory=dict)
    by_priority: tuple[tuple[int, ...], Where] | None = None
    unread: Where | None = None
    """A line that nobody understood: anything may stand there."""

    @property
    def undefined(self) -> frozenset[int]:
        """Numbers that priorities are put into, and that nothing defines."""
        return frozenset(self.by_priority[0] if self.by_priority else ()) - frozenset(self.by_number)

    @property
    def empty(self) -> frozenset[int]:
        """Groups without a priority."""
        return frozenset(self.by_number) - frozenset(self.by_priority[0]) if self.by_priority else frozenset()

    def members(self, number: int) -> tuple[int, ...]:
        """The priorities of a group."""
        numbers = self.by_priority[0] if self.by_priority else ()
        return tuple(priority for priority, group in enumerate(numbers) if group == number)

    def paused(self) -> dict[int, Where]:
        """The priorities of groups with PFC, each with the line of its group."""
        numbers = self.by_priority[0] if self.by_priority else ()
        found = ((priority, self.by_number.get(number)) for priority, number in enumerate(numbers))
        return {priority: group[1] for priority, group in found if group is not None and group[0].pfc}

    def because(self) -> tuple[Where, ...]:
        """The lines that decide which priorities are paused, the likeliest slip of the pen first.

        Where no group says `pfc on`, it is that of the small group with the largest share; where more priorities are paused
        than a port has lossless queues, that of the largest group; else the list of priorities.
        """
        used = [(group, at) for group, at in self.by_number.values() if self.members(group.number)]
        used.sort(key=lambda one: (len(self.members(one[0].number)), -(one[0].share or 0)))
        off = [at for group, at in used if not group.pfc]
        on = [at for group, at in reversed(used) if group.pfc]
        pgid = [self.by_priority[1]] if self.by_priority else []
        first = [] if any(group.pfc for group, _ in self.by_number.values()) else off[:-1]
        if len(self.paused()) > _MOST_LOSSLESS:
            first = on
        return tuple(dict.fromkeys((*first, *pgid, *on, *off)))


def of_map(lines: Iterable[tuple[Any, Where]]) -> Groups[Where]:
    """The groups of a DCB map from its statements in order."""
    found: Groups[Where] = Groups()
    for value, at in lines:
        match value:
            case st.Group():
                found.by_number[value.number] = (value, at)
            case st.NoGroup(number=number):
                found.by_number.pop(number, None)
            case st.Groups(by_priority=numbers):
                found.by_priority = None if numbers is None else (numbers, at)
            case None:
                found.unread = at
    return found


def of_output(policies: Policies, name: str, undefined: Why) -> Groups[At] | tuple[Why, At | None] | None:
    """The groups of an output policy; a doubt with its line; None where ETS is switched off there."""
    lines = policies.lines("dcboutput", name)
    if lines is None:
        return undefined, None
    found: Groups[At] = Groups()
    numbers: dict[int, int] = {}
    last: At | None = None
    for parsed, at in lines:
        match parsed.value:
            case None:
                return Why.NOT_PARSED, at
            case st.EtsMode(on=False):
                return None
            case st.GroupPolicy(group=group, policy=policy):
                last = at
                members = _members(policies, group)
                share = _share(policies, policy)
                if isinstance(members, Why) or isinstance(share, Why):
                    doubt = next(d for d in (members, share) if isinstance(d, Why))
                    return undefined if doubt is Why.UNDEFINED else doubt, at
                number, priorities = members
                if not numbers.keys().isdisjoint(priorities):
                    return Why.CONFLICT, at
                found.by_number[number] = (st.Group(number, share[0], pfc=False), share[1] or at)
                numbers |= dict.fromkeys(priorities, number)
    if last is not None and set(numbers) != set(PRIORITIES):  # the guide: all priorities must be in a group
        return Why.CONFLICT, last
    if last is not None:
        found.by_priority = tuple(numbers[priority] for priority in PRIORITIES), last
    return found


def _members(policies: Policies, name: str) -> tuple[int, tuple[int, ...]] | Why:
    lines = policies.lines("pgroup", name)
    if lines is None:
        return Why.UNDEFINED
    number, priorities = None, None
    for parsed, _ in lines:
        match parsed.value:
            case st.GroupNumber(number=said):
                number = said
            case st.Members(priorities=said_priorities):
                priorities = said_priorities
            case None:
                return Why.NOT_PARSED
    return Why.NO_DEFAULT if number is None or priorities is None else (number, priorities)


def _share(policies: Policies, name: str) -> tuple[int | None, At | None] | Why:
    """The share of a QoS policy with its line; share None = strict priority."""
    lines = policies.lines("qosout", name)
    if lines is None:
        return Why.UNDEFINED
    share: tuple[int, At] | None = None
    for parsed, at in lines:
        match parsed.value:
            case ps.Strict(strict=True):
                return None, at
            case ps.Share(percent=int(percent)):
                share = percent, at
            case None:
                return Why.NOT_PARSED
    return share or Why.NO_DEFAULT
