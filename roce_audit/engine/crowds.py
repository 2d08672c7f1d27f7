"""Crowds: subjects that no rule of a scope can tell apart, found before a subject is made for each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from roce_audit.engine.scopes import Scope
from roce_audit.engine.subjects import SEAT_SCOPES, Subject, Subjects
from roce_audit.engine.verdicts import Keys
from roce_audit.fabric.counters import NOT_COMPARED
from roce_audit.fabric.seats import Seat

BY_EVIDENCE = frozenset({"said", "wire"})
"""Ranks of evidence that are more than a port's own words."""

Reads = tuple[tuple[str, str], ...]
"""(object, field) pairs that a rule reads."""

_OF_ONE_SUBJECT = frozenset({"joined", "a_joined", "b_joined", "link", "input", "counters", "hop_counters"})
"""Objects that no two subjects share; everything else is one object for all equal readings."""
_BESIDE_FACTS: dict[str, Callable[[Seat], object]] = {
    "device": lambda seat: seat.device.device,
    "host": lambda seat: seat.device.host,
    "app": lambda seat: seat.application,
}
"""What a rule on one port may read that does not follow from the port's facts and the class."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Subjects alike; `example` is one of them, the others are made where something is to be said of them."""

    example: Subject
    size: int
    devices: Callable[[], set[str]]
    subjects: Callable[[], Iterable[Subject]]


def is_shared(reads: Reads) -> bool:
    """Whether all that is read belongs to objects which equal readings share."""
    return not any(root in _OF_ONE_SUBJECT for root, _ in reads)


def crowds(subjects: Subjects, scope: Scope, by_class: bool, reads: Iterable[Reads], keys: Keys) -> Iterator[Crowd]:
    """All subjects of a scope, in groups that rules with these `reads` cannot tell apart."""
    fields = sorted({read for some in reads for read in some})
    objects = sorted({root for root, _ in fields} - _OF_ONE_SUBJECT)
    own = [read for read in fields if read[0] in _OF_ONE_SUBJECT]
    if scope in SEAT_SCOPES:
        return _of_seats(subjects, scope, by_class, objects, own, keys)
    return _of_others(subjects.of(scope, by_class), objects, own, keys)


def _of_seats(
    subjects: Subjects, scope: Scope, by_class: bool, objects: Sequence[str], own: Sequence[tuple[str, str]], keys: Keys
) -> Iterator[Crowd]:
    beside = [get for root, get in _BESIDE_FACTS.items() if root in objects]
    for seats, make in subjects.seats_of(scope, by_class):
        alike: dict[tuple[object, ...], list[Seat]] = defaultdict(list)
        for seat in seats:
            answer = seat.answer
            key: tuple[object, ...] = (id(seat.port.facts), answer.value, answer.rank in BY_EVIDENCE)
            if beside:
                key += tuple([id(get(seat)) for get in beside])
            if own:
                key += tuple([_own_key(seat, root, name, keys) for root, name in own])
            alike[key].append(seat)
        for members in alike.values():
            yield Crowd(make(members[0]), len(members), _devices_of(members), _made(members, make))


def _own_key(seat: Seat, root: str, name: str, keys: Keys) -> int:
    """A number that is equal for ports that read the same of what each has of its own."""
    if root == "joined":
        return keys.of(seat.joined, name)
    # the counters of a class follow from the port's counters, its facts and the class
    return keys.of(seat.counters or NOT_COMPARED, name if root == "counters" else "*")


def _devices_of(seats: Sequence[Seat]) -> Callable[[], set[str]]:
    return lambda: {seat.device.name for seat in seats}


def _made(seats: Sequence[Seat], make: Callable[[Seat], Subject]) -> Callable[[], Sequence[Subject]]:
    return cache(lambda: [make(seat) for seat in seats])


def _of_others(
    found: Iterable[Subject], objects: Sequence[str], own: Sequence[tuple[str, str]], keys: Keys
) -> Iterator[Crowd]:
    alike: dict[tuple[object, ...], list[Subject]] = defaultdict(list)
    for subject in found:
        env: Any = subject.env
        kind = subject.device.kind if subject.device is not None else ""
        answers = tuple([(seat.answer.value, seat.answer.rank in BY_EVIDENCE) for seat in subject.seats])
        key = (subject.fabric, kind, answers, *[id(env[root]) for root in objects])
        alike[(*key, *[keys.of(env[root], name) for root, name in own])].append(subject)
    for members in alike.values():
        yield Crowd(members[0], len(members), _devices_named(members), _as_they_are(members))


def _devices_named(members: Sequence[Subject]) -> Callable[[], set[str]]:
    return lambda: {subject.device.name for subject in members if subject.device is not None}


def _as_they_are(members: Sequence[Subject]) -> Callable[[], Iterable[Subject]]:
    return lambda: members
