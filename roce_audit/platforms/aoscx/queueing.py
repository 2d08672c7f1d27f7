"""Egress: queue profiles, schedule profiles and threshold profiles become queues with their shares and marking curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.aoscx.defaults import BUILTIN, FACTORY, MARKED_AT_MOST, STRICT, STRICT_SCHEDULE
from roce_audit.platforms.shared.policy.policies import Line, Policies
from roce_audit.platforms.shared.rates import shaped_to_share, tighter
from roce_audit.records import dataclass
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Where, Why, absent, known, unknown

QUEUES = range(8)
_BPS_PER_KBPS = 1_000
_PERCENT = "percent"
_SERVICE = ("scheduling", "share", "share_kind", "max_rate_bps", "max_rate_percent")

Bound = tuple[str, At]


def queue_map(values: Sequence[tuple[Any, At]]) -> dict[int, tuple[int, At]]:
    """Local priority -> queue, of the statements of a queue profile."""
    mapped: dict[int, tuple[int, At]] = {}
    for value, at in values:
        if isinstance(value, st.Queued):
            mapped |= dict.fromkeys(value.priorities, (value.queue, at))
        elif isinstance(value, st.Unqueued):
            mapped = {
                priority: found
                for priority, found in mapped.items()
                if priority not in value.priorities or found[0] != value.queue
            }
    return mapped


def served(values: Sequence[tuple[Any, At]]) -> dict[int, tuple[st.Served, At]]:
    """Queue -> how a schedule profile serves it."""
    found: dict[int, tuple[st.Served, At]] = {}
    for value, at in values:
        if isinstance(value, st.Served):
            found[value.queue] = (value, at)
        elif isinstance(value, st.Unserved):
            found.pop(value.queue, None)
    return found


@dataclass(frozen=True, slots=True)
class Egress:
    """The profiles that hold for one port."""

    settings: Settings
    policies: Policies
    undefined: Why

    def queues_of_classes(self, bound: Bound | None, partner: Bound | None) -> frozenset[int] | None:
        """The queue of each local priority; returns the queues in use, None where that is not known.

        `partner` is the schedule profile of the same statement: without it the switch refuses the whole statement.
        """
        if bound is not None and partner is not None and not self._exists("scheduleprofile", partner[0]):
            self.settings.set_unknown("classes.*.queue", self.undefined, bound[1])
            return None
        if bound is None or bound[0] == FACTORY:
            return frozenset(QUEUES)
        name, at = bound
        lines = self._lines("queueprofile", name, ("classes.*.queue",), at)
        header = self.policies.header("queueprofile", name)
        if lines is None or header is None:
            return None
        mapped = queue_map([(parsed.value, where) for parsed, where in lines])
        for priority in range(8):
            if priority in mapped:
                queue, where = mapped[priority]
                self.settings.set(f"classes.{priority}.queue", queue, where, at)
            else:  # the device refuses to apply such a profile
                self.settings.set_cell(f"classes.{priority}.queue", unknown(Why.CONFLICT, header, at))
        return frozenset(queue for queue, _ in mapped.values()) if len(mapped) == 8 else None

    def schedule(self, bound: Bound | None, used: frozenset[int] | None) -> None:
        """Strict priority or weight of each queue. A profile that does not serve the queues in use is not applied."""
        if bound is None or bound[0] == FACTORY:
            return
        name, at = bound
        if name == STRICT:
            for queue in QUEUES:
                self._serve(queue, st.Served(queue), (at, Cited(STRICT_SCHEDULE)))
            return
        lines = self._lines("scheduleprofile", name, tuple(f"queues.*.{leaf}" for leaf in _SERVICE), at)
        header = self.policies.header("scheduleprofile", name)
        if lines is None or header is None:
            return
        found = served([(parsed.value, where) for parsed, where in lines])
        whole = used is None or used == found.keys()
        for queue in QUEUES:
            if queue in found and whole:
                self._serve(queue, found[queue][0], (found[queue][1], at))
            elif used is None or queue in used or queue in found:
                for leaf in _SERVICE:
                    self.settings.set_cell(f"queues.{queue}.{leaf}", unknown(Why.CONFLICT, header, at))
            else:
                for leaf in _SERVICE:
                    self.settings.set_absent(f"queues.{queue}.{leaf}", header)

    def _serve(self, queue: int, said: st.Served, at: tuple[Where, ...]) -> None:
        base = f"queues.{queue}"
        self.settings.set(f"{base}.scheduling", "strict" if said.weight is None else "weighted", *at)
        if said.weight is None:
            self.settings.set_absent(f"{base}.share", *at)
        else:
            self.settings.set(f"{base}.share", said.weight, *at)
            self.settings.set(f"{base}.share_kind", "weight", *at)
        if said.rate is not None:
            self.settings.set_cell(f"{base}.max_rate_bps", rate(said.rate, said.unit, at))
            if said.unit == _PERCENT:
                shaped_to_share(self.settings, base, said.rate, *at)

    def shape(self, said: tuple[st.Shape, At] | None) -> None:
        """The shaper of the port bounds every queue."""
        if said is None or said[0].rate is None:
            return
        of_port = rate(said[0].rate, said[0].unit, said[1:])
        for queue in QUEUES:
            path = f"queues.{queue}.max_rate_bps"
            bound = tighter(self.settings.get(path), of_port)
            if bound is not None:
                self.settings.set_cell(path, bound)
            if said[0].unit == _PERCENT:
                shaped_to_share(self.settings, f"queues.{queue}", said[0].rate, said[1])

    def thresholds(self, bound: Bound | None) -> None:
        """Marking and early drops of each queue."""
        if bound is None:
            return
        name, at = bound
        lines = self._lines("thresholdprofile", name, ("queues.*.ecn",), at)
        header = self.policies.header("thresholdprofile", name)
        if lines is None or header is None:
            return
        marks: dict[int, tuple[st.Marking, At]] = {}
        drops: dict[int, tuple[st.Dropping, At]] = {}
        for parsed, where in lines:
            match parsed.value:
                case st.Marking() as said:
                    marks[said.queue] = (said, where)
                case st.Dropping(colour="green") as dropped:  # packets are green unless a map colours them
                    drops[dropped.queue] = (dropped, where)
                case st.NoAction(queue=queue):
                    marks.pop(queue, None)
                    drops.pop(queue, None)
        for queue in QUEUES:
            if queue in marks:
                self._curve(queue, marks[queue][0], (marks[queue][1], at), marks_packets=True)
            elif queue in drops:
                self._curve(queue, drops[queue][0], (drops[queue][1], at), marks_packets=False)
            else:
                self.settings.set_absent(f"queues.{queue}.ecn", header, at)

    def _curve(self, queue: int, said: st.Marking | st.Dropping, at: tuple[Where, ...], *, marks_packets: bool) -> None:
        base = f"queues.{queue}.ecn"
        self.settings.set(base, None, *at)
        self.settings.set(f"{base}.marks", marks_packets, *at)
        self.settings.set(f"{base}.drops", not marks_packets, *at)
        for end, value in (("min", said.low), ("max", said.high)):
            self.settings.set(f"{base}.{end}_value", value, *at)
            self.settings.set(f"{base}.{end}_unit", said.unit, *at)
            cell = known(value * st.BYTES_PER_KB, *at) if said.unit == "kbytes" else unknown(Why.NO_DEFAULT, *at)
            self.settings.set_cell(f"{base}.{end}_bytes", cell)
        if isinstance(said, st.Marking):
            self.settings.set(f"{base}.max_probability_percent", 100, *at, Cited(MARKED_AT_MOST))
        elif said.percent is not None:
            self.settings.set(f"{base}.max_probability_percent", said.percent, *at)

    def _exists(self, kind: str, name: str) -> bool:
        return (kind, name) in BUILTIN or self.policies.header(kind, name) is not None

    def _lines(self, kind: str, name: str, paths: tuple[str, ...], at: At) -> Sequence[Line] | None:
        """The statements of a profile; None where nothing defines it. What a line that was not understood may set is unknown."""
        lines = self.policies.lines(kind, name)
        if lines is None:
            for path in paths:
                self.settings.set_unknown(path, self.undefined, at)
            return None
        for parsed, where in lines:
            if parsed.value is None:
                for path in parsed.paths or ():
                    self.settings.set_unknown(path, Why.NOT_PARSED, where, at)
        return lines


def rate(value: int, unit: str, at: tuple[Where, ...]) -> Cell[int]:
    """A shaper's rate in bit/s; one in percent of the link is not known."""
    if unit == _PERCENT:
        return absent(*at) if value >= 100 else unknown(Why.NOT_VISIBLE, *at)
    return known(value * _BPS_PER_KBPS, *at)
