"""Grouping: equal failures become one finding; severity and spread are decided here, after judging."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from roce_audit.engine.assumedwhole import IF_WHOLE, AssumedWhole
from roce_audit.engine.baseline import NONE, Baseline
from roce_audit.engine.findings import (
    SEVERITIES,
    Finding,
    Fix,
    Location,
    Member,
    Severity,
    Suppressed,
    nics_reached,
)
from roce_audit.engine.judging import Judged, Outcome, Tally
from roce_audit.engine.needs import Missing, Needs
from roce_audit.engine.placing import Quote, evidence, locations, own, values
from roce_audit.engine.rule import Rule
from roce_audit.engine.rulepages import rule_page
from roce_audit.engine.severity import Severities
from roce_audit.engine.subjects import Subject
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.radius import Radius, Reach
from roce_audit.values import Place, Why

NOTHING_ASSUMED = AssumedWhole()


@dataclass(slots=True)
class _Group:
    """Failures that differ in nothing but their subject."""

    rule: Rule
    outcome: Outcome
    message: str
    severity: Severity
    suppressed: Suppressed | None
    because: str | None
    baselined: bool = False
    subjects: list[Subject] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    told: set[tuple[str, str, int]] = field(default_factory=set)
    locations: dict[tuple[str, int], Location] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    reason: str = ""
    need: str = ""


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
        groups: dict[tuple[object, ...], _Group] = {}
        for alike, outcome in self.judged.outcomes:
            if outcome.fails:
                for subject in alike.subjects():
                    self._fail(groups, subject, outcome)
            elif alike.make is None or _LINE_BOUND.intersection(outcome.whys):
                for subject in alike.subjects():
                    self._doubt(groups, subject, outcome)
            else:
                self._doubts_of(groups, alike.ports, alike.make, outcome)
        found = [self._finding(group) for group in groups.values()]
        return tuple(sorted(_linked(found), key=_order))

    def _fail(self, groups: dict[tuple[object, ...], _Group], subject: Subject, outcome: Outcome) -> None:
        rule = outcome.rule
        found = list(evidence(subject, outcome))
        lacking = rule.asks == "absent"
        places = locations(subject, found, self.quote, lacking=lacking, pointed=outcome.pointed)
        primary = next(place for place in places if place.role == "primary")
        suppressed = self.suppressions.find(rule, subject, Place(primary.path, primary.line))
        because = self.severities.cause(rule, subject)
        severity = self.severities.of(outcome, subject, found)
        value = _short(values(own(subject, found)))
        accepted = suppressed is None and not rule.not_suppressible
        baselined = accepted and self.baseline.covers(identity(rule, subject), severity, value)
        platform = subject.device.platform if subject.device is not None else None
        message = outcome.message + (IF_WHOLE if self.assumed.decides(subject, found) else "")
        key = (
            rule.id,
            subject.fabric,
            platform,
            severity,
            message,
            suppressed,
            because,
            baselined,
        )
        group = groups.get(key)
        if group is None:
            group = groups[key] = _Group(rule, outcome, message, severity, suppressed, because, baselined)
            group.values = values(found)
        self._add(group, subject, places, value)

    def _doubt(self, groups: dict[tuple[object, ...], _Group], subject: Subject, outcome: Outcome) -> None:
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
                group = groups[key] = _Group(rule, outcome, f"undetermined: {rule.title}", "none", None, None)
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

    def _doubts_of(
        self,
        groups: dict[tuple[object, ...], _Group],
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
            self.needs.again_on(name, ids, self._doubts[(id(outcome), name)][1])

    def _add(self, group: _Group, subject: Subject, places: Iterable[Location], value: str) -> None:
        primary: Location | None = None
        for place in places:
            group.locations.setdefault((place.path, place.line), place)
            if place.role == "primary":
                primary = place
        device = _device_name(subject)
        name = subject.id if subject.seen is None else f"{device}:{subject.name}"
        path, line = (subject.header.path, subject.header.line) if primary is None else (primary.path, primary.line)
        if (name, path, line) in group.told:
            return  # the same words on the same line, for another class: said once
        group.told.add((name, path, line))
        group.subjects.append(subject)
        group.members.append(
            Member(
                id=name,
                device=device,
                subject=subject.name,
                path=path,
                line=line,
                fingerprint=identity(group.rule, subject),
                value=value,
            )
        )

    def _tally(self, rule: Rule, subject: Subject) -> Tally:
        kind = subject.device.kind if subject.device is not None else ""
        return self.judged.tallies[(rule.id, subject.cls.name if subject.cls else "", subject.fabric, kind)]

    def _finding(self, group: _Group) -> Finding:
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
            title=rule.title,
            message=group.message,
            why=rule.why,
            source="; ".join(source.text for source in rule.source),
            source_url=next((source.url for source in rule.source if source.url), ""),
            locations=_in_order(group.locations.values(), members),
            values=group.values,
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

    def _spread(self, group: _Group) -> str:
        subject = group.subjects[0]
        if not subject.ports:
            return ""
        tally = self._tally(group.rule, subject)
        what = "links" if len(subject.ports) > 1 else ("NICs" if subject.ports[0].is_nic else "ports")
        what = f"RoCE {what}" if tally.only_roce else what
        if tally.failed == tally.asked and len(tally.devices) > 1:
            return f"on all {tally.asked} {what} of {len(tally.devices)} devices"
        inferred = next((s.roce.because for s in subject.ports if s.roce.is_inferred), "")
        text = f"on {len(group.members)} of {tally.asked} {what if tally.asked != 1 else what[:-1]}"
        return f"{text}; RoCE is inferred: {inferred}" if inferred else text


_MOST_UNKNOWN_MEMBERS = 1000
_MOST_LOCATED = 20
_LINE_BOUND = frozenset({Why.NOT_PARSED, Why.UNDEFINED})
"""Doubts that name a line of their own: each port's is looked up."""


