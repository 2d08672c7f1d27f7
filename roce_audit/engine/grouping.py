"""Grouping: equal failures become one finding; severity and spread are decided here, after judging."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from roce_audit.engine.assumedwhole import IF_WHOLE, AssumedWhole
from roce_audit.engine.baseline import NONE, Baseline
from roce_audit.engine.byclass import alike, likewise, order
from roce_audit.engine.findings import (
    Finding,
    Fix,
    Location,
    Member,
    Severity,
    Suppressed,
    distinct,
)
from roce_audit.engine.groups import Group, united
from roce_audit.engine.judging import Judged, Outcome, Tally
from roce_audit.engine.listing import in_order, linked, rank
from roce_audit.engine.needs import Missing, Needs
from roce_audit.engine.placing import Evidence, Quote, evidence, locations, own, values
from roce_audit.engine.rule import Rule
from roce_audit.engine.rulepages import rule_page
from roce_audit.engine.severity import Severities
from roce_audit.engine.subjects import Subject
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.radius import Radius, Reach
from roce_audit.records import dataclass
from roce_audit.values import Place, Why

NOTHING_ASSUMED = AssumedWhole()


_Failure = tuple[Subject, Outcome]


@dataclass(frozen=True, slots=True)
class _Key:
    """In what failures do not differ that are one finding."""

    rule: str
    fabric: str
    platform: str | None
    severity: Severity
    message: str
    proviso: str
    fix_note: str
    suppressed: Suppressed | None
    because: str | None
    baselined: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """One failure with its lines."""

    subject: Subject
    outcome: Outcome
    found: list[Evidence]
    places: tuple[Location, ...]
    value: str
    key: _Key


class Grouping:
    """Turns outcomes into findings."""

    def __init__(
        self,
        judged: Judged,
        suppressions: Suppressions,
        needs: Needs,
        quote: Quote,
        accepted: Baseline = NONE,
        assumed: AssumedWhole = NOTHING_ASSUMED,
        radius: Radius | None = None,
    ) -> None:
        self.radius = radius
        self.assumed = assumed
        self.baseline = accepted
        self.judged = judged
        self.suppressions = suppressions
        self.needs = needs
        self.quote = quote
        self.severities = Severities(judged)
        self._doubts: dict[tuple[int, str], tuple[tuple[object, ...], Missing]] = {}

    def findings(self) -> tuple[Finding, ...]:
        """All findings, worst first; their lines have no texts yet (`placing.with_texts`)."""
        groups: dict[tuple[object, ...], Group] = {}
        failing: dict[tuple[str, str, str], list[_Failure]] = defaultdict(list)
        for alike_ones, outcome in self.judged.outcomes:
            if outcome.fails:
                for subject in alike_ones.subjects():
                    failing[outcome.rule.id, subject.fabric, subject.id].append((subject, outcome))
            elif alike_ones.make is None or _LINE_BOUND.intersection(outcome.whys):
                for subject in alike_ones.subjects():
                    self._doubt(groups, subject, outcome)
            else:
                self._doubts_of(groups, alike_ones.ports, alike_ones.make, outcome)
        for failures in failing.values():
            self._fail(groups, failures)
        found = [self._finding(group) for group in united(groups.values())]
        return tuple(sorted(linked(found), key=rank))

    def _fail(self, groups: dict[tuple[object, ...], Group], failures: Sequence[_Failure]) -> None:
        """The failures of one rule on one subject, one for each class: those that say the same of a line are one."""
        told: dict[tuple[object, ...], list[_Told]] = defaultdict(list)
        for subject, outcome in sorted(failures, key=lambda failure: order(failure[0].cls)):
            one = self._told(subject, outcome)
            at = next((place.path, place.line) for place in one.places if place.role == "primary")
            told[(at, alike(one.key.message, subject.cls), replace(one.key, message="", fix_note=""))].append(one)
        for first, *others in told.values():
            differing = [one for one in others if one.key.message != first.key.message]
            also = likewise(one.subject.cls for one in differing)
            key = (first.key, also)
            group = groups.get(key)
            if group is None:
                said = first.key
                group = groups[key] = Group(
                    first.outcome.rule,
                    first.outcome,
                    said.message + also + said.proviso,
                    said.severity,
                    said.suppressed,
                    said.because,
                    said.baselined,
                    also,
                )
                group.values = values(first.found)
            for one in (first, *others):
                self._add(group, one.subject, one.places, one.value)

    def _told(self, subject: Subject, outcome: Outcome) -> _Told:
        rule = outcome.rule
        found = list(evidence(subject, outcome))
        places = locations(subject, found, self.quote, lacking=rule.asks == "absent", pointed=outcome.pointed)
        primary = next(place for place in places if place.role == "primary")
        suppressed = self.suppressions.find(rule, subject, Place(primary.path, primary.line))
        severity = self.severities.of(outcome, subject, found)
        value = _short(values(own(subject, found)))
        accepted = suppressed is None and not rule.not_suppressible
        key = _Key(
            rule=rule.id,
            fabric=subject.fabric,
            platform=subject.device.platform if subject.device is not None else None,
            severity=severity,
            message=outcome.message,
            proviso=IF_WHOLE if self.assumed.decides(subject, found) else "",
            fix_note=outcome.fix_note,
            suppressed=suppressed,
            because=self.severities.cause(rule, subject),
            baselined=accepted and self.baseline.covers(identity(rule, subject), severity, value),
        )
        return _Told(subject, outcome, found, places, value, key)

    def _doubt(self, groups: dict[tuple[object, ...], Group], subject: Subject, outcome: Outcome) -> None:
        rule = outcome.rule
        platform = subject.device.platform if subject.device is not None else None
        known = (id(outcome), subject.device.name if subject.device is not None else "")
        told = self._doubts.get(known)
        if told is None or _LINE_BOUND.intersection(outcome.whys):
            found = list(evidence(subject, outcome))
            why, need = self.needs.of(subject, found, outcome.note)
            key: tuple[object, ...] = ("unknown", rule.id, subject.fabric, platform, why)
            group = groups.get(key)
            if group is None:
                group = groups[key] = Group(rule, outcome, f"undetermined: {rule.title}", "none", None, None)
                group.values, group.reason, group.need = values(found), why, self.needs.words(need, subject)
            self._doubts[known] = (key, need)
            places = locations(subject, found, self.quote)[:3] if len(group.members) < _MOST_LOCATED else ()
        else:  # another port of the same device with the same readings: the same input is missing
            key, need = told
            group = groups[key]
            self.needs.again(subject, need)
            places = ()
        if len(group.members) < _MOST_UNKNOWN_MEMBERS:
            self._add(group, subject, places, group.reason)
        else:
            group.members_more += 1

    def _doubts_of(
        self,
        groups: dict[tuple[object, ...], Group],
        ports: Iterable[FabricPort],
        make: Callable[[FabricPort], Subject],
        outcome: Outcome,
    ) -> None:
        """The same for single ports; those that a full group does not name are counted by device, without a subject each."""
        counted: dict[str, list[str]] = defaultdict(list)
        for port in ports:
            name = port.device.name
            if name not in counted:
                told = self._doubts.get((id(outcome), name))
                if told is None or len(groups[told[0]].members) < _MOST_UNKNOWN_MEMBERS:
                    self._doubt(groups, make(port), outcome)
                    continue
            counted[name].append(port.id)
        for name, ids in counted.items():
            key, need = self._doubts[(id(outcome), name)]
            groups[key].members_more += len(ids)
            self.needs.again_on(name, ids, need)

    def _add(self, group: Group, subject: Subject, places: Iterable[Location], value: str) -> None:
        primary: Location | None = None
        for place in places:
            group.locations.setdefault((place.path, place.line), place)
            if place.role == "primary":
                primary = place
        device = _device_name(subject)
        name = subject.id if subject.seen is None else f"{device}:{subject.name}"
        path, line = (subject.header.path, subject.header.line) if primary is None else (primary.path, primary.line)
        fingerprint = identity(group.rule, subject)
        told = group.told[name, path, line]
        if told and (fingerprint in told or not group.outcome.fails):
            return
        group.subjects += [] if told else [subject]  # another class is a member of its own, on the same subject
        told.add(fingerprint)
        group.members.append(
            Member(
                id=name,
                device=device,
                subject=subject.name,
                path=path,
                line=line,
                fingerprint=fingerprint,
                value=value,
            )
        )

    def _tally(self, rule: Rule, subject: Subject) -> Tally:
        kind = subject.device.kind if subject.device is not None else ""
        return self.judged.tallies[(rule.id, subject.cls.name if subject.cls else "", subject.fabric, kind)]

    def _finding(self, group: Group) -> Finding:
        rule, subject = group.rule, group.subjects[0]
        devices = {member.device for member in group.members}
        single = next(iter(devices)) if len(devices) == 1 else None
        fails = group.outcome.fails
        members = tuple(sorted(group.members, key=lambda m: (m.device, m.path, m.line, m.subject)))
        return Finding(
            rule=rule.id,
            topic=rule.topic,
            severity=group.severity if fails else "none",
            rule_severity=rule.severity,
            verdict="fails" if fails else "unknown",
            confidence=rule.confidence,
            owner=rule.owner,
            device=single or None,
            platform=subject.device.platform if subject.device is not None else None,
            subject=_subject_text(members),
            members=members,
            members_more=group.members_more,
            title=rule.title,
            message=group.message,
            why=rule.why,
            source="; ".join(source.text for source in rule.source),
            source_url=next((source.url for source in rule.source if source.url), ""),
            locations=in_order(group.locations.values(), members),
            values=group.values | _leaning(group.subjects),
            fingerprint=_digest(*sorted(member.fingerprint for member in group.members)),
            unknown_because="" if fails else f"{group.reason}: {group.need}",
            spread=self._spread(group) if fails else "",
            reach=self._reach(group.subjects) if fails else None,
            because_of=group.because,
            fix=_fix(group),
            baselined=group.baselined,
            suppressed=group.suppressed,
            page=rule_page(rule.id),
        )

    def _reach(self, subjects: Sequence[Subject]) -> Reach | None:
        first = subjects[0]
        if self.radius is None or first.seen is not None:
            return None
        if first.ports:
            return self.radius.of_ports(first.fabric, (port for subject in subjects for port in subject.ports))
        names = [subject.device.name for subject in subjects if subject.device is not None]
        return self.radius.of_devices(first.fabric, names) if names else self.radius.of_fabric(first.fabric)

    def _spread(self, group: Group) -> str:
        subject = group.subjects[0]
        if not subject.ports:
            return ""
        tally = self._tally(group.rule, subject)
        what = "links" if len(subject.ports) > 1 else ("NICs" if subject.ports[0].is_nic else "ports")
        what = f"RoCE {what}" if tally.only_roce else what
        if tally.failed == tally.asked and len(tally.devices) > 1:
            return f"on all {tally.asked} {what} of {len(tally.devices)} devices"
        inferred = next((s.roce.because for s in subject.ports if s.roce.is_inferred), "")
        text = f"on {len(distinct(group.members))} of {tally.asked} {what if tally.asked != 1 else what[:-1]}"
        return f"{text}; RoCE is inferred: {inferred}" if inferred else text


_MOST_UNKNOWN_MEMBERS = 1000
_MOST_LOCATED = 20
_LINE_BOUND = frozenset({Why.NOT_PARSED, Why.UNDEFINED})
"""Doubts that name a line of their own: each port's is looked up."""


