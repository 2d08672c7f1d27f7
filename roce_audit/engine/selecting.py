"""Selectors: rule ids, topics, severities, owners and tags."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.engine.rule import Rule
from roce_audit.engine.suggestions import did_you_mean


class UnknownSelector(ValueError):
    """A selector that selects nothing in the whole catalogue."""


def selected(rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that any selector of `select` names (all where there is none) and none of `ignore` does.

    Raises UnknownSelector for a selector that names no rule at all: a typo must not silence a check.
    """
    for selector in (*select, *ignore):
        if not any(names(rule, selector) for rule in rules):
            known = {word for rule in rules for word in _words(rule)}
            raise UnknownSelector(
                f"no rule, topic, severity, owner or tag is called '{selector}'{did_you_mean(selector, known)}"
            )
    chosen = [rule for rule in rules if not select or any(names(rule, selector) for selector in select)]
    return tuple(rule for rule in chosen if not any(names(rule, selector) for selector in ignore))


def names(rule: Rule, selector: str) -> bool:
    """Whether a selector names this rule: its id, topic, severity, owner or a tag."""
    return selector in _words(rule)


def _words(rule: Rule) -> tuple[str, ...]:
    return (rule.id, rule.topic, rule.severity, rule.owner, *rule.tags)