def _device_name(subject: Subject) -> str:
    if subject.device is not None:
        return subject.device.name
    return subject.seen.device if subject.seen is not None else ""


def _linked(findings: list[Finding]) -> list[Finding]:
    """Replace the name of the causing rule by the fingerprint of its finding, which shows what was noticed in the input beside it."""
    by_member: dict[tuple[str, str], str] = {}
    for finding in findings:
        for member in finding.members:
            by_member.setdefault((finding.rule, member.id), finding.fingerprint)
            by_member.setdefault((finding.rule, ""), finding.fingerprint)
    linked: list[Finding] = []
    for finding in findings:
        if finding.because_of is not None:
            cause = by_member.get((finding.because_of, finding.members[0].id)) or by_member.get(
                (finding.because_of, "")
            )
            finding = replace(finding, because_of=cause)
        linked.append(finding)
    beside: dict[str, list[Location]] = defaultdict(list)
    for finding in linked:
        if finding.because_of is not None and finding.topic == "input":
            note = finding.message.partition(",")[0]
            beside[finding.because_of] += [replace(at, role="related", note=note) for at in finding.locations[:1]]
    return [
        replace(one, locations=_with(one.locations, beside[one.fingerprint])) if one.fingerprint in beside else one
        for one in linked
    ]


def _with(shown: Sequence[Location], more: Iterable[Location]) -> tuple[Location, ...]:
    """The places of both, each line once; primary ones first."""
    found = {(at.path, at.line): at for at in (*more, *shown)}
    return tuple(sorted(found.values(), key=lambda at: at.role != "primary"))


def _order(finding: Finding) -> tuple[object, ...]:
    return (
        finding.verdict != "fails",
        finding.because_of is not None,
        SEVERITIES.index(finding.severity),
        -nics_reached(finding),
        -len(finding.members),
        finding.rule,
        finding.device or "",
        finding.subject,
        finding.fingerprint,
    )


def _in_order(places: Iterable[Location], members: Sequence[Member]) -> tuple[Location, ...]:
    """The lines that are wrong first, in the order in which the members are named."""
    named: dict[tuple[str, int], int] = {}
    for number, member in enumerate(members):
        named.setdefault((member.path, member.line), number)
    return tuple(
        sorted(places, key=lambda at: (at.role != "primary", named.get((at.path, at.line), 0) * (at.role == "primary")))
    )


def _subject_text(members: Sequence[Member]) -> str:
    return members[0].subject if len(members) == 1 else f"{members[0].subject} and {len(members) - 1} more"


def _short(found: Mapping[str, object]) -> str:
    return ", ".join(f"{path}={value}" for path, value in found.items())[:200]


def _fix(group: _Group) -> Fix | None:
    """What the rule says in words; device commands come from the platform."""
    template = group.rule.compiled.fix_note if group.outcome.fails else None
    if template is None:
        return None
    note = group.outcome.fix_note
    return Fix(safe=False, commands=(), note=note) if note else None


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
