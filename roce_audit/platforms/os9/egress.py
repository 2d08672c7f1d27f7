"""Egress of one port: shares of priority groups, and what the policies of its queues mark, drop and shape.

ETS schedules priority groups, WRED works on queues. Where the queue of every priority is known, a queue of the model is a
queue of the switch, and a group's share stands at its first queue; elsewhere a group stands for the queue of its priorities.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.defaults import SHARES
from roce_audit.platforms.os9.groups import PRIORITIES, Groups
from roce_audit.platforms.shared.cli.builder import apply
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.platforms.shared.rates import tighter
from roce_audit.text.settings import Settings
from roce_audit.text.statements.rows import Set
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_BYTES_PER_KB = 1_000
_UNIT = Cited("no OS9 guide that was read gives the unit of WRED thresholds; KB as of its buffers (source: unverified)")
PREDEFINED = ("wred_drop", "wred_ge_y", "wred_ge_g", "wred_teng_y", "wred_teng_g", "wred_fortyg_y", "wred_fortyg_g")
QueueMap = tuple[tuple[int, ...], At]
"""The queue of each priority, and where that was said."""


def queues_of_priorities(settings: Settings, groups: Groups[At] | None, queue_map: QueueMap | None) -> None:
    """Through which queue each priority leaves."""
    if queue_map is not None:
        numbers, at = queue_map
        because: tuple[At | Cited, ...] = (at,)
    elif groups is not None and groups.by_priority is not None:
        numbers, because = groups.by_priority[0], (groups.by_priority[1], Cited(SHARES))
    else:
        return
    for priority in PRIORITIES:
        settings.set(f"classes.{priority}.queue", numbers[priority], *because)
        settings.set(f"priorities.{priority}.queue", numbers[priority], *because)


def rate_of(shape: ps.Shape, at: At) -> Cell[int]:
    """The rate of a shaper; packets have none in bits."""
    if not shape.on:
        return absent(at)
    return unknown(Why.NO_DEFAULT, at) if shape.bps is None else known(shape.bps, at)


def limit(settings: Settings, base: str, rate: Cell[int]) -> None:
    """A further shaper before a queue: the tighter one holds."""
    path = f"{base}.max_rate_bps"
    found = tighter(settings.get(path), rate)
    settings.set_cell(path, rate if found is None else found)


def limit_port(settings: Settings, rate: Cell[int]) -> None:
    """A shaper of the whole port bounds every queue."""
    for number in PRIORITIES:
        limit(settings, f"queues.{number}", rate)


def every_queue(settings: Settings, leaf: str, cell: Cell[Any]) -> None:
    """Set one field of all queues alike."""
    for number in PRIORITIES:
        settings.set_cell(f"queues.{number}.{leaf}", cell)


def shares(settings: Settings, groups: Groups[At], queue_map: QueueMap | None, *bound_at: At) -> None:
    """The shares of the groups, at the queues that stand for them; without priorities the groups share nothing out."""
    if groups.by_priority is None:
        return
    taken: set[int] = set()
    for number, (group, at) in groups.by_number.items():
        if queue_map is None:
            queues = [number]
        else:
            queues = sorted({queue_map[0][priority] for priority in groups.members(number)})
            # the share of a group without a priority counts in the sum, at a queue that nothing uses
            queues = queues or [n for n in PRIORITIES if n not in queue_map[0] and n not in taken][:1]
        for place, queue in enumerate(queues):
            base = f"queues.{queue}"
            if queue in taken:  # two groups at one queue: the guide forbids it and does not say what holds
                settings.set_cell(f"{base}.share", unknown(Why.CONFLICT, at))
                settings.set_cell(f"{base}.scheduling", unknown(Why.CONFLICT, at))
                continue
            taken.add(queue)
            settings.set(f"{base}.scheduling", "strict" if group.share is None else "weighted", at, *bound_at)
            first = group.share is not None and place == 0
            settings.set_cell(f"{base}.share", known(group.share, at, *bound_at) if first else absent(at, *bound_at))
            if first:
                settings.set(f"{base}.share_kind", "percent_exact", Cited(SHARES))
            if group.peak_bps is not None and len(queues) == 1:
                limit(settings, base, known(group.peak_bps, at, *bound_at))
    for number in groups.undefined if queue_map is None else ():
        settings.forbid_default(f"queues.{number}", Why.UNDEFINED, groups.by_priority[1])


class Policing:
    """The policy that is bound to the output of a port, folded into its queues."""

    def __init__(self, settings: Settings, policies: Policies, undefined: Why, with_shares: bool) -> None:
        self.settings = settings
        self.policies = policies
        self.undefined = undefined
        self.with_shares = with_shares
        """No ETS: the shares of QoS policies hold."""

    def fold(self, name: str, bound_at: At) -> None:
        """Fold the policy map; its queues are queues of the switch."""
        lines = self.policies.lines("policyout", name)
        if lines is None:
            self.settings.forbid_default("queues", self.undefined, bound_at)
            return
        for parsed, at in lines:
            match parsed.value:
                case None:
                    self.settings.set_unknown("queues", Why.NOT_PARSED, at)
                case st.Service(queue=queue, policy=policy):
                    self._queue(f"queues.{queue}", policy, at, bound_at)
                case st.Aggregate(policy=policy):
                    for number in PRIORITIES:
                        self._queue(f"queues.{number}", policy, at, bound_at)
        for number in PRIORITIES:
            if self.settings.get(f"queues.{number}.ecn") is None:
                self.settings.set_absent(f"queues.{number}.ecn", bound_at)

    def _queue(self, base: str, policy: str, *at: At) -> None:
        lines = self.policies.lines("qosout", policy)
        if lines is None:
            self.settings.forbid_default(base, self.undefined, *at)
            self.settings.set_cell(f"{base}.ecn", unknown(self.undefined, *at))
            return
        ecn: tuple[bool, At] | None = None
        green: tuple[str, At] | None = None
        for parsed, where in lines:
            match parsed.value:
                case None:
                    self.settings.set_unknown(base, Why.NOT_PARSED, where)
                case st.Ecn(on=on):
                    ecn = on, where
                case st.Wred(colour="green", profile=profile):
                    green = (profile, where) if profile else None
                case Set():
                    apply(self.settings, parsed.value, where, base=base)
                case ps.Shape():
                    limit(self.settings, base, rate_of(parsed.value, where))
                case ps.Share(percent=percent) if self.with_shares:
                    self.settings.set(f"{base}.scheduling", "weighted", where, *at)
                    self.settings.set(f"{base}.share", percent, where, *at)
                    self.settings.set(f"{base}.share_kind", "weight", where)
                case ps.Strict(strict=True) if self.with_shares:
                    self.settings.set(f"{base}.scheduling", "strict", where, *at)
                    self.settings.set_absent(f"{base}.share", where, *at)
        self._marking(f"{base}.ecn", ecn, green, at)

    def _marking(self, base: str, ecn: tuple[bool, At] | None, green: tuple[str, At] | None, at: Sequence[At]) -> None:
        """`wred ecn` marks what the profile of green packets would drop; packets are green where DSCP is not honoured."""
        on = ecn is not None and ecn[0]
        if ecn is None and green is None:
            self.settings.reset(base)
            self.settings.set_absent(base, *at)
            return
        because = tuple(said[1] for said in (ecn, green) if said is not None)
        self.settings.set(base, None, *because, *at)
        self.settings.set(f"{base}.marks", on, *because, *at)
        self.settings.set(f"{base}.drops", not on, *because, *at)
        if green is not None:
            self._curve(base, *green)

    def _curve(self, base: str, name: str, at: At) -> None:
        lines = self.policies.lines("wredprofile", name)
        if lines is None:
            if name not in PREDEFINED:  # the thresholds of those differ by model
                self.settings.set_cell(base, unknown(self.undefined, at))
            return
        for parsed, where in lines:
            if not isinstance(parsed.value, st.Curve):
                self.settings.set_unknown(base, Why.NOT_PARSED, where)
                continue
            curve = parsed.value
            for end, value in (("min", curve.low), ("max", curve.high)):
                self.settings.set(f"{base}.{end}_value", value, where, at)
                self.settings.set(f"{base}.{end}_unit", "kbytes", where, _UNIT)
                self.settings.set(f"{base}.{end}_bytes", value * _BYTES_PER_KB, where, at, _UNIT)
            percent: Cell[int] = (
                unknown(Why.NO_DEFAULT, where) if curve.percent is None else known(curve.percent, where)
            )
            self.settings.set_cell(f"{base}.max_probability_percent", percent)
