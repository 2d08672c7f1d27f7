"""The statements that concern one port, sorted, with the numbers behind the names of queues and forwarding classes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.srlinux.schema import Said, parse
from roce_audit.platforms.srlinux.tables import KIND_OF, OBJECTS
from roce_audit.text.block import Part
from roce_audit.text.fill import Settings
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

GUIDE = "Nokia SR Linux Quality of Service Guide"
YANG = "nokia/srlinux-yang-models 25.3.1"
_RESERVED = re.compile(r"unicast-([0-7])\Z")
_RESERVED_CLASS = re.compile(r"fc([0-7])\Z")
_NAMED = Cited(f"{GUIDE}, Named queues and forwarding classes: fc0 to fc7 and unicast-0 to unicast-7 always exist")
EIGHT = range(8)


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a port depends on besides its statements."""

    kind: str
    complete: bool
    slot: str
    """The line card of the port."""
    lag_unseen: bool
    """The port is a member of a LAG that is not there."""


@dataclass
class Object:
    """A policy or profile, or what stands at an interface."""

    said: list[tuple[Said, At]] = field(default_factory=list)

    def all(self, leaf: str) -> list[tuple[Said, At]]:
        """What was said of a leaf and understood, in order."""
        return [(s, at) for s, at in self.said if s.leaf == leaf and not s.unread]

    def last(self, leaf: str, *keys: str) -> tuple[Any, At] | None:
        """The value that holds: the last one that was said for these keys."""
        for s, at in reversed(self.said):
            if s.leaf == leaf and not s.unread and s.keys[: len(keys)] == keys:
                return s.value, at
        return None


class Fold:
    """One folding of statements into settings."""

    def __init__(self, parts: tuple[Part, ...], context: Context) -> None:
        self.context = context
        self.settings = Settings()
        self.undefined = Why.UNDEFINED if context.complete else Why.NOT_VISIBLE
        self.objects: dict[tuple[str, str], Object] = {}
        self.own, self.behind, self.parent = Object(), Object(), Object()
        self.qos, self.system = Object(), Object()
        self.of_curves: list[tuple[str, Why, tuple[Where, ...]]] = []
        """Doubt about parts of the curves of queues."""
        self._attached: dict[tuple[str, str], Object] = defaultdict(Object)
        self.is_member = any(part.role == "lag" for part in parts) or context.lag_unseen
        for index, part in enumerate(parts):
            self._part(index, part)
        self.queue_numbers = self._numbers("queues queue * queue-index")
        self.pfc_queue_numbers = self._numbers("queues pfc-queue * queue-index")

    def _part(self, index: int, part: Part) -> None:
        if part.kind == "garbled":
            self.dark(part.name.split(), Why.NOT_PARSED, At(index, 0))
            return
        to = self._object(part)
        for i, text in enumerate(part.block.texts.statements):
            to.said.append((parse(KIND_OF[part.kind], text), At(index, i)))

    def _object(self, part: Part) -> Object:
        if part.kind in OBJECTS:
            return self.objects.setdefault((part.kind, part.name), Object())
        if part.kind == "attachment":
            return self._attached[part.role, part.name]
        if part.kind == "interface":
            return self.parent if part.name == "parent" else self.behind if part.role == "lag" else self.own
        return self.qos if part.kind == "qos" else self.system

    def attached(self, sub: str = "") -> Object:
        """What `qos interfaces` says of the port, or of its subinterface; a member of a LAG has what its LAG has."""
        return self._attached["lag" if self.is_member else "own", sub]

    @property
    def attachments(self) -> list[Object]:
        """All that `qos interfaces` says of the port and its subinterfaces."""
        role = "lag" if self.is_member else "own"
        return [found for (r, _), found in self._attached.items() if r == role]

    @property
    def logical(self) -> Object:
        """The interface that carries the subinterfaces: the LAG of a member, else the port."""
        return self.behind if self.is_member else self.own

    # names --------------------------------------------------------------------------------------------------------

    def _numbers(self, leaf: str) -> dict[str, Cell[int]]:
        found: dict[str, Cell[int]] = {}
        for said, at in self.qos.said:
            if said.leaf == leaf:
                found[said.keys[0]] = unknown(Why.NOT_PARSED, at) if said.unread else known(said.value, at)  # type: ignore[arg-type]
        return found

    def queue(self, name: str) -> Cell[int]:
        """The index of a queue."""
        found = self.queue_numbers.get(name)
        if found is not None:
            return found
        reserved = _RESERVED.match(name)
        return known(int(reserved[1]), _NAMED) if reserved else unknown(self.undefined)

    def forwarding_class(self, name: str) -> Cell[int]:
        """The number of a forwarding class, which is the index of its queue."""
        leaf = "forwarding-classes forwarding-class * output unicast-queue"
        for said, at in reversed(self.qos.said):
            if said.leaf == leaf and said.keys[0] == name:
                if said.unread:
                    return unknown(Why.NOT_PARSED, at)
                queue = self.queue(str(said.value))
                return Cell(queue.value, queue.why, (at, *queue.at))
        reserved = _RESERVED_CLASS.match(name)
        if reserved is None:
            return unknown(self.undefined)
        taken = self._named_class(int(reserved[1]))
        return taken if taken is not None else known(int(reserved[1]), _NAMED)

    def _named_class(self, number: int) -> Cell[int] | None:
        """Doubt about a reserved name: in a fragment it may be mapped to another queue elsewhere."""
        return None if self.context.complete or self.qos.said else unknown(Why.NOT_VISIBLE)

    def pfc_queue(self, name: str) -> Cell[int]:
        """The index of a PFC queue."""
        found = self.pfc_queue_numbers.get(name)
        return unknown(self.undefined) if found is None else found

    def object(self, kind: str, bound: tuple[Any, At] | None, paths: Iterable[str]) -> Object | None:
        """The object that a statement names; an undefined one makes `paths` unknown."""
        if bound is None:
            return None
        found = self.objects.get((kind, str(bound[0])))
        if found is None:
            for path in paths:
                self.settings.set_unknown(path, self.undefined, bound[1])
        return found

    # doubt --------------------------------------------------------------------------------------------------------

    def spoil(self, given: Object, base: str = "") -> None:
        """Whatever the unread statements of an object might set, below `base`."""
        for said, at in given.said:
            if said.unread:
                self.dark(said.spoils, Why.NOT_PARSED, at, base=base)

    def dark(self, paths: Iterable[str], why: Why, *at: Where, base: str = "") -> None:
        """These model paths are unknown; `*` stands for every number."""
        for path in paths:
            full = base + path
            for number in EIGHT if "*" in full else (0,):
                each = full.replace("*", str(number))
                if ".ecn." in each:  # such doubt must not give a curve to a queue that has none
                    self.of_curves.append((each, why, at))
                else:
                    self.settings.set_unknown(each, why, *at)
