"""Selftest: break every rule's good examples, and see that the rule fires, rule by rule and platform by platform."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from roce_audit.engine.rules.rule import Rule
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


def run(rules: Sequence[Rule], jobs: int = 1) -> Selftest:
    """Run all examples of these rules in so many processes. Raises ExampleError for one that cannot be used."""
    sets = collect(rules)
    parts = _parts(sets, rules)
    jobs = min(jobs, len(parts))
    proven = map(_prove_all, parts) if jobs < 2 else _by_processes(parts, jobs)
    found = {(one.rule, one.platform): one for shown in proven for one in shown}
    shown = tuple(found[one.rule, one.platform] for one in sets)
    return Selftest(with_base(), tuple(rule.id for rule in rules if "history" not in rule.tags), shown)


_Part = tuple[str, Sequence[ExampleSet], Sequence[Rule]]
"""A platform, its examples, and all rules."""


def _parts(sets: Sequence[ExampleSet], rules: Sequence[Rule]) -> Sequence[_Part]:
    """Platform by platform, for their good files are read once; what takes longest first."""
    by_platform: dict[str, list[ExampleSet]] = defaultdict(list)
    for one in sets:
        by_platform[one.platform].append(one)
    longest_first = sorted(by_platform.items(), key=lambda item: -sum(len(one.cases) for one in item[1]))
    return [(name, those, rules) for name, those in longest_first]


def _by_processes(parts: Sequence[_Part], jobs: int) -> Iterator[Sequence[Shown]]:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_prove_all, parts)


def _prove_all(part: _Part) -> Sequence[Shown]:
    name, sets, rules = part
    by_id = {rule.id: rule for rule in rules}
    with Workbench() as bench:
        noisy = bench.quiet(base(name), rules)
        return [_prove(bench, one, by_id[one.rule], noisy) for one in sets]


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
