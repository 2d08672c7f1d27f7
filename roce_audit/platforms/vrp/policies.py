"""Traffic policies: `classifier C behavior B` lines, which name their parts where others nest them."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass, PolicySyntax
from roce_audit.platforms.shared.policy.rulelines import neutral
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.text.block import Part

# command reference, traffic classifier: the relationship between rules is OR unless it is said
_SYNTAX = PolicySyntax(TABLE, needs_all=False)
_LAST = 65_536


class TrafficPolicies(Policies):
    """The policies behind a port; an access list's rules in the words that the common reader of access lists knows."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts, _SYNTAX)

    def raw(self, kind: str, name: str) -> tuple[str, ...] | None:
        """The statements of that name; a rule that picks out UDP ports as `permit udp any any eq 4791`."""
        lines = super().raw(kind, name)
        return None if lines is None else tuple(neutral(line) for line in lines)

    def _policy(self, kind: str, name: str) -> list[PolicyClass] | None:
        lines = self.lines(kind, name)
        if lines is None:
            return None
        classes: list[tuple[int, PolicyClass]] = []
        for parsed, at in lines:
            said = parsed.value
            if isinstance(said, st.PolicyLineRemoved):
                classes = [(order, one) for order, one in classes if one.name != said.classifier]
            elif isinstance(said, st.PolicyLine):
                actions = self.lines("behavior", said.behavior)
                order = _LAST if said.precedence is None else said.precedence
                named = None if actions is None else said.classifier  # what an undefined behavior does nobody knows
                classes.append((order, PolicyClass(named, at, list(actions or ()))))
            elif said is None:
                classes.append((0, PolicyClass(None, at)))
        return [one for _, one in sorted(classes, key=lambda pair: pair[0])]
