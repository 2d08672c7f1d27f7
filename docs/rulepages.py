"""Pages of the rules: an index by topic, and one page a rule."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule, Source

_MADE = "Made from `rules/` by `python docs/generate.py`."


def documents() -> dict[str, str]:
    """Path below docs/ -> text."""
    rules = sorted(rulepack.load([rulepack.builtin_folder()], use_cache=False), key=lambda rule: rule.id)
    pages = {f"reference/rules/{rule.id}.md": "".join(_page(rule)) for rule in rules}
    return {"reference/rules.md": "".join(_index(rules)), **pages}


def _index(rules: Sequence[Rule]) -> Iterator[str]:
    yield f"# Rules\n\n{_MADE}\n"
    for topic in dict.fromkeys(rule.topic for rule in rules):
        yield f"\n## {topic}\n\n| rule | severity | scope | asks | says |\n|---|---|---|---|---|\n"
        yield from (_row(rule) for rule in rules if rule.topic == topic)


def _row(rule: Rule) -> str:
    return f"| [{rule.id}](rules/{rule.id}.md) | {rule.severity} | {rule.scope} | {rule.asks or ''} | {rule.title} |\n"


def _page(rule: Rule) -> Iterator[str]:
    yield f"# {rule.id}\n\n**{rule.title}.** {rule.why.strip()}\n\n"
    if rule.when is not None:
        yield f"- asked when: `{' '.join(rule.when.split())}`\n"
    yield f"- must hold: `{' '.join(rule.require.split())}`\n"
    for name, text in rule.let.items():
        yield f"- where `{name}` = `{' '.join(text.split())}`\n"
    for name, parameter in rule.params.items():
        yield f"- parameter `{name}` = {parameter.value}: {parameter.doc}\n"
    levels = ", ".join(
        level if len(rule.severities) == 1 else f"{level} if `{test}`" for level, test in rule.severities
    )
    yield f"- severity: {levels}; confidence: {rule.confidence}; owner: {rule.owner}\n"
    if rule.after:
        yield f"- a consequence of: {', '.join(_link(rule, other) for other in rule.after)}\n"
    yield f"- source: {'; '.join(map(_source, rule.source))}\n"
    yield f"\n`roce-audit explain {rule.id}` shows good and bad configuration per platform. [All rules](../../rules.md)\n"


def _link(rule: Rule, other: str) -> str:
    return f"[{other}]({os.path.relpath(other, os.path.dirname(rule.id))}.md)"


def _source(source: Source) -> str:
    title = f"[{source.title}]({source.url})" if source.url else source.title
    text = f"{title}, {source.section}" if source.section else title
    return {"document": text, "definition": f"by definition: {text}"}.get(source.kind, f"unverified: {text}")
