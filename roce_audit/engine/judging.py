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
from roce_audit.engine.scopes import Scope
from roce_audit.engine.subjects import Subject, Subjects
from roce_audit.policy.values import Policy
from roce_audit.values import Cell, Why

_BY_EVIDENCE = frozenset({"said", "wire"})
CORE = "core"
"""Tag of the one rule of a topic without which the topic counts as not judged."""
_OF_ONE_SUBJECT = frozenset({"joined", "a_joined", "b_joined", "link", "input"})
"""Objects that no two subjects share; everything else is one object for all equal readings."""

_Reads = tuple[tuple[str, str], ...]
_Asked = tuple[Rule, Mapping[str, object]]
"""A rule and its parameters."""


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
    """(device, topic) whose core rule was judged, one way or the other, on some port that carries RoCE."""
    crashes: list[str] = field(default_factory=list)


class _Crowds:
    """Subjects that no rule of a scope can tell apart, found by the identity of the objects they share."""

    def __init__(self, keys: _Keys, shared: Iterable[_Reads], lonely: Iterable[_Reads]) -> None:
        self.keys = keys
        self.alike: dict[tuple[object, ...], list[Subject]] = defaultdict(list)
        self.alike_in_place: dict[tuple[object, ...], list[Subject]] = defaultdict(list)
        both = {read for reads in (*shared, *lonely) for read in reads}
        self._objects = sorted({root for root, _ in both} - _OF_ONE_SUBJECT)
        self._fields = sorted(read for read in both if read[0] in _OF_ONE_SUBJECT)
        self._lonely = any(True for _ in lonely)

    def add(self, subject: Subject) -> None:
        """Put a subject to its like."""
        env = subject.env
        kind = subject.device.kind if subject.device is not None else ""
        answers = tuple([(seat.answer.value, seat.answer.rank in _BY_EVIDENCE) for seat in subject.seats])
        key = (subject.fabric, kind, answers, *[id(env[root]) for root in self._objects])
        self.alike[key].append(subject)
        if self._lonely:
            place = (*key, *[self.keys.of(env[root], name) for root, name in self._fields])
            self.alike_in_place[place].append(subject)


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
        batches: dict[tuple[Scope, bool], dict[_Reads, list[_Asked]]] = defaultdict(lambda: defaultdict(list))
        for rule in self.rules:
            params = {"params": rule.parameters(self.parameters.get(rule.id, {}))}
            reads = tuple(sorted(read for read in rule.reads if read[0] != "params"))
            batches[(rule.scope, rule.uses_class)][reads].append((rule, params))
            self.judged.asked_of[rule.id] = 0
        for (scope, by_class), by_reads in batches.items():
            lonely = {
                read: asked for read, asked in by_reads.items() if any(root in _OF_ONE_SUBJECT for root, _ in read)
            }
            shared = {read: asked for read, asked in by_reads.items() if read not in lonely}
            crowds = _Crowds(self.keys, shared, lonely)
            for subject in subjects.of(scope, by_class):
                crowds.add(subject)
            for by_reads_now, groups in ((shared, crowds.alike), (lonely, crowds.alike_in_place)):
                memos: dict[_Reads, dict[tuple[int, ...], list[Outcome | bool | None]]] = defaultdict(dict)
                for members in groups.values():
                    self._ask(members, by_reads_now, memos)
        return self.judged

    def _ask(
        self,
        members: Sequence[Subject],
        by_reads: Mapping[_Reads, list[_Asked]],
        memos: dict[_Reads, dict[tuple[int, ...], list[Outcome | bool | None]]],
    ) -> None:
        """Ask rules of subjects that cannot be told apart by anything these rules read, nor by whether they are asked."""
        example = members[0]
        env = example.env
        for reads, rules in by_reads.items():
            asked = [is_asked(rule, example) for rule, _ in rules]
            if not any(asked):
                self.judged.not_asked += len(asked) * len(members)
                continue
            key = tuple([self.keys.of(env[root], name) for root, name in reads])
            outcomes = memos[reads].get(key)
            if outcomes is None:
                outcomes = memos[reads][key] = [self._judge(rule, {**env, **params}) for rule, params in rules]
            for (rule, _), wanted, outcome in zip(rules, asked, outcomes, strict=True):
                doubtful = isinstance(outcome, Outcome) and not outcome.fails
                if not wanted or outcome is None or (doubtful and _is_nobodys_doubt(rule, example)):
                    self.judged.not_asked += len(members)
                else:
                    self._count(rule, members, outcome)

    def _count(self, rule: Rule, members: Sequence[Subject], outcome: Outcome | bool) -> None:
        example = members[0]
        self.judged.asked_of[rule.id] += len(members)
        kind = example.device.kind if example.device is not None else ""
        tally = self.judged.tallies[(rule.id, example.cls.name if example.cls else "", example.fabric, kind)]
        tally.asked += len(members)
        if not isinstance(outcome, Outcome):
            self.judged.holds += len(members)
        else:
            tally.failed += len(members) if outcome.fails else 0
            self.judged.outcomes.extend((subject, outcome) for subject in members)
        if isinstance(outcome, Outcome) and not outcome.fails:
            return
        topic = rule.topic
        carrying = CORE in rule.tags and any(seat.answer.value for seat in example.seats)
        for device in {subject.device.name for subject in members if subject.device is not None}:
            if carrying:
                self.judged.known_of.add((device, topic))
            if isinstance(outcome, Outcome):
                tally.devices.add(device)

    def _judge(self, rule: Rule, env: Mapping[str, object]) -> Outcome | bool | None:
        """None: does not apply; True: holds; else what is wrong or unknown. A crash is a judgement of its own."""
        try:
            bound = Bound(env)
            term = judge(rule.compiled.when, rule.compiled.require, bound)
            if term is None:
                return None
            if term.known and term.value:
                return True
            if not term.known:
                return Outcome(rule, False, term.reads, term.note, "none", "", whys=_whys(env, term))
            severity = self.severities.get(rule.id) or rule.severity_of(bound)
            fix = rule.compiled.fix_note
            note = fix(bound) if fix else ""
            return Outcome(rule, True, term.reads, "", severity, rule.compiled.message(bound), note)
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


def _is_nobodys_doubt(rule: Rule, subject: Subject) -> bool:
    """What nobody saw of a port without RoCE is no gap, unless the rule is about such ports; what is written there is judged."""
    if rule.asks == "forbidden" or not subject.seats:
        return False
    return all(seat.answer.value is False for seat in subject.seats)


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
