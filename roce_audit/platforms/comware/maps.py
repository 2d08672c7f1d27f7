"""Classification: the 802.1p priority that a packet is given on entering, and the queue of each.

A class of the model is an 802.1p priority: PFC, its ingress buffers and the way to the queues all go by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from roce_audit.platforms.comware.defaults import MAPS
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

PRIORITIES = range(8)
Entries = dict[int, tuple[int, At]]


@dataclass
class Maps:
    """What the tables of the switch and the view of the port say."""

    dscp: Entries = field(default_factory=dict)
    queue: Entries = field(default_factory=dict)
    drop_level: Entries = field(default_factory=dict)
    port: tuple[int, At] | None = None

    def classify(self, settings: Settings, trust: Cell[Any], lack: Lack) -> None:
        """Set the class of every mark, and the queue of every class."""
        lack = replace(lack, defaults=MAPS)
        for code_point in range(64):
            settings.set_cell(f"dscp.{code_point}", self._by_dscp(code_point, trust, lack))
        for tag in PRIORITIES:
            settings.set_cell(f"pcp.{tag}", self._by_tag(tag, trust, lack))
            queue = self.queue_of(tag, settings, lack)
            settings.set_cell(f"classes.{tag}.queue", queue)
            settings.set_cell(f"priorities.{tag}.queue", queue)

    def queue_of(self, priority: int, settings: Settings, lack: Lack) -> Cell[Any]:
        """The queue of an 802.1p priority: its local precedence."""
        doubt = settings.unknown_at(f"priorities.{priority}.queue")
        if doubt is not None:
            return doubt
        found = self.queue.get(priority)
        return known(*found) if found is not None else replace(lack, defaults=MAPS).otherwise(f"queue.{priority}")

    def _by_dscp(self, code_point: int, trust: Cell[Any], lack: Lack) -> Cell[Any]:
        if trust.is_unknown:
            return trust
        if trust.value != "dscp":  # without a tag there is no 802.1p priority to trust
            return self._of_port(trust, lack)
        found = self.dscp.get(code_point)
        return known(*found) if found is not None else lack.otherwise(f"dscp.{code_point}")

    def _by_tag(self, tag: int, trust: Cell[Any], lack: Lack) -> Cell[Any]:
        if trust.is_unknown:
            return trust
        if trust.value == "pcp":
            return known(tag, *trust.at)
        if trust.value == "dscp":
            return unknown(Why.NOT_VISIBLE)  # classified by its DSCP: the question by DSCP answers it
        return self._of_port(trust, lack)

    def _of_port(self, trust: Cell[Any], lack: Lack) -> Cell[Any]:
        found = known(*self.port) if self.port is not None else lack.otherwise("port")
        cited = tuple(where for where in trust.at if not isinstance(where, Cited))
        return replace(found, at=(*found.at, *cited))
