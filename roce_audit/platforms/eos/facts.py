"""From the statements that concern one EOS port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.classify import Classifier, Said
from roce_audit.platforms.eos.dialect import DIALECT
from roce_audit.platforms.eos.shaping import Shapers
from roce_audit.platforms.eos.tables import DEFAULTS, HEADROOM_POOL
from roce_audit.platforms.shared.cli.builder import filled
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.text.block import HEADER, Part
from roce_audit.text.dialect import Parsed
from roce_audit.text.fill import Settings
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_UNIT = {"milliseconds": "ms", "microseconds": "us"}
_BYTES = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
"""EOS does not say whether its kbytes are 1,000 or 1,024 bytes; the smaller reading is taken."""
_PROFILE_PATHS = ("pfc", "queues", "groups", "trust", "dscp", "pcp")
_ACTIONS = {"drop": "drop", "no-drop": "forward", "errdisable": "errdisable", "notify-only": "notify"}


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Fold(parts, context).port()


class _Fold:
    """One folding of statements into settings, in the order in which EOS lets them win."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.parts = parts
        self.context = context
        self.settings = Settings()
        self.undefined = Why.UNDEFINED if context.complete else Why.NOT_VISIBLE
        self.no_drop: dict[int, At] = {}
        self.drop: dict[int, At] = {}
        self.pfc: tuple[bool, At] | None = None
        self.all_off: At | None = None
        self.said = Said()
        self.rewritten: dict[int, At] = {}
        self.shapers = Shapers()
        self.memory: dict[tuple[str, int | None], tuple[st.MmuSize | st.MmuThreshold, At]] = {}
        """(field, group or None) -> what the MMU profile of the switch says."""
        self.named = {(p.kind, p.name): (i, p.block.texts) for i, p in enumerate(parts)}

    def port(self) -> Port:
        settings = self.settings
        for kind in ("top", "defaults", "mmu", "profile", "port", "state"):
            for index, part in enumerate(self.parts):
                if part.kind == kind:
                    self._part(index, part)
        settings.set("kind", self.context.kind, *self._header())
        self._flow_control()
        self._memory()
        self._classification()
        self.shapers.put(settings)
        if self.rewritten:
            settings.set("rewrites_dscp", frozenset(self.rewritten), *self.rewritten.values())
        return filled(settings, self.context.complete, DEFAULTS)

    def _header(self) -> tuple[At, ...]:
        return tuple(At(i, 0) for i, p in enumerate(self.parts) if p.role == "own")[:1]

    def _part(self, index: int, part: Part) -> None:
        if part.kind == "profile":
            self.settings.default_location("queues", At(index, HEADER))
        for i, statement in enumerate(part.block.texts.statements):
            parsed = DIALECT.parse(part.kind, statement)
            if parsed.topic is not None:
                self._statement(parsed, At(index, i))

    def _statement(self, parsed: Parsed, at: At) -> None:
        prefix = ""
        for header in parsed.context:
            if header.value is None:
                return  # the header's own line spoils the whole block
            if isinstance(header.value, st.QueueHeader):
                if header.value.kind == "mc-tx-queue":
                    return
                prefix = f"queues.{header.value.number}."
        if parsed.value is None:
            self._not_understood(prefix, parsed.topic or "", at)
            return
        handler = _HANDLERS.get(type(parsed.value))
        if handler is not None:
            handler(self, parsed.value, prefix, at)

    def _not_understood(self, prefix: str, topic: str, at: At) -> None:
        paths = topic.split() or ([prefix.rstrip(".")] if prefix else list(_PROFILE_PATHS))
        for path in paths:
            self.settings.set_unknown(prefix + path if topic else path, Why.NOT_PARSED, at)
            if path == "pfc":
                self.settings.set_unknown("groups", Why.NOT_PARSED, at)

    def _flow_control(self) -> None:
        settings = self.settings
        if self.all_off is not None:
            settings.set("pfc.mode", "off", self.all_off)
            settings.set("pfc.priorities", frozenset(), self.all_off)
            return
        if self.pfc is not None:
            on, at = self.pfc
            settings.set("pfc.mode", "on" if on else "off", at)
            if not on:
                settings.set("pfc.priorities", frozenset(), at)
                return
            settings.set("pfc.priorities", frozenset(self.no_drop), *(*self.no_drop.values(), at))
            for priority, where in self.no_drop.items():
                settings.set(f"groups.{priority}.lossless", True, where)
        elif self.no_drop:
            # without `priority-flow-control on` the no-drop lines are only a preparation
            settings.set("pfc.priorities", frozenset(), *self.no_drop.values())
            for priority, where in self.no_drop.items():
                settings.set(f"groups.{priority}.lossless", True, where)

    def _memory(self) -> None:
        """The MMU profile holds for the lossless groups; what a group says of itself wins."""
        for (field, group), (said, at) in sorted(self.memory.items(), key=lambda item: item[0][1] is not None):
            for number in self.no_drop if group is None else {group} & self.no_drop.keys():
                path = f"groups.{number}.{field}"
                if isinstance(said, st.MmuThreshold):
                    self.settings.set(path, said.alpha, at)
                    self.settings.set_cell(f"groups.{number}.xoff_at_bytes", absent(at))
                elif said.unit == "bytes" or said.amount == 0:
                    self.settings.set(path, said.amount, at)
                    if field == "headroom_bytes":
                        self.settings.set(f"groups.{number}.headroom_is_shared", True, Cited(HEADROOM_POOL))
                else:  # how many bytes a cell has differs by chip
                    self.settings.set_cell(path, unknown(Why.NO_DEFAULT, at))

    def _classification(self) -> None:
        classifier = Classifier(
            self.said, self.named, self.context, self.undefined, self.settings.default_forbidden("trust")
        )
        self.settings.set_cell("trust", classifier.believed)
        for dscp in range(64):
            self.settings.set_cell(f"dscp.{dscp}", classifier.traffic_class("dscp", dscp))
        for priority in range(8):
            self.settings.set_cell(f"pcp.{priority}", classifier.traffic_class("cos", priority))

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_queue(self, s: st.QueueHeader, prefix: str, at: At) -> None:
        if s.kind != "mc-tx-queue":
            self.settings.default_location(f"queues.{s.number}", at)

    def on_memory(self, s: st.MmuSize | st.MmuThreshold, prefix: str, at: At) -> None:
        self.memory[s.field if isinstance(s, st.MmuSize) else "alpha", s.group] = (s, at)

    def on_profile(self, s: st.ProfileName, prefix: str, at: At) -> None:
        if s.name is not None and ("profile", s.name) not in self.named:
            for path in _PROFILE_PATHS:
                self.settings.forbid_default(path, self.undefined, at)

    def on_policy(self, s: st.PolicyName, prefix: str, at: At) -> None:
        self.said.policy = None if s.name is None else (s.name, at)
        if s.name is None:
            return
        found = self.named.get(("policy", s.name))
        if found is None:
            self.settings.set_unknown("policed", self.undefined, at)
            return
        for index, statement in enumerate(found[1].statements):
            parsed = DIALECT.parse("policy", statement)
            if isinstance(parsed.value, st.Police):
                self.settings.set("policed", True, At(found[0], index))
            elif parsed.unread and parsed.topic in ("", "policed"):
                self.settings.set_unknown("policed", Why.NOT_PARSED, At(found[0], index))

    def on_ecn(self, s: st.EcnCurve, prefix: str, at: At) -> None:
        base = f"{prefix}ecn"
        self.settings.reset(base)
        if s.curve is None:
            self.settings.set_cell(base, absent(at))
            return
        low, low_unit, high, high_unit, percent, weight = s.curve
        self.settings.set(f"{base}.marks", True, at)
        self._thresholds(base, low, low_unit, high, high_unit, at)
        if percent is not None:
            self.settings.set(f"{base}.max_probability_percent", int(percent), at)
        if weight is not None:
            self.settings.set(f"{base}.weight", int(weight), at)

    def on_wred(self, s: st.WredCurve, prefix: str, at: At) -> None:
        base = f"{prefix}ecn"
        low, low_unit, high, high_unit, percent = s.curve
        self.settings.set(f"{base}.drops", True, at)
        if self.settings.get(f"{base}.marks") is None:
            self.settings.set(f"{base}.marks", False, at)
            self._thresholds(base, low, low_unit, high, high_unit, at)
            self.settings.set(f"{base}.max_probability_percent", percent, at)

    def _thresholds(self, base: str, low: int, low_unit: str, high: int, high_unit: str, at: At) -> None:
        for end, value, unit in (("min", low, low_unit), ("max", high, high_unit)):
            self.settings.set(f"{base}.{end}_value", value, at)
            self.settings.set(f"{base}.{end}_unit", _UNIT.get(unit, unit), at)
            factor = _BYTES.get(unit)
            cell: Cell[int] = unknown(Why.NO_DEFAULT, at) if factor is None else known(value * factor, at)
            self.settings.set_cell(f"{base}.{end}_bytes", cell)

    def on_share(self, s: st.Share, prefix: str, at: At) -> None:
        if s.percent is None:
            self.settings.set_cell(f"{prefix}share", absent(at))
            return
        self.settings.set(f"{prefix}share", s.percent, at)
        self.settings.set(f"{prefix}share_kind", "percent_at_most", at)

    def on_shape(self, s: st.Shape, prefix: str, at: At) -> None:
        self.shapers.add(s, prefix, at)

    def on_priority(self, s: st.PfcPriority, prefix: str, at: At) -> None:
        self.no_drop.pop(s.priority, None)
        (self.no_drop if s.no_drop else self.drop)[s.priority] = at

    def on_mtu(self, s: st.Mtu, prefix: str, at: At) -> None:
        if s.ip_bytes is None:
            self.settings.reset("ip_mtu_bytes")
        else:
            self.settings.set("ip_mtu_bytes", s.ip_bytes, at)

    def on_watchdog_timer(self, s: st.PortWatchdogTimer, prefix: str, at: At) -> None:
        for name, seconds in (("detect", s.timeout), ("poll", s.polling), ("restore", s.recovery)):
            if seconds is not None:
                self.settings.set(f"pfc.watchdog.{name}_ms", seconds * 1000, at)

    def on_global_watchdog(self, s: st.GlobalWatchdog, prefix: str, at: At) -> None:
        if isinstance(s.value, str):
            self.settings.set("pfc.watchdog.action", _ACTIONS[s.value], at)
        else:
            self.settings.set(f"pfc.watchdog.{s.what}_ms", s.value * 1000, at)

    def on_flowcontrol(self, s: st.FlowControl, prefix: str, at: At) -> None:
        path = "link_pause_rx" if s.direction == "receive" else "link_pause_tx"
        self.settings.set(path, s.state != "off", at)

    def on_queue_map(self, s: st.QueueMap, prefix: str, at: At) -> None:
        for number in s.traffic_classes:
            self.settings.set(f"classes.{number}.queue", s.queue, at)

    def on_shutdown(self, s: st.Shutdown, prefix: str, at: At) -> None:
        part = self.parts[at.part]
        if part.kind == "defaults" and self.context.kind not in ("ethernet", "breakout-parent"):
            return
        if part.role != "lag" or s.down:  # a channel that is up does not raise a member that is shut
            self.settings.set("admin_up", not s.down, at)

    def on_speed(self, s: st.Speed, prefix: str, at: At) -> None:
        self.settings.set_cell("speed_bps", absent(at) if s.bps is None else known(s.bps, at))

    def on_connected(self, s: st.Connected, prefix: str, at: At) -> None:
        configured = self.settings.get("speed_bps")
        if configured is None or configured.is_absent:  # what is configured stands
            self.settings.set("speed_bps", s.bps, at)

    def on_fec(self, s: st.Fec, prefix: str, at: At) -> None:
        kind = {"reed-solomon": "rs", "fire-code": "fc", "disabled": "none"}
        self.settings.set_cell("fec", absent(at) if s.encoding is None else known(kind[s.encoding], at))

    def on_pfc(self, s: st.PfcMode, prefix: str, at: At) -> None:
        self.pfc = (s.on, at)

    def on_trust(self, s: st.Trust, prefix: str, at: At) -> None:
        self.said.trust = (s.what, at)

    def on_all_off(self, s: st.AllOff, prefix: str, at: At) -> None:
        self.all_off = at

    def on_cos(self, s: st.DefaultCos, prefix: str, at: At) -> None:
        self.said.untagged_cos = (s.cos, at)

    def on_dscp(self, s: st.DefaultDscp, prefix: str, at: At) -> None:
        self.said.untrusted_dscp = (s.dscp, at)

    def on_dscp_map(self, s: st.DscpMap, prefix: str, at: At) -> None:
        self.said.dscp_map |= dict.fromkeys(s.code_points, (s.traffic_class, at))

    def on_cos_map(self, s: st.CosMap, prefix: str, at: At) -> None:
        self.said.cos_map |= dict.fromkeys(s.priorities, (s.traffic_class, at))

    def on_rewrite(self, s: st.RewriteDscp, prefix: str, at: At) -> None:
        self.rewritten |= dict.fromkeys(s.traffic_classes, at)
        for number in s.traffic_classes:
            self.settings.set(f"classes.{number}.new_dscp", s.dscp, at)


