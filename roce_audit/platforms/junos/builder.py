"""The statements that concern one port, sorted by what they are about, with the queues behind the names of forwarding classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from roce_audit.platforms.junos.defaults import CLASS_QUEUES, DEFAULTS
from roce_audit.platforms.junos.objects import INHERITED
from roce_audit.platforms.junos.table import OBJECTS, OF_FORWARDING, TABLE
from roce_audit.platforms.junos.values import IN_BITS, of_code_point
from roce_audit.platforms.shared.cli.builder import lack
from roce_audit.platforms.shared.path.builder import Leaves, TreeBuilder
from roce_audit.records import dataclass
from roce_audit.text.block import HEADER, Part
from roce_audit.text.settings import each
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Where, Why, known, unknown

UNDEFINED_GROUP = "undefined-group"
"""Kind of the part that stands for a configuration group that nothing defines."""
EIGHT = range(8)
Bound = tuple[Any, At]
"""A value, and the statement that says it."""
_CLASS = "forwarding-classes class *"


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    complete: bool
    port: str
    """Number of the PIC and of the port, where the chassis says something of them."""
    lag_unseen: bool
    """The port is a member of an aggregated interface that is not there."""


@dataclass(frozen=True, slots=True)
class ForwardingClass:
    """One forwarding class: its queue, and whether and how it is paused. `places` are the statements that say so."""

    name: str
    queue: Cell[int]
    no_loss: At | None
    pfc_priority: Bound | None


class Builder(TreeBuilder):
    """Takes in the parts of a port: what stands at it and behind it, and the objects that are named."""

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        super().__init__(lack(context.complete, DEFAULTS))
        self.context = context
        self.objects: dict[tuple[str, str], Leaves] = {}
        self.own, self.behind, self.parent = Leaves(), Leaves(), Leaves()
        self.cos, self.lldp, self.dcbx, self.chassis = Leaves(), Leaves(), Leaves(), Leaves()
        self.forwarding = Leaves()
        """What holds for packets in tunnels, on every port."""
        self.vlan = Leaves()
        """What holds for all VLANs of the port alike."""
        self.shown = Leaves()
        """What `show interfaces` tells; what is configured wins."""
        self._bindings: dict[str, Leaves] = defaultdict(Leaves)
        self._inherited: set[int] = set()
        self.is_member = any(part.role == "lag" for part in parts) or context.lag_unseen
        for index, part in enumerate(parts):
            self._part(index, part)
        self.bound = Leaves()
        for role in ("lag", "own"):
            self.bound.join(self._bindings[role])
        self._at_units = self._bindings["lag"] if self.is_member and not context.lag_unseen else self.bound
        self.classes = {one.name: one for one in self._forwarding_classes()}

    def _part(self, index: int, part: Part) -> None:
        if part.kind == UNDEFINED_GROUP:
            for path in part.unknown:
                for one in each(path):
                    self.settings.forbid_default(one, self.lack.undefined, At(index, HEADER))
        elif part.unknown:
            self.set_unknown(part.unknown, Why.NOT_PARSED, At(index, HEADER))
        else:
            name = part.name.removesuffix(INHERITED)
            if (name != part.name or (part.kind == "binding" and name)) and 0 not in part.block.offsets:
                self._inherited.add(index)
            self._leaves(part, name).add(TABLE, part.kind, index, part)

    def _leaves(self, part: Part, name: str) -> Leaves:
        if part.kind in OBJECTS:
            return self.objects.setdefault((part.kind, name), Leaves())
        if part.kind == "binding":
            return self._bindings[part.role]
        if part.kind == "interface":
            return self.parent if name == "parent" else self.behind if part.role == "lag" else self.own
        if part.kind in OF_FORWARDING:
            return self.forwarding
        return {
            "cos": self.cos,
            "lldp": self.lldp,
            "dcbx": self.dcbx,
            "chassis": self.chassis,
            "state": self.shown,
            "vlan": self.vlan,
        }[part.kind]

    @property
    def logical(self) -> Leaves:
        """The interface that carries the units: the aggregated one of a member, else the port."""
        return self.behind if self.is_member else self.own

    @property
    def units(self) -> list[str]:
        """The units that are not disabled, all of them where each is; one of any number where none is written."""
        written = self._units_written()
        return [one for one in written if one not in self._disabled_units()] or written or ["0"]

    @property
    def all_units_down(self) -> At | None:
        """The statement that disables a unit, where none of those that are written is left."""
        disabled = self._disabled_units()
        return None if not disabled or set(self._units_written()) - set(disabled) else next(iter(disabled.values()))

    def _units_written(self) -> list[str]:
        said = [parsed.value for parsed, _ in self.logical.statements if isinstance(parsed.value, Leaf)]
        return list(dict.fromkeys(str(leaf.keys[0]) for leaf in said if leaf.name.startswith("unit *")))

    def _disabled_units(self) -> dict[str, At]:
        return {str(leaf.keys[0]): at for leaf, at in self.logical.all("unit * disable")}

    def of_unit(self, leaf: str, number: str) -> Bound | None:
        """What is bound at a unit, at all of them, or at the interface itself. A member of an aggregated interface has no units."""
        at_unit = self._at_units.last(f"unit * {leaf}", number) or self._at_units.last(f"unit * {leaf}", "*")
        return at_unit or self.bound.last(leaf)

    # places -------------------------------------------------------------------------------------------------------

    def where(self, *at: Where) -> tuple[Where, ...]:
        """Places, and behind them what applied the statements that came from elsewhere."""
        applied = [At(one.part, HEADER) for one in at if isinstance(one, At) and one.part in self._inherited]
        return tuple(dict.fromkeys((*at, *applied)))

    def put(self, path: str, value: object, *at: Where) -> None:
        """Statements set `path`."""
        self.settings.set(path, value, *self.where(*at))

    def cell(self, path: str, cell: Cell[Any]) -> None:
        """The same with a ready cell."""
        self.settings.set_cell(path, Cell(cell.value, cell.why, self.where(*cell.at)))

    def otherwise(self, name: str, path: str, *at: Where) -> Cell[Any]:
        """What holds where nothing says `name`, which decides model path `path`."""
        forbidden = self.settings.default_forbidden(path)
        return forbidden if forbidden is not None else self.lack.otherwise(name, *at)

    # names --------------------------------------------------------------------------------------------------------

    def _forwarding_classes(self) -> list[ForwardingClass]:
        names: dict[str, None] = {}
        for parsed, _ in self.cos.statements:
            leaf = parsed.value
            if isinstance(leaf, Leaf) and leaf.name.startswith(_CLASS):
                names[str(leaf.keys[0])] = None
            elif isinstance(leaf, Leaf) and leaf.name == "forwarding-classes queue *":
                names[str(leaf.value)] = None
        return [self._forwarding_class(name) for name in names]

    def _forwarding_class(self, name: str) -> ForwardingClass:
        queue = self.cos.last(f"{_CLASS} queue-num", name)
        if queue is None:
            given = [
                (leaf.keys[0], at) for leaf, at in self.cos.all("forwarding-classes queue *") if leaf.value == name
            ]
            queue = given[-1] if given else None
        no_loss = self.cos.last(f"{_CLASS} no-loss", name)
        cell = known(int(str(queue[0])), *self.where(queue[1])) if queue is not None else self._builtin(name)
        priority = self.cos.last(f"{_CLASS} pfc-priority", name)
        return ForwardingClass(name, cell, no_loss[1] if no_loss is not None else None, priority)

    def _builtin(self, name: str) -> Cell[int]:
        return self.lack.otherwise(f"forwarding-class {name}") if name in CLASS_QUEUES else unknown(self.lack.undefined)

    def forwarding_class(self, name: str) -> ForwardingClass:
        """A forwarding class by its name; one that nothing defines has no known queue."""
        return self.classes.get(name) or ForwardingClass(name, self._builtin(name), None, None)

    def queue(self, name: str) -> Cell[int]:
        """The queue of a forwarding class, which is the number of its traffic class."""
        return self.forwarding_class(name).queue

    def code_point(self, text: str, kind: str) -> Cell[int]:
        """A code point of a kind (dscp, ieee-802.1, inet-precedence) by its bits or its alias."""
        given = None if IN_BITS.match(text) is not None else self.cos.last(f"code-point-aliases {kind} *", text)
        found = of_code_point(text, kind, {} if given is None else {text: str(given[0])})
        if found is not None:
            return known(found) if given is None else known(found, given[1])
        if given is not None or IN_BITS.match(text) is not None:
            return unknown(Why.NOT_PARSED, *(() if given is None else (given[1],)))
        return unknown(self.lack.undefined)

    def object(self, kind: str, bound: Bound | None, paths: Iterable[str]) -> Leaves | None:
        """The object that a statement names; an undefined one makes `paths` unknown."""
        if bound is None:
            return None
        found = self.objects.get((kind, str(bound[0])))
        if found is None:
            self.set_unknown(paths, self.lack.undefined, *self.where(bound[1]))
        return found
