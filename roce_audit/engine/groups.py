"""Groups: failures (or doubts) that become one finding, with their members and lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from roce_audit.engine.findings import SEVERITIES, Location, Member, Severity, Suppressed
from roce_audit.engine.fingerprints import device_name, identity
from roce_audit.engine.outcomes import Outcome
from roce_audit.engine.placing import Placed, location
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjects import Subject
from roce_audit.fabric.port import FabricPort
from roce_audit.platforms.base import Seen


@dataclass(slots=True)
class Group:
    """Failures that differ in nothing but their subject."""

    rule: Rule
    outcome: Outcome
    first: Subject
    message: str
    severity: Severity
    suppressed: Suppressed | None
    because: str | None
    baselined: bool = False
    in_maintenance: bool = False
    also: str = ""
    """The other classes of which the same is wrong, as a clause."""
    ports: list[FabricPort] = field(default_factory=list)
    """Those of its subjects."""
    relying: list[str] = field(default_factory=list)
    """Ports that lean on what was noticed in the input."""
    members: list[Member] = field(default_factory=list)
    members_more: int = 0
    told: dict[tuple[str, str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """(subject, path, line) -> the fingerprints told there, one for each class."""
    locations: dict[tuple[str, int], Location] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    is_worst_of_several: bool = False
    """Its numbers are those of some of its members only."""
    reason: str = ""
    need: str = ""

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The places of its members."""
        return {(path, line) for _, path, line in self.told}

    def add(self, subject: Subject, places: Sequence[Placed], value: str) -> None:
        """Name a subject with its lines, the primary one first, unless it is named already: another class is a member of its own, on
        the same subject.
        """
        for number, (place, said) in enumerate(places):
            at = (place.path, place.line)
            if at not in self.locations:
                self.locations[at] = location(place, said, "related" if number else "primary")
        device = device_name(subject)
        name = subject.id if subject.seen is None else f"{device}:{subject.name}"
        primary = places[0][0] if places else subject.header
        path, line = primary.path, primary.line
        fingerprint = identity(self.rule, subject)
        told = self.told[name, path, line]
        if told and (fingerprint in told or not self.outcome.fails):
            return
        if not told:
            self.ports += subject.ports
            self.relying += _relying(subject.seen)
        told.add(fingerprint)
        self.members.append(Member(name, device, subject.name, path, line, fingerprint, value))

    def leaning(self) -> dict[str, object]:
        """All ports that lean on what was noticed in the input, as a value: names and messages name the first few."""
        return {"input.ports": list(dict.fromkeys(self.relying))} if self.relying else {}

    @property
    def how_bad(self) -> float | None:
        """How far off it is, where its rule compares failures of one line."""
        return self.outcome.how_bad

    def take(self, other: Group) -> None:
        """Have the members of another group as well."""
        self.ports += other.ports
        self.relying += other.relying
        self.members += other.members
        for where, fingerprints in other.told.items():
            self.told[where] |= fingerprints
        for at, place in other.locations.items():
            self.locations.setdefault(at, place)


def _relying(seen: Seen | None) -> list[str]:
    if seen is None:
        return []
    return [f"{seen.device}:{port}" if seen.device else port for port in seen.ports]


def united(groups: Iterable[Group]) -> list[Group]:
    """One wrong line is one finding: groups that share it and differ only in how loud or how far off they are become one, as loud
    as the loudest, with the numbers of the worst.
    """
    alike_groups: dict[tuple[object, ...], list[Group]] = defaultdict(list)
    for group in groups:
        first = group.first
        platform = first.device.platform if first.device is not None else None
        apart = (
            id(group)
            if not group.outcome.fails
            else (group.suppressed, group.because, group.baselined, group.in_maintenance)
        )
        said = (group.message, group.outcome.fix_note) if group.rule.worst_by is None else (group.also,)
        alike_groups[group.rule.id, first.fabric, platform, said, apart].append(group)
    found: list[Group] = []
    for those in alike_groups.values():
        kept: list[Group] = []
        for group in sorted(those, key=lambda one: (SEVERITIES.index(one.severity), -(one.how_bad or 0.0))):
            louder = next((one for one in kept if not one.lines.isdisjoint(group.lines)), None)
            if louder is None or (louder.how_bad is None and louder.message != group.message):
                kept.append(group)
            else:
                _note_worst(louder, group)
                louder.take(group)
        found += kept
    return found


def _note_worst(worst: Group, other: Group) -> None:
    """Say once whose numbers a finding tells, where those of other members are not the same."""
    if worst.message != other.message and not worst.is_worst_of_several:
        worst.is_worst_of_several = True
        named = min(worst.members, key=lambda one: (one.device, one.path, one.line, one.subject))
        worst.message += f"; these are the numbers of {named.id}, where it is worst"
