"""What is known of a rule beyond its file: the policy's severity, platforms with examples, inputs it may need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit import platforms
from roce_audit.engine.needs import HOP_STEPS
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.rulepack import PROFILES, builtin_folder
from roce_audit.policy import Policy, profiles
from roce_audit.proof.examples import platforms_of, with_base
from roce_audit.report.catalogue import Entry

_PORT_ROOTS = ("port", "a", "b")
_HOP_ROOTS = ("hop", "cnp_hop", "a_hop", "b_hop")


def entries(rules: Iterable[Rule], policy: Policy) -> tuple[Entry, ...]:
    """The catalogue's entries of these rules."""
    changed = {entry.rule: entry.severity for entry in policy.rules if entry.severity is not None}
    spoken_of = _profiles()
    return tuple(
        Entry(
            rule,
            changed.get(rule.id, rule.severity),
            platforms_of(rule),
            inputs(rule, with_base()),
            (profiles.BASE, *spoken_of.get(rule.id, ())),
        )
        for rule in rules
    )


def _profiles() -> Mapping[str, tuple[str, ...]]:
    """Rule -> the profiles that say anything of it, by themselves or by what they extend."""
    folder, found = builtin_folder() / PROFILES, defaultdict[str, list[str]](list)
    for name in profiles.names(folder):
        for rule in {entry.rule for profile in profiles.chain(name, folder) for entry in profile.rules}:
            found[rule].append(name)
    return {rule: tuple(names) for rule, names in found.items()}


def inputs(rule: Rule, names: Sequence[str]) -> tuple[str, ...]:
    """What shows the things that the rule reads, where a platform's configuration alone may not: `eos: show ...`."""
    wanted = set(_fields(rule))
    found = [
        f"{name}: {how}"
        for name in names
        for path, how in platforms.platform(name).needs.items()
        if _head(path) in wanted
    ]
    return tuple(dict.fromkeys(found))


def _fields(rule: Rule) -> Iterator[str]:
    for root, field in rule.reads:
        if root in _PORT_ROOTS:
            yield field
        elif root in _HOP_ROOTS:
            yield HOP_STEPS.get(field, field)
        elif root in ("nic", "device", "host"):
            yield f"{root}.{field}"


def _head(path: str) -> str:
    """`queues` of `queues.*.ecn`; two steps for what does not hang at the port itself."""
    steps = path.split(".")
    return ".".join(steps[:2] if steps[0] in ("nic", "device", "host") else steps[:1])
