"""From the statements that concern one NX-OS port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.defaults import BUILTIN, DEFAULTS, ONE_PATH, SAME_GROUP, SAME_QUEUE, is_lossless_template
from roce_audit.platforms.nxos.policies import POLICY_SYNTAX
from roce_audit.platforms.nxos.profiles import Profiles
from roce_audit.platforms.nxos.queueing import (
    GROUPS,
    Pausing,
    as_shown,
    egress,
    ingress,
    network_qos,
    shown_dropping,
    unbuffered,
)
from roce_audit.platforms.nxos.table import PROFILE, TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, elsewhere, member
from roce_audit.platforms.shared.cli.routing import MaxPaths, OtherRouting, max_paths, one_path_by_default
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.classify import Classifier, Field
from roce_audit.platforms.shared.policy.marks import remarking
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.platforms.shared.policy.typed import POLICY
from roce_audit.text.block import Part, headers
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

_MODE = DEFAULTS["pfc.mode"]
_LACKED = {
    ("qos", "input"): "trust dscp pcp",
    ("network-qos", ""): "groups",
    ("queuing", "output"): "queues",
}
"""A policy that can be applied -> what has its default without one."""
_FIELDS: tuple[tuple[Field, int], ...] = (("dscp", 64), ("pcp", 8))
"""What a policy may classify by, and how many values it has."""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    of_channel = ("ip_mtu_bytes", "pfc", "trust", "dscp", "pcp", "queues")
    order = ("top", "bgp", "systemqos", "profile", "port", "state")
    """Device-wide statements, those of the profiles, the port's own, then its channel's, which governs its members."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.policies = Policies(parts, POLICY_SYNTAX)
        self.pfc: tuple[str | None, At] | None = None
        """The mode that is said, None for the default, and where."""
        self.watchdog: dict[str, tuple[bool, At]] = {}
        self.timers: dict[str, tuple[int, At]] = {}
        self.ports_down: tuple[bool, At] | None = None
        self.shown_queues: dict[int, tuple[st.ShownQueue, At]] = {}
        self.shown_drops: dict[int, At] = {}
        self.shown_buffers: dict[int, tuple[st.ShownBuffer, At]] = {}
        self.without_buffer: dict[int, At] = {}
        self.routed = context.routed
        self.profiles = Profiles(parts)

    def port(self) -> Port:
        settings = self.settings
        self.take_in()
        self._profiles()
        one_path_by_default(self, ONE_PATH)
        for number in GROUPS:  # no statement can change these two, so they hold in a fragment as well
            settings.set(f"classes.{number}.queue", number, Cited(SAME_QUEUE))
            settings.set(f"classes.{number}.group", number, Cited(SAME_GROUP))
        self._taken_off()
        self._flow_control()
        self._watchdog()
        for direction, fold, whole in (("input", ingress, "groups"), ("output", egress, "queues")):
            bound = self.bound("queuing", direction)
            if bound is not None and _is_systems_own("queuing", bound[0]):
                settings.default_location(whole, bound[1])
            elif bound is not None:
                fold(settings, self.policies, *bound, self.lack.undefined)
        as_shown(settings, self.shown_queues.values(), self.shown_buffers.values())
        shown_dropping(settings, self.shown_drops)
        unbuffered(settings, self.without_buffer)
        self._classification()
        for direction in ("input", "output"):
            bound = self.bound("qos", direction)
            if bound is not None:
                remarking(settings, self.policies, direction, *bound, self.lack.undefined)
        self._admin()
        return self.filled()

    def _taken_off(self) -> None:
        """Where a policy is applied and taken off again, that line is what lacks it."""
        for (what, direction), at in self.taken_off.items():
            if self.bound(what, direction) is None:
                for path in _LACKED.get((what, direction), "").split():
                    self.settings.default_location(path, at)

    # port profiles ------------------------------------------------------------------------------------------------

    def in_order(self) -> Iterator[tuple[int, Part]]:
        """Of port profiles those that are in force on the port, and as they win over each other."""
        for index, part in super().in_order():
            if part.kind != "profile":
                yield index, part
            elif index == self.profiles.first:
                yield from ((number, self.parts[number]) for number in self.profiles.in_force)

    def _profiles(self) -> None:
        """What a profile sets that nobody defines, or that may be enabled or not, is unknown."""
        doubts = [(self.lack.undefined, at) for at in self.profiles.undefined]
        for why, at in (*doubts, *((Why.NOT_PARSED, at) for at in self.profiles.unclear)):
            for path in PROFILE.split():
                self.settings.forbid_default(path, why, at)

    # flow control -------------------------------------------------------------------------------------------------

    def _flow_control(self) -> None:
        bound = self.bound("network-qos", "")
        if bound is None:
            pausing = Pausing()
        elif _is_systems_own("network-qos", bound[0]):
            pausing = Pausing(seen=True, header=(bound[1],))
            self.settings.default_location("groups", bound[1])
        else:
            pausing = network_qos(self.settings, self.policies, *bound, self.lack.undefined)
            self._named_by_tags(pausing)
            self._told_by_tags(pausing)
        shown = self.settings.get("pfc.mode")
        mode = self.lack.otherwise("pfc.mode") if shown is None else shown
        if self.pfc is not None:
            said, at = self.pfc
            mode = known(said, at) if said is not None else known(_MODE.value, at, Cited(_MODE.source))
            self.settings.set_cell("pfc.mode", mode)
        if mode.is_unknown:
            return
        because = mode.at if self.pfc is not None or shown is not None else ()
        self.settings.set_cell("pfc.priorities", self._priorities(mode.get(), pausing, because))
        if pausing.doubt is not None:
            self.settings.forbid_default("pfc.receive_only", *pausing.doubt)
        if mode.get() == "on" and pausing.receive_only:
            receive_only = frozenset(pausing.receive_only)
            self.settings.set("pfc.receive_only", receive_only, *pausing.receive_only.values(), *because)

    def _named_by_tags(self, pausing: Pausing) -> None:
        """A no-drop class that names no priority pauses those of its packets, where tags alone lead to it.

        (Nexus 5000 Series, Software Configuration Guide, type network-qos: `pfc-cos` is for what is not mapped purely by CoS.)
        """
        bound = self.bound("qos", "input")
        by_tag: list[Cell[Any]] = []
        by_dscp: list[Cell[Any]] = []
        if pausing.unnamed and bound is not None:
            classifier = Classifier(self.policies, self.lack.undefined)
            by_dscp, by_tag = (
                [classifier.group(*bound, field, value, known(0, bound[1])) for value in range(size)]
                for field, size in _FIELDS
            )
        by_tags_alone = by_tag and all(cell.is_known for cell in (*by_tag, *by_dscp))
        for number, at in pausing.unnamed.items():
            if not by_tags_alone or any(cell.get() == number for cell in by_dscp):
                pausing.doubt = pausing.doubt or (Why.NO_DEFAULT, at)
                self.settings.forbid_default("priorities", Why.NO_DEFAULT, at)
                continue
            for priority, cell in enumerate(by_tag):
                if cell.get() == number:
                    self.settings.set_cell(f"priorities.{priority}.group", known(number, at, *cell.at))
                    self.settings.set(f"priorities.{priority}.queue", number, at)
                    pausing.by_priority[priority] = (number, at)
            pausing.header = (at, *pausing.header)

    def _told_by_tags(self, pausing: Pausing) -> None:
        """Where classes are classes of tags, the tag is what a packet is put in its class by; which DSCPs are, no line shows.

        (Cisco Nexus 7000 Series NX-OS Quality of Service Configuration Guide, Configuring Network-QoS Policy Templates.)
        """
        for priority, at in pausing.by_tag.items():
            self.settings.set(f"pcp.{priority}", priority, at)
        for path in ("trust", "dscp", "pcp") if pausing.by_tag else ():
            self.settings.forbid_default(path, Why.NO_DEFAULT, *pausing.by_tag.values())

    def _priorities(self, mode: str, pausing: Pausing, because: tuple[Where, ...]) -> Cell[Any]:
        if mode == "off":
            return known(frozenset(), *because)
        if pausing.doubt is not None:
            return unknown(*pausing.doubt, *because)
        if not pausing.seen:
            taken_off = self.taken_off.get(("network-qos", ""))
            lacking = headers(because) if taken_off is None else (taken_off,)
            return self.lack.otherwise("pfc.priorities", *lacking, *because)
        if not pausing.by_priority:
            one_way = pausing.receive_only.values()
            return known(
                frozenset(), *one_way, *pausing.header, *(because or (Cited(DEFAULTS["pfc.priorities"].source),))
            )
        if mode == "auto":
            return unknown(Why.NOT_VISIBLE, *because)  # what DCBX negotiated is not in the configuration
        return known(frozenset(pausing.by_priority), *(at for _, at in pausing.by_priority.values()), *because)

    def _watchdog(self) -> None:
        """The watchdog acts where it is on for the device and for the port; which default holds is not documented."""
        everywhere = self.watchdog.get("device")
        here = self.watchdog.get("lag") or self.watchdog.get("own")
        said = [s for s in (here, everywhere) if s is not None]
        off = [at for on, at in said if not on]
        path = "pfc.watchdog.on"
        if off:
            self.settings.set(path, False, *off)
        elif len(said) == 2:
            self.settings.set(path, True, *(at for _, at in said))
        elif said:
            self.settings.set_cell(path, unknown(Why.NO_DEFAULT, said[0][1]))
        interval = self.timers.get("interval")
        if interval is None:
            return
        self.settings.set("pfc.watchdog.poll_ms", float(interval[0]), interval[1])
        for name, what in (("detect_ms", "shutdown"), ("restore_ms", "restore")):
            multiplier = self.timers.get(what)
            if multiplier is not None:
                product = float(interval[0] * multiplier[0])
                self.settings.set(f"pfc.watchdog.{name}", product, multiplier[1], interval[1])

    def _admin(self) -> None:
        """A routed port that says nothing may be shut or not, by release and setup; a switchport is up."""
        if self.settings.get("admin_up") is not None or self.context.kind not in ("ethernet", "breakout-parent"):
            return
        if self.routed is not False:
            self.settings.forbid_default("admin_up", Why.NO_DEFAULT)
        elif self.ports_down is not None:
            self.settings.set("admin_up", not self.ports_down[0], self.ports_down[1])

    # classification -----------------------------------------------------------------------------------------------

    def _classification(self) -> None:
        bound = self.bound("qos", "input")
        by_role = self.bindings.get(("qos", "input"), {})
        by_vlan = () if "own" in by_role or "lag" in by_role else self._vlan_policies()
        if bound is None and not by_vlan:
            return
        classifier = Classifier(self.policies, self.lack.undefined)
        if bound is not None:
            self.settings.set_cell("trust", classifier.believes(*bound))
        for field, size in _FIELDS:
            for value in range(size):
                answers = [classifier.group(*policy, field, value, known(0, policy[1])) for policy in by_vlan]
                if bound is not None:
                    answers.append(classifier.group(*bound, field, value, known(0, bound[1])))
                else:
                    answers.append(self.lack.otherwise(f"{field}.{value}"))
                self.settings.set_cell(f"{field}.{value}", _agreed(answers))

    def _vlan_policies(self) -> tuple[tuple[str, At], ...]:
        """Policies bound to VLANs of the port; they count where the port and its channel have none of their own."""
        found: list[tuple[str, At]] = []
        for index, part in enumerate(self.parts):
            if part.kind != "vlanconfig":
                continue
            for i, statement in enumerate(part.block.texts.statements):
                value = TABLE.parse("vlanconfig", statement).value
                if value is None:
                    self.not_understood(TABLE.parse("vlanconfig", statement), At(index, i))
                elif isinstance(value, ps.Binding) and (value.kind, value.direction) == ("qos", "input") and value.name:
                    found.append((value.name, At(index, i)))
        return tuple(found)

    # handlers of single statements ---------------------------------------------------------------------------------

    def on_binding(self, s: ps.Binding, role: str, at: At) -> None:
        role = "own" if role == "bound" else role  # of a profile
        nothing = s.kind == "qos" and s.name is not None and _is_systems_own(s.kind, s.name)
        self.bind(s.kind, s.direction, None if nothing else s.name, role, at)

    def on_pfc(self, s: st.PfcMode, role: str, at: At) -> None:
        self.pfc = (s.mode, at)

    def on_watchdog(self, s: st.Watchdog, role: str, at: At) -> None:
        self.watchdog["own" if role == "bound" else role] = (s.on, at)

    def on_timer(self, s: st.WatchdogTimer, role: str, at: At) -> None:
        self.timers[s.what] = (s.value, at)

    def on_ports_down(self, s: st.SwitchportsDown, role: str, at: At) -> None:
        self.ports_down = (s.down, at)

    def on_switchport_default(self, s: st.SwitchportDefault, role: str, at: At) -> None:
        if self.routed is None:
            self.routed = not s.on

    def on_shown_mtu(self, s: st.ShownMtu, role: str, at: At) -> None:
        """What runs counts; where only the class or the system has an MTU, older models show 1500 whatever it is."""
        written = self.settings.get("ip_mtu_bytes")
        if written is not None and not written.is_unknown and written.value not in (None, s.value):
            self.settings.set("ip_mtu_bytes", s.value, at, *written.at)

    def on_shown_queue(self, s: st.ShownQueue, role: str, at: At) -> None:
        self.shown_queues[s.number] = (s, at)

    def on_shown_buffer(self, s: st.ShownBuffer, role: str, at: At) -> None:
        self.shown_buffers[s.number] = (s, at)

    def on_no_buffer(self, s: st.NoBuffer, role: str, at: At) -> None:
        self.without_buffer[s.number] = at

    def on_shown_drops(self, s: st.ShownDrops, role: str, at: At) -> None:
        self.shown_drops[s.number] = at

    def on_lldp(self, s: st.Lldp, role: str, at: At) -> None:
        self.settings.set("dcbx.lldp", s.on, at)
        if not s.on and role == "device":
            self.settings.set("dcbx.mode", "off", at)

    def on_load_sharing(self, s: st.LoadSharing, role: str, at: At) -> None:
        self.settings.set("forwarding.hash_uses_ports", s.said.ports, at)
        if s.said.seed is not None:
            self.settings.set("forwarding.hash_seed", s.said.seed, at)

    handlers: ClassVar = {
        st.LoadSharing: on_load_sharing,
        MaxPaths: max_paths,
        OtherRouting: elsewhere,
        st.ChannelGroup: member,
        st.Inherit: elsewhere,
        st.Enabled: elsewhere,
        ps.Binding: on_binding,
        st.PfcMode: on_pfc,
        st.Watchdog: on_watchdog,
        st.WatchdogTimer: on_timer,
        st.SwitchportsDown: on_ports_down,
        st.SwitchportDefault: on_switchport_default,
        st.Lldp: on_lldp,
        st.ShownMtu: on_shown_mtu,
        st.ShownQueue: on_shown_queue,
        st.ShownBuffer: on_shown_buffer,
        st.ShownDrops: on_shown_drops,
        st.NoBuffer: on_no_buffer,
        Connected: connected,
    }


def _is_systems_own(kind: str, name: str) -> bool:
    """Whether the policy is one that NX-OS has of itself: it pauses, marks and classifies nothing, and hides the system's."""
    return name.startswith("default-") and (POLICY[kind], name) in BUILTIN and not is_lossless_template(name)


def _agreed(answers: list[Cell[Any]]) -> Cell[Any]:
    """The answer that all policies give; which of them holds depends on the packet's VLAN."""
    first = answers[0]
    if all(answer == first for answer in answers):
        return first
    return unknown(Why.CONFLICT, *(at for answer in answers for at in answer.at[:1]))
