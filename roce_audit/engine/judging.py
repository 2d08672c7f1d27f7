"""Judging: each rule once per distinct values of the fields it reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from roce_audit.engine.batches import AllSaid, Answers, Asked, Counted, Plan, RuleBatch, RulesOfReads
from roce_audit.engine.conditions.expressions import judge
from roce_audit.engine.conditions.logic import Term, cell_at
from roce_audit.engine.conditions.operations import Bound
from roce_audit.engine.findings import Severity
from roce_audit.engine.finegroups import FineGroups
from roce_audit.engine.outcomes import Judged, Outcome
from roce_audit.engine.rules.rule import Asks, Rule
from roce_audit.engine.subjectgroups import (
    BY_EVIDENCE,
    OF_PORTS,
    Reads,
    SubjectGroup,
    SubjectGroups,
    of_subjects,
)
from roce_audit.engine.subjects import PORT_SCOPES, Subject, Subjects
from roce_audit.engine.verdicts import SHARED, Batch
from roce_audit.fabric.similar.samefacts import but_for_names
from roce_audit.policy.values import Policy, RulePolicy
from roce_audit.records import dataclass
from roce_audit.values import Cell, Why

CORE = "core"
"""Tag of the one rule of a topic without which the topic counts as not judged."""
_MOST_KNOWN = 1_000
"""Groups of ports of which a batch remembers what it said: a site with more is judged once in a process."""
_Seen = dict[object, Answers]


@dataclass(slots=True)
class _AskedNow:
    """What is known of the subjects of a batch while they are asked."""

    seen: Sequence[_Seen]
    """What each of the rules said where it saw the same before."""
    rows: dict[int, tuple[int, ...]]
    """What the rules read of a fabric and class, by the id of its roots."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What the policy says of rules, for the whole site or one fabric."""

    parameters: Mapping[str, Mapping[str, object]]
    severities: Mapping[str, Severity]

    @staticmethod
    def by(entries: Sequence[RulePolicy]) -> _Said:
        return _Said(
            {entry.rule: entry.params for entry in entries},
            {entry.rule: entry.severity for entry in entries if entry.severity is not None},
        )


