"""From the statements that concern one Comware port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.defaults import DEFAULTS, JUMBO, NO_JUMBO, ONE_PATH, ROUTED, UNKNOWN_CELL
from roce_audit.platforms.comware.flow import Flow
from roce_audit.platforms.comware.maps import Entries, Maps
from roce_audit.platforms.comware.policies import PolicyBuilder
from roce_audit.platforms.comware.queues import QUEUES, THRESHOLDS, Scheduling, settle_wred, wred_of
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.shared.cli.builder import elsewhere, member_of_channel, sets_pfc_up
from roce_audit.platforms.shared.cli.routing import MaxPaths, max_paths, one_path_by_default
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy.rulelines import neutral
from roce_audit.platforms.shared.rates import tighter
from roce_audit.records import dataclass
from roce_audit.text.block import HEADER, Part
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_FRAME_ABOVE_IP = 22
"""Ethernet header, VLAN tag and checksum, bytes."""
_WITHOUT_JUMBO = 1500
_DATA = ("ethernet", "lag", "breakout-parent")
"""Kinds of ports for which PFC of the system view holds."""


@dataclass(frozen=True, slots=True)
class ComwareContext(PortContext):
    """What the reading of a port depends on besides its statements: the bytes of a cell, and who says so, among it."""

    cell: tuple[int, str] = UNKNOWN_CELL


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PolicyBuilder):
    table = TABLE
    defaults = DEFAULTS
    filters_drop_rest = False
    filter_line = neutral
    order = ("top", "bgp", "igp", "dscpmap", "queuemap", "dropmap", "marksmap", "othermap", "ai", "state", "port")
    """What the switch says, what its ports say, and what answers of other commands show besides."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.runs_trust: str | None = None
        self.cell = context.cell if isinstance(context, ComwareContext) else UNKNOWN_CELL
        self.maps = Maps()
        self.flow = Flow()
        self.scheduling = Scheduling()
        self.own_wred: list[tuple[object, At]] = []
        self.automatic: dict[int, At] = {}
        self.lldp: dict[str, tuple[bool, At]] = {}
        self.dcbx: tuple[bool, At] | None = None
        self.dcbx_version: tuple[str, At] | None = None
        self.passive: At | None = None
        self.shown: Cell[int] | None = None
        """The largest packet by what the switch shows."""
        self.routed_mtu: dict[bool, tuple[int, At]] = {}
        """Whether `ip mtu` says it -> the largest packet that a routed port sends in one piece."""

    def port(self) -> Port:
        settings = self.settings
        self.take_in()
        one_path_by_default(self, ONE_PATH)
        self.flow.home = self._beside("priority-flow-control deadlock ")
        marks = bool(self.own_wred) or self.bound("wred", "") is not None
        self.flow.settle(settings, self.maps, self.lack, self.cell, marks)
        self._classification()
        self._wred()
        self._profile()
        self.scheduling.settle(settings)
        self.policies()
        self._lldp()
        self._routed_mtu()
        return self.filled()

    def _beside(self, words: str) -> tuple[At, ...]:
        """Where a statement of the switch that is missing would stand: beside those that begin with `words`, else at the top."""
        tops = [(index, part.block.texts.statements) for index, part in enumerate(self.parts) if part.kind == "top"]
        near = [At(i, n) for i, lines in tops for n, line in enumerate(lines) if line.startswith(words)]
        return tuple((near or [At(index, HEADER) for index, _ in tops])[:1])

    def _classification(self) -> None:
        said = (self.settings.unknown_at("trust"), self.settings.get("trust"))
        trust = next((cell for cell in said if cell is not None), None)
        self.maps.classify(self.settings, self.lack.otherwise("trust") if trust is None else trust, self.lack)

    # queues --------------------------------------------------------------------------------------------------------

    def _wred(self) -> None:
        """The port's own thresholds, or those of the table that it applies."""
        table = self.bound("wred", "")
        said: list[tuple[object, At]] | None = []
        if table is not None and table[0]:
            said = self.said_in("wredtable", table[0], "queues")
        if table is not None and said is None:
            for number in QUEUES:
                self.settings.set_cell(f"queues.{number}.ecn", unknown(self.lack.undefined, table[1]))
            return
        by_queue = wred_of([*(said or ()), *self.own_wred])
        settle_wred(
            self.settings,
            by_queue,
            self.maps,
            self.context.complete or sets_pfc_up(self.settings),
            self.cell,
            *(table[1:] if table is not None else ()),
        )
        for number, at in self.automatic.items():
            for leaf in THRESHOLDS:
                self.settings.set_cell(f"queues.{number}.ecn.{leaf}", unknown(Why.NOT_VISIBLE, at))

    def _profile(self) -> None:
        profile = self.bound("qmprofile", "")
        if profile is None:
            return
        said = self.said_in("qmprofile", profile[0], "queues")
        if said is None:
            self.settings.forbid_default("queues", self.lack.undefined, profile[1])
            return
        self.scheduling = Scheduling(None, {s.queue: (s, at) for s, at in said if isinstance(s, st.Served)})

    def _routed_mtu(self) -> None:
        """A routed port sends no packet above its MTU, nor one above its largest frame; every port takes frames of 1,500 bytes of IP.

        What it is by default is not asked: 1,500 by the book, though switches forward by the frame.
        """
        said = self.routed_mtu.get(True) or self.routed_mtu.get(False)
        if said is None or self.context.routed is False:
            return
        size, at = said
        frame = self.settings.cell("ip_mtu_bytes")
        if size <= _WITHOUT_JUMBO or (frame is not None and frame.is_known and size < frame.get()):
            self.settings.set("ip_mtu_bytes", size, at, Cited(ROUTED))

    def _lldp(self) -> None:
        """A port speaks LLDP where it is on for the switch and was not turned off for the port."""
        own, device = self.lldp.get("own"), self.lldp.get("device")
        said = own if own is not None and not own[0] else device
        if said is not None:
            self.settings.set("dcbx.lldp", *said)
        if said is not None and not said[0]:
            self.settings.set("dcbx.mode", "off", said[1])
        elif self.dcbx is not None and not self.dcbx[0]:
            self.settings.set("dcbx.mode", "off", self.dcbx[1])
        elif self.dcbx is not None:
            version, at = self.dcbx_version or ("auto", self.dcbx[1])
            self.settings.set_cell("dcbx.mode", known(version, at) if version else unknown(Why.NO_DEFAULT, at))

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_nominal(self, s: st.Nominal, role: str, at: At) -> None:
        if s.bps is not None and role == "own" and self.settings.get("speed_bps") is None:
            self.settings.set("speed_bps", s.bps, at)

    def on_pfc(self, s: st.PfcMode, role: str, at: At) -> None:
        if role != "device" or self.context.kind in _DATA:
            self.flow.mode = (s.mode, at)

    def on_no_drop(self, s: st.NoDrop, role: str, at: At) -> None:
        if role != "device" or self.context.kind in _DATA:
            self.flow.no_drop = (s.priorities, at)

    def on_group(self, s: st.Group, role: str, at: At) -> None:
        self.flow.threshold(s, at)

    def on_deadlock(self, s: st.Deadlock, role: str, at: At) -> None:
        self.flow.detection = (s.on, at)

    def on_interval(self, s: st.Interval, role: str, at: At) -> None:
        self.flow.intervals.pop(s.cos, None)
        if s.interval is not None:
            self.flow.intervals[s.cos] = at

    def on_action(self, s: st.RecoverAction, role: str, at: At) -> None:
        self.flow.action = (s.action, at)

    def on_dscp(self, s: st.Imported, role: str, at: At) -> None:
        """Tables of 802.1p priorities and of DSCPs say the same with other inputs: the block tells which."""
        table = self._table_of(at)
        table |= dict.fromkeys(s.inputs, (s.output, at))

    def _table_of(self, at: At) -> Entries:
        return self.maps.dscp if self.parts[at.part].kind == "dscpmap" else self.maps.queue

    def on_dropped(self, s: st.Dropped, role: str, at: At) -> None:
        self.maps.drop_level |= dict.fromkeys(s.inputs, (s.output, at))

    def on_marked(self, s: st.Marked, role: str, at: At) -> None:
        if any(code_point != s.output for code_point in s.inputs):
            self.settings.set_unknown("rewrites_dscp", Why.NOT_VISIBLE, at)

    def on_trust(self, s: st.Trust, role: str, at: At) -> None:
        """What runs counts; the line that says the same is the one that set it."""
        if self.parts[at.part].kind == "state":
            self.runs_trust = s.mode
        elif self.runs_trust not in (None, s.mode):
            return
        self.settings.set("trust", s.mode, at)

    def on_port_priority(self, s: st.PortPriority, role: str, at: At) -> None:
        self.maps.port = (s.priority, at)

    def on_wred(self, s: object, role: str, at: At) -> None:
        self.own_wred.append((s, at))

    def on_wred_table(self, s: st.WredTable, role: str, at: At) -> None:
        self.bind("wred", "", s.name, role, at)

    def on_automatic(self, s: st.AiEcn, role: str, at: At) -> None:
        self.automatic[s.queue] = at

    def on_scheduler(self, s: st.Scheduler, role: str, at: At) -> None:
        self.scheduling = Scheduling(None if s.strict is None else (s.strict, at))

    def on_served(self, s: st.Served, role: str, at: At) -> None:
        self.scheduling.queues[s.queue] = (s, at)

    def on_profile(self, s: st.Profile, role: str, at: At) -> None:
        self.bind("qmprofile", "", s.name, role, at)

    def on_shaped(self, s: st.Shaped, role: str, at: At) -> None:
        rate: Cell[int] = absent(at) if s.bps is None else known(s.bps, at)
        for number in QUEUES if s.queue is None else (s.queue,):
            path = f"queues.{number}.max_rate_bps"
            bound = tighter(self.settings.get(path), rate)
            self.settings.set_cell(path, rate if bound is None else bound)

    def on_policy(self, s: st.Policy, role: str, at: At) -> None:
        if s.of_vlans and self.context.routed:
            return  # which of its packets are of these VLANs is left open for all other ports
        role = f"vlans of {s.name}" if s.of_vlans else role
        self.bind("policy", s.direction, s.name if s.on else None, role, at)

    def on_jumbo(self, s: st.Jumbo, role: str, at: At) -> None:
        path = "ip_mtu_bytes"
        if s.frame_bytes is None:
            self.settings.set_cell(path, unknown(Why.NO_DEFAULT, at) if self.shown is None else self.shown)
        elif s.frame_bytes == 0:
            self.settings.set(path, _WITHOUT_JUMBO, at, Cited(NO_JUMBO))
        else:
            self.settings.set(path, s.frame_bytes - _FRAME_ABOVE_IP, at, Cited(JUMBO))

    def on_routed_mtu(self, s: st.RoutedMtu, role: str, at: At) -> None:
        if s.packet_bytes is None:
            self.routed_mtu.pop(s.of_ip, None)
        else:
            self.routed_mtu[s.of_ip] = (s.packet_bytes, at)

    def on_shown(self, s: st.ShownFrame, role: str, at: At) -> None:
        self.shown = known(s.frame_bytes - _FRAME_ABOVE_IP, at, Cited(JUMBO))
        self.settings.set_cell("ip_mtu_bytes", self.shown)

    def on_pause(self, s: st.Pause, role: str, at: At) -> None:
        self.settings.set("link_pause_rx", s.receives, at)
        self.settings.set("link_pause_tx", s.sends, at)

    def on_lldp(self, s: st.Lldp, role: str, at: At) -> None:
        self.lldp[role] = (s.on, at)

    def on_dcbx(self, s: st.Dcbx, role: str, at: At) -> None:
        self.dcbx = (s.on, at)

    def on_aggregation(self, s: st.Aggregation, role: str, at: At) -> None:
        """Members of a dynamic group run LACP, and begin to speak themselves unless they are passive."""
        if s.dynamic and self.passive is not None:
            self.settings.set("lacp", "passive", self.passive, at)
        else:
            self.settings.set("lacp", "active" if s.dynamic else "static", at)

    def on_passive(self, s: st.Passive, role: str, at: At) -> None:
        self.passive = at if s.on else None

    def on_dcbx_version(self, s: st.DcbxVersion, role: str, at: At) -> None:
        self.dcbx_version = (s.mode, at)

    handlers: ClassVar[dict[type, Any]] = {
        MaxPaths: max_paths,
        st.Nominal: on_nominal,
        st.PfcMode: on_pfc,
        st.NoDrop: on_no_drop,
        st.Group: on_group,
        st.Deadlock: on_deadlock,
        st.Interval: on_interval,
        st.RecoverAction: on_action,
        st.Imported: on_dscp,
        st.Dropped: on_dropped,
        st.Marked: on_marked,
        st.Trust: on_trust,
        st.PortPriority: on_port_priority,
        st.Curve: on_wred,
        st.QueueEcn: on_wred,
        st.QueueWeight: on_wred,
        st.NoCurves: on_wred,
        st.WredTable: on_wred_table,
        st.AiEcn: on_automatic,
        st.Scheduler: on_scheduler,
        st.Served: on_served,
        st.Profile: on_profile,
        st.Shaped: on_shaped,
        st.Policy: on_policy,
        st.Jumbo: on_jumbo,
        st.RoutedMtu: on_routed_mtu,
        st.ShownFrame: on_shown,
        st.Pause: on_pause,
        st.Lldp: on_lldp,
        st.Dcbx: on_dcbx,
        st.DcbxVersion: on_dcbx_version,
        st.Channel: member_of_channel,
        st.Aggregation: on_aggregation,
        st.Passive: on_passive,
        st.Egress: elsewhere,
        st.BufferApply: elsewhere,
    }
