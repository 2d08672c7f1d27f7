"""Classification: the traffic class of a RoCEv2 packet that enters a port, by trust maps and policies of type qos."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.os10.defaults import DOT1P_DEFAULT, TRUSTED
from roce_audit.platforms.shared.policy.classify import Classifier, Field
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.records import dataclass
from roce_audit.text.fill import Lack
from roce_audit.values import At, Cell, Cited, Why, known, unknown

Bound = tuple[str, At]
_SIZES = {"dot1p": 8, "dscp": 64}


@dataclass(frozen=True, slots=True)
class Trust:
    """What holds for one port: the maps it trusts, the policy that classifies its packets."""

    policies: Policies
    dot1p: Bound | None
    dscp: Bound | None
    policy: Bound | None
    lack: Lack

    def kind(self) -> Cell[Any]:
        """What the port believes; asked only where something is bound."""
        at = tuple(bound[1] for bound in (self.dscp, self.dot1p) if bound is not None)
        for field, bound in (("dot1p", self.dot1p), ("dscp", self.dscp)):
            if bound is not None and bound[0] != "default" and self.policies.lines(f"{field}map", bound[0]) is None:
                return unknown(self.lack.undefined, bound[1])
        if self.dot1p is not None and self.dscp is not None:
            return known("both", *at)
        return known("pcp" if self.dscp is None else "dscp", *at)

    def answers(self) -> tuple[list[Cell[Any]], list[Cell[Any]]]:
        """The traffic class of untagged packets by DSCP, and of tagged ones by their priority."""
        by_tag, by_dscp = self._map("dot1p", self.dot1p), self._map("dscp", self.dscp)
        classify = self._classified
        dscp = [
            classify("dscp", n, by_dscp[n] if by_dscp else _untagged(by_tag, self.lack.otherwise(f"dscp.{n}")))
            for n in range(64)
        ]
        pcp = [classify("pcp", n, self._tagged(n, by_tag, bool(by_dscp))) for n in range(8)]
        return dscp, pcp

    def _tagged(self, priority: int, by_tag: list[Cell[Any]], dscp_counts: bool) -> Cell[Any]:
        if not dscp_counts:
            return by_tag[priority] if by_tag else self.lack.otherwise(f"pcp.{priority}")
        assert self.dscp is not None
        if not by_tag:
            return unknown(Why.NOT_VISIBLE, self.dscp[1])  # its DSCP decides, which the question leaves open
        assert self.dot1p is not None
        return unknown(Why.NO_DEFAULT, self.dscp[1], self.dot1p[1])  # which of two trust maps wins is not documented

    def _classified(self, field: Field, value: int, trusted: Cell[Any]) -> Cell[Any]:
        if self.policy is None:
            return trusted
        answer = Classifier(self.policies, self.lack.undefined).group(*self.policy, field, value, trusted)
        if self.dot1p is None and self.dscp is None:
            return answer
        if answer == trusted or answer.is_unknown:
            return answer
        # a policy beside a trust map: which of them wins is not documented
        return unknown(Why.CONFLICT, *answer.at[:1], *trusted.at[:1])

    def _map(self, field: str, bound: Bound | None) -> list[Cell[Any]]:
        """The answers of the trust map that is bound; empty where none is."""
        if bound is None:
            return []
        name, at = bound
        if name == "default":
            default: Callable[[int], int] = (lambda n: DOT1P_DEFAULT[n]) if field == "dot1p" else (lambda n: n >> 3)
            return [known(default(n), at) for n in range(_SIZES[field])]
        lines = self.policies.lines(f"{field}map", name)
        if lines is None:
            return [unknown(self.lack.undefined, at)] * _SIZES[field]
        answers: list[Cell[Any]] = [known(0, at, Cited(TRUSTED))] * _SIZES[field]
        for parsed, where in lines:
            if not isinstance(parsed.value, st.Marked):
                return [unknown(Why.NOT_PARSED, where)] * _SIZES[field]
            for mark in parsed.value.marks:
                answers[mark] = known(parsed.value.group, where, at)
        return answers


def _untagged(by_tag: list[Cell[Any]], otherwise: Cell[Any]) -> Cell[Any]:
    """Where tags are trusted: a packet without one is in class 0, unless CoS 0 leads elsewhere (nobody says which holds)."""
    if not by_tag:
        return otherwise
    zero = by_tag[0]
    return zero if not zero.is_known or zero.get() == 0 else unknown(Why.NO_DEFAULT, *zero.at)
