"""Policies in texts without ports: the groups that packets are led into, beside those that are paused; of ports rules tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Policies, PolicySyntax
from roce_audit.text.block import Part
from roce_audit.values import At, Place

USUAL = {"dscp": {24, 26}, "cos": {3, 4}}
"""Marks that mostly are those of RoCE."""
Groups = dict[int, At]
"""A group -> the line that says it."""


def defined(named: NamedBlocks, kinds: Collection[str]) -> list[Part]:
    """What is defined of these kinds, as parts."""
    return [Part("bound", block, *name) for name in named.names() if name[0] in kinds for block in named.defined(name)]


def led(policies: Policies, kind: str, name: str) -> Groups | None:
    """The groups that a policy sets; None where one of its classes is not understood."""
    found: Groups = {}
    for one in policies.policy(kind, name) or ():
        if one.name is None or any(parsed.value is None for parsed, _ in one.lines):
            return None
        found |= {parsed.value.number: at for parsed, at in one.lines if isinstance(parsed.value, ps.SetGroup)}
    return found


def names_usual_mark(policies: Policies, kind: str, of_class: str, name: str) -> bool:
    """Whether a class of a policy that leads packets into a group of its own takes those with a usual mark of RoCE."""
    leading = [
        one
        for one in policies.policy(kind, name) or ()
        if any(isinstance(parsed.value, ps.SetGroup) and parsed.value.number for parsed, _ in one.lines)
    ]
    matches = [parsed.value for one in leading for parsed, _ in policies.lines(of_class, one.name or "") or ()]
    return any(
        isinstance(match, ps.Match) and not match.negated and bool(USUAL.get(match.kind, set()) & set(match.values))
        for match in matches
    )


def led_by_policies(named: NamedBlocks, kind: str, of_class: str, syntax: PolicySyntax) -> dict[str, set[int]]:
    """Where packets with a usual mark are led: policy -> its groups; those that are not understood lead everywhere."""
    policies = Policies(defined(named, (kind, of_class)), syntax)
    found: dict[str, set[int]] = {}
    for name in (name for its, name in named.names() if its == kind):
        groups = led(policies, kind, name)
        if groups is None:
            found[name] = set(range(8))
        elif names_usual_mark(policies, kind, of_class, name):
            found[name] = set(groups)
    return found


def apart(leading: Mapping[str, set[int]], paused: Mapping[int, tuple[Place, str]]) -> Iterator[Seen]:
    """That what leads packets with a usual mark of RoCE leads none of them into a class that is paused."""
    into = set[int]().union(*leading.values())
    if not into or not paused or into & paused.keys():
        return
    place, line = next(iter(paused.values()))
    text = (
        f"{next(iter(leading))} leads packets into traffic class {_listed(into)}, and {_listed(paused)} is paused: no packet with a mark of"
        " RoCE is led where PFC protects it"
    )
    yield seen("conflict", line, text, place, line, ())


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
