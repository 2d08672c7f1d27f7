"""Profiles: the numbers of one published guide, as `rules/profiles/NAME.yaml`. What the policy file says goes before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from roce_audit.policy.load import PolicyError, Problem
from roce_audit.policy.values import Policy, RulePolicy

BASE = "base"


def names(folder: Path) -> Sequence[str]:
    """The profiles there are; `base` is what the rules say by themselves."""
    return (BASE, *sorted(file.stem for file in folder.glob("*.yaml")))


def applied(policy: Policy, folder: Path) -> Policy:
    """The policy with the numbers of its profile, and of those of its fabrics. Raises PolicyError for a file that cannot be used."""
    own = {fabric.name: fabric.profile.get() for fabric in policy.fabrics if fabric.profile.is_known}
    return replace(
        policy,
        rules=_merged(policy.rules, policy.profile.or_else(BASE), folder),
        rules_of_fabrics={fabric: _merged(policy.rules, name, folder) for fabric, name in own.items()},
    )


def _merged(site: Sequence[RulePolicy], name: str, folder: Path) -> tuple[RulePolicy, ...]:
    """The site's words on top of those of one profile."""
    if name == BASE:
        return tuple(site)
    own = {entry.rule: entry for entry in site}
    entries = {entry.rule: entry for entry in _read(folder / f"{name}.yaml")}
    merged = [_over(entries.get(rule), entry) for rule, entry in own.items()]
    return (*merged, *(entry for rule, entry in entries.items() if rule not in own))


def _over(below: RulePolicy | None, own: RulePolicy) -> RulePolicy:
    """What a site says about a rule on top of the profile's."""
    if below is None:
        return own
    return replace(
        own,
        severity=own.severity or below.severity,
        params={**below.params, **own.params},
        param_places={**below.param_places, **own.param_places},
    )


def _read(file: Path) -> tuple[RulePolicy, ...]:
    from pydantic import ValidationError

    from roce_audit.policy.build import rule_policy
    from roce_audit.policy.lines import Lines
    from roce_audit.policy.schema import ProfileForm
    from roce_audit.text.formerrors import problems
    from roce_audit.text.yamltext import YamlError, parse

    try:
        document = parse(file.read_text(encoding="utf-8"))
        lines = Lines(str(file), document)
        form = ProfileForm.model_validate(document.value)
    except YamlError as error:
        raise PolicyError((Problem(str(file), error.line, error.message),)) from error
    except ValidationError as error:
        found = [(lines.at(*path), message) for path, message in problems(error, ProfileForm, "profile")]
        raise PolicyError(tuple(Problem(at.path, at.line, message) for at, message in found)) from None
    return tuple(rule_policy(name, entry, lines) for name, entry in form.rules.items())