def _device_name(subject: Subject) -> str:
    if subject.device is not None:
        return subject.device.name
    return subject.seen.device if subject.seen is not None else ""


def _subject_text(members: Sequence[Member]) -> str:
    others = len(distinct(members)) - 1
    return members[0].subject if not others else f"{members[0].subject} and {others} more"


def _leaning(subjects: Iterable[Subject]) -> dict[str, object]:
    """All ports that lean on what was noticed in the input: names and messages name the first few."""
    ports = [
        f"{seen.device}:{port}" if seen.device else port
        for seen in (subject.seen for subject in subjects)
        if seen is not None
        for port in seen.ports
    ]
    return {"input.ports": list(dict.fromkeys(ports))} if ports else {}


def _short(found: Mapping[str, object]) -> str:
    return ", ".join(f"{path}={value}" for path, value in found.items())[:200]


def _fix(group: Group) -> Fix | None:
    """What the rule says in words; device commands come from the platform."""
    template = group.rule.compiled.fix_note if group.outcome.fails else None
    if template is None:
        return None
    note = group.outcome.fix_note
    return Fix(safe=False, commands=(), note=note + group.also) if note else None


def identity(rule: Rule, subject: Subject) -> str:
    """The fingerprint of one check; that of a link does not depend on which end is named first."""
    class_name = subject.cls.name if subject.cls else ""
    if rule.scope == "link":
        return fingerprint(rule.id, "", subject.id, class_name)
    return fingerprint(rule.id, _device_name(subject), subject.name, class_name)


def fingerprint(rule: str, device: str, subject: str, class_name: str) -> str:
    """The identity of a fault: survives moved lines, growing groups, and the way from repository to device."""
    return _digest(rule, device, subject, class_name)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:16]
