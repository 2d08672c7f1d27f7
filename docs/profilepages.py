"""The page that shows all profiles side by side: setting by setting, each number with where the guide says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.policy import profiles
from roce_audit.policy.profiles import Profile
from roce_audit.policy.values import RulePolicy

_Said = tuple[str, RulePolicy, str]
"""Profile, what it says of a rule, where its guide says so."""


def documents() -> dict[str, str]:
    """Path below docs/ -> text."""
    folder = rulepack.builtin_folder() / rulepack.PROFILES
    found = {name: profiles.chain(name, folder) for name in profiles.names(folder) if name != profiles.BASE}
    rules = {rule.id: rule for rule in rulepack.load([rulepack.builtin_folder()], use_cache=False)}
    return {"reference/profiles.md": "".join(_page(found, rules))}


def _page(found: Mapping[str, Sequence[Profile]], rules: Mapping[str, Rule]) -> Iterator[str]:
    yield "# Profiles side by side\n\nMade from `rules/profiles/` by `python docs/generate.py`.\n\n"
    yield "A profile holds the numbers of one published guide. `profile: NAME` in the policy or `--profile NAME` chooses it; `base` is\n"
    yield "what the rules say by themselves. Where a guide contradicts itself, all its values are meant, or there are two profiles; there\n"
    yield "is no mean. A row of a template is `[host|fabric] [speed]: values`, and the first that fits a port holds.\n\n"
    yield "| profile | what | extends | guide |\n|---|---|---|---|\n"
    for name, chain in found.items():
        own = chain[0]
        lossy = " (lossy on purpose)" if own.lossless.is_known and not own.lossless.get() else ""
        yield f"| `{name}` | {own.title}{lossy} | {own.extends} | {'; '.join(own.guides)} |\n"
    said: dict[str, list[_Said]] = {}
    for name, chain in found.items():
        for entry in chain[0].rules:
            said.setdefault(entry.rule, []).append((name, entry, chain[0].sources[entry.rule]))
    for rule_id in sorted(said):
        yield from _rule(rules[rule_id], said[rule_id])


def _rule(rule: Rule, said: Sequence[_Said]) -> Iterator[str]:
    names = [name for name in rule.params if any(name in entry.params for _, entry, _ in said)]
    severities = any(entry.severity is not None for _, entry, _ in said)
    heads = ["profile", *(["severity"] if severities else []), *names, "the guide says"]
    yield f"\n## [{rule.id}](rules/{rule.id}.md)\n\n{rule.title}.\n\n"
    yield f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for profile, entry, source in said:
        cells = [f"`{profile}`", *([entry.severity or ""] if severities else [])]
        cells += [f"`{entry.params[name]}`" if name in entry.params else "" for name in names]
        yield f"| {' | '.join([*cells, source])} |\n"