class Judge:
    """One run over a site."""

    def __init__(
        self, rules: Sequence[Rule], policy: Policy, holding: list[tuple[SubjectGroup, Rule]] | None = None
    ) -> None:
        """Each of `rules` that holds is put into `holding`, with the subjects that it holds of, where somebody wants to know."""
        self.rules = rules
        self.holding = holding
        self.said = _Said.by(policy.rules)
        self.said_of = {fabric: _Said.by(entries) for fabric, entries in policy.rules_of_fabrics.items()}
        self._own: dict[tuple[str, RuleBatch], Sequence[RulesOfReads]] = {}
        self.keys = SHARED.keys
        self.judged = Judged()

    def run(self, subjects: Subjects) -> Judged:
        """Ask every rule of every subject of its scope."""
        self.judged.asked_of = dict.fromkeys([rule.id for rule in self.rules], 0)
        plan = self._plan()
        groups = SubjectGroups(subjects, plan.columns, self.keys)
        for batch in plan.batches:
            try:
                for together in batch.parted(groups, plan.columns):
                    self._ask_all(groups, together)
            except Exception as error:  # no subjects to ask: the rules of the other batches are still judged
                for _, asked, _ in batch.rules:
                    for rule, _ in asked:
                        self._crashed(rule, error)
        SHARED.trim()
        return self.judged

    def _ask_all(self, groups: SubjectGroups, batch: RuleBatch) -> None:
        asked = _AskedNow([{} for _ in batch.views], {})
        fine = self._fine_groups(groups, batch)
        left_out = None if fine is None else fine.takes
        said: list[tuple[SubjectGroup, AllSaid]] = []
        try:
            for group in groups.of(batch.scope, batch.by_class, batch.reads, left_out):
                said.append((group, self._said(group, batch, asked)))
        finally:
            self._count_all(said)
        for rule, group, holds in () if fine is None else fine.counted():
            if holds:
                self._count(rule, [group], Counted.by([group]), True)
            else:
                self.judged.not_applicable += group.size

    def _fine_groups(self, groups: SubjectGroups, batch: RuleBatch) -> FineGroups | None:
        """Who takes the ports of which the rules of a batch have nothing to say; None where it takes no more to ask them.

        Not where parameters differ from fabric to fabric, or somebody wants to know the order in which rules were found to hold.
        """
        fine = groups.fine & batch.reads if batch.scope in PORT_SCOPES else frozenset()
        if not fine or self.said_of or self.holding is not None or any(root not in OF_PORTS for root, _ in fine):
            return None
        return FineGroups([one for _, asked, _ in batch.rules for one in asked], fine, _kinds_asked)

    def _plan(self) -> Plan:
        """Which rules are asked together. As long as the policy changes none of them, it follows from the rules alone."""
        if self.said.parameters or self.said.severities:
            return self._planned()
        key = tuple([id(rule) for rule in self.rules])
        found: Plan | None = SHARED.plans.get(key)
        if found is None:
            found = SHARED.plans[key] = self._planned()
        return found

    def _planned(self) -> Plan:
        parameters = self.said.parameters
        asked = [(rule, rule.parameters(parameters.get(rule.id, {}))) for rule in self.rules]
        return Plan.of(asked, self.said.severities)

    def _count_all(self, said: Sequence[tuple[SubjectGroup, AllSaid]]) -> None:
        """Count what was said of groups: each verdict on one of their subjects, for equal subjects share it, counts for all of them.

        Groups of which all the same was said are counted together; the eight NICs of a host are such groups.
        """
        alike: dict[tuple[object, ...], list[SubjectGroup]] = defaultdict(list)
        for group, verdicts in said:
            is_apart = group.asked is None or self.holding is not None
            key = (id(group),) if is_apart else (id(verdicts), group.asked, group.ports[0].device.kind)
            alike[key].append(group)
        its = {id(group): verdicts for group, verdicts in said}
        for together in alike.values():
            counted, verdicts = Counted.by(together), its[id(together[0])]
            self.judged.not_applicable += verdicts.not_applicable * counted.size
            for rule, outcome in verdicts.plain:
                self._count(rule, together, counted, outcome)
        for group, verdicts in said:
            for rule, outcome in verdicts.told:
                if not _is_worded_apart(rule, outcome):
                    self.judged.outcomes.append((group, outcome))
                    continue
                for some, worded in self._told_apart(group, rule):
                    self._count(rule, [some], Counted.by([some]), worded)
                    if isinstance(worded, Outcome):
                        self.judged.outcomes.append((some, worded))

    def _said(self, group: SubjectGroup, batch: RuleBatch, now: _AskedNow) -> AllSaid:
        """What all rules of a batch say of a group: as in an earlier run, where they read the same then."""
        asked = group.asked
        if asked is None or asked.fabric in self.said_of:
            return _all_said(self._said_now(group, batch, now.seen))
        row = now.rows.get(id(group.roots))
        if row is None:
            row = now.rows[id(group.roots)] = self.keys.row(group.roots, batch.of_site)
        facts = group.ports[0].reading.facts
        held = facts if batch.reads_names else but_for_names(facts)
        answer = (asked.carries, asked.by_evidence)  # what is read of fabric and class is in the row
        key = (id(held), answer, group.columns, row)
        found = batch.known.get(key)
        if found is not None:
            return found[1]
        crashes = len(self.judged.crashes)
        answers = self._said_now(group, batch, now.seen)
        verdicts = _all_said(answers)
        if len(self.judged.crashes) == crashes and len(batch.known) < _MOST_KNOWN:
            verdicts = batch.same.setdefault(tuple([id(outcome) for _, outcome in answers]), verdicts)
            batch.known[key] = held, verdicts
        return verdicts

    def _said_now(self, group: SubjectGroup, batch: RuleBatch, seen: Sequence[_Seen]) -> Answers:
        kinds = _kinds_asked(group.example)
        said: Answers = []
        for number, rules in enumerate(self._of_fabric(group.example.fabric, batch)):
            answers = None
            if seen:
                view = batch.views[number](group.alike)
                answers = seen[number].get(view)
            if answers is None:
                answers = self._answers(group.example, kinds, *rules)
                if seen:
                    seen[number][view] = answers
            said += answers
        return said

    def _answers(
        self, example: Subject, kinds: frozenset[Asks | None], reads: Reads, rules: list[Asked], verdicts: Batch
    ) -> Answers:
        """What these rules say of a subject that rules of these `kinds` are asked of, in their order.

        None where a rule is not asked of it, or what it says is no gap.
        """
        if kinds.isdisjoint([rule.asks for rule, _ in rules]):
            return [(rule, None) for rule, _ in rules]
        said = self.said_of.get(example.fabric, self.said)
        found: Answers = []
        outcomes = self._outcomes(reads, rules, verdicts, example.env, said)
        for (rule, _), outcome in zip(rules, outcomes, strict=True):
            doubtful = isinstance(outcome, Outcome) and not outcome.fails
            applies = rule.asks in kinds and not (doubtful and _is_nobodys_doubt(rule, example))
            found.append((rule, outcome if applies else None))
        return found

    def _outcomes(
        self, reads: Reads, rules: list[Asked], verdicts: Batch, env: Mapping[str, object], said: _Said
    ) -> list[Outcome | bool | None]:
        """What each of these rules says of the values that they all read."""
        try:
            key = self.keys.row(env, reads)
        except Exception as error:  # what they read is not there, or is nothing that can be compared
            return [self._crashed(rule, error) for rule, _ in rules]
        outcomes = verdicts.get(key)
        if outcomes is None:
            crashes = len(self.judged.crashes)
            outcomes = [self._judge(rule, {**env, "params": params}, said) for rule, params in rules]
            if len(self.judged.crashes) == crashes:  # a crash is told in every run
                verdicts[key] = outcomes
        return outcomes

    def _told_apart(self, group: SubjectGroup, rule: Rule) -> Iterator[tuple[SubjectGroup, Outcome | bool]]:
        """A failure of equal subjects, by what it is told with: that may differ from one to the next."""
        said = self.said_of.get(group.example.fabric, self.said)
        asked = [(rule, rule.parameters(said.parameters.get(rule.id, {})))]
        reads = (*rule.deciding_reads, *rule.wording_reads)
        verdicts = SHARED.batch(asked, said.severities, reads)
        alike: dict[int, tuple[Outcome | bool, list[Subject]]] = {}
        for subject in group.subjects():
            outcome = self._outcomes(reads, asked, verdicts, subject.env, said)[0]
            assert outcome is not None  # the conditions read the same as those of the example
            alike.setdefault(id(outcome), (outcome, []))[1].append(subject)
        for outcome, subjects in alike.values():
            yield of_subjects(subjects), outcome

    def _count(self, rule: Rule, groups: Sequence[SubjectGroup], counted: Counted, outcome: Outcome | bool) -> None:
        self.judged.asked_of[rule.id] += counted.size
        tally = self.judged.tallies[(rule.id, *counted.of)]
        tally.asked += counted.size
        tally.only_roce = tally.only_roce and counted.all_carry
        if not isinstance(outcome, Outcome):
            self.judged.holds += counted.size
            if self.holding is not None:
                self.holding += [(group, rule) for group in groups]
        else:
            tally.failed += counted.size if outcome.fails else 0
        if isinstance(outcome, Outcome) and not outcome.fails:
            return
        carrying = counted.any_carries and CORE in rule.tags
        if carrying or isinstance(outcome, Outcome):
            devices = set[str]().union(*[group.devices() for group in groups])
            if carrying:
                self.judged.known_of |= {(device, rule.topic) for device in devices}
            if isinstance(outcome, Outcome):
                tally.devices |= devices

    def _of_fabric(self, fabric: str, batch: RuleBatch) -> Sequence[RulesOfReads]:
        """The rules of a batch, with the parameters of this fabric where it has some of its own."""
        said = self.said_of.get(fabric)
        if said is None:
            return batch.rules
        found = self._own.get((fabric, batch))
        if found is None:
            own: list[RulesOfReads] = []
            for reads, rules, _ in batch.rules:
                asked = [(rule, rule.parameters(said.parameters.get(rule.id, {}))) for rule, _ in rules]
                own.append((reads, asked, SHARED.batch(asked, said.severities, reads)))
            found = self._own[(fabric, batch)] = own
        return found

    def _judge(self, rule: Rule, env: Mapping[str, object], said: _Said) -> Outcome | bool | None:
        """None: does not apply; True: holds; else what is wrong or unknown. A crash is a check of its own."""
        try:
            bound = Bound(env)
            term = judge(rule.compiled, bound)
            if term is None:
                return None
            if term.known and term.value:
                return True
            if not term.known:
                return Outcome(rule, False, term.reads, term.note, "none", "", whys=_whys(env, term))
            severity = said.severities.get(rule.id) or rule.severity_of(bound)
            fix = rule.compiled.fix_note
            note = fix(bound) if fix else ""
            message, pointed = rule.compiled.message(bound), rule.pointed(bound)
            how_bad = rule.how_bad(bound)
            return Outcome(rule, True, term.reads, "", severity, message, note, pointed=pointed, how_bad=how_bad)
        except Exception as error:  # a rule must never take the run down with it
            return self._crashed(rule, error)

    def _crashed(self, rule: Rule, error: Exception) -> Outcome:
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
    return tuple(dict.fromkeys(found))


