"""Policers and new marks in the policies of type qos that hold for a port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from roce_audit.platforms.shared.cli.filters import DROPS
from roce_audit.platforms.shared.policy.classify import Classifier
from roce_audit.platforms.shared.policy.policies import Line, Policies, PolicyClass
from roce_audit.platforms.shared.policy.statements import Drop, Logic, Match, Police, SetDscp, SetGroup
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Where, Why, unknown


def remarking(
    settings: Settings, policies: Policies, direction: str, policy: str, bound_at: At, undefined: Why
) -> None:
    """Fold the policy of type qos of one direction: which qos-groups leave with another DSCP, and whether data is policed."""
    classes = policies.policy("qospolicy", policy)
    if classes is None:
        _unknown(settings, direction, undefined, bound_at)
        return
    if any(isinstance(parsed.value, Drop) for one in classes for parsed, _ in one.lines):
        _dropped(settings, Classifier(policies, undefined), policy, bound_at)
    if direction == "input":
        policed(settings, Classifier(policies, undefined), classes)
    before = settings.get("rewrites_dscp")
    groups: set[int] = set(before.get()) if before is not None else set()
    places: list[Where] = list(before.at) if before is not None else []
    written: dict[int, list[tuple[int | None, At] | None]] = {}
    keeps_class = False
    for one in classes:
        if one.name is None:
            _unknown(settings, direction, Why.NOT_PARSED, one.at)
            continue
        for parsed, at in one.lines:
            if parsed.value is None:
                _unknown(settings, direction, Why.NOT_PARSED, at)
        marks = [(parsed.value.dscp, at) for parsed, at in one.lines if isinstance(parsed.value, SetDscp)]
        marked = _groups(policies, direction, one.name, one.lines)
        for group in marked or ():
            written.setdefault(group, []).append(marks[-1] if marks else None)
        if not marks:
            continue
        if marked is None and direction == "input":
            keeps_class = True
        elif marked is None:
            settings.set_unknown("rewrites_dscp", Why.NO_DEFAULT, marks[-1][1])
        else:
            groups |= marked
            places.append(marks[-1][1])
    if keeps_class:
        _by_dscp(settings, Classifier(policies, undefined), policy, bound_at, groups, places)
    if groups:
        settings.set("rewrites_dscp", frozenset(groups), *dict.fromkeys(places))
    _new_marks(settings, written)


def _dropped(settings: Settings, classifier: Classifier, policy: str, bound_at: At) -> None:
    """Whether the policy drops every RoCEv2 packet; where it drops those of some code points, or may, RoCE's may be among them."""
    found = [classifier.dropped(policy, bound_at, dscp) for dscp in range(64)]
    dropping = [cell for cell in found if not cell.is_absent]
    if len(dropping) == len(found) and all(cell.is_known for cell in found):
        settings.set(DROPS, True, *found[0].at)
    elif dropping and settings.get(DROPS) is None:
        doubt = next((cell for cell in dropping if cell.is_unknown), None)
        settings.set_unknown(DROPS, (doubt.why if doubt is not None else None) or Why.NOT_VISIBLE, *dropping[0].at)


_BY_MARK = frozenset({"dscp", "precedence", "acl", "never"})


def policed(settings: Settings, classifier: Classifier, classes: Sequence[PolicyClass]) -> None:
    """Whether classes of the policy police, and which packets those are: of the classes that take a code point the first decides.

    A class that asks for more than a mark is taken to police whatever comes.
    """
    limits = {id(one): at for one in classes for parsed, at in one.lines if isinstance(parsed.value, Police)}
    if not limits:
        return
    settings.set("policed", True, [*limits.values()][-1])
    policing = [one for one in classes if id(one) in limits and one.name != "class-default"]
    if not all(_goes_by_mark(classifier, one) for one in policing):
        return
    met: dict[int, At] = {}
    for dscp in range(64):
        for one in classes:
            answer = classifier.takes(one, dscp)
            if isinstance(answer, Cell) and answer.why in (Why.NOT_PARSED, Why.UNDEFINED):
                settings.set_unknown("policed_dscps", answer.why, *answer.at)
                return
            if id(one) in limits and answer is not False:
                met[dscp] = limits[id(one)]
            if answer is True:
                break
    if met:
        settings.set("policed", True, _told(settings, met))
    if settings.get("policed_dscps") is None:  # else something polices everything
        settings.set("policed_dscps", frozenset(met), *limits.values())


