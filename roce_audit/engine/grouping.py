"""Grouping: equal failures become one finding; severity and spread are decided here, after judging."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from roce_audit.engine.assumedwhole import IF_WHOLE, AssumedWhole
from roce_audit.engine.baseline import NONE, Baseline
from roce_audit.engine.byclass import alike, likewise, order
from roce_audit.engine.doubts import Doubts
from roce_audit.engine.findings import Finding, Fix, Member, Severity, Suppressed, distinct
from roce_audit.engine.fingerprints import digest, identity
from roce_audit.engine.groups import Group, united
from roce_audit.engine.listing import in_order, linked, rank
from roce_audit.engine.needs import Needs
from roce_audit.engine.outcomes import Judged, Outcome, Tally
from roce_audit.engine.placing import Evidence, Placed, Quote, evidence, own, placed, values
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.rulepages import rule_page
from roce_audit.engine.severity import Severities
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subject
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.radius import Radius, Reach
from roce_audit.records import dataclass
from roce_audit.text.names import natural

NOTHING_ASSUMED = AssumedWhole()
IN_MAINTENANCE = " (in maintenance)"


_Failure = tuple[SubjectGroup, Subject | FabricPort | LinkView, Outcome]
"""A subject that fails, or the port or link that it is made of, and its group."""


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
    in_maintenance: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """One failure with its lines."""

    subject: Subject
    outcome: Outcome
    found: list[Evidence]
    places: Sequence[Placed]
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
        maintenance: Set[str] = frozenset(),
    ) -> None:
        self.maintenance = maintenance
        self.radius = radius
        self.assumed = assumed
        self.baseline = accepted
        self.judged = judged
        self.suppressions = suppressions
        self.needs = needs
        self.quote = quote
        self.severities = Severities(judged)

    def findings(self) -> tuple[Finding, ...]:
        """All findings, worst first; their lines have no texts yet (`placing.with_texts`)."""
        doubts = Doubts(self.needs, self.quote)
        failing: dict[tuple[str, str, str], list[_Failure]] = defaultdict(list)
        for alike_ones, outcome in self.judged.outcomes:
            if not outcome.fails:
                doubts.add(alike_ones, outcome)
                continue
            for one in alike_ones.things:
                failing[outcome.rule.id, alike_ones.example.fabric, one.id].append((alike_ones, one, outcome))
        groups: dict[tuple[object, ...], Group] = {}
        for failures in failing.values():
            self._fail(groups, failures)
        found = [self._finding(group) for group in united([*doubts.groups.values(), *groups.values()])]
        return tuple(sorted(linked(found), key=rank))

    def _fail(self, groups: dict[tuple[object, ...], Group], failures: Sequence[_Failure]) -> None:
        """The failures of one rule on one subject, one for each class: those that say the same of a line are one."""
        failed = [(alike_ones.subject(one), outcome) for alike_ones, one, outcome in failures]
        failed.sort(key=lambda failure: order(failure[0].cls))
        for first, *others in _of_one_cause([self._told(subject, outcome) for subject, outcome in failed]):
            differing = [one for one in others if one.key.message != first.key.message]
            also = likewise(one.subject.cls for one in differing)
            key = (first.key, also)
            group = groups.get(key)
            if group is None:
                said = first.key
                group = groups[key] = Group(
                    first.outcome.rule,
                    first.outcome,
                    first.subject,
                    said.message + also + said.proviso,
                    said.severity,
                    said.suppressed,
                    said.because,
                    said.baselined,
                    said.in_maintenance,
                    also,
                )
                group.values = values(first.found)
            for one in (first, *others):
                group.add(one.subject, one.places, one.value)

    def _told(self, subject: Subject, outcome: Outcome) -> _Told:
        rule = outcome.rule
        found = list(evidence(subject, outcome))
        places = placed(subject, found, self.quote, lacking=rule.asks == "absent", pointed=outcome.pointed)
        suppressed = self.suppressions.find(rule, subject, places[0][0])
        severity = self.severities.of(outcome, subject, found)
        value = _short(values(own(subject, found)))
        accepted = suppressed is None and not rule.not_suppressible
        in_maintenance = self._is_in_maintenance(subject)
        key = _Key(
            rule=rule.id,
            fabric=subject.fabric,
            platform=subject.device.platform if subject.device is not None else None,
            severity=severity,
            message=outcome.message,
            proviso=(IF_WHOLE if self.assumed.decides(subject, found) else "")
            + (IN_MAINTENANCE if in_maintenance else ""),
            fix_note=outcome.fix_note,
            suppressed=suppressed,
            because=self.severities.cause(outcome, subject),
            baselined=accepted
            and bool(self.baseline.accepted)
            and self.baseline.covers(identity(rule, subject), severity, value),
            in_maintenance=in_maintenance,
        )
        return _Told(subject, outcome, found, places, value, key)

    def _is_in_maintenance(self, subject: Subject) -> bool:
        """Whether a device in maintenance has its part in this: its own port or text, or a port at the other end of its cable."""
        if not self.maintenance:
            return False
        itself = subject.device.name if subject.device is not None else subject.seen.device if subject.seen else ""
        return not self.maintenance.isdisjoint({port.device.name for port in subject.ports} or {itself})

    def _tally(self, rule: Rule, subject: Subject) -> Tally:
        kind = subject.device.kind if subject.device is not None else ""
        return self.judged.tallies[(rule.id, subject.cls.name if subject.cls else "", subject.fabric, kind)]

    def _finding(self, group: Group) -> Finding:
        rule, subject = group.rule, group.first
        devices = {member.device for member in group.members}
        single = next(iter(devices)) if len(devices) == 1 else None
        fails = group.outcome.fails
        members = tuple(sorted(group.members, key=lambda m: (m.device, m.path, m.line, natural(m.subject))))
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
            values=group.values | group.leaning(),
            fingerprint=digest(*sorted(member.fingerprint for member in group.members)),
            unknown_because="" if fails else f"{group.reason}: {group.need}",
            spread=self._spread(group) if fails else "",
            reach=self._reach(group) if fails else None,
            because_of=group.because,
            fix=_fix(group),
            baselined=group.baselined,
            in_maintenance=group.in_maintenance,
            suppressed=group.suppressed,
            page=rule_page(rule.id),
        )

    def _reach(self, group: Group) -> Reach | None:
        first = group.first
        if self.radius is None or first.seen is not None:
            return None
        if first.ports:
            return self.radius.of_ports(first.fabric, group.ports)
        names = {member.device for member in group.members if member.device}
        return self.radius.of_devices(first.fabric, names) if names else self.radius.of_fabric(first.fabric)

    def _spread(self, group: Group) -> str:
        subject = group.first
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


def _subject_text(members: Sequence[Member]) -> str:
    others = len(distinct(members)) - 1
    return members[0].subject if not others else f"{members[0].subject} and {others} more"


def _of_one_cause(told: list[_Told]) -> Iterable[list[_Told]]:
    """The failures of one subject, together where they say the same of a line."""
    if len(told) == 1:
        return [told]
    found: dict[tuple[object, ...], list[_Told]] = defaultdict(list)
    for one in told:
        primary, _ = one.places[0]
        found[(primary, alike(one.key.message, one.subject.cls), replace(one.key, message="", fix_note=""))].append(one)
    return found.values()


def _short(found: Mapping[str, object]) -> str:
    return ", ".join(f"{path}={value}" for path, value in found.items())[:200]


def _fix(group: Group) -> Fix | None:
    """What the rule says in words; device commands come from the platform."""
    template = group.rule.compiled.fix_note if group.outcome.fails else None
    if template is None:
        return None
    note = group.outcome.fix_note
    return Fix(safe=False, commands=(), note=note + group.also) if note else None
