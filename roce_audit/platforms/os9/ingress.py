"""Classification on entering: by the tag, unless a policy or `dot1p-priority` says otherwise."""

from __future__ import annotations

from roce_audit.platforms.os9.defaults import BY_TAG, TAGLESS, UNTAGGED
from roce_audit.platforms.os9.groups import PRIORITIES
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_DSCPS = range(64)


def classify(
    settings: Settings,
    policies: Policies,
    policy: tuple[str, At] | None,
    tagless: tuple[int, At] | None,
    undefined: Why,
) -> None:
    """The priority of a packet by its DSCP (untagged) and by its tag."""
    untagged: Cell[int] = known(0, Cited(UNTAGGED))
    tagged: list[Cell[int]] = [known(number, Cited(BY_TAG)) for number in PRIORITIES]
    if tagless is not None:
        untagged = known(tagless[0], tagless[1], Cited(TAGLESS))
        tagged = [unknown(Why.NO_DEFAULT, tagless[1])] * len(tagged)  # whether the tag still counts is not said
    if policy is not None:
        # its queues stand for priorities by a map that differs by model
        untagged = unknown(_of_policy(settings, policies, *policy, undefined), policy[1])
        tagged = [untagged] * len(tagged)
    for number in _DSCPS:
        settings.set_cell(f"dscp.{number}", untagged)
    for number in PRIORITIES:
        settings.set_cell(f"pcp.{number}", tagged[number])


def _of_policy(settings: Settings, policies: Policies, name: str, bound_at: At, undefined: Why) -> Why:
    """What the QoS policies of an input policy police and mark; why the classes it makes are not known."""
    lines = policies.lines("policyin", name)
    if lines is None:
        for path in ("policed", "rewrites_dscp"):
            settings.set_cell(path, unknown(undefined, bound_at))
        return undefined
    for parsed, at in lines:
        if parsed.value is None:
            for path in ("policed", "rewrites_dscp"):
                settings.set_unknown(path, Why.NOT_PARSED, at)
        inner = getattr(parsed.value, "policy", "")
        for statement, where in policies.lines("qosin", inner) or () if inner else ():
            match statement.value:
                case None:
                    for path in ("policed", "rewrites_dscp"):
                        settings.set_unknown(path, Why.NOT_PARSED, where)
                case ps.Police():
                    settings.set("policed", True, where, at, bound_at)
                case ps.SetDscp():
                    settings.set_cell("rewrites_dscp", unknown(Why.NO_DEFAULT, where))
        if inner and policies.lines("qosin", inner) is None:
            for path in ("policed", "rewrites_dscp"):
                settings.set_cell(path, unknown(undefined, at))
    return Why.NO_DEFAULT
