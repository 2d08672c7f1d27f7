"""Classification: the switch-priority of a RoCEv2 packet that enters a port, by the mark that the port trusts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.onyx.tables import DEFAULTS, DSCP_DEFAULT, PCP_DEFAULT, PORT_PRIORITY
from roce_audit.text.block import Texts
from roce_audit.text.fill import Default
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_RECLASSIFIES = frozenset({"action", "switch-priority", "policer", "set", "redirect"})
"""Words by which a rule of an access list does more than permit or deny; what it does is not read."""


@dataclass
class Marks:
    """What the statements of a port say of classification, each with its place."""

    trust: tuple[str | None, At] | None = None
    dscp_map: dict[int, tuple[int, At]] = field(default_factory=dict)
    pcp_map: dict[int, tuple[int, At]] = field(default_factory=dict)
    default_priority: tuple[int, At] | None = None
    default_pcp: tuple[int, At] | None = None
    access_group: tuple[str, At] | None = None


class Classifier:
    """Answers for one port; `doubt` is what forbids the default of the trust statement."""

    def __init__(self, marks: Marks, complete: bool, doubt: Cell[Any] | None) -> None:
        self.marks = marks
        self.complete = complete
        self.trust = self._trusted(doubt)

    def _trusted(self, doubt: Cell[Any] | None) -> Cell[Any]:
        said = self.marks.trust
        if said is not None and said[0] is not None:
            return known(said[0], said[1])
        if doubt is not None:
            return doubt
        return self._default(DEFAULTS["trust"])

    def by_dscp(self, dscp: int) -> Cell[Any]:
        """Switch-priority of an untagged RoCEv2 packet with this DSCP."""
        if self.trust.is_unknown:
            return self.trust
        if self.trust.value in ("dscp", "both"):
            found = self.marks.dscp_map.get(dscp)
            return known(found[0], found[1]) if found is not None else self._default(DSCP_DEFAULT[dscp])
        if self.trust.value == "none":
            return self._port_default()
        return self._untagged()

    def by_pcp(self, tag: int) -> Cell[Any]:
        """Switch-priority of a RoCEv2 packet with this priority in its tag."""
        if self.trust.is_unknown:
            return self.trust
        if self.trust.value == "none":
            return self._port_default()
        if self.trust.value == "pcp":
            return self._tagged(tag)
        return unknown(Why.NOT_VISIBLE)  # tagged, but classified by its DSCP: the question by DSCP answers it

    def _tagged(self, tag: int) -> Cell[Any]:
        found = self.marks.pcp_map.get(tag)
        return known(found[0], found[1]) if found is not None else self._default(PCP_DEFAULT[tag])

    def _untagged(self) -> Cell[Any]:
        """A port that trusts tags gives untagged packets its default tag priority."""
        if self.marks.default_pcp is None:
            if self.marks.default_priority is not None:
                return unknown(Why.NO_DEFAULT, self.marks.default_priority[1])
            return self._after(self._default(PORT_PRIORITY), 0)
        tag, at = self.marks.default_pcp
        cell = self._tagged(tag)
        return Cell(cell.value, cell.why, (at, *self.trust.at, *cell.at))

    def _after(self, default: Cell[Any], tag: int) -> Cell[Any]:
        found = self.marks.pcp_map.get(tag)
        if default.is_unknown or found is None:
            return Cell(default.value, default.why, (*self.trust.at, *default.at))
        return known(found[0], found[1], *self.trust.at)

    def _port_default(self) -> Cell[Any]:
        said = self.marks.default_priority
        if said is not None:
            return known(said[0], said[1], *self.trust.at)
        cell = self._default(PORT_PRIORITY)
        return Cell(cell.value, cell.why, (*self.trust.at, *cell.at))

    def _default(self, default: Default) -> Cell[Any]:
        if not self.complete:
            return unknown(Why.NOT_VISIBLE)
        return known(default.value, Cited(default.source))


def access_list(
    bound: tuple[str, At], named: Mapping[tuple[str, str], tuple[int, Texts]], undefined: Why
) -> tuple[Cell[Any] | None, Cell[Any] | None]:
    """(doubt about the classification, doubt about policing) that an access list brings; None where it brings none."""
    name, at = bound
    found = named.get(("acl", name))
    if found is None:
        return unknown(undefined, at), unknown(undefined, at)
    part, lines = found
    for index, line in enumerate(lines.statements):
        if _RECLASSIFIES & set(line.split()):
            doubt: Cell[Any] = unknown(Why.NOT_VISIBLE, At(part, index), at)
            return doubt, doubt
    return None, None


def rewritten(on: tuple[bool, At] | None, said: Mapping[int, tuple[int, At]]) -> dict[int, Cell[Any]]:
    """Switch-priority -> the DSCP that its packets leave with, where the port rewrites it; else nothing.

    What a switch-priority without a statement is rewritten to is not documented.
    """
    if on is None or not on[0]:
        return {}
    answers: dict[int, Cell[Any]] = {}
    for number in range(8):
        found = said.get(number)
        answers[number] = unknown(Why.NO_DEFAULT, on[1]) if found is None else known(found[0], found[1], on[1])
    return answers
