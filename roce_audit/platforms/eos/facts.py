"""From the statements that concern one EOS port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.eos import profiles
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.classify import POLICY_SYNTAX, Classifier, Said
from roce_audit.platforms.eos.defaults import (
    DEFAULTS,
    HEADROOM_POOL,
    OF_PORTS,
    ONE_PATH,
    PAUSED,
    WATCHDOG_EVERYWHERE,
    WATCHDOG_WRITTEN_OUT,
)
from roce_audit.platforms.eos.marking import remarked, unknown_marks
from roce_audit.platforms.eos.shaping import Shapers
from roce_audit.platforms.eos.table import PROFILE, TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, elsewhere, filled, lack, member
from roce_audit.platforms.shared.cli.routing import MaxPaths, OtherRouting, max_paths, one_path_by_default
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy.marks import policed
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.text.block import HEADER, Part, headers
from roce_audit.text.statements.rows import Block
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_BYTES = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
"""EOS does not say whether its kbytes are 1,000 or 1,024 bytes; the smaller reading is taken."""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    order = (
        "top",
        "bgp",
        "unreadable",
        "defaults",
        "mmuapply",
        "mmu",
        "vxlan",
        "profile",
        "ifprofile",
        "port",
        "state",
    )
    """Device-wide statements, those of the profiles, the port's own, then its channel's, which governs its members."""
    of_channel = ("ip_mtu_bytes", "trust")

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.routed = context.routed
        if any(part.kind == profiles.KIND for part in parts):
            self.routed = context.routed or None  # a profile may say that it routes
        self.lack = lack(context.complete, OF_PORTS[self.routed])
        if self.routed is None:
            self.settings.forbid_default("ip_mtu_bytes", Why.NOT_VISIBLE)
        self.policies = Policies(parts, POLICY_SYNTAX)
        self.no_drop: dict[int, At] = {}
        self.taken_back: dict[int, At] = {}
        """Priorities that were no-drop until this line said `drop`."""
        self.lossy: dict[int, At] = {}
        """Those of which nothing but `drop` was said."""
        self.pfc: tuple[bool, At] | None = None
        self.all_off: At | None = None
        self.said = Said()
        self.rewritten: dict[int, At] = {}
        self.rewriting: tuple[bool, At] | None = None
        """Whether marks are written on the way out; None where nothing says so."""
        self.shapers = Shapers()
        self.frame: tuple[int, At] | None = None
        """The largest frame in bytes, and where it is said."""
        self.memory: dict[tuple[str, int | None], tuple[st.MmuSize | st.MmuThreshold, At]] = {}
        """(field, group or None) -> what the MMU profile of the switch says."""
        said = ((p.value, role, at) for kind in (profiles.KIND, "port") for p, role, at in self.statements(kind))
        of_profile = {"bound": "own"}
        self.profiles = {
            of_profile.get(role, role): (s.name, at) for s, role, at in said if isinstance(s, st.ProfileName)
        }
        """Role of a stanza, the port's own or its channel's -> the QoS profile that it names last; None = removed."""

    def port(self) -> Port:
        settings = self.settings
        self._undefined_profiles()
        for path, at in profiles.disputed(self.parts, TABLE):
            settings.set_unknown(path, Why.NO_DEFAULT, at)
        for path in PAUSED:
            settings.set(path, DEFAULTS[path].value, Cited(DEFAULTS[path].source))
        self.take_in()
        one_path_by_default(self, ONE_PATH)
        for index, part in self.in_order():
            if part.kind == "profile":
                settings.default_location("queues", At(index, HEADER))
        self._frame()
        self._flow_control()
        self._memory()
        self._classification()
        self._policing()
        self.shapers.put(settings)
        if self.rewriting is not None:
            is_on, where = self.rewriting
            if is_on and not self.rewritten:  # the map that the switch has of itself is written
                settings.set_cell("rewrites_dscp", unknown(Why.NO_DEFAULT, where))
            else:
                its = self.rewritten if is_on else {}
                settings.set("rewrites_dscp", frozenset(its), where, *its.values())
        if self.said.policy is not None:
            remarked(settings, self.policies, *self.said.policy, self.lack.undefined)
        return self.filled()

    def filled(self) -> Port:
        """The facts that the settings make; some defaults are those of routed ports, or of switched ones."""
        return filled(self.settings, self.context.complete, OF_PORTS[self.routed])

    def in_order(self) -> Iterator[tuple[int, Part]]:
        """A port has one QoS profile: the last that is named, and none behind `no service-profile`."""
        named = {name for name, _ in self.profiles.values()}
        return ((i, part) for i, part in super().in_order() if part.kind != "profile" or part.name in named)

    def _undefined_profiles(self) -> None:
        for name, at in self.profiles.values():
            if name is not None and self.policies.header("profile", name) is None:
                unknown_marks(self.settings, self.lack.undefined, at)
                for path in PROFILE.split():
                    self.settings.forbid_default(path, self.lack.undefined, at)

        named = ((s, at) for p, _, at in self.statements("port") for s in _interface_profiles(p.value))
        for at in profiles.missing(named, self.policies):
            for path in f"{PROFILE} ip_mtu_bytes".split():
                self.settings.forbid_default(path, self.lack.undefined, at)

    def _frame(self) -> None:
        """No packet is larger than the frame that carries it; what a larger frame changes is not documented."""
        if self.frame is None:
            return
        size, at = self.frame
        written, default = self.settings.get("ip_mtu_bytes"), OF_PORTS[self.routed].get("ip_mtu_bytes")
        largest = (None if default is None else default.value) if written is None else written.value
        if isinstance(largest, int) and size < largest:
            self.settings.set("ip_mtu_bytes", size, at)
        else:
            self.settings.forbid_default("ip_mtu_bytes", Why.NO_DEFAULT, at)

    def _flow_control(self) -> None:
        settings = self.settings
        if self.all_off is not None:
            settings.set("pfc.mode", "off", self.all_off)
            settings.set("pfc.priorities", frozenset(), self.all_off)
            return
        on, at = self.pfc or (False, None)
        if at is not None:
            settings.set("pfc.mode", "on" if on else "off", at)
        if at is not None and not on:
            settings.set("pfc.priorities", frozenset(), at)
        elif at is not None:
            lines = (*self.taken_back.values(), *self.no_drop.values()) or tuple(self.lossy.values()) or headers((at,))
            settings.set("pfc.priorities", frozenset(self.no_drop), *lines, at)
        elif self.no_drop:  # without `priority-flow-control on` the no-drop lines are only a preparation
            settings.set("pfc.priorities", frozenset(), *self.no_drop.values())
        for priority, where in self.no_drop.items():
            if at is None or on or where.part == at.part:  # off in one block with it: one was not meant
                settings.set(f"groups.{priority}.lossless", True, where)

    def _memory(self) -> None:
        """The MMU profile holds for the lossless groups; what a group says of itself wins."""
        for (field, group), (said, at) in sorted(self.memory.items(), key=lambda item: item[0][1] is not None):
            for number in self.no_drop if group is None else {group} & self.no_drop.keys():
                path = f"groups.{number}.{field}"
                if isinstance(said, st.MmuThreshold):
                    self.settings.set(path, said.alpha, at)
                    self.settings.set_absent(f"groups.{number}.xoff_at_bytes", at)
                elif said.unit == "bytes" or said.amount == 0:
                    self.settings.set(path, said.amount, at)
                    if field == "headroom_bytes":
                        self.settings.set(f"groups.{number}.headroom_is_shared", True, Cited(HEADROOM_POOL))
                else:  # how many bytes a cell has differs by chip
                    self.settings.set_cell(path, unknown(Why.NO_DEFAULT, at))

    # classification -----------------------------------------------------------------------------------------------

    def _classification(self) -> None:
        classifier = Classifier(self.said, self.policies, self.lack, self._trust(), self.routed is True)
        self.settings.set_cell("trust", classifier.believed)
        for dscp in range(64):
            self.settings.set_cell(f"dscp.{dscp}", classifier.traffic_class("dscp", dscp))
        for priority in range(8):
            self.settings.set_cell(f"pcp.{priority}", classifier.traffic_class("pcp", priority))

    def _trust(self) -> Cell[Any]:
        """The mark that is trusted; what holds where nothing is said depends on whether the port routes."""
        what, at = self.said.trust or (None, None)
        if what is not None and at is not None:
            return known(what, at)
        doubt = self.settings.default_forbidden("trust")
        if doubt is None and self.routed is None:
            return unknown(Why.NOT_VISIBLE)
        return self.lack.otherwise("trust") if doubt is None else doubt

    def _policing(self) -> None:
        if self.said.policy is None:
            return
        name, bound_at = self.said.policy
        lines = self.policies.lines("policy", name)
        if lines is None:
            self.settings.set_unknown("policed", self.lack.undefined, bound_at)
        for parsed, at in lines or ():
            if parsed.unread:
                self.settings.set_unknown("policed", Why.NOT_PARSED, at)
        classifier = Classifier(self.said, self.policies, self.lack, self._trust(), self.routed is True)
        policed(self.settings, classifier, self.policies.policy("policy", name) or ())

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_queue(self, s: Block, role: str, at: At) -> None:
        if s.number is not None:
            self.settings.default_location(f"queues.{s.number}", at)

    def on_memory(self, s: st.MmuSize | st.MmuThreshold, role: str, at: At) -> None:
        self.memory[s.field if isinstance(s, st.MmuSize) else "alpha", s.group] = (s, at)

    def on_policy(self, s: st.PolicyName, role: str, at: At) -> None:
        self.said.policy = None if s.name is None else (s.name, at)

    def on_ecn(self, s: st.EcnCurve, role: str, at: At) -> None:
        ecn = f"queues.{self.number}.ecn"
        self.settings.reset(ecn)
        self.settings.set(f"{ecn}.marks", True, at)
        self._thresholds(ecn, s, at)
        if s.percent is not None:
            self.settings.set(f"{ecn}.max_probability_percent", s.percent, at)
        if s.weight is not None:
            self.settings.set(f"{ecn}.weight", s.weight, at)

    def on_wred(self, s: st.WredCurve, role: str, at: At) -> None:
        ecn = f"queues.{self.number}.ecn"
        self.settings.set(f"{ecn}.drops", True, at)
        if self.settings.get(f"{ecn}.marks") is None:
            self.settings.set(f"{ecn}.marks", False, at)
            self._thresholds(ecn, s, at)
            self.settings.set(f"{ecn}.max_probability_percent", s.percent, at)

    def _thresholds(self, ecn: str, s: st.EcnCurve | st.WredCurve, at: At) -> None:
        for end, value, unit in (("min", s.low, s.low_unit), ("max", s.high, s.high_unit)):
            self.settings.set(f"{ecn}.{end}_value", value, at)
            self.settings.set(f"{ecn}.{end}_unit", unit, at)
            factor = _BYTES.get(unit)
            cell: Cell[int] = unknown(Why.NO_DEFAULT, at) if factor is None else known(value * factor, at)
            self.settings.set_cell(f"{ecn}.{end}_bytes", cell)

    def on_share(self, s: st.Share, role: str, at: At) -> None:
        if s.percent is None:
            self.settings.set_absent(f"queues.{self.number}.share", at)
            return
        self.settings.set(f"queues.{self.number}.share", s.percent, at)
        self.settings.set(f"queues.{self.number}.share_kind", "percent_at_most", at)

    def on_shape(self, s: st.Shape, role: str, at: At) -> None:
        self.shapers.add(s, "" if self.number == "" else f"queues.{self.number}", at)

    def on_priority(self, s: st.PfcPriority, role: str, at: At) -> None:
        self.taken_back.pop(s.priority, None)
        before = self.no_drop.pop(s.priority, None)
        if s.no_drop:
            self.no_drop[s.priority] = at
        elif before is not None:
            self.taken_back[s.priority] = at
        else:
            self.lossy[s.priority] = at

    def on_watchdog_timeout(self, s: st.WatchdogTimeout, role: str, at: At) -> None:
        """The detection time of the switch switches the watchdog on wherever no port says otherwise."""
        self.settings.set("pfc.watchdog.detect_ms", s.milliseconds, at)
        self.settings.set("pfc.watchdog.on", True, at, Cited(WATCHDOG_EVERYWHERE))

    def on_watchdog_timer(self, s: st.WatchdogTimer, role: str, at: At) -> None:
        for name, milliseconds in s._asdict().items():
            if milliseconds is not None:
                self.settings.set(f"pfc.watchdog.{name}_ms", milliseconds, at)

    def on_watchdog_written_out(self, s: st.WatchdogWrittenOut, role: str, at: At) -> None:
        """Beside defaults that are written out, a watchdog that is on is one more, and no word of the port about RoCE."""
        said = self.settings.get("pfc.watchdog.on")
        if said is not None and said.or_else(False):
            self.settings.set("pfc.watchdog.on", True, Cited(WATCHDOG_WRITTEN_OUT))

    def on_queue_map(self, s: st.QueueMap, role: str, at: At) -> None:
        for number in s.traffic_classes:
            self.settings.set(f"classes.{number}.queue", s.queue, at)

    def on_default_shutdown(self, s: st.DefaultShutdown, role: str, at: At) -> None:
        if self.context.kind in ("ethernet", "breakout-parent"):
            self.settings.set("admin_up", not s.down, at)

    def on_pfc(self, s: st.PfcMode, role: str, at: At) -> None:
        self.pfc = (s.on, at)

    def on_trust(self, s: st.Trust, role: str, at: At) -> None:
        self.said.trust = (s.what, at)

    def on_shown_mtu(self, s: st.ShownMtu, role: str, at: At) -> None:
        """What runs counts where the port has an MTU of its own."""
        written = self.settings.get("ip_mtu_bytes")
        if written is not None and written.is_known and written.get() != s.value:
            self.settings.set("ip_mtu_bytes", s.value, at, *written.at)

    def on_unmarked(self, s: st.Unmarked, role: str, at: At) -> None:
        path = f"queues.{s.number}.ecn"
        self.settings.reset(path)
        self.settings.set_absent(path, at)

    def on_shown_drops(self, s: st.ShownDrops, role: str, at: At) -> None:
        self.settings.set(f"queues.{s.number}.ecn.marks", False, at)
        self.settings.set(f"queues.{s.number}.ecn.drops", True, at)

    def on_all_off(self, s: st.AllOff, role: str, at: At) -> None:
        self.all_off = at

    def on_l2_mtu(self, s: st.L2Mtu, role: str, at: At) -> None:
        self.frame = (s.size, at)

    def on_cos(self, s: st.DefaultCos, role: str, at: At) -> None:
        self.said.untagged_cos = (s.cos, at)

    def on_dscp(self, s: st.DefaultDscp, role: str, at: At) -> None:
        self.said.untrusted_dscp = (s.dscp, at)

    def on_dscp_map(self, s: st.DscpMap, role: str, at: At) -> None:
        self.said.classes |= {("dscp", dscp): (s.traffic_class, at) for dscp in s.code_points}

    def on_cos_map(self, s: st.CosMap, role: str, at: At) -> None:
        self.said.classes |= {("pcp", cos): (s.traffic_class, at) for cos in s.priorities}

    def on_rewrite(self, s: st.RewriteDscp, role: str, at: At) -> None:
        self.rewritten |= dict.fromkeys(s.traffic_classes, at)
        for number in s.traffic_classes:
            self.settings.set(f"classes.{number}.new_dscp", s.dscp, at)

    def on_rewriting(self, s: st.Rewriting, role: str, at: At) -> None:
        self.rewriting = (s.on, at)

    handlers: ClassVar = {
        MaxPaths: max_paths,
        OtherRouting: elsewhere,
        Block: on_queue,
        st.ChannelGroup: member,
        st.MmuApply: elsewhere,
        st.AllOff: on_all_off,
        Connected: connected,
        st.CosMap: on_cos_map,
        st.DefaultCos: on_cos,
        st.DefaultDscp: on_dscp,
        st.DefaultShutdown: on_default_shutdown,
        st.DscpMap: on_dscp_map,
        st.EcnCurve: on_ecn,
        st.L2Mtu: on_l2_mtu,
        st.MmuSize: on_memory,
        st.MmuThreshold: on_memory,
        st.PfcMode: on_pfc,
        st.PfcPriority: on_priority,
        st.PolicyName: on_policy,
        st.ProfileName: elsewhere,
        st.Profiles: elsewhere,
        st.QueueMap: on_queue_map,
        st.RewriteDscp: on_rewrite,
        st.Rewriting: on_rewriting,
        st.Shape: on_shape,
        st.Share: on_share,
        st.ShownMtu: on_shown_mtu,
        st.TrafficPolicy: elsewhere,
        st.Trust: on_trust,
        st.Unmarked: on_unmarked,
        st.ShownDrops: on_shown_drops,
        st.WatchdogTimeout: on_watchdog_timeout,
        st.WatchdogTimer: on_watchdog_timer,
        st.WatchdogWrittenOut: on_watchdog_written_out,
        st.WredCurve: on_wred,
    }


def _interface_profiles(value: object) -> tuple[str, ...]:
    return value.names if isinstance(value, st.Profiles) else ()
