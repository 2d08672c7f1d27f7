"""From the statements that concern one Onyx port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.onyx.buffers import Buffers
from roce_audit.platforms.onyx.classify import Classifier, Marks, access_list, filter_line, rewritten
from roce_audit.platforms.onyx.defaults import DEFAULTS
from roce_audit.platforms.onyx.flowcontrol import FlowControl, RoceMode
from roce_audit.platforms.onyx.queues import curve, no_curve, queue_of, scheduling, shares
from roce_audit.platforms.onyx.table import TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, elsewhere
from roce_audit.platforms.shared.cli.filters import filtered
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy.queues import on_shape
from roce_audit.platforms.shared.policy.statements import Shape
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Cited, Why, unknown


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    order = ("top", "port", "state")
    """What the switch says, what its ports say, and what answers of other commands show besides."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.marks = Marks()
        self.buffers = Buffers()
        self.flow = FlowControl()
        self.rewrites: tuple[bool, At] | None = None
        self.rewrite_map: dict[int, tuple[int, At]] = {}

    def port(self) -> Port:
        settings = self.settings
        roce = self._roce_mode()
        roce.settle(settings)
        self.take_in()
        # a line that says more than the name of its port may be the first about it
        settings.set("kind", self.context.kind, Cited("the name of the port"))
        if self.context.kind == "lag":  # MLAG port-channels stay down until `no shutdown`
            settings.forbid_default("admin_up", Why.NO_DEFAULT)
        paused = self.flow.settle(settings, roce, self.buffers.lossless(), self.lack)
        self.buffers.settle(settings, roce.lossless_at, paused, self.lack)
        self._classification()
        self._rewriting()
        return self.filled()

    def _roce_mode(self) -> RoceMode:
        """The RoCE mode of the switch, which is the ground on which all other statements stand, wherever it is written."""
        said = [
            (parsed.value.mode, at) for parsed, _, at in self.statements("top") if isinstance(parsed.value, st.Roce)
        ]
        return RoceMode(*said[-1:])

    def _classification(self) -> None:
        settings = self.settings
        bound = self.bound("acl", "input")
        doubt = access_list(*bound, self.parts, self.lack.undefined) if bound is not None else None
        if doubt is not None and doubt.why is not None:
            for path in ("dscp", "pcp", "policed"):
                settings.set_unknown(path, doubt.why, *doubt.at)
        if bound is not None:  # whether a list ends with a rule that drops the rest is not documented
            filtered(settings, self.parts, bound, drops_rest=False, neutral=filter_line)
        classifier = Classifier(self.marks, self._trust(), self.lack)
        settings.set_cell("trust", classifier.trust)
        for dscp in range(64):
            settings.set_cell(f"dscp.{dscp}", classifier.by_dscp(dscp))
        for tag in range(8):
            settings.set_cell(f"pcp.{tag}", classifier.by_pcp(tag))

    def _trust(self) -> Cell[Any]:
        for cell in (self.settings.get("trust"), self.settings.default_forbidden("trust")):
            if cell is not None:
                return cell
        return self.lack.otherwise("trust")

    def _rewriting(self) -> None:
        answers = rewritten(self.rewrites, self.rewrite_map)
        if self.rewrites is not None:
            self.settings.set("rewrites_dscp", frozenset(answers), self.rewrites[1])
        for number, cell in answers.items():
            self.settings.set_cell(f"classes.{number}.new_dscp", cell)

    def _is_configured(self, path: str, at: At) -> bool:
        """Whether the statement at `at` only shows what another one has set."""
        return self.parts[at.part].kind == "state" and self.settings.get(path) is not None

    # handlers of single statements: queues -------------------------------------------------------------------------

    def on_curve(self, s: st.Curve, role: str, at: At) -> None:
        base = f"queues.{self.number}.ecn"
        if not self._is_configured(f"{base}.marks", at):
            curve(self.settings, base, s, at)

    def on_no_curve(self, s: st.NoCurve, role: str, at: At) -> None:
        base = f"queues.{self.number}.ecn"
        if not self._is_configured(f"{base}.marks", at):
            no_curve(self.settings, base, at)

    def on_scheduling(self, s: st.Scheduling, role: str, at: At) -> None:
        base = f"queues.{self.number}"
        if not self._is_configured(f"{base}.scheduling", at):
            scheduling(self.settings, base, s, at)

    def on_shape(self, s: Shape, role: str, at: At) -> None:
        on_shape(self.settings, f"queues.{self.number}", s, at)

    def on_channel(self, s: st.Channel, role: str, at: At) -> None:
        """Both switches of a pair call an MLAG channel by one number (Onyx User Manual, MLAG)."""
        self.settings.reset("lacp")
        self.settings.reset("shared_channel")
        if s.number is not None and s.lacp is not None:
            self.settings.set("lacp", s.lacp, at)
        if s.number is not None and s.prefix == "Mpo":
            self.settings.set("shared_channel", f"mlag {s.number}", at)

    def on_bind(self, s: st.Bind, role: str, at: At) -> None:
        number = int(self.number)
        if s.to == "group":
            self.buffers.bound |= dict.fromkeys(s.priorities, (number, at))
            return
        for priority in s.priorities:
            queue_of(self.settings, priority, number, at)

    def on_priority_class(self, s: st.PriorityClass, role: str, at: At) -> None:
        queue_of(self.settings, s.priority, s.traffic_class, at)

    def on_ets_shares(self, s: st.EtsShares, role: str, at: At) -> None:
        shares(self.settings, s, at)

    # buffers and flow control ---------------------------------------------------------------------------------------

    def on_group(self, s: st.GroupBuffer, role: str, at: At) -> None:
        self.buffers.groups[int(self.number)] = (s, at)

    def on_pool(self, s: st.Pool, role: str, at: At) -> None:
        self.buffers.pools[s.name] = (s, at)

    def on_traffic_pool(self, s: st.TrafficPool, role: str, at: At) -> None:
        self.buffers.traffic_pool(s, at)

    def on_no_traffic_pool(self, s: st.NoTrafficPool, role: str, at: At) -> None:
        self.buffers.traffic_pools.pop(s.name, None)

    def on_advanced(self, s: st.AdvancedBuffers, role: str, at: At) -> None:
        self.buffers.advanced = (s.on, at)

    def on_pfc_enabled(self, s: st.PfcEnabled, role: str, at: At) -> None:
        self.flow.enabled = (s.on, at)

    def on_pfc_priorities(self, s: st.PfcPriorities, role: str, at: At) -> None:
        self.flow.priorities |= dict.fromkeys(s.priorities, (s.on, at))

    def on_pfc_mode(self, s: st.PfcMode, role: str, at: At) -> None:
        self.flow.mode = (s.mode, at)

    def on_pfc_runs(self, s: st.PfcRuns, role: str, at: At) -> None:
        self.settings.set_cell("pfc.operational", unknown(Why.NOT_VISIBLE, at))

    # classification, speed ------------------------------------------------------------------------------------------

    def on_dscp_map(self, s: st.DscpMap, role: str, at: At) -> None:
        for code_point in s.code_points:
            self.marks.dscp_map.pop(code_point, None)
        if s.priority is not None:
            self.marks.dscp_map |= dict.fromkeys(s.code_points, (s.priority, at))

    def on_pcp_map(self, s: st.PcpMap, role: str, at: At) -> None:
        self.marks.pcp_map |= dict.fromkeys(s.tags, (s.priority, at))

    def on_default_priority(self, s: st.DefaultPriority, role: str, at: At) -> None:
        self.marks.default_priority = None if s.priority is None else (s.priority, at)

    def on_default_pcp(self, s: st.DefaultPcp, role: str, at: At) -> None:
        self.marks.default_pcp = None if s.tag is None else (s.tag, at)

    def on_access_group(self, s: st.AccessGroup, role: str, at: At) -> None:
        self.bind("acl", "input", s.name, role, at)

    def on_rewrite(self, s: st.RewriteDscp, role: str, at: At) -> None:
        self.rewrites = (s.on, at)

    def on_rewrite_map(self, s: st.RewriteMap, role: str, at: At) -> None:
        self.rewrite_map |= dict.fromkeys(s.priorities, (s.dscp, at))

    def on_fixed_speed(self, s: st.FixedSpeed, role: str, at: At) -> None:
        self.settings.set("speed_bps", s.bps, at)
        if s.manual:
            self.settings.set("autoneg", False, at)

    handlers: ClassVar = {
        Connected: connected,
        st.Channel: on_channel,
        st.Roce: elsewhere,
        st.Curve: on_curve,
        st.NoCurve: on_no_curve,
        st.Scheduling: on_scheduling,
        Shape: on_shape,
        st.Bind: on_bind,
        st.PriorityClass: on_priority_class,
        st.EtsShares: on_ets_shares,
        st.GroupBuffer: on_group,
        st.Pool: on_pool,
        st.TrafficPool: on_traffic_pool,
        st.NoTrafficPool: on_no_traffic_pool,
        st.AdvancedBuffers: on_advanced,
        st.PfcEnabled: on_pfc_enabled,
        st.PfcPriorities: on_pfc_priorities,
        st.PfcMode: on_pfc_mode,
        st.PfcRuns: on_pfc_runs,
        st.DscpMap: on_dscp_map,
        st.PcpMap: on_pcp_map,
        st.DefaultPriority: on_default_priority,
        st.DefaultPcp: on_default_pcp,
        st.AccessGroup: on_access_group,
        st.RewriteDscp: on_rewrite,
        st.RewriteMap: on_rewrite_map,
        st.FixedSpeed: on_fixed_speed,
    }
