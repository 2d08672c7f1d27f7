"""Classification: the switch-priority of a RoCEv2 packet that enters a port, by the mark that the port trusts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.onyx.defaults import CLASSIFICATION
from roce_audit.text.block import Part
from roce_audit.text.fill import Lack
from roce_audit.values import At, Cell, Why, known, unknown

_RECLASSIFIES = frozenset({"action", "switch-priority", "policer", "set", "redirect"})
"""Words by which a rule of an access list does more than permit or deny; what it does is not read."""

_RULE = lazy(
    r"(?:(?:seq-number )?\d{1,9} )?(?P<said>(?:permit|deny) (?:udp|ip|ipv6|any) any any)(?: eq-destination (?P<port>\d{1,5}))?\Z"
)


@dataclass
class Marks:
    """What the statements of a port say of classification, each with its place."""

    dscp_map: dict[int, tuple[int, At]] = field(default_factory=dict)
    pcp_map: dict[int, tuple[int, At]] = field(default_factory=dict)
    default_priority: tuple[int, At] | None = None
    default_pcp: tuple[int, At] | None = None


class Classifier:
    """Answers for one port that trusts these marks (`trust` in the model's words)."""

    def __init__(self, marks: Marks, trust: Cell[Any], lack: Lack) -> None:
        self.marks = marks
        self.trust = trust
        self.lack = replace(lack, defaults=CLASSIFICATION)

    def by_dscp(self, dscp: int) -> Cell[Any]:
        """Switch-priority of an untagged RoCEv2 packet with this DSCP."""
        if self.trust.is_unknown:
            return self.trust
        if self.trust.value in ("dscp", "both"):
            found = self.marks.dscp_map.get(dscp)
            return known(*found) if found is not None else self.lack.otherwise(f"dscp.{dscp}")
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
        return known(*found) if found is not None else self.lack.otherwise(f"pcp.{tag}")

    def _untagged(self) -> Cell[Any]:
        """A port that trusts tags gives untagged packets its default tag priority."""
        if self.marks.default_pcp is not None:
            tag, at = self.marks.default_pcp
            cell = self._tagged(tag)
            return replace(cell, at=(at, *self.trust.at, *cell.at))
        if self.marks.default_priority is not None:
            return unknown(Why.NO_DEFAULT, self.marks.default_priority[1])
        default = self.lack.otherwise("port")
        mapped = self.marks.pcp_map.get(0)
        if default.is_unknown or mapped is None:
            return replace(default, at=(*self.trust.at, *default.at))
        return known(*mapped, *self.trust.at)

    def _port_default(self) -> Cell[Any]:
        said = self.marks.default_priority
        if said is not None:
            return known(*said, *self.trust.at)
        default = self.lack.otherwise("port")
        return replace(default, at=(*self.trust.at, *default.at))


def access_list(name: str, at: At, parts: Sequence[Part], undefined: Why) -> Cell[Any] | None:
    """What leaves classification and policing open where this access list is bound; None where nothing does."""
    rules = [
        (index, part.block.texts.statements)
        for index, part in enumerate(parts)
        if (part.kind, part.name) == ("acl", name)
    ]
    if not rules:
        return unknown(undefined, at)
    for index, lines in rules:
        for number, line in enumerate(lines):
            if _RECLASSIFIES & set(line.split()):
                return unknown(Why.NOT_VISIBLE, At(index, number), at)
    return None


def filter_line(line: str) -> str:
    """A rule of an access list in the words of the common reader of access lists."""
    found = _RULE.match(line)
    if found is None:
        return line.removeprefix("seq-number ")
    return found["said"] if found["port"] is None else f"{found['said']} eq {found['port']}"


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
