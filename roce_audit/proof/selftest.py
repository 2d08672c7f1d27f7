"""Selftest: break every rule's good examples, and see that the rule fires, rule by rule and platform by platform."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.engine.rule import Rule
from roce_audit.policy import PolicyError
from roce_audit.proof.examples import base, collect, with_base
from roce_audit.proof.exampletext import Example, ExampleError, ExampleSet
from roce_audit.proof.trial import Workbench
from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """One rule on one platform: how many breakages there are, how many it found, and what went wrong."""

    rule: str
    platform: str
    breakages: int
    found: int
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selftest:
    """The whole table."""

    platforms: tuple[str, ...]
    rules: tuple[str, ...]
    shown: tuple[Shown, ...]

    @property
    def unproven(self) -> tuple[str, ...]:
        """Rules without an example on any platform, less those that need two runs."""
        proven = {one.rule for one in self.shown}
        return tuple(rule for rule in self.rules if rule not in proven)

    @property
    def passed(self) -> bool:
        """Every rule has examples, and each of them shows what it claims."""
        return not self.unproven and not any(one.wrong for one in self.shown)


def run(rules: Sequence[Rule]) -> Selftest:
    """Run all examples of these rules. Raises ExampleError for one that cannot be used."""
    sets = collect(rules)
    by_id = {rule.id: rule for rule in rules}
    with Workbench() as bench:
        noisy = {name: bench.quiet(base(name), rules) for name in dict.fromkeys(found.platform for found in sets)}
        shown = tuple(_prove(bench, found, by_id[found.rule], noisy[found.platform]) for found in sets)
    return Selftest(with_base(), tuple(id for id, rule in by_id.items() if "history" not in rule.tags), shown)


def _prove(bench: Workbench, found: ExampleSet, rule: Rule, noisy_on_base: dict[str, str]) -> Shown:
    wrong: list[str] = []
    if found.good is None:
        why = noisy_on_base.get(rule.id, "")
    else:
        why = _try(bench, found, found.good, rule)
    if why:
        wrong.append(f"{found.path}: good: {why}")
    fired = 0
    for case in found.cases:
        why = _try(bench, found, case, rule)
        fired += case.kind == "bad" and not why
        if why:
            wrong.append(f"{case.path}:{case.line}: {case.kind}: {case.title}: {why}")
    return Shown(found.rule, found.platform, len(found.bad), fired, tuple(wrong))


def _try(bench: Workbench, found: ExampleSet, example: Example, rule: Rule) -> str:
    try:
        return bench.wrong(found, example, rule)
    except (ExampleError, PolicyError) as error:
        return str(error)
