"""Whether a changed site is better: what was meant to be fixed is, and nothing else is worse for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from roce_audit.audit import JoinedSite, JudgedSite, held, judge
from roce_audit.engine.findings import SEVERITIES, Severity
from roce_audit.engine.fingerprints import identity
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subject
from roce_audit.model import Port
from roce_audit.records import dataclass
from roce_audit.values import Cell, Why

_UNSAID = frozenset({Why.NOT_VISIBLE, Why.NO_DEFAULT})


class _Doubt(NamedTuple):
    """What is unknown, and why: the rule, the platforms of the ports that it was asked of, the reasons of the unknown values."""

    rule: str
    platforms: tuple[str, ...]
    whys: frozenset[Why]


Faults = tuple[Mapping[str, Severity], Mapping[str, _Doubt]]
"""Fingerprints of what fails, with how bad it is, and of what is unknown, with the kind of doubt."""


@dataclass(frozen=True)
class Standing:
    """How a site stands before a change."""

    site: JudgedSite
    faults: Faults | None = None
    """What fails and what is unknown, where that is known already."""

    @cached_property
    def fails(self) -> Mapping[str, Severity]:
        """Fingerprints of what fails, with how bad it is."""
        return self._faults[0]

    @cached_property
    def unknown(self) -> frozenset[str]:
        """Fingerprints of what is unknown."""
        return frozenset(self._faults[1])

    @cached_property
    def doubts(self) -> frozenset[_Doubt]:
        """The kinds of doubt that some subject is in."""
        return frozenset(self._faults[1].values())

    @cached_property
    def _faults(self) -> Faults:
        return self.faults if self.faults is not None else _faults(self.site)

    def holding(self, rules: Set[str]) -> Iterator[str]:
        """Fingerprints of what held by these rules."""
        unasked = rules - self._held.keys()
        self._held.update((rule, []) for rule in unasked)
        for group, rule in held(self.site, unasked) if unasked else ():
            self._held[rule.id].append((group, rule))
        return (
            identity(rule, subject)
            for name in rules
            for group, rule in self._held[name]
            for subject in group.subjects()
        )

    @cached_property
    def _held(self) -> dict[str, list[tuple[SubjectGroup, Rule]]]:
        return {}

    @cached_property
    def carrying(self) -> frozenset[str]:
        """Ports that carry RoCE."""
        return _carrying(self.site)

    @cached_property
    def guards(self) -> frozenset[tuple[str, str]]:
        """What guards the lossless class on them."""
        return _guards(self.site)

    @cached_property
    def down(self) -> frozenset[tuple[str, str]]:
        """Ports that are switched off."""
        return _down(self.site)


@dataclass(frozen=True, slots=True)
class Brought:
    """A milder failure that a change brings with it."""

    fingerprint: str
    rule: str
    severity: Severity
    subject: str


@dataclass(frozen=True, slots=True)
class Better:
    """A changed site, judged, in which what was meant to be fixed is."""

    standing: Standing
    brings: tuple[Brought, ...]
    """What fails that did not before: what is fixed may be like all others, which fail alike."""


def better(
    after: JoinedSite, before: Standing, still: frozenset[str], rule: str, *, takes_away: bool = False
) -> Better | None:
    """The changed site where all of `still` (failures of `rule`) is fixed, nothing fails that did not before, and nothing that held
    is in doubt; else None. A new remark is no harm where it is no remark that is fixed, nor is a milder failure than what is fixed
    where all neighbours fail alike: that is theirs to be fixed together. Nor is a doubt in which others were because
    nothing says the value: a port without PFC has no headroom that could be too small, and how large it is behind PFC is not known
    of its neighbours either, or of any port where no vendor documents it; unless lines are taken away, which may be what said it.
    What is cheap to ask is asked first: most changes that are tried fix nothing.
    """
    if after.problems or not before.carrying <= _carrying(after) or not _has_classes_of(before.site, after):
        return None  # a failure must not go away because nobody asks any more
    if not before.guards <= _guards(after):
        return None  # nor because what guards the class is taken away from a port that carries it
    if not _down(after) <= before.down:
        return None  # nor because the port is shut
    of_rule = [one for one in after.rules if one.id == rule]
    if any(map(still.intersection, _faults(judge(after, of_rule)))):
        return None
    judged = judge(after)
    fails, unknown = _faults(judged)
    if judged.problems or not fails.keys().isdisjoint(still) or not unknown.keys().isdisjoint(still):
        return None
    brings = tuple(_brought(judged, fails.keys() - before.fails.keys()))
    bar = max(SEVERITIES.index(before.fails[one]) for one in still)
    if any(SEVERITIES.index(one.severity) <= bar for one in brings):
        return None
    if not _fail_alike(judged, {one.fingerprint for one in brings if one.severity != "info"}):
        return None
    doubtful = {
        one
        for one, doubt in unknown.items()
        if one not in before.unknown and (takes_away or not _is_of_all(doubt, before, SEVERITIES[bar]))
    }
    rules = {outcome.rule.id for _, outcome in judged.judged.outcomes if not outcome.fails}
    is_harmless = not doubtful or doubtful.isdisjoint(before.holding(rules))
    return Better(Standing(judged, (fails, unknown)), brings) if is_harmless else None


def _is_of_all(doubt: _Doubt, before: Standing, fixed: Severity) -> bool:
    """Whether nothing says the value on any such port, so that the doubt is none that the change brings: others are in it as well, or
    no vendor documents the value, which is no reason to leave an error.
    """
    no_default = fixed == "error" and doubt.whys <= {Why.NO_DEFAULT}
    return no_default or (doubt.whys <= _UNSAID and doubt in before.doubts)


def _brought(judged: JudgedSite, new: Set[str]) -> Iterator[Brought]:
    if new:
        for subject, outcome in judged.judged.each(fails=True):
            mine = identity(outcome.rule, subject)
            if mine in new:
                yield Brought(mine, outcome.rule.id, outcome.severity, subject.id)


def _fail_alike(judged: JudgedSite, new: Set[str]) -> bool:
    """Whether of what each of these failures is about all neighbours fail alike: those of its device, else those of its platform."""
    if not new:
        return True
    mine: list[tuple[str, Subject]] = []
    others: dict[str, list[tuple[Subject, bool]]] = {}
    for subject, outcome in judged.judged.each(fails=True):
        if identity(outcome.rule, subject) in new:
            mine.append((outcome.rule.id, subject))
        else:
            others.setdefault(outcome.rule.id, []).append((subject, True))
    for group, rule in held(judged, {rule for rule, _ in mine}):
        others.setdefault(rule.id, []).extend((subject, False) for subject in group.subjects())
    return all(_is_like_all(subject, others.get(rule, ())) for rule, subject in mine)


def _is_like_all(subject: Subject, others: Sequence[tuple[Subject, bool]]) -> bool:
    """Whether all that is nearest to a subject fails as it does, and there is any."""
    alike = [(other, fails) for other, fails in others if _class_name(other) == _class_name(subject)]
    for near in (_devices, _platforms):
        there = [fails for other, fails in alike if near(other) & near(subject)]
        if there:
            return all(there)
    return False


def _class_name(subject: Subject) -> str:
    return subject.cls.name if subject.cls is not None else ""


def _devices(subject: Subject) -> set[str]:
    return {port.device.name for port in subject.ports}


def _platforms(subject: Subject) -> set[str]:
    return {port.device.platform for port in subject.ports}


def _carrying(joined: JoinedSite) -> frozenset[str]:
    return frozenset(port.id for fabric in joined.site.fabrics for port in fabric.ports if port.roce.carries)


def _guards(joined: JoinedSite) -> frozenset[tuple[str, str]]:
    """What ports that carry RoCE have for a lossless class: PFC, a lossless group, marking."""
    found: set[tuple[str, str]] = set()
    by_facts: dict[int, list[str]] = {}
    for port in (port for fabric in joined.site.fabrics for port in fabric.ports if port.roce.carries):
        facts = port.reading.facts
        has = by_facts.get(id(facts))
        if has is None:
            has = by_facts[id(facts)] = [name for name, there in _guards_of(facts) if there]
        found.update((port.id, name) for name in has)
    return frozenset(found)


def _guards_of(facts: Port) -> Iterator[tuple[str, bool]]:
    yield "pfc", facts.pfc.is_known and facts.pfc.get().mode.or_else("off") == "on"
    yield "group", any(group.lossless.or_else(False) for group in facts.groups.or_else(()))
    queues = facts.queues.or_else(())
    yield "ecn", any(queue.ecn.is_known and queue.ecn.get().marks.or_else(False) for queue in queues)


def _down(joined: JoinedSite) -> frozenset[tuple[str, str]]:
    return frozenset(
        (device.name, port.name)
        for device in joined.devices
        for port in device.ports
        if port.facts.admin_up.or_else(True) is False
    )


def _has_classes_of(before: JoinedSite, after: JoinedSite) -> bool:
    """Whether the classes of all fabrics are as they were; what nobody knew of them may be known now."""
    was, now = _classes(before), _classes(after)
    return was.keys() == now.keys() and all(
        old == new or old.is_unknown for name, cells in was.items() for old, new in zip(cells, now[name], strict=True)
    )


def _classes(joined: JoinedSite) -> dict[tuple[str, str], tuple[Cell[frozenset[int]], ...]]:
    return {
        (fabric.name, cls.name): (cls.dscp, cls.pcp, cls.priority)
        for fabric in joined.site.fabrics
        for cls in fabric.classes.roce
    }


def _faults(judged: JudgedSite) -> Faults:
    fails: dict[str, Severity] = {}
    unknown: dict[str, _Doubt] = {}
    for subject, outcome in judged.judged.each():
        mine = identity(outcome.rule, subject)
        if outcome.fails:
            fails[mine] = outcome.severity
        else:
            platforms = tuple(sorted(port.device.platform for port in subject.ports))
            unknown[mine] = _Doubt(outcome.rule.id, platforms, frozenset(outcome.whys))
    return fails, unknown
