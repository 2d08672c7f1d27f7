"""Traffic policies: `classifier C behavior B` lines, which name their parts where others nest them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass, PolicySyntax
from roce_audit.platforms.shared.policy.rulelines import neutral
from roce_audit.platforms.shared.policy.statements import Match
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.text.acl import drops_roce
from roce_audit.text.block import Part
from roce_audit.values import At

# command reference, traffic classifier: the relationship between rules is OR unless it is said
_SYNTAX = PolicySyntax(TABLE, needs_all=False)
_LAST = 65_536
_DENIED = "denied by "
"""Before the name of a list: what its rules deny, which counts as a list of its own."""


class TrafficPolicies(Policies):
    """The policies behind a port; an access list's rules in the words that the common reader of access lists knows."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts, _SYNTAX)

    def raw(self, kind: str, name: str) -> tuple[str, ...] | None:
        """The statements of that name; a rule that picks out UDP ports as `permit udp any any eq 4791`."""
        lines = super().raw(kind, name.removeprefix(_DENIED))
        its = None if lines is None else tuple(neutral(line) for line in lines)
        return tuple(map(_turned, its)) if its is not None and name.startswith(_DENIED) else its

    def _policy(self, kind: str, name: str) -> list[PolicyClass] | None:
        lines = self.lines(kind, name)
        if lines is None:
            return None
        classes: list[tuple[int, PolicyClass]] = []
        for parsed, at in lines:
            said = parsed.value
            if isinstance(said, st.PolicyLineRemoved):
                gone = (said.classifier, _DENIED + said.classifier)
                classes = [(order, one) for order, one in classes if one.name not in gone]
            elif isinstance(said, st.PolicyLine):
                actions = self.lines("behavior", said.behavior)
                order = _LAST if said.precedence is None else said.precedence
                named = None if actions is None else said.classifier  # what an undefined behavior does nobody knows
                classes += [(order, one) for one in self._denying(said.classifier, at)]
                classes.append((order, PolicyClass(named, at, list(actions or ()))))
            elif said is None:
                classes.append((0, PolicyClass(None, at)))
        return [one for _, one in sorted(classes, key=lambda pair: pair[0])]

    def _denying(self, classifier: str, at: At) -> Iterator[PolicyClass]:
        """The class of RoCEv2 packets that a list of the classifier denies: they are dropped, whatever the behavior says.

        Huawei, CloudEngine 6800 configuration guide, Configuring MQC-based Packet Filtering.
        """
        for parsed, where in self.lines("qosmap", classifier) or ():
            match = parsed.value
            if not isinstance(match, Match) or match.kind != "acl":
                continue
            indices = self._indices.get(("acl", match.name), [])
            places = [At(i, n) for i in indices for n in range(len(self._parts[i].block.texts.statements))]
            drops, number = drops_roce(self.raw("acl", match.name) or (), drops_rest=False)
            if drops is not False:
                name = _DENIED + classifier
                denied = replace(parsed, value=match._replace(name=_DENIED + match.name))
                self._lines["qosmap", name] = [(denied, where)]
                yield PolicyClass(name, at, [(TABLE.parse("behavior", "deny"), places[number])])


def _turned(line: str) -> str:
    """A rule that permits what the given one denies, and denies what it permits."""
    action, _, rest = line.partition(" ")
    return f"{'permit' if action == 'deny' else 'deny'} {rest}" if action in ("permit", "deny") else line
