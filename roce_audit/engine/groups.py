"""Groups: failures (or doubts) that become one finding, with their members and lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from roce_audit.engine.findings import SEVERITIES, Location, Member, Severity, Suppressed
from roce_audit.engine.judging import Outcome
from roce_audit.engine.rule import Rule
from roce_audit.engine.subjects import Subject


@dataclass(slots=True)
class Group:
    """Failures that differ in nothing but their subject."""

    rule: Rule
    outcome: Outcome
    message: str
    severity: Severity
    suppressed: Suppressed | None
    because: str | None
    baselined: bool = False
    also: str = ""
    """The other classes of which the same is wrong, as a clause."""
    subjects: list[Subject] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    members_more: int = 0
    told: dict[tuple[str, str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """(subject, path, line) -> the fingerprints told there, one for each class."""
    locations: dict[tuple[str, int], Location] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    reason: str = ""
    need: str = ""

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The places of its members."""
        return {(path, line) for _, path, line in self.told}

    def take(self, other: Group) -> None:
        """Have the members of another group as well."""
        self.subjects += other.subjects
        self.members += other.members
        for where, fingerprints in other.told.items():
            self.told[where] |= fingerprints
        for at, place in other.locations.items():
            self.locations.setdefault(at, place)


def united(groups: Iterable[Group]) -> list[Group]:
    """One wrong line is one finding: groups that share it and differ only in how loud they are become one, as loud as the worst."""
    alike_groups: dict[tuple[object, ...], list[Group]] = defaultdict(list)
    for group in groups:
        first = group.subjects[0]
        platform = first.device.platform if first.device is not None else None
        apart = id(group) if not group.outcome.fails else (group.suppressed, group.because, group.baselined)
        said = (group.message, group.outcome.fix_note)
        alike_groups[group.rule.id, first.fabric, platform, said, apart].append(group)
    found: list[Group] = []
    for those in alike_groups.values():
        kept: list[Group] = []
        for group in sorted(those, key=lambda one: SEVERITIES.index(one.severity)):
            louder = next((one for one in kept if not one.lines.isdisjoint(group.lines)), None)
            if louder is None:
                kept.append(group)
            else:
                louder.take(group)
        found += kept
    return found
