"""From the statements that concern one OS10 port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.os10.defaults import BUILTIN, DEFAULTS, NO_PFC
from roce_audit.platforms.os10.lossless import Pausing, network_qos
from roce_audit.platforms.os10.queueing import Queuing, queues_of_classes
from roce_audit.platforms.os10.table import TABLE
from roce_audit.platforms.os10.trust import Trust
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, member
from roce_audit.platforms.shared.cli.routing import MaxPaths, max_paths
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.marks import remarking
from roce_audit.platforms.shared.policy.policies import Policies, PolicySyntax
from roce_audit.text.block import Part, headers
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

_POLICIES = PolicySyntax(TABLE, BUILTIN)
_WRED_PATHS = tuple(f"queues.{number}.ecn" for number in range(8))


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    order = ("top", "bgp", "systemqos", "port", "state")
    """Device-wide statements, the port's own, its channel's, which governs its members, then what is shown."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.policies = Policies(parts, _POLICIES)
        self.pfc: Cell[Any] | None = None
        self.dcbx_here: tuple[str, At] | None = None
        self.dcbx_everywhere: tuple[bool, At] | None = None
        self.ecn_everywhere: At | None = None
        self.breakout: tuple[int, At] | None = None

    def port(self) -> Port:
        settings = self.settings
        self.take_in()
        bound, undefined = self.bound, self.lack.undefined
        qos_map = bound("qos-map", "")
        if qos_map is not None:
            queues_of_classes(settings, self.policies, *qos_map, undefined)
        self._flow_control()
        queuing = bound("queuing", "output")
        if queuing is not None:
            Queuing(settings, self.policies, undefined, self.ecn_everywhere).fold(*queuing)
        self._classification()
        for direction in ("input", "output"):
            policy = bound("qos", direction)
            if policy is not None:
                remarking(settings, self.policies, direction, *policy, undefined)
        self._dcbx()
        if self.breakout is not None and settings.get("speed_bps") is None:
            settings.set("speed_bps", *self.breakout)
        return self.filled()

    def _flow_control(self) -> None:
        bound = self.bound("network-qos", "input")
        pausing = Pausing() if bound is None else network_qos(self.settings, self.policies, *bound, self.lack)
        mode = self.lack.otherwise("pfc.mode")
        if self.pfc is not None:
            mode = self.pfc
            self.settings.set_cell("pfc.mode", mode)
        if mode.is_known:
            self.settings.set_cell("pfc.priorities", self._priorities(mode.get(), pausing, mode.at))

    def _priorities(self, mode: str, pausing: Pausing, because: tuple[Where, ...]) -> Cell[Any]:
        if mode == "off":
            return known(frozenset(), *because)
        if pausing.doubt is not None:
            return unknown(*pausing.doubt, *because)
        if not pausing.seen:
            return self.lack.otherwise("pfc.priorities", *headers(because), *because)
        if not pausing.by_priority:
            return known(frozenset(), *pausing.header, *because)
        if mode == "auto":
            return unknown(Why.NOT_VISIBLE, *because)  # what DCBX negotiated is not in the configuration
        return known(frozenset(pausing.by_priority), *dict.fromkeys(pausing.by_priority.values()), *because)

    def _classification(self) -> None:
        trust = Trust(
            self.policies,
            self.bound("trust-map", "dot1p"),
            self.bound("trust-map", "dscp"),
            self.bound("qos", "input"),
            self.lack,
        )
        if trust.dot1p is not None or trust.dscp is not None:
            self.settings.set_cell("trust", trust.kind())
        for field, answers in zip(("dscp", "pcp"), trust.answers(), strict=True):
            for value, cell in enumerate(answers):
                self.settings.set_cell(f"{field}.{value}", cell)

    def _dcbx(self) -> None:
        """DCBX is spoken where it is on for the switch and for the port."""
        here, everywhere = self.dcbx_here, self.dcbx_everywhere
        if here is not None and here[0] == "off":
            self.settings.set("dcbx.mode", "off", here[1])
        elif everywhere is not None:
            mode = "off" if not everywhere[0] else "auto" if here is None else here[0]
            self.settings.set("dcbx.mode", mode, *(here[1:] if here and everywhere[0] else ()), everywhere[1])

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_binding(self, s: ps.Binding, role: str, at: At) -> None:
        self.bind(s.kind, s.direction, s.name, role, at)

    def on_trust_map(self, s: st.TrustMap, role: str, at: At) -> None:
        self.bind("trust-map", s.field, s.name, role, at)

    def on_qos_map(self, s: st.QosMap, role: str, at: At) -> None:
        self.bind("qos-map", "", s.name, role, at)

    def on_breakout(self, s: st.Breakout, role: str, at: At) -> None:
        self.breakout = (s.bps, at)

    def on_pfc(self, s: st.PfcMode, role: str, at: At) -> None:
        self.pfc = known("off", at, Cited(NO_PFC)) if s.mode is None else known(s.mode, at)

    def on_outer_wred(self, s: st.PortWred | st.PoolWred, role: str, at: At) -> None:
        # what a profile of the whole port or pool does to one queue is not documented
        for path in _WRED_PATHS:
            self.settings.set_cell(path, unknown(Why.NO_DEFAULT, at))

    def on_ecn_everywhere(self, s: st.EcnEverywhere, role: str, at: At) -> None:
        self.ecn_everywhere = at if s.on else None

    def on_lldp(self, s: st.Lldp, role: str, at: At) -> None:
        before = self.settings.get("dcbx.lldp")
        if role == "device" or not s.on or before is None:
            self.settings.set("dcbx.lldp", s.on, at)

    def on_dcbx(self, s: st.Dcbx, role: str, at: At) -> None:
        self.dcbx_everywhere = (s.on, at)

    def on_dcbx_tlv(self, s: st.DcbxTlv, role: str, at: At) -> None:
        self.dcbx_here = None if s.on else ("off", at)

    def on_dcbx_version(self, s: st.DcbxVersion, role: str, at: At) -> None:
        if self.dcbx_here is None or self.dcbx_here[0] != "off":
            self.dcbx_here = (s.version, at)

    handlers: ClassVar = {
        MaxPaths: max_paths,
        st.ChannelGroup: member,
        ps.Binding: on_binding,
        st.TrustMap: on_trust_map,
        st.QosMap: on_qos_map,
        st.PfcMode: on_pfc,
        st.Breakout: on_breakout,
        Connected: connected,
        st.PortWred: on_outer_wred,
        st.PoolWred: on_outer_wred,
        st.EcnEverywhere: on_ecn_everywhere,
        st.Lldp: on_lldp,
        st.Dcbx: on_dcbx,
        st.DcbxTlv: on_dcbx_tlv,
        st.DcbxVersion: on_dcbx_version,
    }
