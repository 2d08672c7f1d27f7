"""Classification: the local priority (the model's class) of packets by trust mode and maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.aoscx.defaults import COS_DEFAULT, COS_MAP, DSCP_DEFAULT, EGRESS_DSCP, UNTAGGED, UNTRUSTED
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

PRIORITIES = range(8)
_TRUST = {"cos": "pcp", "dscp": "dscp", "none": "none"}


@dataclass
class Maps:
    """The maps of the switch: what statements set over the factory default."""

    lack: Lack
    dscp: dict[int, tuple[int, At]] = field(default_factory=dict)
    cos: dict[int, tuple[int, At]] = field(default_factory=dict)
    egress: dict[int, tuple[int, At]] = field(default_factory=dict)

    def take(self, said: st.Mapped, at: At) -> None:
        """A line of a map."""
        table = self.dscp if said.field == "dscp" else self.cos
        _put(table, said.marks, said.priority, at)

    def take_egress(self, said: st.EgressMap, at: At) -> None:
        """A line of the map that rewrites the DSCP of what leaves."""
        _put(self.egress, said.priorities, said.dscp, at)

    def by_cos(self, mark: int) -> Cell[int]:
        """The local priority of an 802.1p code point; a part of a configuration leaves those alone that have their own number."""
        if mark not in self.cos and COS_MAP[mark] == mark:
            return known(mark, Cited(COS_DEFAULT))
        return self._entry(self.cos, mark, COS_MAP[mark], COS_DEFAULT)

    def by_dscp(self, mark: int) -> Cell[int]:
        """The local priority of a DSCP; by default its row of eight, whose first two are crossed like those of the CoS map."""
        return self._entry(self.dscp, mark, COS_MAP[mark >> 3], DSCP_DEFAULT)

    def rewritten(self, priority: int) -> Cell[int]:
        """The DSCP that `qos egress-rewrite dscp` writes into packets of a local priority."""
        return self._entry(self.egress, priority, COS_MAP[priority] << 3, EGRESS_DSCP)

    def _entry(self, table: dict[int, tuple[int, At]], mark: int, default: int, source: str) -> Cell[int]:
        if mark in table:
            return known(*table[mark])
        return known(default, Cited(source)) if self.lack.is_complete("dscp") else unknown(Why.NOT_VISIBLE)


def _put(table: dict[int, tuple[int, At]], marks: tuple[int, ...], value: int | None, at: At) -> None:
    for mark in marks:
        if value is None:
            table.pop(mark, None)
        else:
            table[mark] = (value, at)


def classify(settings: Settings, lack: Lack, maps: Maps, said: tuple[st.Trust, At] | None) -> Cell[Any]:
    """Set what the port believes and where that leads; returns the trust mode."""
    trust, at = (
        (lack.otherwise("trust"), ()) if said is None else (known(_TRUST[said[0].mode or ""], said[1]), said[1:])
    )
    if not trust.is_known:
        return trust
    settings.set_cell("trust", trust)
    if trust.get() == "dscp":
        for mark in range(64):
            settings.set_cell(f"dscp.{mark}", because(maps.by_dscp(mark), at))
        for mark in PRIORITIES:  # its DSCP decides, which the question leaves open
            settings.set_cell(f"pcp.{mark}", unknown(Why.NOT_VISIBLE, *trust.at))
        return trust
    all_alike = maps.by_cos(0)
    if said is not None and said[0].priority is not None:
        all_alike = known(said[0].priority, said[1])
    by_tag = trust.get() == "pcp"
    for mark in PRIORITIES:
        settings.set_cell(f"pcp.{mark}", because(maps.by_cos(mark) if by_tag else all_alike, trust.at))
    cited = Cited(UNTAGGED if by_tag else UNTRUSTED)
    for mark in range(64):
        settings.set_cell(f"dscp.{mark}", because(all_alike, (*trust.at, cited)))
    return trust


def because(cell: Cell[int], at: tuple[Any, ...]) -> Cell[int]:
    """The cell with more evidence; where its value is a default, the statement that makes it count comes first."""
    where = (*cell.at, *at) if any(isinstance(one, At) for one in cell.at) else (*at, *cell.at)
    return Cell(cell.value, cell.why, tuple(dict.fromkeys(where)))
