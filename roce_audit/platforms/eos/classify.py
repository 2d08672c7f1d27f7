"""Classification: the traffic class of a RoCEv2 packet that enters a port, by its policy, else by the mark it trusts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.shared.policy import classify
from roce_audit.platforms.shared.policy.classify import Field
from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass, PolicySyntax
from roce_audit.platforms.shared.policy.statements import Match, SetGroup
from roce_audit.text.fill import Lack
from roce_audit.values import At, Cell, Why, known, unknown

_CRITERION = {"dscp": "dscp", "pcp": "cos"}

POLICY_SYNTAX = PolicySyntax(TABLE, needs_all=False)


@dataclass
class Said:
    """What the statements that hold for a port say of classification, each with its place."""

    policy: tuple[str, At] | None = None
    trust: tuple[str | None, At] | None = None
    untagged_cos: tuple[int, At] | None = None
    untrusted_dscp: tuple[int, At] | None = None
    classes: dict[tuple[Field, int], tuple[int, At]] = field(default_factory=dict)
    """The maps of the switch: DSCP or CoS -> traffic class."""


class Classifier(classify.Classifier):
    """Answers for one port whose packets are trusted as `trust` says where no policy decides."""

    policy_kind, map_kind = "policy", "classmap"

    def __init__(self, said: Said, policies: Policies, lack: Lack, trust: Cell[Any], is_routed: bool) -> None:
        super().__init__(policies, lack.undefined)
        self.said = said
        self.lack = lack
        self.trust = trust
        self.is_routed = is_routed

    @property
    def believed(self) -> Cell[Any]:
        """What a packet is classified by: an access list of the policy that picks RoCE out, else the mark that is trusted."""
        if self.said.policy is None:
            return self.trust
        name, bound_at = self.said.policy
        classes = self.policies.policy(self.policy_kind, name)
        if classes is None:
            return unknown(self.undefined, bound_at)
        answers = [self._list_of(one) for one in classes]
        sure = [cell for cell in answers if cell is not None and cell.is_known]
        doubts = [cell for cell in answers if cell is not None and cell.is_unknown]
        return next(iter((*sure, *doubts)), self.trust)

    def _list_of(self, one: PolicyClass) -> Cell[Any] | None:
        """ "acl" where a list of this class picks RoCE out, or the doubt about it; None: none does."""
        if one.name is None:
            return unknown(Why.NOT_PARSED, one.at)
        if one.name == "class-default":
            return None
        lines = self.policies.lines(self.map_kind, one.name)
        if lines is None:
            return unknown(self.undefined, one.at)
        doubt: Cell[Any] | None = None
        for parsed, at in lines:
            match = parsed.value
            answer = self._singled_out(match, at) if isinstance(match, Match) else unknown(Why.NOT_PARSED, at)
            if answer is True:
                return known("acl", at)
            doubt = answer if isinstance(answer, Cell) else doubt
        return doubt

    def traffic_class(self, field: Field, value: int) -> Cell[Any]:
        """Traffic class of a RoCEv2 packet: the policy's class that matches first, else the trusted mark's map."""
        if self.said.policy is not None:
            answer = self._by_policy(*self.said.policy, field, value)
            if answer is not None:
                return answer
        return self._by_trust(field, value)

    def _by_trust(self, field: Field, value: int) -> Cell[Any]:
        trust = self.trust
        if trust.is_unknown:
            # a routed port trusts DSCP unless a line that a part may not show says otherwise: a map of DSCPs is meant to be used there
            is_meant = self.is_routed and trust.why is Why.NOT_VISIBLE and (field, value) in self.said.classes
            return self._mapped(field, value) if is_meant else trust
        if trust.value == "none":
            number, at = self.said.untrusted_dscp or (0, None)
            cell = self._mapped("dscp", number)
            return Cell(cell.value, cell.why, (*(() if at is None else (at,)), *trust.at, *cell.at))
        if trust.value == field:
            return self._mapped(field, value)
        if trust.value == "dscp":
            return unknown(Why.NOT_VISIBLE)  # tagged, but classified by its DSCP: the DSCP question answers it
        number, at = self.said.untagged_cos or (0, None)
        cell = self._mapped("pcp", number)
        return Cell(cell.value, cell.why, (*trust.at, *(() if at is None else (at,)), *cell.at))

    def _mapped(self, field: Field, value: int) -> Cell[Any]:
        found = self.said.classes.get((field, value))
        return self.lack.otherwise(f"{field}.{value}") if found is None else known(*found)

    def _by_policy(self, name: str, bound_at: At, field: Field, value: int) -> Cell[Any] | None:
        classes = self.policies.policy(self.policy_kind, name)
        if classes is None:
            return unknown(self.undefined, bound_at)
        perhaps: list[tuple[PolicyClass, Cell[Any]]] = []
        deciding = self._deciding(classes, field, value, [], perhaps)
        if isinstance(deciding, Cell):
            return deciding
        answer = None if deciding is None else _action(deciding[0])
        for one, doubt in perhaps:  # who is led to the same class either way is led there
            if answer is None or not answer.is_known or _action(one) != answer:
                return doubt
        return answer

    def _criterion(self, match: Match, field: Field, value: int, at: At) -> bool | Cell[Any]:
        """A tag is asked about by CoS alone, and a packet without one by its DSCP: a port trusts one of the two."""
        if match.kind in _CRITERION.values():
            return match.kind == _CRITERION[field] and value in match.values
        return super()._criterion(match, field, value, at)


def _action(one: PolicyClass) -> Cell[Any] | None:
    answer: Cell[Any] | None = None
    for parsed, at in one.lines:
        if parsed.value is None:
            return unknown(Why.NOT_PARSED, at)
        if isinstance(parsed.value, SetGroup):
            answer = known(parsed.value.number, at)
    return answer
