"""Selectors: rule ids, topics, severities, owners and tags."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.policy import PolicyError, Problem
from roce_audit.policy.values import Policy


class UnknownSelector(ValueError):
    """A selector that selects nothing in the whole catalogue."""


def selected(rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that any selector of `select` names (all where there is none) and none of `ignore` does.

    Raises UnknownSelector for a selector that names no rule at all, and where none is left: a typo must not silence a check.
    """
    for selector in (*select, *ignore):
        if not any(names(rule, selector) for rule in rules):
            known = {word for rule in rules for word in _words(rule)}
            raise UnknownSelector(
                f"no rule, topic, severity, owner or tag is called '{selector}'{did_you_mean(selector, known)}"
            )
    chosen = [rule for rule in rules if not select or any(names(rule, selector) for selector in select)]
    left = tuple(rule for rule in chosen if not any(names(rule, selector) for selector in ignore))
    if rules and not left:
        raise UnknownSelector(f"no rule is left: what is selected is ignored as well ({', '.join(ignore)})")
    return left


def names(rule: Rule, selector: str) -> bool:
    """Whether a selector names this rule: its id, topic, severity, owner or a tag."""
    return selector in _words(rule)


def _words(rule: Rule) -> tuple[str, ...]:
    return (rule.id, rule.topic, rule.severity, rule.owner, *rule.tags)


def check_policy(rules: Sequence[Rule], policy: Policy) -> None:
    """Raises PolicyError where the policy speaks of a rule or parameter that there is not, with its line."""
    by_id = {rule.id: rule for rule in rules}
    wrong: list[Problem] = []
    for entry in (*policy.rules, *(entry for entries in policy.rules_of_fabrics.values() for entry in entries)):
        rule = by_id.get(entry.rule)
        if rule is None:
            message = f"no rule is called '{entry.rule}'{did_you_mean(entry.rule, by_id)}"
            wrong.append(Problem(entry.at.path, entry.at.line, message))
            continue
        for name, value in entry.params.items():
            place = entry.param_places.get(name, entry.at)
            try:
                rule.parameters({name: value})
            except ValueError as error:
                wrong.append(Problem(place.path, place.line, str(error)))
    if wrong:
        raise PolicyError(tuple(dict.fromkeys(wrong)))
