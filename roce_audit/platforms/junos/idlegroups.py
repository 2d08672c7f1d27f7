"""Objects that are applied nowhere because the configuration group that applies them takes no effect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.ranges import is_wild
from roce_audit.values import known

if TYPE_CHECKING:
    from roce_audit.platforms.junos.config import Configuration
    from roce_audit.platforms.junos.expand import Statement


def by_groups(config: Configuration, odd: Iterable[Seen]) -> Iterator[Seen]:
    """Names without definition or application; those that only a group without effect applies are told with it.

    A group has none where nothing applies it, where what is applied is another name, and where its wildcards fit nothing that is there.
    """
    left = list(odd)
    for group, body in _without_effect(config, left):
        names = {word for one in body for word in one.words[2:]}
        its = [found for found in left if found is not group and _is_applied_nowhere(found, names)]
        if its:
            left = [found for found in left if all(found is not one for one in (group, *its))]
            left.append(_told_with(group, its))
    yield from left


def _is_applied_nowhere(found: Seen, names: Collection[str]) -> bool:
    return found.observation.kind == "unapplied" and found.observation.name in names


def _without_effect(config: Configuration, odd: Iterable[Seen]) -> Iterator[tuple[Seen, list[Statement]]]:
    """What is told of a group, and the statements that it would have brought."""
    for found in list(odd):
        body = config.held.bodies.get(found.meant or found.observation.name, [])
        if body and found.quote.startswith(("groups ", "apply-groups ")):
            yield found, body
    unmatched: dict[str, list[Statement]] = {}
    for one in config.held.unmatched:
        unmatched.setdefault(one.groups[0], []).append(one)
    for name, body in unmatched.items():
        at = next(n for n, word in enumerate(body[0].words) if is_wild(word))
        level, wildcard = " ".join(body[0].words[:at]), body[0].words[at]
        text = f"group {name} is applied, and its wildcard {wildcard} fits nothing that {level} names, so it has no effect there"
        yield seen("unapplied", name, text, body[0].place, wildcard, ()), body


def _told_with(group: Seen, its: list[Seen]) -> Seen:
    """What is told of a group, with the objects that nothing else applies."""
    objects = [found.observation.text.partition(" is defined")[0] for found in its]
    listed = f"{', '.join(objects[:-1])} and {objects[-1]} are" if len(objects) > 1 else f"{objects[0]} is"
    makes = tuple(dict.fromkeys(chain.from_iterable(found.makes for found in its)))
    ports = tuple(dict.fromkeys(chain.from_iterable(found.ports for found in (group, *its))))
    observation = replace(
        group.observation,
        text=f"{group.observation.text}; {listed} applied nowhere else",
        relied_on=known(bool(ports), group.place),
    )
    return replace(group, observation=observation, makes=makes, ports=ports)
