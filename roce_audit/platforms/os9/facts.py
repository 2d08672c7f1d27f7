"""From the statements that concern one OS9 port to its facts: a pure function, memoised over the fleet.

An internal class of the model is the 802.1p priority of a frame, and each priority has a buffer group of its own: buffers
are set by priority.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.buffers import thresholds
from roce_audit.platforms.os9.defaults import BY_TAG, DEFAULTS, DEFAULTS_OF_QUEUES, MODE, ROLES
from roce_audit.platforms.os9.egress import (
    Policing,
    QueueMap,
    every_queue,
    limit_port,
    queues_of_priorities,
    rate_of,
    shares,
)
from roce_audit.platforms.os9.groups import PRIORITIES, Groups, of_map, of_output
from roce_audit.platforms.os9.ingress import classify
from roce_audit.platforms.os9.pausing import Pausing, from_input, from_map
from roce_audit.platforms.os9.table import TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, elsewhere
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Policies, PolicySyntax
from roce_audit.text.block import Part
from roce_audit.values import At, Cited, Why, known, unknown

_POLICIES = PolicySyntax(TABLE)
_WILLING = {"auto-upstream": True, "auto-downstream": False, "configuration-source": True, "manual": False}


_NAMING = (st.DcbMap, st.BufferPolicy, st.DcbInput, st.DcbOutput, st.PolicyIn, st.PolicyOut)
"""Statements that bind a definition by its name."""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    order = ("top", "state", "port")

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.policies = Policies(parts, _POLICIES)
        self.dcb: tuple[bool, At] | None = None
        self.names: dict[type, tuple[str, At]] = {}
        """Kind of binding -> the name that is bound last, the port's own over the switch's."""
        self.pfc: tuple[tuple[int, ...], At] | None = None
        self.off: At | None = None
        self.role: At | None = None
        self.tagless: tuple[int, At] | None = None
        self.configured: dict[int, int] = {}
        self.configured_at: At | None = None
        self.shown: QueueMap | None = None
        self.pool: At | None = None
        self.shape: tuple[ps.Shape, At] | None = None
        self.ip_mtu = False

    def port(self) -> Port:
        settings = self.settings
        self.take_in()
        for number in PRIORITIES:
            settings.set(f"classes.{number}.group", number, Cited(BY_TAG))
            settings.set(f"priorities.{number}.group", number, Cited(BY_TAG))
        classify(settings, self.policies, self.names.get(st.PolicyIn), self.tagless, self.lack.undefined)
        groups = self._groups()
        buffers = self.names.get(st.BufferPolicy)
        buffered = thresholds(settings, self.policies, *buffers, self.lack.undefined) if buffers is not None else {}
        self._flow_control(groups, buffered)
        self._egress(groups if isinstance(groups, Groups) else self._old_groups())
        return self.filled()

    # groups, PFC, queues --------------------------------------------------------------------------------------------

    def _groups(self) -> Groups[At] | tuple[Why, At] | None:
        """The groups of the DCB map, or the doubt about it; None where no map is bound."""
        bound = self.names.get(st.DcbMap)
        if bound is None:
            return None
        name, at = bound
        lines = self.policies.lines("dcbmap", name)
        if lines is None:
            return self.lack.undefined, at
        groups = of_map((parsed.value, where) for parsed, where in lines)
        return groups if groups.unread is None else (Why.NOT_PARSED, groups.unread)

    def _old_groups(self) -> Groups[At] | None:
        bound = self.names.get(st.DcbOutput)
        if bound is None:
            return None
        groups = of_output(self.policies, bound[0], self.lack.undefined)
        if isinstance(groups, tuple):
            self.settings.forbid_default("queues", groups[0], groups[1] or bound[1])
            return None
        return groups

    def _flow_control(self, groups: Groups[At] | tuple[Why, At] | None, buffered: Mapping[int, At]) -> None:
        switched_off = self.off or (self.dcb[1] if self.dcb is not None and not self.dcb[0] else None)
        pausing = self._pausing(groups)
        if pausing is not None and pausing.doubt is not None:
            self._in_doubt(*pausing.doubt, pausing.bound)
        elif pausing is not None and self.off is None:
            self._lossless(pausing.paused or ({} if groups is None else buffered))
        if switched_off is not None:
            self.settings.set("pfc.mode", "off", switched_off)
            self.settings.set("pfc.priorities", frozenset(), switched_off)
        elif pausing is not None and pausing.doubt is None:
            self._told(pausing, groups is not None and bool(buffered))

    def _in_doubt(self, why: Why, *at: At) -> None:
        for path in ("pfc.mode", "pfc.priorities", "groups", "queues", "classes", "priorities"):
            self.settings.forbid_default(path, why, *at)
        for number in PRIORITIES:
            self.settings.set_cell(f"pcp.{number}", unknown(why, *at))

    def _lossless(self, paused: Mapping[int, At]) -> None:
        """What was meant to be lossless: paused priorities, or those with thresholds on a port whose map pauses nothing."""
        for priority, at in paused.items():
            self.settings.set(f"groups.{priority}.lossless", True, at)
            tagged = self.settings.get(f"pcp.{priority}")
            if tagged is not None and tagged.is_known:
                self.settings.set(f"pcp.{priority}", priority, at, Cited(BY_TAG))

    def _pausing(self, groups: Groups[At] | tuple[Why, At] | None) -> Pausing | None:
        if groups is not None:
            header = self.policies.header("dcbmap", self.names[st.DcbMap][0])
            return from_map(groups, self.names[st.DcbMap][1], header, self.lack)
        if st.DcbInput in self.names:
            return from_input(self.policies, *self.names[st.DcbInput], self.lack.undefined)
        if self.pfc is not None:
            return Pausing(dict.fromkeys(*self.pfc), (), self.pfc[1])
        return None

    def _told(self, pausing: Pausing, buffered: bool) -> None:
        """Mode and priorities, where nothing switches PFC off.

        A map of groups that all say `pfc off` is no word against RoCE on this port, unless thresholds were set for nothing.
        """
        put, paused = self.settings.set, pausing.paused
        priorities = tuple(dict.fromkeys((*pausing.because, *paused.values(), pausing.bound)))
        if not paused:
            put("pfc.mode", "off", *(priorities if buffered else ()), Cited(MODE))
            put("pfc.priorities", frozenset(), *priorities)
        elif self.role is not None:
            put("pfc.mode", "auto", self.role, Cited(ROLES))
            self.settings.set_cell("pfc.priorities", unknown(Why.NOT_VISIBLE, self.role, pausing.bound))
        elif self.dcb is None:  # whether DCB is on by default differs by model
            for path in ("pfc.mode", "pfc.priorities"):
                self.settings.set_cell(path, unknown(Why.NO_DEFAULT, pausing.bound))
        else:
            put("pfc.mode", "on", pausing.bound, self.dcb[1])
            put("pfc.priorities", frozenset(paused), *priorities, self.dcb[1])

    def _queue_map(self) -> QueueMap | None:
        """The queue of every priority: as configured for all eight, else as shown."""
        if self.configured_at is not None and set(self.configured) == set(PRIORITIES):
            return tuple(self.configured[priority] for priority in PRIORITIES), self.configured_at
        return self.shown

    def _egress(self, groups: Groups[At] | None) -> None:
        queue_map = self._queue_map()
        queues_of_priorities(self.settings, groups, queue_map)
        policy = self.names.get(st.PolicyOut)
        ets = self.names.get(st.DcbMap) or self.names.get(st.DcbOutput)
        if policy is not None and (queue_map is not None or ets is None):
            Policing(self.settings, self.policies, self.lack.undefined, with_shares=ets is None).fold(*policy)
        elif policy is not None:  # which of its queues a priority leaves through is not known
            every_queue(self.settings, "ecn", unknown(Why.NO_DEFAULT, policy[1]))
            every_queue(self.settings, "max_rate_bps", unknown(Why.NO_DEFAULT, policy[1]))
        elif queue_map is not None:
            unmarked = replace(self.lack, defaults=DEFAULTS_OF_QUEUES).otherwise("queues.0.ecn")
            if unmarked.is_absent:
                every_queue(self.settings, "ecn", unmarked)
        if self.pool is not None:
            every_queue(self.settings, "ecn", unknown(Why.NO_DEFAULT, self.pool))
        if groups is not None:
            shares(self.settings, groups, queue_map, *([ets[1]] if ets else []))
        if self.shape is not None:
            limit_port(self.settings, rate_of(*self.shape))

    # handlers of single statements ----------------------------------------------------------------------------------

    def on_dcb(self, s: st.Dcb, role: str, at: At) -> None:
        self.dcb = (s.on, at)

    def on_name(self, s: Any, role: str, at: At) -> None:
        if s.name is None:
            self.names.pop(type(s), None)
        else:
            self.names[type(s)] = (s.name, at)

    def on_priorities(self, s: st.PfcPriorities, role: str, at: At) -> None:
        self.pfc = (s.priorities, at)

    def on_mode(self, s: st.PfcMode, role: str, at: At) -> None:
        self.off = None if s.on else at

    def on_role(self, s: st.PortRole, role: str, at: At) -> None:
        self.settings.set("dcbx.willing", _WILLING[s.role], at, Cited(ROLES))
        self.role = None if s.role == "manual" else at

    def on_tagless(self, s: st.Tagless, role: str, at: At) -> None:
        self.tagless = (s.priority, at)

    def on_queue_map(self, s: st.QueueMap, role: str, at: At) -> None:
        self.configured = self.configured | dict(s.queues) if s.queues else {}
        self.configured_at = at if s.queues else None

    def on_shown(self, s: st.QueuesShown, role: str, at: At) -> None:
        self.shown = (s.queues, at)

    def on_pool(self, s: st.PoolWred, role: str, at: At) -> None:
        self.pool = at

    def on_shape(self, s: ps.Shape, role: str, at: At) -> None:
        self.shape = (s, at)

    def on_flowcontrol(self, s: st.FlowControl, role: str, at: At) -> None:
        self.settings.set("link_pause_rx", s.receive, at)
        self.settings.set("link_pause_tx", s.send, at)

    def on_mtu(self, s: st.Mtu, role: str, at: At) -> None:
        """The IP MTU is not changed by that of the frame; which default holds differs by model. A channel lets its members take no more
        than they are set up for themselves.
        """
        own = self.settings.get("ip_mtu_bytes") if role == "lag" else None
        if s.ip_bytes is not None and own is not None and (own.value_or_none() or s.ip_bytes) < s.ip_bytes:
            return
        if s.ip_bytes is not None and s.of_frame and self.ip_mtu:
            return
        self.ip_mtu = s.ip_bytes is not None and not s.of_frame
        cell = unknown(Why.NO_DEFAULT, at) if s.ip_bytes is None else known(s.ip_bytes, at)
        self.settings.set_cell("ip_mtu_bytes", cell)

    handlers: ClassVar = {
        Connected: connected,
        st.Channel: elsewhere,
        **dict.fromkeys(_NAMING, on_name),
        st.Dcb: on_dcb,
        st.PfcPriorities: on_priorities,
        st.PfcMode: on_mode,
        st.PortRole: on_role,
        st.Tagless: on_tagless,
        st.QueueMap: on_queue_map,
        st.QueuesShown: on_shown,
        st.PoolWred: on_pool,
        ps.Shape: on_shape,
        st.FlowControl: on_flowcontrol,
        st.Mtu: on_mtu,
    }
