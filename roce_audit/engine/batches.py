"""Batches: which rules are asked together, and by what their verdicts on a group of subjects are counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace

from roce_audit.engine.findings import Severity
from roce_audit.engine.outcomes import Outcome
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.scopes import Scope
from roce_audit.engine.subjectgroups import NAMED, Columns, Reads, SubjectGroup, SubjectGroups, View, is_shared
from roce_audit.engine.subjects import PORT_SCOPES
from roce_audit.engine.verdicts import SHARED, Batch
from roce_audit.records import dataclass

Asked = tuple[Rule, SimpleNamespace]
"""A rule and its parameters."""
RulesOfReads = tuple[Reads, list[Asked], Batch]
"""Rules that read the same, with their verdicts so far."""
Answers = list[tuple[Rule, Outcome | bool | None]]
"""What rules say of a subject; None: nothing."""

_OF_FABRIC = frozenset({"fabric", "fabric_counters"})
_MOST_PARTED = 20
"""Ways in which a batch remembers to be put apart: what is fine differs from site to site."""


@dataclass(frozen=True, slots=True, eq=False)
class AllSaid:
    """What the rules of a batch say of a group, put apart by how it is counted."""

    not_applicable: int
    """How many rules say nothing."""
    plain: list[tuple[Rule, Outcome | bool]]
    """What counts for all subjects of the group alike."""
    told: list[tuple[Rule, Outcome]]
    """What fails or is unknown, in the order of the rules."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleBatch:
    """Rules that are asked of the same groups of subjects, by what they read, with what they said before."""

    scope: Scope
    by_class: bool
    rules: Sequence[RulesOfReads]
    reads: frozenset[tuple[str, str]]
    """What they read together."""
    views: Sequence[View]
    """Of a scope of single ports what each of them sees of a group."""
    of_site: Reads
    """What they read that ports of one fabric and class share."""
    reads_names: bool
    """Whether any of them reads how a NIC is named."""
    known: dict[object, tuple[object, AllSaid]]
    """What they said of groups of single ports by all that decides it, and the facts of such a port: their id is only theirs
    while they live."""
    same: dict[tuple[int, ...], AllSaid]
    """What `known` holds by the ids of all outcomes in it: one object where all rules said the same."""
    parts: dict[frozenset[tuple[str, str]], Sequence[RuleBatch]]
    """The same rules put apart by which of some fields they read, by these fields."""

    @staticmethod
    def of(scope: Scope, by_class: bool, rules: Sequence[RulesOfReads], columns: Columns) -> RuleBatch:
        """The batch of these rules."""
        reads = [some for some, _, _ in rules]
        # of what a single set of rules reads no two groups are the same to it
        views = columns.views(reads) if scope in PORT_SCOPES and len(reads) > 1 else ()
        together = frozenset().union(*reads)
        of_site = tuple(sorted(read for read in together if read[0] in _OF_FABRIC))
        if by_class:  # what a hop is follows from the facts and the whole class
            of_site += (("cnp", "*"), ("roce", "*"))
        return RuleBatch(scope, by_class, rules, together, views, of_site, not NAMED.isdisjoint(together), {}, {}, {})

    def parted(self, groups: SubjectGroups, columns: Columns) -> Iterable[RuleBatch]:
        """The rules that need the same fine groups: those that no length of a cable concerns are asked of fewer."""
        fine = groups.fine & self.reads if self.scope in PORT_SCOPES else None
        if not fine:
            return [self]
        parts = self.parts.get(fine)
        if parts is None:
            found: dict[frozenset[tuple[str, str]], list[RulesOfReads]] = defaultdict(list)
            for rules in self.rules:
                found[fine.intersection(rules[0])].append(rules)
            parts = [RuleBatch.of(self.scope, self.by_class, together, columns) for together in found.values()]
            if len(self.parts) < _MOST_PARTED:
                self.parts[fine] = parts
        return parts


@dataclass(frozen=True, slots=True)
class Plan:
    """Which rules are asked together."""

    batches: Sequence[RuleBatch]
    columns: Columns
    """What those on single ports and on links read beside the facts."""

    @staticmethod
    def of(asked: Iterable[Asked], severities: Mapping[str, Severity]) -> Plan:
        """The plan for rules with their parameters, and with what the policy says of how severe they are."""
        asked = list(asked)
        batches: dict[tuple[Scope, bool], dict[Reads, list[Asked]]] = defaultdict(lambda: defaultdict(list))
        for rule, params in asked:
            batches[(rule.scope, rule.uses_class)][rule.deciding_reads].append((rule, params))
        columns = Columns(
            (rule.deciding_reads for rule, _ in asked if rule.scope in PORT_SCOPES),
            (rule.deciding_reads for rule, _ in asked if rule.scope == "link"),
        )
        plan: list[RuleBatch] = []
        for (scope, by_class), by_reads in batches.items():
            # rules that read what each port has of its own must not split the groups of all the others
            for shared in (True, False):
                together = [
                    (reads, rules, SHARED.batch(rules, severities, reads))
                    for reads, rules in by_reads.items()
                    if is_shared(reads) is shared
                ]
                if together:
                    plan.append(RuleBatch.of(scope, by_class, together, columns))
        return Plan(plan, columns)


@dataclass(frozen=True, slots=True)
class Counted:
    """What the verdicts on some groups are counted by."""

    size: int
    of: tuple[str, str, str]
    """Class, fabric, kind of device."""
    all_carry: bool
    any_carries: bool
    """Whether its ports carry RoCE: all of them, and one at least."""

    @staticmethod
    def by(groups: Sequence[SubjectGroup]) -> Counted:
        """The same for each subject of these groups, which are of one class, fabric and kind of device and carry RoCE alike."""
        size, first = sum([group.size for group in groups]), groups[0]
        if first.asked is not None:
            asked, carries = first.asked, bool(first.asked.carries)
            return Counted(size, (asked.cls, asked.fabric, first.ports[0].device.kind), carries, carries)
        example = first.example
        kind = example.device.kind if example.device is not None else ""
        carry = [bool(port.roce.carries) for port in example.ports]
        of = (example.cls.name if example.cls else "", example.fabric, kind)
        return Counted(size, of, all(carry), any(carry))
