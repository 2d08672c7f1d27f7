"""The statements that concern one port, block by block, and the block that holds where several might."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from roce_audit.platforms.cumulus.defaults import DEFAULTS
from roce_audit.platforms.cumulus.roce import MACROS, Macro
from roce_audit.platforms.cumulus.table import GLOBAL, PROFILED, TABLE
from roce_audit.platforms.shared.path.builder import Leaves, TreeBuilder, touched
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.text.fill import Lack
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Place, Why

Said = tuple[Any, At]
"""A value, and the statement that gives it."""
_ALL = 100
_BY_ROCE = ("pfc", "groups", "classes", "queues", "dscp", "pcp", "trust")
"""What a RoCE mode sets."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    complete: frozenset[str]
    """As `Lack.complete`."""
    policing: frozenset[tuple[str, bool | None]]
    """The access lists that the port or its bond names and that are defined, and whether RoCEv2 packets may be among what they police;
    None: they police nothing."""
    dropping: frozenset[tuple[str, Place]]
    """Those that drop every RoCEv2 packet, and by which line."""
    remarking: frozenset[tuple[str, int | None, Place]]
    """Those that give RoCEv2 packets another DSCP, which (None: not to all of them), and by which line."""
    is_member: bool
    """It is in a bond."""


@dataclass
class Block(Leaves):
    """A block that concerns the port."""

    bound_at: tuple[At, ...] = ()
    """Where the port names it; empty for a block that holds for every port."""

    def by_number(self, name: str) -> dict[int, Said]:
        """The values of all leaves of this name by the number that they are about; the last one holds."""
        return {
            number: (leaf.value, at) for leaf, at in self.all(name) for number in leaf.keys if isinstance(number, int)
        }

    def numbers(self, name: str) -> dict[int, At]:
        """The numbers of all leaves of this name, and where each stands last."""
        return {number: at for number, (_, at) in self.by_number(name).items()}

    def names(self, number: int) -> bool:
        """Whether a statement, be it understood or not, is about this number."""
        said = (parsed.meant if parsed.unread else parsed.value for parsed, _ in self.statements)
        return any(isinstance(leaf, Leaf) and leaf.keys == (number,) for leaf in said)


class Builder(TreeBuilder):
    """One port: its own statements and those of its bond, the profiles it names, and what holds for every port."""

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        super().__init__(Lack(DEFAULTS, context.complete))
        self.context = context
        self.own = Leaves()
        self.channel = Leaves()
        self._blocks: dict[tuple[str, str], Block] = defaultdict(Block)
        for index, part in enumerate(parts):
            self._leaves(part).add(TABLE, part.kind, index, part)
        self.bound: dict[str, Block | None] = {kind: self._bound(kind) for kind in PROFILED}
        """The profile of the port itself; None where it names none."""
        self._unparsed()
        self.macro: Macro | None = None
        self.macro_name = ""
        self.macro_at: tuple[At, ...] = ()
        self._roce()

    def _leaves(self, part: Part) -> Leaves:
        if part.kind != "port":
            return self._blocks[part.kind, part.name]
        return self.channel if part.role == "lag" else self.own

    def port_says(self, name: str, *, channel_first: bool = False) -> Said | None:
        """What the port says last of a setting; what it does not say, its bond says (or the bond first)."""
        first, second = (self.channel, self.own) if channel_first else (self.own, self.channel)
        said = first.last(name)
        return second.last(name) if said is None else said

    def wide(self, kind: str, name: str = GLOBAL) -> Block:
        """The block that holds for every port."""
        return self._blocks.get((kind, name), Block())

    def wide_of(self, kind: str) -> list[tuple[str, Block]]:
        """All blocks of a kind that hold for every port, by name."""
        return [(name, found) for (its, name), found in self._blocks.items() if its == kind]

    def effective(self, kind: str) -> Block:
        """The port's own profile, else the one for every port."""
        own = self.bound.get(kind)
        return own if own is not None else self.wide(kind)

    def _bound(self, kind: str) -> Block | None:
        said = self.port_says(f"qos {kind} profile")
        if said is None or said[0] == GLOBAL:
            return None
        name, at = said
        found = self._blocks.get((kind, name))
        if found is not None:
            return Block(found.begins, found.statements, (at,))
        self._leads_nowhere("port", f"qos {kind} profile {name}", self.lack.undefined, at)
        return Block(bound_at=(at,))

    def _unparsed(self) -> None:
        """Whatever a statement that was not understood might set, or a group of ports that nothing defines."""
        for (kind, name), found in self._blocks.items():
            hidden = kind in PROFILED and name == GLOBAL and self.bound.get(kind) is not None
            if not hidden:
                self.unparsed(found)
                for group, at in found.values("port_group_list"):
                    self._leads_nowhere(kind, f"port_group_list {group}", Why.UNDEFINED, at)
        self.unparsed(self.own)
        self.unparsed(self.channel)

    def _leads_nowhere(self, mode: str, statement: str, why: Why, at: At) -> None:
        """What a name would set that nothing defines."""
        for path in touched(TABLE.parse(mode, statement)):
            self.settings.set_unknown(path, why, at)

    def _roce(self) -> None:
        """Which RoCE mode is on. Any statement of it turns it on; without a mode it is lossless."""
        roce = self._blocks.get(("roce", ""))
        if roce is None:
            return
        switches = [said for said in (roce.last("enable"), roce.last("state")) if said is not None]
        mode = roce.last("mode")
        switch, at = max(switches, key=lambda said: _order(said[1]), default=(True, None))
        if at is not None and not switch:
            for path in _BY_ROCE:  # ports are as they were made, because this line says so
                self.settings.default_location(path, at)
            return
        self.macro_name = mode[0] if mode is not None else "lossless"
        self.macro = MACROS[self.macro_name]
        self.macro_at = (mode[1],) if mode is not None else roce.begins

    def at_most_100(self, shares: list[Said], what: str) -> None:
        """Percentages beyond 100 in all are an error that the switch refuses."""
        total = sum(percent for percent, _ in shares)
        if total > _ALL:
            last = max((at for _, at in shares), key=_order)
            text = f"{what} add up to {total} percent; the switch refuses more than {_ALL}, and what was set before stays in force"
            self.conflict((), (shares[0][1], last), text)


def _order(at: At) -> tuple[int, int]:
    return at.part, at.index
