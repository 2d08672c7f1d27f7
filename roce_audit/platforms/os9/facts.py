"""From the statements that concern one OS9 port to its facts: a pure function, memoised over the fleet.

An internal class of the model is the 802.1p priority of a frame, and each priority has a group of its own: buffers are set
by priority. The queues behind the priorities differ by model and are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.commandsyntax import PortContext
from roce_audit.platforms.memo import memoised
from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.dialect import DIALECT
from roce_audit.platforms.os9.tables import BY_TAG, DEFAULTS, UNTAGGED
from roce_audit.text.block import Part
from roce_audit.text.fill import EVERYTHING, Lack, Settings, fill
from roce_audit.values import At, Cited, Why, absent, known, unknown

_ORDER = ("top", "port")
_FRAME_ABOVE_IP = 22
"""Configuration Guide, Layer 2 overhead: a frame with a VLAN tag is 22 bytes larger than its IP packet."""
_BYTES_PER_KB = 1_000
"""The guide does not say whether a KB is 1,000 or 1,024 bytes; the smaller reading is taken."""
_PRIORITIES = range(8)


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Fold(parts, context).port()


@dataclass
class _Map:
    """A DCB map, folded."""

    groups: dict[int, tuple[bool, At]] = field(default_factory=dict)
    by_priority: tuple[tuple[int, ...], At] | None = None


class _Fold:
    """One folding of statements into settings."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.parts = parts
        self.context = context
        self.settings = Settings()
        self.undefined = Why.UNDEFINED if context.complete else Why.NOT_VISIBLE
        self.dcb: tuple[bool, At] | None = None
        self.map: tuple[str, At] | None = None
        self.thresholds: tuple[str, At] | None = None
        self.pfc: tuple[tuple[int, ...], At] | None = None
        self.off: At | None = None
        self.ip_mtu = False

    def port(self) -> Port:
        settings = self.settings
        for kind in _ORDER:
            for index, part in enumerate(self.parts):
                if part.kind == kind:
                    self._part(index, part)
        own = tuple(At(i, 0) for i, p in enumerate(self.parts) if p.role == "own")
        settings.put("kind", self.context.kind, *own[:1])
        for number in range(64):
            settings.put(f"dscp.{number}", 0, Cited(UNTAGGED))
        for number in _PRIORITIES:
            settings.put(f"pcp.{number}", number, Cited(BY_TAG))
            settings.put(f"classes.{number}.group", number, Cited(BY_TAG))
            settings.put(f"priorities.{number}.group", number, Cited(BY_TAG))
        self._flow_control()
        if self.thresholds is not None:
            self._buffers(*self.thresholds)
        lack = Lack(DEFAULTS, frozenset({EVERYTHING}) if self.context.complete else frozenset({"kind", "nic"}))
        port: Port = fill(Port, settings, lack)
        return port

    def _part(self, index: int, part: Part) -> None:
        for i, statement in enumerate(part.block.texts.statements):
            parsed = DIALECT.parse(part.kind, statement)
            if parsed.topic is None:
                continue
            at = At(index, i)
            if parsed.value is None:
                for path in parsed.topic.split():
                    self.settings.spoil(path, Why.NOT_PARSED, at)
                continue
            handler = _HANDLERS.get(type(parsed.value))
            if handler is not None:
                handler(self, parsed.value, at)

    # PFC ------------------------------------------------------------------------------------------------------------

    def _flow_control(self) -> None:
        switched_off = self.off or (self.dcb[1] if self.dcb is not None and not self.dcb[0] else None)
        if switched_off is not None:
            self.settings.put("pfc.mode", "off", switched_off)
            self.settings.put("pfc.priorities", frozenset(), switched_off)
            return
        applied = self.map or self.pfc
        if applied is None:
            if self.context.complete:
                self.settings.put("pfc.mode", "off", Cited(DEFAULTS["pfc.priorities"].source))
            return
        paused = self._by_map(*self.map) if self.map is not None else self._by_list()
        if paused is None:
            return
        for priority, at in paused.items():
            self.settings.put(f"groups.{priority}.lossless", True, at)
        if self.dcb is None and paused:  # whether DCB is on by default differs by model
            for path in ("pfc.mode", "pfc.priorities"):
                self.settings.put_cell(path, unknown(Why.NO_DEFAULT, applied[1]))
            return
        because = () if self.dcb is None else (self.dcb[1],)
        self.settings.put("pfc.mode", "on" if paused else "off", applied[1], *because)
        self.settings.put("pfc.priorities", frozenset(paused), *dict.fromkeys(paused.values()), applied[1], *because)

    def _by_list(self) -> dict[int, At]:
        return {} if self.pfc is None else dict.fromkeys(*self.pfc)

    def _by_map(self, name: str, bound_at: At) -> dict[int, At] | None:
        """The priorities of groups with PFC, each with the deciding line; None where that is in doubt."""
        folded = self._folded(name)
        if isinstance(folded, tuple) or folded.by_priority is None:
            why, at = folded if isinstance(folded, tuple) else (Why.NO_DEFAULT, bound_at)
            for path in ("pfc.mode", "pfc.priorities", "groups"):
                self.settings.dim(path, why, at, bound_at)
            return None
        numbers, _ = folded.by_priority
        found: dict[int, At] = {}
        for priority, number in enumerate(numbers):
            pfc, at = folded.groups.get(number, (False, bound_at))
            if pfc:
                found[priority] = at
        return found

    def _folded(self, name: str) -> _Map | tuple[Why, At]:
        """A DCB map by its name, or the doubt about it."""
        folded = _Map()
        indices = [i for i, part in enumerate(self.parts) if (part.kind, part.name) == ("dcbmap", name)]
        if not indices:
            assert self.map is not None
            return self.undefined, self.map[1]
        for index in indices:
            for i, statement in enumerate(self.parts[index].block.texts.statements):
                at = At(index, i)
                match DIALECT.parse("dcbmap", statement).value:
                    case st.Group(number=number, pfc=pfc):
                        folded.groups[number] = (pfc, at)
                    case st.Groups(by_priority=numbers):
                        folded.by_priority = (numbers, at)
                    case None:
                        return Why.NOT_PARSED, at
        return folded

    def _buffers(self, name: str, bound_at: At) -> None:
        parts = [(i, part) for i, part in enumerate(self.parts) if (part.kind, part.name) == ("threshold", name)]
        if not parts:
            self.settings.dim("groups", self.undefined, bound_at)
        for index, part in parts:
            for i, statement in enumerate(part.block.texts.statements):
                value, at = DIALECT.parse("threshold", statement).value, At(index, i)
                if isinstance(value, st.Thresholds):
                    self._threshold(value, at, bound_at)
                else:
                    for priority in _PRIORITIES:
                        for path in ("reserved_bytes", "headroom_bytes", "xoff_at_bytes", "xon_offset_bytes"):
                            self.settings.spoil(f"groups.{priority}.{path}", Why.NOT_PARSED, at)

    def _threshold(self, value: st.Thresholds, *at: At) -> None:
        """XOFF is sent at the pause threshold, so what lies above it is headroom."""
        for priority in value.priorities:
            base = f"groups.{priority}."
            self.settings.put(base + "reserved_bytes", value.size * _BYTES_PER_KB, *at)
            self.settings.put(base + "headroom_bytes", (value.size - value.pause) * _BYTES_PER_KB, *at)
            self.settings.put(base + "xoff_at_bytes", value.pause * _BYTES_PER_KB, *at)
            self.settings.put(base + "xon_offset_bytes", value.resume_offset * _BYTES_PER_KB, *at)
            # what the shared buffer adds is not documented
            self.settings.put_cell(base + "headroom_is_shared", unknown(Why.NO_DEFAULT, *at))

    # handlers of single statements ----------------------------------------------------------------------------------

    def on_dcb(self, s: st.Dcb, at: At) -> None:
        self.dcb = (s.on, at)

    def on_map(self, s: st.DcbMap, at: At) -> None:
        self.map = None if s.name is None else (s.name, at)

    def on_buffer_policy(self, s: st.BufferPolicy, at: At) -> None:
        self.thresholds = None if s.name is None else (s.name, at)

    def on_priorities(self, s: st.PfcPriorities, at: At) -> None:
        self.pfc = (s.priorities, at)

    def on_mode(self, s: st.PfcMode, at: At) -> None:
        self.off = None if s.on else at

    def on_flowcontrol(self, s: st.FlowControl, at: At) -> None:
        self.settings.put("link_pause_rx", s.receive, at)
        self.settings.put("link_pause_tx", s.send, at)

    def on_mtu(self, s: st.Mtu, at: At) -> None:
        if s.of_frame and self.ip_mtu:
            return
        self.ip_mtu = not s.of_frame
        self.settings.put("ip_mtu_bytes", s.size_bytes - (_FRAME_ABOVE_IP if s.of_frame else 0), at)

    def on_shutdown(self, s: st.Shutdown, at: At) -> None:
        self.settings.put("admin_up", not s.down, at)

    def on_speed(self, s: st.Speed, at: At) -> None:
        self.settings.put_cell("speed_bps", absent(at) if s.bps is None else known(s.bps, at))


_HANDLERS: Mapping[type, Callable[[_Fold, Any, At], None]] = {
    st.Dcb: _Fold.on_dcb,
    st.DcbMap: _Fold.on_map,
    st.BufferPolicy: _Fold.on_buffer_policy,
    st.PfcPriorities: _Fold.on_priorities,
    st.PfcMode: _Fold.on_mode,
    st.FlowControl: _Fold.on_flowcontrol,
    st.Mtu: _Fold.on_mtu,
    st.Shutdown: _Fold.on_shutdown,
    st.Speed: _Fold.on_speed,
}