def _goes_by_mark(classifier: Classifier, one: PolicyClass) -> bool:
    """Whether what a class asks for is a mark alone, as far as it is understood."""
    lines = classifier.policies.lines(classifier.map_kind, one.name or "")
    said = [parsed.value for parsed, _ in lines or ()]
    return all(
        one is None or isinstance(one, Logic) or (isinstance(one, Match) and one.kind in _BY_MARK) for one in said
    )


def _told(settings: Settings, met: Mapping[int, At]) -> At:
    """Of the policers that meet code points the one that meets most of those that lead to a paused priority; else the first."""
    paused = settings.get("pfc.priorities")
    lossless = (paused.value_or_none() if paused is not None else None) or ()
    led = {dscp: settings.get(f"dscp.{dscp}") for dscp in met}
    first = [dscp for dscp, cell in led.items() if cell is not None and cell.value_or_none() in lossless] or [*met]
    return Counter(met[dscp] for dscp in reversed(first)).most_common(1)[0][0]


def _by_dscp(
    settings: Settings, classifier: Classifier, policy: str, bound_at: At, groups: set[int], places: list[Where]
) -> None:
    """New marks of packets whose class the port's own map gives: a class has one where all code points that lead to it get it."""
    by_class: dict[int, list[Cell[Any]]] = {}
    for dscp in range(64):
        leads, mark = settings.get(f"dscp.{dscp}"), classifier.new_dscp(policy, bound_at, dscp)
        doubt = mark if mark.is_unknown else unknown(Why.NO_DEFAULT, bound_at) if leads is None else leads
        if doubt.is_unknown:
            settings.set_unknown("rewrites_dscp", doubt.why or Why.NO_DEFAULT, *doubt.at)
            return
        by_class.setdefault(doubt.get(), []).append(mark)
    for number, marks in by_class.items():
        written = [mark for mark in marks if not mark.is_absent]
        if not written:
            continue
        groups.add(number)
        places += written[0].at
        alike = len(written) == len(marks) and len({mark.get() for mark in written}) == 1
        cell = written[0] if alike else unknown(Why.NO_DEFAULT, *written[0].at)
        settings.set_cell(f"classes.{number}.new_dscp", cell)


def _groups(policies: Policies, direction: str, name: str, lines: list[Line]) -> set[int] | None:
    """The qos-groups of the packets of a class; None where they cannot be told."""
    if direction == "input":
        said = [parsed.value.number for parsed, _ in lines if isinstance(parsed.value, SetGroup)]
        group = said[-1] if said else policies.syntax.unset_group
        return None if group is None else {group}
    numbers = None if name == "class-default" else policies.numbers("qosmap", name)
    return set(numbers) if isinstance(numbers, tuple) else None


def _new_marks(settings: Settings, written: Mapping[int, list[tuple[int | None, At] | None]]) -> None:
    """What is written into the packets of a group that one class of the policy alone fills."""
    for group, by_class in written.items():
        mark = by_class[0]
        if len(by_class) == 1 and mark is not None and mark[0] is not None:
            settings.set(f"classes.{group}.new_dscp", *mark)


def _unknown(settings: Settings, direction: str, why: Why, at: At) -> None:
    settings.set_unknown("rewrites_dscp", why, at)
    if direction == "input":
        settings.set_unknown("policed", why, at)
