"""Network-qos policies become settings: priorities that are paused, priority groups, and which traffic class they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.os10.defaults import DEFAULT_GROUP
from roce_audit.platforms.os10.table import SIZES
from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

CLASSES = range(8)
_BYTES_PER_KB = 1_000
"""The guide says kilobytes and not whether they are 1,000 or 1,024 bytes; the smaller reading is taken."""


@dataclass
class Pausing:
    """What the network-qos policy pauses. `doubt`: something in it was not understood, so there may be more or less."""

    by_priority: dict[int, At] = field(default_factory=dict)
    doubt: tuple[Why, At] | None = None
    seen: bool = False
    """A policy is applied, and its definition is at hand."""
    header: tuple[At, ...] = ()
    """Where its definition begins: the place of a pause that is missing."""


@dataclass
class _Paused:
    """One class of the policy, folded."""

    pause: At | None = None
    sizes: tuple[int, int, int] | None = None
    priorities: dict[int, At] = field(default_factory=dict)
    limit: At | None = None
    unread: dict[tuple[str, ...], At] = field(default_factory=dict)
    """Model paths (blank-separated) that a line which was not understood could have set."""


def network_qos(settings: Settings, policies: Policies, policy: str, bound_at: At, lack: Lack) -> Pausing:
    """Fold the network-qos policy that holds for the port. The queues of the traffic classes must be set before."""
    undefined = lack.undefined
    pausing = Pausing()
    classes = policies.policy("nqpolicy", policy)
    if classes is None:
        pausing.doubt = (undefined, bound_at)
        _dark(settings, undefined, bound_at)
        return pausing
    pausing.seen = True
    header = policies.header("nqpolicy", policy)
    pausing.header = () if header is None else (header,)
    grouped: dict[int, int] = {}
    for one in classes:
        numbers = policies.numbers_of("nqmap", one, undefined)
        if isinstance(numbers, Why) or not numbers:
            why = numbers if isinstance(numbers, Why) else Why.NO_DEFAULT
            pausing.doubt = pausing.doubt or (why, one.at)
            _dark(settings, why, one.at)
            continue
        folded = _folded(one)
        group = min(numbers)
        if _unread(settings, pausing, folded, group, numbers):
            continue
        if folded.pause is not None:
            _group(settings, folded, group, folded.pause)
        if folded.pause is not None or folded.priorities:
            grouped |= dict.fromkeys(numbers, group)
            because = folded.pause or next(iter(folded.priorities.values()))
            for number in numbers:
                settings.set(f"classes.{number}.group", group, because, one.at)
        _priorities(settings, pausing, folded, group, [_queue(settings, lack, number) for number in numbers])
    if pausing.doubt is None:
        _others(settings, grouped)
    return pausing


def _others(settings: Settings, grouped: dict[int, int]) -> None:
    """The traffic classes that nothing pauses share one group; `grouped` are the others with theirs."""
    free = [number for number in CLASSES if number not in grouped.values()]
    for number in CLASSES:
        if number not in grouped:
            settings.set(f"classes.{number}.group", free[-1], Cited(DEFAULT_GROUP))


def _folded(one: PolicyClass) -> _Paused:
    folded = _Paused()
    for parsed, at in one.lines:
        match parsed.value:
            case None:
                folded.unread.setdefault(parsed.paths or (), at)
            case st.Pause(sizes=sizes):
                folded.pause, folded.sizes = at, sizes
            case st.NoPause():
                folded.pause, folded.sizes = None, None
            case st.PfcCos(priorities=priorities):
                folded.priorities = dict.fromkeys(priorities, at)
            case st.SharedLimit(on=on):
                folded.limit = at if on else None
    return folded


def _unread(settings: Settings, pausing: Pausing, folded: _Paused, group: int, numbers: tuple[int, ...]) -> bool:
    """Make unknown what a line that was not understood could have set; True where the class as a whole is in doubt."""
    as_a_whole = False
    for paths, at in folded.unread.items():
        concerned = {group}
        if "priorities" in paths:
            as_a_whole = True
            pausing.doubt = pausing.doubt or (Why.NOT_PARSED, at)
            concerned |= set(numbers)
        for path in paths:
            # what one class pauses decides which group is left for all others
            for number in CLASSES if path.startswith("classes.") else concerned:
                settings.set_unknown(path.replace("#", str(number)), Why.NOT_PARSED, at)
    return as_a_whole


def _group(settings: Settings, folded: _Paused, group: int, at: At) -> None:
    base = f"groups.{group}."
    settings.set(base + "lossless", True, at)
    if (
        folded.limit is not None
    ):  # what is shared beyond the reserved buffer moves all thresholds, by how much is not said
        for name in SIZES:
            settings.set_cell(base + name, unknown(Why.NO_DEFAULT, folded.limit, at))
    elif folded.sizes is not None:
        size, pause, resume = (kb * _BYTES_PER_KB for kb in folded.sizes)
        for name, value in zip(SIZES, (size, max(size - pause, 0), pause, resume, False), strict=True):
            settings.set(base + name, value, at)


def _queue(settings: Settings, lack: Lack, number: int) -> Cell[Any]:
    """The queue that a traffic class leaves through."""
    path = f"classes.{number}.queue"
    found = settings.get(path)
    return lack.otherwise(path) if found is None else found


def _priorities(settings: Settings, pausing: Pausing, folded: _Paused, group: int, queues: Sequence[Cell[Any]]) -> None:
    """`pfc-cos` names the priorities; without `pause` they are in PFC frames, and nothing is buffered for them."""
    first = queues[0]
    alike = first.is_known and all(queue == first for queue in queues)
    for priority, at in folded.priorities.items():
        pausing.by_priority[priority] = at
        if folded.pause is None:
            settings.set(f"groups.{group}.lossless", False, at)
        settings.set(f"priorities.{priority}.group", group, at)
        queue = known(first.get(), at, *first.at) if alike else unknown(first.why or Why.CONFLICT, at)
        settings.set_cell(f"priorities.{priority}.queue", queue)


def _dark(settings: Settings, why: Why, at: At) -> None:
    for path in ("groups", "priorities", *(f"classes.{number}.group" for number in CLASSES)):
        settings.forbid_default(path, why, at)
