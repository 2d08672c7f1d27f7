"""Rules on ports of which nearly each has a value of its own, such as the length of its cable: a site has thousands of lengths.

At most lengths a rule holds or does not apply. Ports that differ in nothing else are one kind, of which everything that does not read
the length is worked out once; a subject is made, and a group of its own kept, only where a rule has something to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from types import SimpleNamespace
from typing import Any

from roce_audit.engine.conditions.expressions import judge
from roce_audit.engine.conditions.logic import Term, truth
from roce_audit.engine.conditions.operations import Bound
from roce_audit.engine.rules.rule import Asks, Rule
from roce_audit.engine.subjectgroups import OF_PORTS, SubjectGroup
from roce_audit.engine.subjects import Subject
from roce_audit.fabric.port import FabricPort

_Field = tuple[str, str]


class FineGroups:
    """The ports of which some rules have nothing to say, kind by kind. `fine` are fields of what is said of each port by itself."""

    def __init__(
        self,
        rules: Sequence[tuple[Rule, SimpleNamespace]],
        fine: Set[_Field],
        kinds_asked: Callable[[Subject], Set[Asks | None]],
    ) -> None:
        """Rules with their parameters, and which kinds of questions are asked of a subject."""
        self._rules = rules
        self._fine = fine
        self._kinds_asked = kinds_asked
        self._kinds: dict[object, _Kind] = {}

    def takes(self, kind: object, make: Callable[[FabricPort], Subject], ports: Sequence[FabricPort]) -> bool:
        """Whether each rule holds of these ports, which no rule can tell apart, or does not apply: then they are counted here.

        Ports of one `kind` differ in the fine fields alone.
        """
        found = self._kinds.get(kind)
        if found is None:
            example = make(ports[0])
            asked = self._kinds_asked(example)
            rules = [_AtKind(rule, params, example, self._fine, rule.asks in asked) for rule, params in self._rules]
            found = self._kinds[kind] = _Kind(example, make, rules, {root for root, _ in self._fine})
        return found.takes(ports)

    def counted(self) -> Iterator[tuple[Rule, SubjectGroup, bool]]:
        """Each rule with the ports that it holds of (True), and those that it does not apply to."""
        for kind in self._kinds.values():
            for rule in kind.rules:
                for holds, ports in ((True, rule.holding), (False, rule.others)):
                    if ports:
                        yield rule.rule, SubjectGroup(ports=ports, make=kind.make), holds


class _Kind:
    """Ports that differ in the fine fields alone."""

    def __init__(
        self, example: Subject, make: Callable[[FabricPort], Subject], rules: Sequence[_AtKind], roots: Set[str]
    ) -> None:
        self.example = example
        self.make = make
        self.rules = rules
        self._own = [(root, OF_PORTS[root]) for root in roots]

    def takes(self, ports: Sequence[FabricPort]) -> bool:
        """Count the ports if no rule has anything to say of them."""
        own = {root: get(ports[0]) for root, get in self._own}
        try:
            terms = [rule.term(own) for rule in self.rules]
        except Exception:  # who judges them one by one says which rule it was
            return False
        if not all(term is None or (term.known and term.value) for term in terms):
            return False
        for rule, term in zip(self.rules, terms, strict=True):
            (rule.others if term is None else rule.holding).extend(ports)
        return True


class _AtKind:
    """One rule at ports of one kind."""

    def __init__(
        self, rule: Rule, params: SimpleNamespace, example: Subject, fine: Set[_Field], is_asked: bool
    ) -> None:
        self.rule = rule
        self.holding: list[FabricPort] = []
        self.others: list[FabricPort] = []
        self._env: dict[str, object] = {**example.env, "params": params}
        self._fine = fine
        self._is_asked = is_asked
        self._condition: Term | None = None
        self._lets: dict[Any, Term] = {}
        """What does not read the fine fields, once it was worked out."""
        self._is_begun = False

    def term(self, own: Mapping[str, object]) -> Term | None:
        """What the rule says of a port of which that is said by itself; None where it does not apply."""
        if not self._is_asked:
            return None
        self._env.update(own)
        compiled, bound = self.rule.compiled, Bound(self._env, dict(self._lets))
        if not self._is_begun:
            self._is_begun = True
            if compiled.when is not None and self._fine.isdisjoint(compiled.when.reads):
                self._condition = truth(compiled.when(bound))
        term = judge(compiled, bound, self._condition)
        if not self._lets:
            self._lets = {let: found for let, found in bound.lets.items() if self._fine.isdisjoint(let.reads)}
        return term