def _put(path: str, value: Callable[[Any], object]) -> Callable[[_Fold, Any, str, At], None]:
    def handler(fold: _Fold, s: Any, prefix: str, at: At) -> None:
        fold.settings.set(prefix + path, value(s), at)

    return handler


_HANDLERS: Mapping[type, Callable[[_Fold, Any, str, At], None]] = {
    st.MmuSize: _Fold.on_memory,
    st.MmuThreshold: _Fold.on_memory,
    st.QueueHeader: _Fold.on_queue,
    st.DscpMap: _Fold.on_dscp_map,
    st.CosMap: _Fold.on_cos_map,
    st.RewriteDscp: _Fold.on_rewrite,
    st.QueueMap: _Fold.on_queue_map,
    st.AllOff: _Fold.on_all_off,
    st.GlobalWatchdog: _Fold.on_global_watchdog,
    st.PfcMode: _Fold.on_pfc,
    st.PfcPriority: _Fold.on_priority,
    st.PortWatchdog: _put("pfc.watchdog.on", lambda s: s.on),
    st.PortWatchdogAction: _put("pfc.watchdog.action", lambda s: _ACTIONS[s.action]),
    st.PortWatchdogTimer: _Fold.on_watchdog_timer,
    st.Trust: _Fold.on_trust,
    st.DefaultCos: _Fold.on_cos,
    st.DefaultDscp: _Fold.on_dscp,
    st.PolicyName: _Fold.on_policy,
    st.ProfileName: _Fold.on_profile,
    st.Mtu: _Fold.on_mtu,
    st.L2Mtu: lambda fold, s, prefix, at: fold.settings.forbid_default("ip_mtu_bytes", Why.NO_DEFAULT, at),
    st.FlowControl: _Fold.on_flowcontrol,
    st.Shutdown: _Fold.on_shutdown,
    st.Connected: _Fold.on_connected,
    st.PfcState: _put("pfc.operational", lambda s: s.priorities),
    st.Speed: _Fold.on_speed,
    st.Fec: _Fold.on_fec,
    st.DcbxMode: _put("dcbx.mode", lambda s: s.version or "off"),
    st.LldpOff: _put("dcbx.lldp", lambda s: False),
    st.Strict: _put("scheduling", lambda s: "strict" if s.strict else "weighted"),
    st.Share: _Fold.on_share,
    st.Shape: _Fold.on_shape,
    st.EcnCurve: _Fold.on_ecn,
    st.WredCurve: _Fold.on_wred,
}
