"""Classification: the traffic class of a RoCEv2 packet that enters a port, by its policy, else by the mark it trusts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.shared.policy import lists
from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass, PolicySyntax
from roce_audit.platforms.shared.policy.statements import Match, SetGroup
from roce_audit.text.fill import Lack
from roce_audit.values import At, Cell, Why, known, unknown

Field = Literal["dscp", "pcp"]
_CRITERION = {"dscp": "dscp", "pcp": "cos"}

POLICY_SYNTAX = PolicySyntax(TABLE)


@dataclass
class Said:
    """What the statements that hold for a port say of classification, each with its place."""

    policy: tuple[str, At] | None = None
    trust: tuple[str | None, At] | None = None
    untagged_cos: tuple[int, At] | None = None
    untrusted_dscp: tuple[int, At] | None = None
    classes: dict[tuple[Field, int], tuple[int, At]] = field(default_factory=dict)
    """The maps of the switch: DSCP or CoS -> traffic class."""


class Classifier:
    """Answers for one port whose packets are trusted as `trust` says where no policy decides."""

    def __init__(self, said: Said, policies: Policies, lack: Lack, trust: Cell[Any], is_routed: bool) -> None:
        self.said = said
        self.policies = policies
        self.lack = lack
        self.trust = trust
        self.is_routed = is_routed

    @property
    def believed(self) -> Cell[Any]:
        """What a packet is classified by: an access list of the policy that picks RoCE out, else the mark that is trusted."""
        if self.said.policy is None:
            return self.trust
        name, bound_at = self.said.policy
        classes = self.policies.policy("policy", name)
        if classes is None:
            return unknown(self.lack.undefined, bound_at)
        answers = [self._singled_out(one) for one in classes]
        sure = [cell for cell in answers if cell is not None and cell.is_known]
        doubts = [cell for cell in answers if cell is not None and cell.is_unknown]
        return next(iter((*sure, *doubts)), self.trust)

    def _singled_out(self, one: PolicyClass) -> Cell[Any] | None:
        """ "acl" where a list of this class picks RoCE out, or the doubt about it; None: none does."""
        if one.name is None:
            return unknown(Why.NOT_PARSED, one.at)
        if one.name == "class-default":
            return None
        lines = self.policies.lines("classmap", one.name)
        if lines is None:
            return unknown(self.lack.undefined, one.at)
        doubt: Cell[Any] | None = None
        for parsed, at in lines:
            match = parsed.value
            if not isinstance(match, Match):
                doubt = unknown(Why.NOT_PARSED, at)
            elif match.kind == "acl":
                answer = lists.picks_by_port(self.policies.raw("acl", match.name), self.lack.undefined, at)
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
        classes = self.policies.policy("policy", name)
        if classes is None:
            return unknown(self.lack.undefined, bound_at)
        perhaps: list[tuple[PolicyClass, Cell[Any]]] = []
        answer: Cell[Any] | None = None
        for one in classes:
            if one.name is None:
                return unknown(Why.NOT_PARSED, one.at)
            matches = one.name == "class-default" or self._matches(one.name, field, value, one.at)
            if isinstance(matches, Cell) and not self._is_read(one.name):
                return matches
            if isinstance(matches, Cell):
                perhaps.append((one, matches))
            elif matches:
                answer = _action(one)
                break
        for one, doubt in perhaps:  # who is led to the same class either way is led there
            if answer is None or not answer.is_known or _action(one) != answer:
                return doubt
        return answer

    def takes(self, one: PolicyClass, dscp: int) -> bool | Cell[Any]:
        """Whether the criteria of a class are true of a packet that enters with this DSCP."""
        if one.name is None:
            return unknown(Why.NOT_PARSED, one.at)
        return one.name == "class-default" or self._matches(one.name, "dscp", dscp, one.at)

    def _is_read(self, class_name: str) -> bool:
        """Whether it is understood what a class asks, though not of which packets that is true."""
        lines = self.policies.lines("classmap", class_name)
        said = [parsed.value for parsed, _ in lines or ()]
        asked = [one.name for one in said if isinstance(one, Match) and one.kind == "acl"]
        is_whole = all(self.policies.raw("acl", name) is not None for name in asked)
        return bool(said) and is_whole and all(isinstance(one, Match) for one in said)

    def _matches(self, class_name: str, field: Field, value: int, at: At) -> bool | Cell[Any]:
        lines = self.policies.lines("classmap", class_name)
        if lines is None:
            return unknown(self.lack.undefined, at)
        doubt: Cell[Any] | None = None
        for parsed, place in lines:
            answer = self._criterion(parsed.value, field, value, place)
            if answer is True:
                return True
            doubt = answer if doubt is None and isinstance(answer, Cell) else doubt
        return False if doubt is None else doubt

    def _criterion(self, match: object, field: Field, value: int, at: At) -> bool | Cell[Any]:
        if not isinstance(match, Match):
            return unknown(Why.NOT_PARSED, at)
        if match.kind == "acl":
            mark = value if field == "dscp" else None
            return lists.takes(self.policies.raw("acl", match.name), mark, self.lack.undefined, at)
        if match.kind == "other":
            return unknown(Why.NOT_VISIBLE, at)
        return match.kind == "any" or (match.kind == _CRITERION[field] and value in match.values)


def _action(one: PolicyClass) -> Cell[Any] | None:
    answer: Cell[Any] | None = None
    for parsed, at in one.lines:
        if parsed.value is None:
            return unknown(Why.NOT_PARSED, at)
        if isinstance(parsed.value, SetGroup):
            answer = known(parsed.value.number, at)
    return answer
