"""Judging: each rule once per distinct values of the fields it reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from roce_audit.engine.expressions import judge
from roce_audit.engine.findings import Severity
from roce_audit.engine.logic import Path, Term, cell_at
from roce_audit.engine.operations import Bound
from roce_audit.engine.rule import Rule
from roce_audit.engine.subjects import Subject, Subjects
from roce_audit.policy.values import Policy
from roce_audit.values import Cell, Why

_BY_EVIDENCE = frozenset({"said", "wire"})


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
    """Reasons of the dark cells that left it open."""


@dataclass(slots=True)
class Tally:
    """How often a rule was asked in one tier, and how often it failed."""

    asked: int = 0
    failed: int = 0
    devices: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Judged:
    """All verdicts of a run."""

    outcomes: list[tuple[Subject, Outcome]] = field(default_factory=list)
    holds: int = 0
    not_asked: int = 0
    asked_of: dict[str, int] = field(default_factory=dict)
    """Rule id -> subjects it was asked of."""
    tallies: dict[tuple[str, str, str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    """(rule, class, fabric, kind of device) -> tally."""
    known_of: set[tuple[str, str]] = field(default_factory=set)
    """(device, topic) that was judged, one way or the other, on some port that carries RoCE."""
    crashes: list[str] = field(default_factory=list)


class Judge:
    """One run over a world."""

    def __init__(self, rules: Sequence[Rule], policy: Policy) -> None:
        self.rules = rules
        self.parameters = {entry.rule: entry.params for entry in policy.rules}
        self.severities = {entry.rule: entry.severity for entry in policy.rules if entry.severity is not None}
        self.keys = _Keys()
        self.judged = Judged()

    def run(self, subjects: Subjects) -> Judged:
        """Ask every rule of every subject of its scope."""
        groups: dict[tuple[Any, bool, tuple[tuple[str, str], ...]], list[tuple[Rule, Mapping[str, object]]]] = (
            defaultdict(list)
        )
        for rule in self.rules:
            params = {"params": rule.parameters(self.parameters.get(rule.id, {}))}
            reads = tuple(sorted(read for read in rule.reads if read[0] != "params"))
            groups[(rule.scope, rule.uses_class, reads)].append((rule, params))
            self.judged.asked_of[rule.id] = 0
        by_subjects: dict[
            tuple[Any, bool], list[tuple[tuple[tuple[str, str], ...], list[tuple[Rule, Mapping[str, object]]]]]
        ]
        by_subjects = defaultdict(list)
        for (scope, by_class, reads), rules in groups.items():
            by_subjects[(scope, by_class)].append((reads, rules))
        for (scope, by_class), batches in by_subjects.items():
            memos: list[dict[tuple[int, ...], list[Outcome | bool | None]]] = [{} for _ in batches]
            for subject in subjects.of(scope, by_class):
                for (reads, rules), memo in zip(batches, memos, strict=True):
                    self._ask(subject, reads, rules, memo)
        return self.judged

    def _ask(
        self,
        subject: Subject,
        reads: tuple[tuple[str, str], ...],
        rules: list[tuple[Rule, Mapping[str, object]]],
        memo: dict[tuple[int, ...], list[Outcome | bool | None]],
    ) -> None:
        asked = [is_asked(rule, subject) for rule, _ in rules]
        if not any(asked):
            self.judged.not_asked += len(asked)
            return
        env = subject.env
        key = tuple([self.keys.of(env[root], name) for root, name in reads])
        outcomes = memo.get(key)
        if outcomes is None:
            outcomes = memo[key] = [self._judge(rule, {**env, **params}) for rule, params in rules]
        for (rule, _), wanted, outcome in zip(rules, asked, outcomes, strict=True):
            if not wanted or outcome is None:
                self.judged.not_asked += 1
                continue
            self._count(rule, subject, outcome)

    def _count(self, rule: Rule, subject: Subject, outcome: Outcome | bool) -> None:
        self.judged.asked_of[rule.id] += 1
        kind = subject.device.kind if subject.device is not None else ""
        tally = self.judged.tallies[(rule.id, subject.cls.name if subject.cls else "", subject.fabric, kind)]
        tally.asked += 1
        known = not isinstance(outcome, Outcome) or outcome.fails
        if known and subject.device is not None and any(seat.answer.value for seat in subject.seats):
            self.judged.known_of.add((subject.device.name, rule.topic))
        if not isinstance(outcome, Outcome):
            self.judged.holds += 1
            return
        if outcome.fails:
            tally.failed += 1
            if subject.device is not None:
                tally.devices.add(subject.device.name)
        self.judged.outcomes.append((subject, outcome))

    def _judge(self, rule: Rule, env: Mapping[str, object]) -> Outcome | bool | None:
        """None: does not apply; True: holds; else what is wrong or unknown. A crash is a judgement of its own."""
        try:
            bound = Bound(env)
            term = judge(rule.compiled.when, rule.compiled.require, bound)
            if term is None:
                return None
            if term.known and term.value:
                return True
            severity = self.severities.get(rule.id) or rule.severity_of(bound)
            message = rule.compiled.message(bound)
            fix = rule.compiled.fix_note
            note = fix(bound) if fix else ""
            return Outcome(rule, term.known, term.reads, term.note, severity, message, note, _whys(env, term))
        except Exception as error:  # a rule must never take the run down with it
            note = f"rule {rule.id} crashed: {type(error).__name__}: {error}"
            if note not in self.judged.crashes:
                self.judged.crashes.append(note)
            return Outcome(rule, False, (), note, rule.severity, note)


def _whys(env: Mapping[str, object], term: Term) -> tuple[Why, ...]:
    if term.known:
        return ()
    found: list[Why] = []
    for path in term.reads:
        if path[0] == "params":
            continue
        try:
            cell = cell_at(env, path)
        except LookupError:
            continue
        if isinstance(cell, Cell) and cell.why is not None:
            found.append(cell.why)
    return tuple(found)


def is_asked(rule: Rule, subject: Subject) -> bool:
    """Absence is asked only of ports that carry RoCE, presence where it should not be only of those that certainly do not."""
    if rule.asks is None or rule.asks == "present" or not subject.seats:
        return True
    if rule.asks == "absent":
        return all(seat.answer.value is True for seat in subject.seats)
    return all(seat.answer.value is False and seat.answer.rank in _BY_EVIDENCE for seat in subject.seats)


class _Keys:
    """Structural keys of fields, as small integers; objects are visited once."""

    def __init__(self) -> None:
        self._fields: dict[tuple[int, str], int] = {}
        self._numbers: dict[object, int] = {}
        self._inner: dict[int, object] = {}
        self._kept: list[object] = []

    def of(self, thing: object, name: str) -> int:
        """A number that is equal for equal values of the field (`*`: of the whole object)."""
        slot = (id(thing), name)
        found = self._fields.get(slot)
        if found is None:
            self._kept.append(thing)  # an id is only good while its object lives
            value = thing if name == "*" else getattr(thing, name)
            structure = self._key(value)
            found = self._fields[slot] = self._numbers.setdefault(structure, len(self._numbers))
        return found

    def _key(self, thing: Any) -> object:
        if type(thing) is Cell:
            return thing.why if thing.why is not None else self._key(thing.value)
        if type(thing) is not tuple and not is_dataclass(thing):
            return thing
        found = self._inner.get(id(thing))
        if found is None:
            parts: Iterable[Any] = thing if isinstance(thing, tuple) else _parts(thing)
            structure = tuple([self._key(part) for part in parts])
            found = self._numbers.setdefault(structure, len(self._numbers))
            self._inner[id(thing)] = found
            self._kept.append(thing)
        return ("#", found)


def _parts(thing: Any) -> list[Any]:
    return [getattr(thing, f.name) for f in fields(thing)]
