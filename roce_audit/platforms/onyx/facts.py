"""From the statements that concern one Onyx port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.onyx.buffers import Buffers
from roce_audit.platforms.onyx.classify import Classifier, Marks, access_list, rewritten
from roce_audit.platforms.onyx.dialect import DIALECT
from roce_audit.platforms.onyx.flowcontrol import FlowControl, RoceMode
from roce_audit.platforms.onyx.queues import curve, queue_of, scheduling, shares
from roce_audit.platforms.onyx.tables import DEFAULTS
from roce_audit.platforms.shared.cli.builder import filled
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.text.block import Part
from roce_audit.text.dialect import Parsed
from roce_audit.text.fill import Settings
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Fold(parts, context).port()


class _Fold:
    """One folding of statements into settings, in the order in which Onyx lets them win."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.parts = parts
        self.context = context
        self.settings = Settings()
        self.marks = Marks()
        self.buffers = Buffers()
        self.flow = FlowControl()
        self.rewrites: tuple[bool, At] | None = None
        self.rewrite_map: dict[int, tuple[int, At]] = {}

    def port(self) -> Port:
        settings = self.settings
        roce = RoceMode(self._roce())
        roce.settle(settings)
        self.marks.trust = roce.trust()
        for kind in ("top", "port"):
            for index, part in enumerate(self.parts):
                if part.kind == kind:
                    self._part(index, part)
        settings.set("kind", self.context.kind, Cited("the name of the port"))
        if self.context.kind == "lag":  # MLAG port-channels stay down until `no shutdown`
            settings.forbid_default("admin_up", Why.NO_DEFAULT)
        paused = self.flow.settle(settings, roce, self.buffers.lossless(), self.context.complete)
        self.buffers.settle(settings, roce.lossless_at, paused, self.context.complete)
        self._classification()
        self._rewriting()
        for index, part in enumerate(self.parts):
            if part.kind == "state":
                self._state(index, part)
        return filled(settings, self.context.complete, DEFAULTS)

    def _roce(self) -> tuple[str | None, At] | None:
        """The RoCE mode of the switch, which is the ground on which all other statements stand."""
        found: tuple[str | None, At] | None = None
        for index, part in enumerate(self.parts):
            if part.kind == "top":
                for i, statement in enumerate(part.block.texts.statements):
                    value = DIALECT.parse("top", statement).value
                    found = (value.mode, At(index, i)) if isinstance(value, st.Roce) else found
        return found

    def _part(self, index: int, part: Part) -> None:
        for i, statement in enumerate(part.block.texts.statements):
            parsed = DIALECT.parse(part.kind, statement)
            if parsed.topic is not None:
                self._statement(parsed, part.role, At(index, i))

    def _statement(self, parsed: Parsed, role: str, at: At) -> None:
        block: st.TrafficClass | st.Group | None = None
        for header in parsed.context:
            if header.value is None:
                return  # the header's own line spoils the whole block
            block = header.value
        if parsed.value is None:
            self._not_understood(parsed.topic or "", block, at)
            return
        handler = _HANDLERS.get(type(parsed.value))
        if handler is not None:
            handler(self, parsed.value, block, role, at)

    def _not_understood(self, topic: str, block: st.TrafficClass | st.Group | None, at: At) -> None:
        prefix = ""
        if isinstance(block, st.TrafficClass):
            prefix = f"queues.{block.number}"
        elif isinstance(block, st.Group):
            if block.number is None:
                return
            prefix = f"groups.{block.number}"
        for path in topic.split() or ([prefix] if prefix else []):
            absolute = path.startswith("/") or not prefix or path == prefix
            self.settings.set_unknown(path.removeprefix("/") if absolute else f"{prefix}.{path}", Why.NOT_PARSED, at)

    # results ------------------------------------------------------------------------------------------------------

    def _classification(self) -> None:
        settings = self.settings
        if self.marks.access_group is not None:
            named = {(p.kind, p.name): (i, p.block.texts) for i, p in enumerate(self.parts)}
            undefined = Why.UNDEFINED if self.context.complete else Why.NOT_VISIBLE
            doubt, policing = access_list(self.marks.access_group, named, undefined)
            for path, cell in (("dscp", doubt), ("pcp", doubt), ("policed", policing)):
                if cell is not None and cell.why is not None:
                    settings.set_unknown(path, cell.why, *cell.at)
        classifier = Classifier(self.marks, self.context.complete, settings.default_forbidden("trust"))
        settings.set_cell("trust", classifier.trust)
        for dscp in range(64):
            settings.set_cell(f"dscp.{dscp}", classifier.by_dscp(dscp))
        for tag in range(8):
            settings.set_cell(f"pcp.{tag}", classifier.by_pcp(tag))

    def _rewriting(self) -> None:
        answers = rewritten(self.rewrites, self.rewrite_map)
        if self.rewrites is not None:
            self.settings.set("rewrites_dscp", frozenset(answers), self.rewrites[1])
        for number, cell in answers.items():
            self.settings.set_cell(f"classes.{number}.new_dscp", cell)

    def _state(self, index: int, part: Part) -> None:
        """What other commands show: the operational state, and effective values that no statement sets."""
        for i, statement in enumerate(part.block.texts.statements):
            parsed = DIALECT.parse("state", statement)
            block = parsed.context[-1].value if parsed.context else None
            at = At(index, i)
            if parsed.value is None:
                self._not_understood(parsed.topic or "", block, at)
            elif isinstance(parsed.value, st.PfcState):
                self.flow.state(self.settings, parsed.value, at)
            elif isinstance(block, st.TrafficClass) and isinstance(parsed.value, st.Curve | st.Scheduling):
                name = "ecn.marks" if isinstance(parsed.value, st.Curve) else "scheduling"
                if self.settings.get(f"queues.{block.number}.{name}") is None:
                    _HANDLERS[type(parsed.value)](self, parsed.value, block, part.role, at)

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_curve(self, s: st.Curve, block: Any, role: str, at: At) -> None:
        curve(self.settings, f"queues.{block.number}.ecn", s, at)

    def on_scheduling(self, s: st.Scheduling, block: Any, role: str, at: At) -> None:
        scheduling(self.settings, f"queues.{block.number}", s, at)

    def on_bind(self, s: st.Bind, block: Any, role: str, at: At) -> None:
        if isinstance(block, st.Group):
            if block.number is not None:
                self.buffers.bound |= dict.fromkeys(s.priorities, (block.number, at))
            return
        for number in s.priorities:
            queue_of(self.settings, number, block.number, at)

    def on_shape(self, s: st.Shape, block: Any, role: str, at: At) -> None:
        cell: Cell[int] = unknown(Why.NO_DEFAULT, at) if s.on else absent(at)
        self.settings.set_cell(f"queues.{block.number}.max_rate_bps", cell)

    def on_group(self, s: st.GroupBuffer, block: Any, role: str, at: At) -> None:
        if block.number is not None:
            self.buffers.groups[block.number] = (s, at)

    def on_pool(self, s: st.Pool, block: Any, role: str, at: At) -> None:
        self.buffers.pools[s.name] = (s, at)

    def on_traffic_pool(self, s: st.TrafficPool, block: Any, role: str, at: At) -> None:
        self.buffers.traffic_pool(s, at)

    def on_advanced(self, s: st.AdvancedBuffers, block: Any, role: str, at: At) -> None:
        self.buffers.advanced = (s.on, at)

    def on_pfc_enabled(self, s: st.PfcEnabled, block: Any, role: str, at: At) -> None:
        self.flow.enabled = (s.on, at)

    def on_pfc_priorities(self, s: st.PfcPriorities, block: Any, role: str, at: At) -> None:
        self.flow.priorities |= dict.fromkeys(s.priorities, (s.on, at))

    def on_pfc_mode(self, s: st.PfcMode, block: Any, role: str, at: At) -> None:
        self.flow.mode = (s.mode, at)

    def on_trust(self, s: st.Trust, block: Any, role: str, at: At) -> None:
        self.marks.trust = (s.what, at)

    def on_dscp_map(self, s: st.DscpMap, block: Any, role: str, at: At) -> None:
        _map(self.marks.dscp_map, s.code_points, s.priority, at)

    def on_pcp_map(self, s: st.PcpMap, block: Any, role: str, at: At) -> None:
        _map(self.marks.pcp_map, s.tags, s.priority, at)

    def on_default_priority(self, s: st.DefaultPriority, block: Any, role: str, at: At) -> None:
        self.marks.default_priority = None if s.priority is None else (s.priority, at)

    def on_default_pcp(self, s: st.DefaultPcp, block: Any, role: str, at: At) -> None:
        self.marks.default_pcp = None if s.tag is None else (s.tag, at)

    def on_access_group(self, s: st.AccessGroup, block: Any, role: str, at: At) -> None:
        self.marks.access_group = None if s.name is None else (s.name, at)

    def on_rewrite(self, s: st.RewriteDscp, block: Any, role: str, at: At) -> None:
        self.rewrites = (s.on, at)

    def on_rewrite_map(self, s: st.RewriteMap, block: Any, role: str, at: At) -> None:
        self.rewrite_map |= dict.fromkeys(s.priorities, (s.dscp, at))

    def on_mtu(self, s: st.Mtu, block: Any, role: str, at: At) -> None:
        if s.ip_bytes is None:
            self.settings.reset("ip_mtu_bytes")
        else:
            self.settings.set("ip_mtu_bytes", s.ip_bytes, at)

    def on_speed(self, s: st.Speed, block: Any, role: str, at: At) -> None:
        self.settings.set_cell("speed_bps", absent(at) if s.bps is None else known(s.bps, at))
        if s.negotiates is not None:
            self.settings.set("autoneg", s.negotiates, at)

    def on_fec(self, s: st.Fec, block: Any, role: str, at: At) -> None:
        self.settings.set_cell("fec", absent(at) if s.kind is None else known(s.kind, at))

    def on_flowcontrol(self, s: st.FlowControl, block: Any, role: str, at: At) -> None:
        self.settings.set("link_pause_rx" if s.direction == "receive" else "link_pause_tx", s.on, at)

    def on_shutdown(self, s: st.Shutdown, block: Any, role: str, at: At) -> None:
        if role != "lag" or s.down:  # a channel that is up does not raise a member that is shut
            self.settings.set("admin_up", not s.down, at)


