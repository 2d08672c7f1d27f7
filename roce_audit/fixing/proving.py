"""Whether a changed site is better: what was meant to be fixed is, and nothing else is worse for it."""

from __future__ import annotations

from typing import NamedTuple

from roce_audit.audit import JudgedSite
from roce_audit.engine.grouping import identity


class Faults(NamedTuple):
    """Fingerprints of what fails, and of what is unknown."""

    fails: frozenset[str]
    unknown: frozenset[str]


def is_better(after: JudgedSite, before: JudgedSite, had: Faults, still: frozenset[str]) -> bool:
    """All of `still` is fixed, nothing fails that did not before, and nothing that held is in doubt."""
    fails, unknown = faults(after)
    if after.problems or not still.isdisjoint(fails | unknown) or not fails <= had.fails:
        return False
    if not _carrying(before) <= _carrying(after) or _classes(after) != _classes(before):
        return False  # a failure must not go away because nobody asks any more
    if not _guards(before) <= _guards(after):
        return False  # nor because what guards the class is taken away from a port that carries it
    if not _down(after) <= _down(before):
        return False  # nor because the port is shut
    doubtful = unknown - had.unknown
    rules = {outcome.rule.id for _, outcome in after.judged.outcomes if not outcome.fails}
    held = (
        identity(rule, subject)
        for group, rule in before.judged.held
        if doubtful and rule.id in rules
        for subject in group.subjects()
    )
    return doubtful.isdisjoint(held)


def _carrying(checked: JudgedSite) -> frozenset[str]:
    return frozenset(port.id for fabric in checked.site.fabrics for port in fabric.ports if port.roce.carries)


def _guards(checked: JudgedSite) -> frozenset[tuple[str, str]]:
    """What ports that carry RoCE have for a lossless class: PFC, a lossless group, marking."""
    found: set[tuple[str, str]] = set()
    for port in (port for fabric in checked.site.fabrics for port in fabric.ports if port.roce.carries):
        facts = port.reading.facts
        has = {
            "pfc": facts.pfc.is_known and facts.pfc.get().mode.or_else("off") == "on",
            "group": any(group.lossless.or_else(False) for group in facts.groups.or_else(())),
            "ecn": any(
                queue.ecn.is_known and queue.ecn.get().marks.or_else(False) for queue in facts.queues.or_else(())
            ),
        }
        found |= {(port.id, name) for name, there in has.items() if there}
    return frozenset(found)


def _down(checked: JudgedSite) -> frozenset[tuple[str, str]]:
    """Ports that are switched off."""
    return frozenset(
        (device.name, port.name)
        for device in checked.devices
        for port in device.ports
        if port.facts.admin_up.or_else(True) is False
    )


def _classes(checked: JudgedSite) -> list[tuple[object, ...]]:
    return [
        (fabric.name, cls.name, cls.dscp, cls.pcp, cls.priority)
        for fabric in checked.site.fabrics
        for cls in fabric.classes.roce
    ]


def faults(checked: JudgedSite) -> Faults:
    """Fingerprints of what fails and of what is unknown."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for subject, outcome in checked.judged.each():
        found[outcome.fails].add(identity(outcome.rule, subject))
    return Faults(frozenset(found[True]), frozenset(found[False]))
