"""From the statements that concern one AOS-CX port to its facts: a pure function, memoised over the fleet.

An internal class of the model is a local priority, and each has a buffer group of its own.
"""

from __future__ import annotations

from typing import ClassVar

from roce_audit.model import Port
from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.aoscx.classify import PRIORITIES, Maps, because, classify
from roce_audit.platforms.aoscx.defaults import BUILTIN, DEFAULTS, WATCHDOG_OFF
from roce_audit.platforms.aoscx.family import CAMPUS, POOLS
from roce_audit.platforms.aoscx.lossless import Pauses, Pools, groups
from roce_audit.platforms.aoscx.policies import ClassifierPolicy
from roce_audit.platforms.aoscx.queueing import Egress
from roce_audit.platforms.aoscx.table import TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, elsewhere, member_of_channel
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy.policies import Policies, PolicySyntax
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

ROCE = frozenset({("udp", 4791), ("tcp-udp", 4791), ("tcp-sctp-udp", 4791), ("ether", 0x8915)})
"""RoCEv2 and RoCEv1 as DCBX application TLVs name them."""
_NO_ALPHA: Cell[float] = unknown(Why.NO_DEFAULT)
_PROFILES = PolicySyntax(TABLE, BUILTIN)
_CAMPUS_DEFAULTS = ("queues.*.scheduling", "queues.*.share", "groups")
"""What the guide of the data centre switches does not say of campus switches."""


@dataclass(frozen=True, slots=True)
class CxContext(PortContext):
    """What the reading of a port depends on besides its statements, the series of the switch among it."""

    family: str = ""
    alpha: Cell[float] = _NO_ALPHA


