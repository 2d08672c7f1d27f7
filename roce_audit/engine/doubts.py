"""Doubts: checks that nobody can decide, by the input that is missing; a subject is made only where a finding names it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from roce_audit.engine.groups import Group
from roce_audit.engine.needs import Missing, Needs
from roce_audit.engine.outcomes import Outcome
from roce_audit.engine.placing import Placed, Quote, evidence, placed, values
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subject
from roce_audit.fabric.port import FabricPort
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Why

MOST_MEMBERS = 1000
"""Members that a finding of doubts names; the others are counted."""
_MOST_LOCATED = 20
_LINE_BOUND = frozenset({Why.NOT_PARSED, Why.UNDEFINED})
"""Doubts that name a line of their own: each port's is looked up."""

_Key = tuple[object, ...]


class Doubts:
    """Groups of equal doubts."""

    def __init__(self, needs: Needs, quote: Quote) -> None:
        self.groups: dict[tuple[object, ...], Group] = {}
        self._needs = needs
        self._quote = quote
        self._known: dict[_Key, tuple[Group, Missing]] = {}
        """What `_key` gives -> the group, and what is missing."""
        self._located: set[tuple[int, str]] = set()
        """(outcome, device) whose lines were looked up: further ports of the device have the same."""
        self._sorts: dict[int, tuple[object, ...]] = {}
        """Device -> what `Needs` asks of it."""

    def add(self, doubtful: SubjectGroup, outcome: Outcome) -> None:
        """Count what some equal subjects leave open."""
        make = doubtful.make
        if make is None or doubtful.links or _LINE_BOUND.intersection(outcome.whys):
            for subject in doubtful.subjects() if doubtful.links else doubtful.each():
                name = subject.device.name if subject.device is not None else ""
                self._name(subject, outcome, (id(outcome), name))
            return
        unnamed: dict[_Key, list[FabricPort]] = defaultdict(list)
        for port in doubtful.ports:
            key = self._key(port, outcome)
            known = self._known.get(key)
            if known is None or len(known[0].members) < MOST_MEMBERS:
                self._name(make(port), outcome, key)
            else:
                unnamed[key].append(port)
        for key, ports in unnamed.items():
            group, missing = self._known[key]
            group.members_more += len(ports)
            self._needs.again_on(ports, missing)

    def _key(self, port: FabricPort, outcome: Outcome) -> _Key:
        """What decides which input is missing at a port: of all with the same readings the kind of device; of a conflict its lines."""
        device = port.device
        if Why.CONFLICT in outcome.whys:
            return (id(outcome), device.name)
        sort = self._sorts.get(id(device))
        if sort is None:
            sort = self._sorts[id(device)] = _sort(device)
        return (id(outcome), port.fabric, port.reading.family, sort)

    def _name(self, subject: Subject, outcome: Outcome, key: _Key) -> None:
        known = self._known.get(key)
        is_bound = not _LINE_BOUND.isdisjoint(outcome.whys)
        if known is None or is_bound:
            group, missing = self._known[key] = self._of(subject, outcome)
        else:
            group, missing = known
            self._needs.again(subject, missing)
        if len(group.members) < MOST_MEMBERS:
            group.add(subject, self._places(subject, outcome, group, is_bound), group.reason)
        else:
            group.members_more += 1

    def _of(self, subject: Subject, outcome: Outcome) -> tuple[Group, Missing]:
        rule = outcome.rule
        platform = subject.device.platform if subject.device is not None else None
        found = list(evidence(subject, outcome))
        why, missing = self._needs.of(subject, found, outcome.note)
        key = (rule.id, subject.fabric, platform, why)
        group = self.groups.get(key)
        if group is None:
            words = f"undetermined: {rule.title}"
            group = self.groups[key] = Group(rule, outcome, subject, words, "none", None, None)
            group.values, group.reason, group.need = values(found), why, self._needs.words(missing, subject)
        return group, missing

    def _places(self, subject: Subject, outcome: Outcome, group: Group, is_bound: bool) -> Sequence[Placed]:
        """The lines of the first few."""
        if len(group.members) >= _MOST_LOCATED:
            return ()
        at = (id(outcome), subject.device.name if subject.device is not None else "")
        if at in self._located and not is_bound:
            return ()
        self._located.add(at)
        return placed(subject, list(evidence(subject, outcome)), self._quote)[:3]


def _sort(device: DeviceReading) -> tuple[object, ...]:
    return (device.platform, device.kind, bool(device.complete_because), device.first.path.endswith(".json"))
