"""Outcomes: what the rules said of a site, and how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field

from roce_audit.engine.conditions.logic import Path
from roce_audit.engine.findings import Severity
from roce_audit.engine.rules.rule import NOTHING, Pointed, Rule
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subject
from roce_audit.records import dataclass
from roce_audit.values import Why


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A verdict that is not "holds", shared by all subjects with the same values."""

    rule: Rule
    fails: bool
    reads: tuple[Path, ...]
    note: str
    severity: Severity
    message: str
    fix_note: str = ""
    whys: tuple[Why, ...] = ()
    """Reasons of the unknown cells that left it open."""
    pointed: Pointed = NOTHING
    """What the rule says the finding shall point at, where a line says that."""
    how_bad: float | None = None
    """How far off it is, where the rule compares failures of one line."""


@dataclass(slots=True)
class Tally:
    """How often a rule was checked in one tier, and how often it failed."""

    asked: int = 0
    failed: int = 0
    devices: set[str] = field(default_factory=set)
    only_roce: bool = True
    """Every port it was checked on carries RoCE."""

    def and_of(self, other: Tally) -> Tally:
        """The same for the subjects of both."""
        return Tally(
            self.asked + other.asked,
            self.failed + other.failed,
            self.devices | other.devices,
            self.only_roce and other.only_roce,
        )


@dataclass(slots=True)
class Judged:
    """All verdicts of a run."""

    outcomes: list[tuple[SubjectGroup, Outcome]] = field(default_factory=list)
    holds: int = 0
    not_applicable: int = 0
    asked_of: dict[str, int] = field(default_factory=dict)
    """Rule id -> subjects it was asked of."""
    tallies: dict[tuple[str, str, str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    """(rule, class, fabric, kind of device) -> tally."""
    known_of: set[tuple[str, str]] = field(default_factory=set)
    """(device, topic) whose core rule was judged, one way or the other, on some port that carries RoCE."""
    crashes: list[str] = field(default_factory=list)
    on_all: frozenset[tuple[str, str, str]] | None = None
    """What `everywhere` gives, where the tallies are those of some subjects only."""

    @property
    def everywhere(self) -> frozenset[tuple[str, str, str]]:
        """(rule, fabric, kind of device): what fails on all of them, and on several devices."""
        if self.on_all is not None:
            return self.on_all
        return frozenset(
            (rule, fabric, kind)
            for (rule, _, fabric, kind), tally in self.tallies.items()
            if tally.failed == tally.asked and len(tally.devices) > 1
        )

    def each(self, *, fails: bool | None = None) -> Iterator[tuple[Subject, Outcome]]:
        """Subject by subject what does not hold: all of it, or only what fails, or only what is unknown."""
        for group, outcome in self.outcomes:
            if fails is None or outcome.fails is fails:
                for subject in group.subjects():
                    yield subject, outcome
