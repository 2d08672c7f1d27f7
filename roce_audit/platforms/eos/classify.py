"""Classification: the traffic class of a RoCEv2 packet that enters a port, by its policy, else by the mark it trusts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.dialect import DIALECT
from roce_audit.platforms.eos.tables import COS_DEFAULT, DSCP_DEFAULT, TRUST_DEFAULT
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.acl import roce_chosen, singled_out
from roce_audit.text.block import Texts
from roce_audit.text.dialect import Parsed
from roce_audit.text.fill import Default
from roce_audit.values import At, Cell, Cited, Why, known, unknown

Field = Literal["dscp", "cos"]


@dataclass
class Said:
    """What the statements that hold for a port say of classification, each with its place."""

    policy: tuple[str, At] | None = None
    trust: tuple[str | None, At] | None = None
    untagged_cos: tuple[int, At] | None = None
    untrusted_dscp: tuple[int, At] | None = None
    dscp_map: dict[int, tuple[int, At]] = field(default_factory=dict)
    """DSCP -> traffic class."""
    cos_map: dict[int, tuple[int, At]] = field(default_factory=dict)
    """CoS -> traffic class."""


class Classifier:
    """Answers for one port; `undefined` is the doubt that a name brings which nothing defines."""

    def __init__(
        self,
        said: Said,
        named: Mapping[tuple[str, str], tuple[int, Texts]],
        context: PortContext,
        undefined: Why,
        trust_doubt: Cell[Any] | None,
    ) -> None:
        self.said = said
        self.named = named
        self.context = context
        self.undefined = undefined
        self.trust = self._trusted(trust_doubt)

    def _trusted(self, doubt: Cell[Any] | None) -> Cell[Any]:
        if self.said.trust is not None and self.said.trust[0] is not None:
            return known(self.said.trust[0], self.said.trust[1])
        if doubt is not None:
            return doubt
        if not self.context.complete or self.context.routed is None:
            return unknown(Why.NOT_VISIBLE)
        return _default_cell(TRUST_DEFAULT[self.context.routed])

    @property
    def believed(self) -> Cell[Any]:
        """What a packet is classified by: an access list of the policy that picks RoCE out, else the mark that is trusted."""
        if self.said.policy is None:
            return self.trust
        name, bound_at = self.said.policy
        policy = self.named.get(("policy", name))
        if policy is None:
            return unknown(self.undefined, bound_at)
        answers = [self._singled_out(one, At(policy[0], header)) for one, header, _ in _classes(policy[1])]
        sure = [cell for cell in answers if cell is not None and cell.is_known]
        doubts = [cell for cell in answers if cell is not None and cell.is_unknown]
        return next(iter((*sure, *doubts)), self.trust)

    def _singled_out(self, class_name: str | None, at: At) -> Cell[Any] | None:
        """ "acl" where a list of this class picks RoCE out, or the doubt about it; None: none does."""
        if class_name is None:
            return unknown(Why.NOT_PARSED, at)
        if class_name == "class-default":
            return None
        found = self.named.get(("classmap", class_name))
        if found is None:
            return unknown(self.undefined, at)
        doubt: Cell[Any] | None = None
        for index, statement in enumerate(found[1].statements):
            place = At(found[0], index)
            match = DIALECT.parse("classmap", statement).value
            if match is not None and match.kind != "acl":
                continue
            lines = None if match is None else self.named.get(("acl", match.name))
            answer = singled_out(None if lines is None else lines[1].statements, self.undefined, place)
            if answer is True:
                return known("acl", place)
            doubt = unknown(Why.NOT_PARSED, place) if match is None else answer if isinstance(answer, Cell) else doubt
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
            return trust
        if trust.value == "none":
            number, at = self.said.untrusted_dscp or (0, None)
            cell = self._mapped("dscp", number)
            return Cell(cell.value, cell.why, (*(() if at is None else (at,)), *trust.at, *cell.at))
        if trust.value == "dscp" and field == "dscp":
            return self._mapped("dscp", value)
        if trust.value == "pcp" and field == "cos":
            return self._mapped("cos", value)
        if trust.value == "dscp":
            return unknown(Why.NOT_VISIBLE)  # tagged, but classified by its DSCP: the DSCP question answers it
        number, at = self.said.untagged_cos or (0, None)
        cell = self._mapped("cos", number)
        return Cell(cell.value, cell.why, (*trust.at, *(() if at is None else (at,)), *cell.at))

    def _mapped(self, field: Field, value: int) -> Cell[Any]:
        table = self.said.dscp_map if field == "dscp" else self.said.cos_map
        found = table.get(value)
        if found is not None:
            return known(found[0], found[1])
        if not self.context.complete:
            return unknown(Why.NOT_VISIBLE)
        return _default_cell((DSCP_DEFAULT if field == "dscp" else COS_DEFAULT)[value])

    def _by_policy(self, name: str, bound_at: At, field: Field, value: int) -> Cell[Any] | None:
        found = self.named.get(("policy", name))
        if found is None:
            return unknown(self.undefined, bound_at)
        part, texts = found
        for class_name, header, actions in _classes(texts):
            if class_name is None:
                return unknown(Why.NOT_PARSED, At(part, header))
            matches = self._matches(class_name, field, value, At(part, header))
            if isinstance(matches, Cell):
                return matches
            if matches:
                return _action(part, actions)
        return None

    def _matches(self, class_name: str, field: Field, value: int, at: At) -> bool | Cell[Any]:
        if class_name == "class-default":
            return True
        found = self.named.get(("classmap", class_name))
        if found is None:
            return unknown(self.undefined, at)
        part, texts = found
        doubt: Cell[Any] | None = None
        for index, statement in enumerate(texts.statements):
            match = DIALECT.parse("classmap", statement).value
            odd: Cell[Any] | None = None
            if match is None:
                odd = unknown(Why.NOT_PARSED, At(part, index))
            elif match.kind == "any" or (match.kind == field and value in match.values):
                return True
            elif match.kind == "acl":
                lines = self.named.get(("acl", match.name))
                answer = roce_chosen(None if lines is None else lines[1].statements, self.undefined, At(part, index))
                if answer is True:
                    return True
                odd = answer if isinstance(answer, Cell) else None
            elif match.kind == "other":
                odd = unknown(Why.NOT_VISIBLE, At(part, index))
            doubt = odd if doubt is None else doubt
        return doubt if doubt is not None else False


def _action(part: int, actions: list[tuple[int, Parsed]]) -> Cell[Any] | None:
    answer: Cell[Any] | None = None
    for index, parsed in actions:
        if parsed.value is None:
            return unknown(Why.NOT_PARSED, At(part, index))
        if isinstance(parsed.value, st.SetClass):
            answer = known(parsed.value.number, At(part, index))
    return answer


def _classes(texts: Texts) -> list[tuple[str | None, int, list[tuple[int, Parsed]]]]:
    """(class name or None where its line was not understood, index of its line, what it does) of a policy, in order."""
    classes: list[tuple[str | None, int, list[tuple[int, Parsed]]]] = []
    for index, statement in enumerate(texts.statements):
        parsed = DIALECT.parse("policy", statement)
        if not parsed.context:
            header = parsed.value
            classes.append((header.name if isinstance(header, st.ClassHeader) else None, index, []))
        elif classes:
            classes[-1][2].append((index, parsed))
    return classes


def _default_cell(default: Default) -> Cell[Any]:
    return known(default.value, Cited(default.source))
