"""From the statements that concern one VRP port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.shared.cli.builder import PortBuilder, elsewhere, member_of_channel
from roce_audit.platforms.shared.cli.routing import MaxPaths, OtherRouting, max_paths, one_path_by_default
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.marks import remarking
from roce_audit.platforms.shared.policy.rulelines import neutral
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.classify import Classification
from roce_audit.platforms.vrp.contradictions import FRAME_ABOVE_IP
from roce_audit.platforms.vrp.defaults import DEFAULTS, ONE_PATH, OWN, SAME_QUEUE
from roce_audit.platforms.vrp.egress import Egress
from roce_audit.platforms.vrp.family import Family
from roce_audit.platforms.vrp.flowcontrol import FlowControl
from roce_audit.platforms.vrp.policies import TrafficPolicies
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_OF_MEMBERS = ("pfc", "groups", "queues", "classes", "link_pause_rx", "link_pause_tx", "dcbx")
"""Settings that stand on the members of an Eth-Trunk and not on it (views of the command reference)."""
_FORWARDING = ("ethernet", "breakout-parent", "subinterface")


@dataclass(frozen=True, slots=True)
class VrpContext(PortContext):
    """What the reading of a port depends on besides its statements."""

    family: Family = ""
    slot: str = ""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    filters_drop_rest = False
    filter_line = neutral
    order = ("top", "bgp", "igp", "ecmp", "aiservice", "state", "port")
    """Device-wide statements, what is shown, then the port's own, then its channel's."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        of_vrp = (
            context if isinstance(context, VrpContext) else VrpContext(context.kind, context.routed, context.complete)
        )
        self.own = replace(self.lack, defaults=OWN)
        self.policies = TrafficPolicies(parts)
        self.flow = FlowControl(self.settings, self.policies, self.own, of_vrp.family, of_vrp.slot)
        self.egress = Egress(self.settings, self.policies, self.own, of_vrp.family)
        self.marks = Classification(self.settings, self.policies, self.own)
        self.mtu: tuple[int, At] | None = None
        self.jumbo: tuple[int, At] | None = None
        self.portswitch: tuple[bool, At] | None = None
        self.rates: set[str] = set()
        self.lldp: dict[str, tuple[bool, At]] = {}
        self.dcbx: tuple[bool, At] | None = None
        self.intel: tuple[bool, At] | None = None

    def port(self) -> Port:
        settings = self.settings
        for number in range(8):  # no statement can change these, so they hold in a fragment as well
            for path in (f"classes.{number}.queue", f"priorities.{number}.queue", f"priorities.{number}.group"):
                settings.set(path, number, Cited(SAME_QUEUE))
        self.take_in()
        one_path_by_default(self, ONE_PATH)
        if self.context.kind == "lag":
            for path in _OF_MEMBERS:
                settings.forbid_default(path, Why.NOT_VISIBLE)
        routed = self._routed()
        if self.context.kind in _FORWARDING:
            self.flow.settle()
            self.egress.settle()
            self._dcbx()
        if self.context.kind in (*_FORWARDING, "lag"):
            self.marks.settle(routed, self.bound("qos", "input"))
        if self.context.kind in _FORWARDING:
            self.flow.groups_of_classes(self.marks, routed)
        for direction in ("input", "output"):
            bound = self.bound("qos", direction)
            if bound is not None:
                remarking(settings, self.policies, direction, *bound, self.lack.undefined)
        self._vlan_policies()
        self._mtu(routed)
        return self.filled()

    def _routed(self) -> Cell[Any]:
        """Whether the port is one of Layer 3."""
        if self.portswitch is not None:
            return known(not self.portswitch[0], self.portswitch[1])
        said = self.context.routed
        return self.own.otherwise("routed") if said is None else known(said)

    def _mtu(self, routed: Cell[Any]) -> None:
        """The packet that fits into the longest frame; on a routed port no more than its IP MTU."""
        path = "ip_mtu_bytes"
        if self.context.kind not in ("ethernet", "lag", "breakout-parent"):
            if self.mtu is not None:
                self.settings.set(path, *self.mtu)
            return
        frame = known(*self.jumbo) if self.jumbo is not None else self.own.otherwise("jumbo")
        packet = known(*self.mtu) if self.mtu is not None else self.own.otherwise("mtu")
        fits = frame if frame.is_unknown else known(frame.get() - FRAME_ABOVE_IP, *frame.at)
        if self.mtu is None and routed.is_unknown:
            cell = fits if packet.is_known and fits.is_known and fits.get() <= packet.get() else routed
        elif self.mtu is None and not routed.get():
            cell = fits
        elif self.mtu is None and packet.is_unknown:
            cell = packet  # an MTU of layer 3 may stand elsewhere, and is smaller by default
        elif fits.is_unknown or (packet.is_known and packet.get() <= fits.get()):
            cell = packet  # a frame limit that nobody sees is no smaller than the documented one
        else:
            cell = fits
        self.settings.set_cell(path, cell)

    def _dcbx(self) -> None:
        here, everywhere = self.lldp.get("own"), self.lldp.get("device")
        for said in (here, everywhere):
            if said is not None and not said[0]:
                self.settings.set("dcbx.lldp", False, said[1])
                self.settings.set("dcbx.mode", "off", said[1])
                return
        if everywhere is not None:
            self.settings.set("dcbx.lldp", True, everywhere[1])
        elif here is not None:
            self.settings.set_cell("dcbx.lldp", self.lack.otherwise("dcbx.lldp", here[1]))
        if self.dcbx is not None:
            cell = known("ieee", self.dcbx[1]) if self.dcbx[0] else known("off", self.dcbx[1])
            if self.intel is not None and self.intel[0] and self.dcbx[0]:
                cell = known("cee", self.intel[1], self.dcbx[1])
            self.settings.set_cell("dcbx.mode", cell)

    def _vlan_policies(self) -> None:
        """A policy of a VLAN that the port carries classifies and polices too; which packets are of it nobody can tell."""
        for parsed, _, at in self.statements("vlan"):
            if parsed.value is None or (isinstance(parsed.value, ps.Binding) and parsed.value.direction == "input"):
                why = Why.NOT_PARSED if parsed.value is None else Why.NOT_VISIBLE
                for path in ("dscp", "pcp", "trust", "policed"):
                    self.settings.set_unknown(path, why, at)

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_nominal(self, s: st.Nominal, role: str, at: At) -> None:
        """The name of an interface tells its rate."""
        if s.gbps is not None and role == "own" and self.settings.get("speed_bps") is None:
            self.settings.set("speed_bps", s.gbps * 1_000_000_000, at)

    def on_binding(self, s: ps.Binding, role: str, at: At) -> None:
        self.bind(s.kind, s.direction, s.name, role, at)

    def on_portswitch(self, s: st.Portswitch, role: str, at: At) -> None:
        self.portswitch = (s.on, at)

    def on_mtu(self, s: st.Mtu, role: str, at: At) -> None:
        self.mtu = None if s.size_bytes is None else (s.size_bytes, at)

    def on_jumbo(self, s: st.Jumbo, role: str, at: At) -> None:
        self.jumbo = None if s.frame_bytes is None else (s.frame_bytes, at)

    def on_lldp(self, s: st.Lldp, role: str, at: At) -> None:
        self.lldp["device" if role == "device" else "own"] = (s.on, at)

    def on_dcbx(self, s: st.Dcbx, role: str, at: At) -> None:
        self.dcbx = (s.on, at)

    def on_compliance(self, s: st.Compliance, role: str, at: At) -> None:
        self.intel = (s.intel, at)

    def on_policed(self, s: st.Policed, role: str, at: At) -> None:
        if s.profile is None or s.profile in self.rates:
            self.settings.set("policed", s.profile is not None, at)
            if s.profile is not None:
                self.settings.set("policed_dscps", frozenset(range(64)), at)
        else:
            self.settings.set_cell("policed", unknown(self.lack.undefined, at))

    def on_rate(self, s: st.CarProfile, role: str, at: At) -> None:
        self.rates.add(s.name)

    def on_flow(self, s: Any, role: str, at: At) -> None:
        self.flow.take(s, at)

    def on_egress(self, s: Any, role: str, at: At) -> None:
        self.egress.take(s, at)

    def on_marks(self, s: Any, role: str, at: At) -> None:
        self.marks.take(s, at)

    handlers: ClassVar = {
        MaxPaths: max_paths,
        OtherRouting: elsewhere,
        st.Channel: member_of_channel,
        st.PfcGlobally: elsewhere,
        st.Nominal: on_nominal,
        ps.Binding: on_binding,
        st.Portswitch: on_portswitch,
        st.Mtu: on_mtu,
        st.Jumbo: on_jumbo,
        st.Lldp: on_lldp,
        st.Dcbx: on_dcbx,
        st.Compliance: on_compliance,
        st.Policed: on_policed,
        st.CarProfile: on_rate,
        **dict.fromkeys(
            (
                st.PfcEnable,
                st.DeadlockInterval,
                st.DeadlockTimer,
                st.RecoveryBehaviour,
                st.HeadroomPool,
                st.DscpMapping,
                st.Threshold,
                st.QueueBuffer,
                st.NoQueueBuffer,
                st.ShownBuffer,
                st.Running,
            ),
            on_flow,
        ),
        **dict.fromkeys(
            (
                st.QueueMode,
                st.DrrWeight,
                st.QueueWred,
                st.QueueEcn,
                st.QueueShape,
                st.PortShape,
                st.Limit,
                st.EtsEnable,
                st.EcnGlobally,
                st.AiEcn,
                st.AiQueue,
                st.ShownCurve,
            ),
            on_egress,
        ),
        **dict.fromkeys((st.Trust, st.Upstream, st.PortPriority, st.Marking), on_marks),
    }