_MARKS = {"none": 0, "cos": 1, "dscp": 2}
"""The marks of a packet that a port goes by: none, that of its tag, that of its IP header as well."""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    order = ("top", "vxlan", "state", "port")
    """Device-wide statements, what is shown, the port's own, then its LAG's, which governs its members."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.policies = Policies(parts, _PROFILES)
        assert isinstance(context, CxContext)
        self.family, self.alpha = context.family, context.alpha
        if self.family == CAMPUS:
            for path in _CAMPUS_DEFAULTS:
                self.settings.forbid_default(path, Why.NO_DEFAULT)
        self.maps = Maps(self.lack)
        self.pools: dict[int, tuple[st.Pool, At]] = {}
        self.sizes: dict[int, tuple[int, At]] = {}
        """Pool -> its bytes, as shown."""
        self.pauses = Pauses()
        self.buffers: dict[tuple[str, int], tuple[float, At]] = {}
        self.watchdog: At | None = None
        self.times: tuple[st.WatchdogTimes, At] | None = None
        self.trust: dict[str, tuple[st.Trust, At]] = {}
        """Role of the part -> what is trusted there."""
        self.shown_trust: tuple[st.Trust, At] | None = None
        self.dcbx: dict[str, tuple[str, At]] = {}
        self.mtu: dict[int, Cell[int]] = {}
        """Layer -> the MTU that is configured."""
        self.shape: tuple[st.Shape, At] | None = None
        self.remark: tuple[int, At] | None = None
        self.rewrites: At | None = None

    def port(self) -> Port:
        self.take_in()
        egress = Egress(self.settings, self.policies, self.lack.undefined)
        egress.schedule(self.bound("schedule", ""), self._queues_in_use(egress))
        egress.shape(self.shape)
        egress.thresholds(self.bound("thresholds", ""))
        trust = classify(self.settings, self.lack, self.maps, self._trusted())
        self._rewriting(trust if (doubt := self.settings.unknown_at("trust")) is None else doubt)
        policy = self.bound("policy", "")
        if policy is not None:
            ClassifierPolicy(self.policies, *policy, self.lack.undefined).apply(self.settings, self.maps.dscp)
        self._queues_of_priorities()
        self.pauses.tell(self.settings, self.maps)
        pools = Pools(self.pools, self.sizes, self.family, self.alpha, self.buffers)
        groups(self.settings, self.lack, self.maps, pools)
        self._mtu()
        self._dcbx()
        self._watch()
        return self.filled()

    def _trusted(self) -> tuple[st.Trust, At] | None:
        """What is configured, or what runs where that trusts less; what else differs is told alone.

        That nothing is trusted counts against a statement of the port alone: whether what the switch as a whole trusts is shown with a
        port was not seen.
        """
        said = self.trust.get("lag") or self.trust.get("own") or self.trust.get("device")
        shown = self.shown_trust
        if shown is None or said is None:  # a whole configuration without a word of it trusts nothing
            return said if shown is None or self.lack.is_complete("trust") else shown
        is_less = _MARKS[shown[0].mode or ""] < _MARKS[said[0].mode or ""]
        return shown if is_less and (shown[0].mode != "none" or "own" in self.trust) else said

    def _queues_in_use(self, egress: Egress) -> frozenset[int] | None:
        """The queues of the queue profile that is applied; None where that is not known."""
        bound = self.bound("queues", "")
        if bound is None and not self.lack.is_complete("classes"):
            return None
        partner = self.bindings.get(("schedule", ""), {}).get("device")
        return egress.queues_of_classes(bound, partner)

    def _queues_of_priorities(self) -> None:
        """Where no queue profile says otherwise, each local priority has the queue of its number."""
        for number in PRIORITIES:
            path = f"classes.{number}.queue"
            if self.settings.cell(path) is None:
                self.settings.set_cell(path, self.lack.otherwise(path))

    def _rewriting(self, trust: Cell[str]) -> None:
        """`qos dscp` counts only where nothing is trusted; the egress map for all that leaves."""
        if self.rewrites is not None:
            self.settings.set("rewrites_dscp", frozenset(PRIORITIES), self.rewrites)
            for number in PRIORITIES:
                self.settings.set_cell(
                    f"classes.{number}.new_dscp", because(self.maps.rewritten(number), (self.rewrites,))
                )
        elif self.remark is not None and trust.is_unknown:
            self.settings.set_cell("rewrites_dscp", unknown(trust.why or Why.NOT_VISIBLE, self.remark[1]))
        elif self.remark is not None and trust.value == "none":
            self.settings.set("rewrites_dscp", frozenset(PRIORITIES), self.remark[1])
            for number in PRIORITIES:
                self.settings.set(f"classes.{number}.new_dscp", *self.remark)

    def _mtu(self) -> None:
        """The largest IP packet: of a routed port the smaller of both MTUs, of a bridged one that of layer 2.

        The interface of a VLAN has no MTU of layer 2.
        """
        frame, packet = (self.mtu.get(layer, self.lack.otherwise(path)) for layer, path in ((2, "mtu"), (3, "ip_mtu")))
        if self.context.kind == "svi" and 2 not in self.mtu:
            frame = packet
        routed = self.context.routed or (self.context.routed is None and 3 in self.mtu)
        known_ones = [cell for cell in (frame, packet if routed else frame) if cell.is_known]
        if len(known_ones) == 2:
            self.settings.set_cell("ip_mtu_bytes", min(known_ones, key=lambda cell: cell.get()))
        elif known_ones:  # the other MTU may stand elsewhere
            self.settings.set_cell("ip_mtu_bytes", unknown(Why.NOT_VISIBLE, *known_ones[0].at))
        shown = self.mtu.get(0)
        if shown is not None and known_ones and shown.get() < min(cell.get() for cell in known_ones):
            self.settings.set_cell("ip_mtu_bytes", shown)

    def _dcbx(self) -> None:
        """DCBX is spoken where it is on for the switch and not off for the port."""
        here, everywhere = self.dcbx.get("own"), self.dcbx.get("device")
        if here is not None and here[0] == "off":
            self.settings.set("dcbx.mode", *here)
        elif everywhere is not None:
            self.settings.set("dcbx.mode", *everywhere)
            if here is not None and everywhere[0] != "off":
                self.settings.set("dcbx.mode", *here, everywhere[1])

    def _watch(self) -> None:
        """The watchdog of the port, with the times of the switch."""
        if self.watchdog is not None:
            self.settings.set("pfc.watchdog.on", True, self.watchdog)
        elif self.family == POOLS and self.lack.is_complete("pfc"):
            self.settings.set("pfc.watchdog.on", False, Cited(WATCHDOG_OFF))
        if self.times is not None:
            times, at = self.times
            self.settings.set("pfc.watchdog.detect_ms", float(times.detect), at)
            self.settings.set("pfc.watchdog.restore_ms", float(times.restore), at)

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_pool(self, s: st.Pool, role: str, at: At) -> None:
        self.pools[s.number] = (s, at)

    def on_no_pool(self, s: st.PoolRemoved, role: str, at: At) -> None:
        self.pools.pop(s.number, None)

    def on_pfc(self, s: st.Pfc, role: str, at: At) -> None:
        self.pauses.take(s, at)

    def on_buffer(self, s: st.Buffer, role: str, at: At) -> None:
        if s.value is None:
            self.buffers.pop((s.leaf, s.priority), None)
        else:
            self.buffers[s.leaf, s.priority] = (s.value, at)

    def on_watchdog(self, s: st.Watchdog, role: str, at: At) -> None:
        self.watchdog = at if s.on else None

    def on_times(self, s: st.WatchdogTimes, role: str, at: At) -> None:
        self.times = (s, at)

    def on_application(self, s: st.Application, role: str, at: At) -> None:
        if (s.protocol, s.number) in ROCE:
            self.settings.set("dcbx.roce_priority", s.priority, at)

    def on_no_applications(self, s: st.NoApplications, role: str, at: At) -> None:
        self.settings.set_cell("dcbx.roce_priority", absent(at))

    def on_link_pause(self, s: st.LinkPause, role: str, at: At) -> None:
        self.settings.set("link_pause_rx", bool(s.direction), at)
        self.settings.set("link_pause_tx", s.direction == "rxtx", at)

    def on_trust(self, s: st.Trust, role: str, at: At) -> None:
        if s.mode is None:
            self.trust.pop(role, None)
        else:
            self.trust[role] = (s, at)

    def on_shown_trust(self, s: st.ShownTrust, role: str, at: At) -> None:
        if not any(part.role == "lag" for part in self.parts):  # what a member trusts is its channel's
            self.shown_trust = st.Trust(s.mode), at

    def on_mapped(self, s: st.Mapped, role: str, at: At) -> None:
        self.maps.take(s, at)

    def on_egress_map(self, s: st.EgressMap, role: str, at: At) -> None:
        self.maps.take_egress(s, at)

    def on_applied(self, s: st.Applied, role: str, at: At) -> None:
        self.bind("queues", "", s.queues, role, at)
        self.bind("schedule", "", s.schedule, role, at)

    def on_schedule(self, s: st.Schedule, role: str, at: At) -> None:
        self.bind("schedule", "", s.name, role, at)

    def on_thresholds(self, s: st.Thresholds, role: str, at: At) -> None:
        self.bind("thresholds", "", s.name, role, at)

    def on_policy(self, s: st.PolicyIn, role: str, at: At) -> None:
        self.bind("policy", "", s.name, role, at)

    def on_shape(self, s: st.Shape, role: str, at: At) -> None:
        self.shape = (s, at)

    def on_remark(self, s: st.Remark, role: str, at: At) -> None:
        self.remark = None if s.dscp is None else (s.dscp, at)

    def on_rewrite(self, s: st.EgressRewrite, role: str, at: At) -> None:
        self.rewrites = at if s.on else None

    def on_mtu(self, s: st.Mtu, role: str, at: At) -> None:
        if s.size is None:
            self.mtu.pop(s.layer, None)
        else:
            self.mtu[s.layer] = known(s.size, at)

    def on_dcbx(self, s: st.Dcbx, role: str, at: At) -> None:
        if s.mode is None:
            self.dcbx.pop(role, None)
        else:
            self.dcbx[role] = (s.mode, at)

    def on_pool_size(self, s: st.PoolSize, role: str, at: At) -> None:
        self.sizes[s.number] = (s.kbytes * st.BYTES_PER_KB, at)

    def on_running(self, s: st.Running, role: str, at: At) -> None:
        self.settings.set("pfc.operational", frozenset(s.priorities), at)

    handlers: ClassVar = {
        st.Pool: on_pool,
        st.PolicyIn: on_policy,
        st.PoolRemoved: on_no_pool,
        st.Pfc: on_pfc,
        st.Buffer: on_buffer,
        st.Watchdog: on_watchdog,
        st.WatchdogTimes: on_times,
        st.LinkPause: on_link_pause,
        st.Trust: on_trust,
        st.ShownTrust: on_shown_trust,
        st.Mapped: on_mapped,
        st.EgressMap: on_egress_map,
        st.EgressTag: elsewhere,
        st.Applied: on_applied,
        st.Schedule: on_schedule,
        st.Thresholds: on_thresholds,
        st.Shape: on_shape,
        st.Remark: on_remark,
        st.EgressRewrite: on_rewrite,
        st.Mtu: on_mtu,
        st.Lag: member_of_channel,
        st.Dcbx: on_dcbx,
        st.Application: on_application,
        st.NoApplications: on_no_applications,
        st.PoolSize: on_pool_size,
        st.Running: on_running,
    }