def is_asked(rule: Rule, subject: Subject) -> bool:
    """Absence is asked only of ports that carry RoCE, presence where it should not be only of those that certainly do not."""
    return rule.asks in _kinds_asked(subject)


_ALWAYS: frozenset[Asks | None] = frozenset({None, "present"})


def _kinds_asked(subject: Subject) -> frozenset[Asks | None]:
    """The kinds of questions that are asked of a subject."""
    answers = [port.roce for port in subject.ports]
    if all(answer.carries is True for answer in answers):
        absent: frozenset[Asks | None] = _ALWAYS | {"absent"}
        return absent if answers else absent | {"forbidden"}
    if all(answer.carries is False and answer.rank in BY_EVIDENCE for answer in answers):
        return _ALWAYS | {"forbidden"}
    return _ALWAYS


def _is_worded_apart(rule: Rule, outcome: Outcome | bool) -> bool:
    """Whether equal subjects of which this was said may differ in the words that tell it."""
    return isinstance(outcome, Outcome) and outcome.fails and bool(rule.wording_reads)


def _all_said(answers: Answers) -> AllSaid:
    """Answers as the rules gave them, put apart by how they are counted."""
    some = [(rule, outcome) for rule, outcome in answers if outcome is not None]
    plain = [(rule, outcome) for rule, outcome in some if not _is_worded_apart(rule, outcome)]
    told = [(rule, outcome) for rule, outcome in some if isinstance(outcome, Outcome)]
    return AllSaid(len(answers) - len(some), plain, told)


def _is_nobodys_doubt(rule: Rule, subject: Subject) -> bool:
    """What nobody saw of a port without RoCE is no gap, unless the rule is about such ports; what is written there is judged."""
    if rule.asks == "forbidden" or not subject.ports:
        return False
    return all(port.roce.carries is False for port in subject.ports)
