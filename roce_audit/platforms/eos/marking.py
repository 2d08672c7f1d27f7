"""New marks: the DSCP that the policy at a port writes into the packets of its classes (EOS manual, Quality of Service, `set`)."""

from __future__ import annotations

from collections import defaultdict

from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.platforms.shared.policy.statements import SetDscp, SetGroup
from roce_audit.text.settings import Settings
from roce_audit.values import At, Why


def remarked(settings: Settings, policies: Policies, policy: str, bound_at: At, undefined: Why) -> None:
    """Fold which traffic classes leave with another DSCP; which are those of a class that sets a mark alone is not worked out."""
    classes = policies.policy("policy", policy)
    if classes is None:
        unknown_marks(settings, undefined, bound_at)
        return
    written: dict[int, dict[int | None, At]] = defaultdict(dict)
    for one in classes:
        unread = one.at if one.name is None else next((at for parsed, at in one.lines if parsed.value is None), None)
        if unread is not None:
            unknown_marks(settings, Why.NOT_PARSED, unread, bound_at)
            return
        marks = [(parsed.value.dscp, at) for parsed, at in one.lines if isinstance(parsed.value, SetDscp)]
        groups = [parsed.value.number for parsed, _ in one.lines if isinstance(parsed.value, SetGroup)]
        if groups:
            written[groups[-1]].update(marks[-1:])
        elif marks:
            unknown_marks(settings, Why.NO_DEFAULT, marks[-1][1], bound_at)
            return
    before = settings.get("rewrites_dscp")
    its = {number: marks for number, marks in written.items() if marks}
    if not its:
        return
    old, places = (frozenset[int](), ()) if before is None or before.is_unknown else (before.get(), before.at)
    settings.set(
        "rewrites_dscp", frozenset((*old, *its)), *places, *(at for marks in its.values() for at in marks.values())
    )
    for number, by_mark in its.items():
        mark, at = next(iter(by_mark.items()))
        if len(by_mark) == 1 and mark is not None:
            settings.set(f"classes.{number}.new_dscp", mark, at)
        else:
            settings.set_unknown(f"classes.{number}.new_dscp", Why.NO_DEFAULT, at)


def unknown_marks(settings: Settings, why: Why, *at: At) -> None:
    """What is written, and into what, is not known."""
    settings.set_unknown("rewrites_dscp", why, *at)
    for number in range(8):
        settings.forbid_default(f"classes.{number}.new_dscp", why, *at)
