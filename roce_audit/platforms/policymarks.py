"""Policers and new marks in the policies of type qos that hold for a port."""

from __future__ import annotations

from roce_audit.platforms.policies import Line, Policies
from roce_audit.platforms.policystatements import Police, SetDscp, SetGroup
from roce_audit.text.fill import Settings
from roce_audit.values import At, Why


def remarking(
    settings: Settings, policies: Policies, direction: str, policy: str, bound_at: At, undefined: Why
) -> None:
    """Fold the policy of type qos of one direction: which qos-groups leave with another DSCP, and whether data is policed."""
    classes = policies.policy("qospolicy", policy)
    if classes is None:
        _unknown(settings, direction, undefined, bound_at)
        return
    before = settings.get("rewrites_dscp")
    groups: set[int] = set(before.get()) if before is not None else set()
    places = list(before.at) if before is not None else []
    for one in classes:
        if one.name is None:
            _unknown(settings, direction, Why.NOT_PARSED, one.at)
            continue
        for parsed, at in one.lines:
            if parsed.value is None:
                _unknown(settings, direction, Why.NOT_PARSED, at)
            elif isinstance(parsed.value, Police) and direction == "input":
                settings.put("policed", True, at)
        marks = [at for parsed, at in one.lines if isinstance(parsed.value, SetDscp)]
        if not marks:
            continue
        marked = _groups(policies, direction, one.name, one.lines)
        if marked is None:
            settings.spoil("rewrites_dscp", Why.NO_DEFAULT, marks[-1])
        else:
            groups |= marked
            places.append(marks[-1])
    if groups:
        settings.put("rewrites_dscp", frozenset(groups), *places)


def _groups(policies: Policies, direction: str, name: str, lines: list[Line]) -> set[int] | None:
    """The qos-groups of the packets of a class; None where they cannot be told."""
    if direction == "input":
        said = [parsed.value.number for parsed, _ in lines if isinstance(parsed.value, SetGroup)]
        return {said[-1] if said else 0}
    numbers = None if name == "class-default" else policies.numbers("qosmap", name)
    return set(numbers) if isinstance(numbers, tuple) else None


def _unknown(settings: Settings, direction: str, why: Why, at: At) -> None:
    settings.spoil("rewrites_dscp", why, at)
    if direction == "input":
        settings.spoil("policed", why, at)
