"""The statements that concern one port, sorted, with the numbers behind the names of queues and forwarding classes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from roce_audit.platforms.shared.cli.builder import lack
from roce_audit.platforms.shared.path.builder import Leaves, TreeBuilder
from roce_audit.platforms.srlinux.defaults import DEFAULTS, GUIDE
from roce_audit.platforms.srlinux.table import OBJECTS, TABLE
from roce_audit.records import dataclass
from roce_audit.text.block import HEADER, Part
from roce_audit.text.settings import each
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Cited, Place, Where, Why, absent, known, unknown

_RESERVED = re.compile(r"unicast-([0-7])\Z")
_RESERVED_CLASS = re.compile(r"fc([0-7])\Z")
_NAMED = Cited(f"{GUIDE}, Named queues and forwarding classes: fc0 to fc7 and unicast-0 to unicast-7 always exist")
_RENAMED = Cited(
    f"{GUIDE}, Named queues and forwarding classes: a class of this queue index has another name, so fcN fails"
)
_UNICAST_QUEUE = "forwarding-classes forwarding-class * output unicast-queue"
EIGHT = range(8)
Bound = tuple[Any, At]
"""A value, and the statement that says it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    complete: bool
    slot: str
    """The line card of the port."""
    lag_unseen: bool
    """The port is a member of a LAG that is not there."""
    dropping: tuple[Place, ...] = ()
    """Where an access list is that drops every RoCEv2 packet here."""


class Builder(TreeBuilder):
    """Takes in the parts of a port: what stands at it and behind it, and the objects that are named."""

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        super().__init__(lack(context.complete, DEFAULTS))
        self.context = context
        self.objects: dict[tuple[str, str], Leaves] = {}
        self.own, self.behind, self.parent = Leaves(), Leaves(), Leaves()
        self.qos, self.system, self.lldp = Leaves(), Leaves(), Leaves()
        self.of_curves: list[tuple[str, Why, tuple[Where, ...]]] = []
        """What is unknown of the curves of queues."""
        self._attached: dict[tuple[str, str], Leaves] = defaultdict(Leaves)
        self.is_member = any(part.role == "lag" for part in parts) or context.lag_unseen
        for index, part in enumerate(parts):
            self._part(index, part)
        self.queue_numbers = self._numbers("queues queue * queue-index")
        self.pfc_queue_numbers = self._numbers("queues pfc-queue * queue-index")

    def _part(self, index: int, part: Part) -> None:
        if part.unknown:
            self.set_unknown(part.unknown, Why.NOT_PARSED, At(index, HEADER))
        else:
            self._leaves(part).add(TABLE, part.kind, index, part)

    def _leaves(self, part: Part) -> Leaves:
        if part.kind in OBJECTS:
            return self.objects.setdefault((part.kind, part.name), Leaves())
        if part.kind == "attachment":
            return self._attached[part.role, part.name]
        if part.kind == "interface":
            return self.parent if part.name == "parent" else self.behind if part.role == "lag" else self.own
        return {"qos": self.qos, "system": self.system, "lldp": self.lldp}[part.kind]

    def attached(self, sub: str = "") -> Leaves:
        """What `qos interfaces` says of the port, or of its subinterface; a member of a LAG has what its LAG has."""
        return self._attached["lag" if self.is_member else "own", sub]

    @property
    def attachments(self) -> list[Leaves]:
        """All that `qos interfaces` says of the port and its subinterfaces."""
        role = "lag" if self.is_member else "own"
        return [found for (r, _), found in self._attached.items() if r == role]

    @property
    def logical(self) -> Leaves:
        """The interface that carries the subinterfaces: the LAG of a member, else the port."""
        return self.behind if self.is_member else self.own

    # names --------------------------------------------------------------------------------------------------------

    def _numbers(self, name: str) -> dict[str, Cell[int]]:
        return {key: _number(value, at) for key, value, at in self._of_qos(name)}

    def _of_qos(self, name: str) -> Iterator[tuple[str, Any, At]]:
        """(key, value, where) of a device-wide leaf of this name, understood or not (None)."""
        for parsed, at in self.qos.statements:
            leaf = parsed.value or parsed.meant
            if isinstance(leaf, Leaf) and leaf.name == name and leaf.keys:
                yield str(leaf.keys[0]), leaf.value, at

    def queue(self, name: str) -> Cell[int]:
        """The index of a queue."""
        found = self.queue_numbers.get(name)
        if found is not None:
            return found
        reserved = _RESERVED.match(name)
        return known(int(reserved[1]), _NAMED) if reserved else unknown(self.lack.undefined)

    def forwarding_class(self, name: str) -> Cell[int]:
        """The number of a forwarding class, which is the index of its queue.

        A class that is named for an index stands in the place of the reserved name of that index: the device refuses it.
        """
        given = [(queue, at) for class_, queue, at in self._of_qos(_UNICAST_QUEUE) if class_ == name]
        if given:
            queue, at = given[-1]
            index = self.queue(str(queue)) if queue is not None else unknown(Why.NOT_PARSED)
            return Cell(index.value, index.why, (at, *index.at))
        reserved = _RESERVED_CLASS.match(name)
        if reserved is None:
            return unknown(self.lack.undefined)
        if not self.qos.statements and not self.lack.is_complete("classes"):
            return unknown(Why.NOT_VISIBLE)  # it may be mapped to another queue elsewhere
        reserved_index = int(reserved[1])
        renamed = [
            at for _, queue, at in self._of_qos(_UNICAST_QUEUE) if self.queue(str(queue)).value == reserved_index
        ]
        if renamed:
            return unknown(self.lack.undefined, renamed[0], _RENAMED)
        return known(reserved_index, _NAMED)

    def pfc_queue(self, name: str) -> Cell[int]:
        """The index of a PFC queue."""
        found = self.pfc_queue_numbers.get(name)
        return unknown(self.lack.undefined) if found is None else found

    def object(self, kind: str, bound: Bound | None, paths: Iterable[str]) -> Leaves | None:
        """The object that a statement names; an undefined one makes `paths` unknown."""
        if bound is None:
            return None
        found = self.objects.get((kind, str(bound[0])))
        if found is None:
            self.set_unknown(paths, self.lack.undefined, bound[1])
        return found

    # what is unknown, and what holds otherwise --------------------------------------------------------------------

    def set_unknown(self, paths: Iterable[str], why: Why, *at: Where) -> None:
        """Nothing at or below these paths is known. Of curves it is held back: a queue that has none must not get one."""
        for path in paths:
            for one in each(path):
                if ".ecn." in one:
                    self.of_curves.append((one, why, at))
                else:
                    self.settings.set_unknown(one, why, *at)

    def documented(self, path: str, *at: Where) -> Cell[Any]:
        """What the documentation says of something that a statement at `at` names."""
        default = DEFAULTS[path]
        cited = Cited(default.source)
        return absent(*at, cited) if default.value is None else known(default.value, *at, cited)


def _number(value: Any, at: At) -> Cell[int]:
    return unknown(Why.NOT_PARSED, at) if value is None else known(value, at)