def _map(table: dict[int, tuple[int, At]], values: tuple[int, ...], priority: int | None, at: At) -> None:
    for value in values:
        table.pop(value, None)
        if priority is not None:
            table[value] = (priority, at)


def _put(path: str, value: Callable[[Any], object]) -> Callable[[_Fold, Any, Any, str, At], None]:
    def handler(fold: _Fold, s: Any, block: Any, role: str, at: At) -> None:
        fold.settings.set(path, value(s), at)

    return handler


_HANDLERS: Mapping[type, Callable[[_Fold, Any, Any, str, At], None]] = {
    st.Curve: _Fold.on_curve,
    st.Scheduling: _Fold.on_scheduling,
    st.Bind: _Fold.on_bind,
    st.PriorityClass: lambda fold, s, block, role, at: queue_of(fold.settings, s.priority, s.traffic_class, at),
    st.EtsShares: lambda fold, s, block, role, at: shares(fold.settings, s, at),
    st.Shape: _Fold.on_shape,
    st.GroupBuffer: _Fold.on_group,
    st.Pool: _Fold.on_pool,
    st.TrafficPool: _Fold.on_traffic_pool,
    st.AdvancedBuffers: _Fold.on_advanced,
    st.PfcEnabled: _Fold.on_pfc_enabled,
    st.PfcPriorities: _Fold.on_pfc_priorities,
    st.PfcMode: _Fold.on_pfc_mode,
    st.Trust: _Fold.on_trust,
    st.DscpMap: _Fold.on_dscp_map,
    st.PcpMap: _Fold.on_pcp_map,
    st.DefaultPriority: _Fold.on_default_priority,
    st.DefaultPcp: _Fold.on_default_pcp,
    st.AccessGroup: _Fold.on_access_group,
    st.RewriteDscp: _Fold.on_rewrite,
    st.RewriteMap: _Fold.on_rewrite_map,
    st.Mtu: _Fold.on_mtu,
    st.Speed: _Fold.on_speed,
    st.Fec: _Fold.on_fec,
    st.FlowControl: _Fold.on_flowcontrol,
    st.Shutdown: _Fold.on_shutdown,
    st.Lldp: _put("dcbx.lldp", lambda s: s.on),
    st.Dcbx: _put("dcbx.mode", lambda s: s.version or "off"),
    st.PfcWatchdog: _put("pfc.watchdog.on", lambda s: s.on),
}
