"""Profiles: the numbers of one published guide, as `rules/profiles/NAME.yaml`. What the policy file says goes before them.

A profile that `extends` another says only in what it differs from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from pathlib import Path
from typing import TypeVar

from roce_audit.policy.load import PolicyError, Problem
from roce_audit.policy.values import ClassPolicy, FabricPolicy, Policy, RulePolicy
from roce_audit.records import dataclass
from roce_audit.values import Cell, Why, known, unknown

BASE = "base"
_Owner = TypeVar("_Owner", Policy, FabricPolicy)


@dataclass(frozen=True, slots=True)
class Profile:
    """One profile as its own file says it."""

    name: str
    title: str
    extends: str = BASE
    guides: tuple[str, ...] = ()
    """Title and section of what was published."""
    lossless: Cell[bool] = field(default_factory=lambda: unknown(Why.NOT_VISIBLE))
    rules: tuple[RulePolicy, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    """Rule -> where the guide says what the profile makes of it."""


def names(folder: Path) -> Sequence[str]:
    """The profiles there are; `base` is what the rules say by themselves."""
    return (BASE, *sorted(file.stem for file in folder.glob("*.yaml")))


def chain(name: str, folder: Path) -> tuple[Profile, ...]:
    """The profile and those it extends, the one named first. Raises PolicyError for files that cannot be used."""
    found: dict[str, Profile] = {}
    while name != BASE:
        file = folder / f"{name}.yaml"
        if name in found:
            raise PolicyError((Problem(str(file), 0, f"extends itself: {' -> '.join((*found, name))}"),))
        below = tuple(found)[-1:]
        if name not in names(folder):
            where = folder / f"{below[0]}.yaml" if below else file
            raise PolicyError((Problem(str(where), 0, f"extends '{name}', and no profile is called so"),))
        found[name] = _read(file)
        name = found[name].extends
    return tuple(found.values())


def applied(policy: Policy, folder: Path) -> Policy:
    """The policy with the numbers of its profile, and of those of its fabrics. Raises PolicyError for a file that cannot be used."""
    own = {fabric.name: chain(fabric.profile.get(), folder) for fabric in policy.fabrics if fabric.profile.is_known}
    whole = chain(policy.profile.or_else(BASE), folder)
    return replace(
        _meant(policy, whole),
        fabrics=tuple(_meant(fabric, own.get(fabric.name, whole)) for fabric in policy.fabrics),
        rules=_merged(policy.rules, whole),
        rules_of_fabrics={name: _merged(policy.rules, profiles) for name, profiles in own.items()},
    )


def _meant(owner: _Owner, profiles: Sequence[Profile]) -> _Owner:
    """Whether classes are meant to be lossless, where only the profile says so."""
    said = next((profile.lossless for profile in profiles if profile.lossless.is_known), None)
    if said is None or owner.lossless.is_known:
        return owner
    return replace(owner, lossless=said, classes=tuple(_class(each, said) for each in owner.classes))


def _class(each: ClassPolicy, lossless: Cell[bool]) -> ClassPolicy:
    return each if each.role == "cnp" or each.lossless.is_known else replace(each, lossless=lossless)


def _merged(site: Sequence[RulePolicy], profiles: Sequence[Profile]) -> tuple[RulePolicy, ...]:
    """The site's words on top of those of a profile, those on top of the ones it extends."""
    layers = [site, *(profile.rules for profile in profiles)]
    return reduce(lambda above, below: _on_top(above, below), layers[1:], tuple(layers[0]))


def _on_top(above: Sequence[RulePolicy], below: Sequence[RulePolicy]) -> tuple[RulePolicy, ...]:
    lower = {entry.rule: entry for entry in below}
    own = {entry.rule for entry in above}
    return (
        *(_over(lower.get(entry.rule), entry) for entry in above),
        *(entry for entry in below if entry.rule not in own),
    )


def _over(below: RulePolicy | None, own: RulePolicy) -> RulePolicy:
    """What is said above of a rule, with what is said below of the rest."""
    if below is None:
        return own
    return replace(
        own,
        severity=own.severity or below.severity,
        params={**below.params, **own.params},
        param_places={**below.param_places, **own.param_places},
    )


def _read(file: Path) -> Profile:
    from pydantic import ValidationError

    from roce_audit.policy.build import rule_policy
    from roce_audit.policy.lines import Lines
    from roce_audit.policy.schema import ProfileForm
    from roce_audit.text.formerrors import problems
    from roce_audit.text.structured.yamltext import YamlError, parse

    try:
        document = parse(file.read_text(encoding="utf-8"))
        lines = Lines(str(file), document)
        form = ProfileForm.model_validate(document.value)
    except YamlError as error:
        raise PolicyError((Problem(str(file), error.line, error.message),)) from error
    except ValidationError as error:
        found = [(lines.at(*path), message) for path, message in problems(error, ProfileForm, "profile")]
        raise PolicyError(tuple(Problem(at.path, at.line, message) for at, message in found)) from None
    said: Cell[bool] = unknown(Why.NOT_VISIBLE)
    return Profile(
        name=file.stem,
        title=form.title,
        extends=form.extends or BASE,
        guides=tuple(f"{guide.title}, {guide.section}" if guide.section else guide.title for guide in form.source),
        lossless=said if form.lossless is None else known(form.lossless, lines.at("lossless")),
        rules=tuple(rule_policy(name, entry, lines) for name, entry in form.rules.items()),
        sources={name: entry.source for name, entry in form.rules.items()},
    )
