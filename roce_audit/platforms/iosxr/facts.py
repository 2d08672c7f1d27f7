"""From the statements that concern one IOS XR port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.iosxr import queueing
from roce_audit.platforms.iosxr import statements as st
from roce_audit.platforms.iosxr.defaults import (
    BUILTIN,
    DEFAULTS,
    NO_PROFILE,
    ONE_PATH,
    POLL_MS,
    REST_IN_DEFAULT,
    RESTORE,
    SAME_GROUP,
    SAME_QUEUE,
    SHUTDOWN,
    WATCHDOG,
)
from roce_audit.platforms.iosxr.table import TABLE, VLAN_TAG
from roce_audit.platforms.shared.cli.builder import PortBuilder, connected, elsewhere
from roce_audit.platforms.shared.cli.routing import MaxPaths, OtherRouting, max_paths, one_path_by_default
from roce_audit.platforms.shared.cli.rows import Connected
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.classify import Classifier, Field
from roce_audit.platforms.shared.policy.marks import remarking
from roce_audit.platforms.shared.policy.policies import Policies, PolicySyntax
from roce_audit.records import dataclass
from roce_audit.text.block import HEADER, Part
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

_FIELDS: tuple[tuple[Field, int], ...] = (("dscp", 64), ("pcp", 8))
"""What a policy may classify by, and how many values it has."""
_TIMERS = {"interval": POLL_MS, "shutdown": SHUTDOWN, "restore": RESTORE}
_BY_HAND = "auto-restore-multiplier 0: a queue that was shut stays shut (source: unverified)"
POLICY_SYNTAX = PolicySyntax(
    TABLE, BUILTIN, lambda name: 0 if name == "class-default" else None, unset_group=0, needs_all=False
)
"""A class-map that does not say so needs any of its criteria, and the rest is traffic class 0."""


@dataclass(frozen=True, slots=True)
class XrContext(PortContext):
    """What the reading of a port depends on besides its statements."""

    slot: str = ""
    """Rack and slot of its card."""
    tags: int = 0
    """The VLAN tags of a subinterface's packets."""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = DEFAULTS
    order = ("top", "pfcwatchdog", "bgp", "port", "state")
    of_channel = ("ip_mtu_bytes", "trust", "dscp", "pcp", "queues")

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.policies = Policies(parts, POLICY_SYNTAX)
        self.pfc: tuple[str | None, At] | None = None
        """The mode that is said, None for the default, and where."""
        self.watchdog: dict[str, tuple[bool, At]] = {}
        self.timers: dict[tuple[str, str], tuple[int, At]] = {}
        """(role, what) -> number and place."""
        self.applied: dict[tuple[str, str], dict[str, At]] = defaultdict(dict)
        """(direction, role) -> the policies that are applied there: one may queue, and one mark."""
        self.mtu: dict[str, tuple[int, At]] = {}
        self.doubt: tuple[Why, At] | None = None
        """Why it is not known which traffic classes pause."""

    def port(self) -> Port:
        settings = self.settings
        self.take_in()
        one_path_by_default(self, ONE_PATH)
        for number in queueing.CLASSES:  # no statement changes it, so it holds in a fragment as well
            settings.set(f"classes.{number}.group", number, Cited(SAME_GROUP))
        profiles = queueing.pausing(settings, self._profiles())
        found = queueing.egress(settings, self.policies, self._in_force("output"), self.lack.undefined)
        for number, (said, at) in found.pauses.items():
            if number not in profiles and self.doubt is None:
                queueing.paused_by_policy(settings, number, said, at)
        for number in sorted(found.detection.keys() | profiles.keys()):
            queueing.early_detection(settings, number, found.detection.get(number), profiles.get(number))
        self._queues(found)
        paused = {number: at for number, (_, at) in (*found.pauses.items(), *profiles.items())}
        self._flow_control(paused)
        self._watchdog()
        self._classification()
        for direction in ("input", "output"):
            for name, at in self._in_force(direction).items():
                remarking(settings, self.policies, direction, name, at, self.lack.undefined)
        self._mtu()
        return self.filled()

    # queues ---------------------------------------------------------------------------------------------------------

    def _in_force(self, direction: str) -> dict[str, At]:
        """The policies of a direction: those of the bundle hide the member's."""
        return self.applied.get((direction, "lag")) or self.applied.get((direction, "own")) or {}

    def _queues(self, found: queueing.Egress) -> None:
        """Which queue the packets of each traffic class wait in."""
        bound = self._in_force("output")
        for number in queueing.CLASSES:
            path = f"classes.{number}.queue"
            if number in found.matched:
                self.settings.set(path, number, found.matched[number], Cited(SAME_QUEUE))
            elif found.unclear is not None:
                self.settings.forbid_default(path, *found.unclear)
            elif bound and (found.rest is not None or found.matched):
                at = found.rest or next(iter(bound.values()))
                self.settings.set(path, 0, at, Cited(REST_IN_DEFAULT))
            elif self.context.complete:
                self.settings.set(path, number, Cited(SAME_QUEUE))

    # flow control ---------------------------------------------------------------------------------------------------

    def _profiles(self) -> list[tuple[st.LosslessClass, At]]:
        """What profiles say of the traffic classes of the port's card."""
        found: list[tuple[st.LosslessClass, At]] = []
        for index, part in enumerate(self.parts):
            if part.kind not in ("pfcprofile", "top"):
                continue
            covers = part.kind == "top"
            for i, statement in enumerate(part.block.texts.statements):
                parsed = TABLE.parse(part.kind, statement)
                at = At(index, i)
                if isinstance(parsed.value, st.ProfileAt):
                    covers = _covers(parsed.value.where, self._slot)
                elif isinstance(parsed.value, st.LosslessClass) and covers:
                    found.append((parsed.value, at))
                elif parsed.unread and "priorities" in (parsed.paths or ()) and covers:
                    self._unread_profile(at)
        return found

    def _unread_profile(self, at: At) -> None:
        self.doubt = self.doubt or (Why.NOT_PARSED, at)
        for path in ("groups", "priorities"):
            self.settings.forbid_default(path, Why.NOT_PARSED, at)
        for number in queueing.CLASSES:
            self.settings.forbid_default(f"queues.{number}.ecn", Why.NOT_PARSED, at)

    @property
    def _slot(self) -> str:
        return self.context.slot if isinstance(self.context, XrContext) else ""

    def _flow_control(self, paused: dict[int, At]) -> None:
        header = next((At(i, HEADER) for i, part in enumerate(self.parts) if part.kind == "pfcprofile"), None)
        if header is not None:
            self.settings.default_location("groups", header)
        mode = self.lack.otherwise("pfc.mode")
        if self.pfc is not None:
            said, at = self.pfc
            source = DEFAULTS["pfc.mode"]
            mode = known(said, at) if said is not None else known(source.value, at, Cited(source.source))
            self.settings.set_cell("pfc.mode", mode)
        if mode.is_unknown:
            return
        because = mode.at if self.pfc is not None else ()
        self.settings.set_cell("pfc.priorities", self._priorities(mode.get(), paused, because))

    def _priorities(self, mode: str, paused: dict[int, At], because: tuple[Where, ...]) -> Cell[Any]:
        if mode == "off":
            return known(frozenset(), *(because or (Cited(DEFAULTS["pfc.priorities"].source),)))
        if self.doubt is not None:
            return unknown(*self.doubt, *because)
        if mode == "auto" or (not paused and not self.context.complete):
            return unknown(Why.NOT_VISIBLE, *because)
        if not paused:
            return known(frozenset(), *because, Cited(NO_PROFILE))
        return known(frozenset(paused), *paused.values(), *because)

    def _watchdog(self) -> None:
        """What the port says counts before what the router says, each for itself; the rest are the router's own values."""
        here, everywhere = self.watchdog.get("own"), self.watchdog.get("device")
        mode = here or everywhere
        if mode is not None:
            self.settings.set("pfc.watchdog.on", *mode)
        said = {what: self.timers.get(("own", what)) or self.timers.get(("device", what)) for what in _TIMERS}
        if not any(said.values()):
            return
        values: dict[str, tuple[int, tuple[Where, ...]] | None] = {}
        for what, own in _TIMERS.items():
            given = said[what]
            if given is not None:
                values[what] = given[0], (given[1],)
            else:
                values[what] = (own, (Cited(WATCHDOG),)) if self.context.complete else None
        interval, shutdown, restore = (values[what] for what in _TIMERS)
        if restore is not None and restore[0] == 0:
            self.settings.set("pfc.watchdog.by_hand", True, *restore[1], Cited(_BY_HAND))
        if interval is not None:
            self.settings.set("pfc.watchdog.poll_ms", float(interval[0]), *interval[1])
        if interval is not None and shutdown is not None:
            self.settings.set("pfc.watchdog.detect_ms", float(interval[0] * shutdown[0]), *shutdown[1], *interval[1])
        if interval is None or restore is None:
            return
        if restore[0] == 0:
            self.settings.set_cell("pfc.watchdog.restore_ms", unknown(Why.NO_DEFAULT, *restore[1]))
        else:
            self.settings.set("pfc.watchdog.restore_ms", float(interval[0] * restore[0]), *restore[1], *interval[1])

    # classification -------------------------------------------------------------------------------------------------

    def _classification(self) -> None:
        for name, at in self._in_force("input").items():
            if self._has_children(name):
                for path in ("dscp", "pcp", "trust"):
                    self.settings.forbid_default(path, Why.NOT_VISIBLE, at)
                continue
            classifier = Classifier(self.policies, self.lack.undefined)
            self.settings.set_cell("trust", classifier.believes(name, at))
            for field, size in _FIELDS:
                for value in range(size):
                    self.settings.set_cell(f"{field}.{value}", classifier.group(name, at, field, value, known(0, at)))

    def _has_children(self, policy: str) -> bool:
        """Whether a class of the policy hands its packets to another policy."""
        classes = self.policies.policy("qospolicy", policy) or ()
        return any(isinstance(parsed.value, st.Child) for one in classes for parsed, _ in one.lines)

    def _mtu(self) -> None:
        limits = dict(self.mtu)
        if "frame" in limits:
            size, where = limits["frame"]
            tags = self.context.tags if isinstance(self.context, XrContext) else 0
            limits["frame"] = (size - VLAN_TAG * tags, where)
        if limits:
            value, at = min(limits.values(), key=lambda one: one[0])
            self.settings.set("ip_mtu_bytes", value, at)

    # handlers of single statements ----------------------------------------------------------------------------------

    def on_type(self, s: st.InterfaceType, role: str, at: At) -> None:
        if role == "own":  # the port's own header, and not what it takes from a group
            self.settings.set("kind", self.context.kind, at)
        if s.bps is not None and role == "own":
            self.settings.set("speed_bps", s.bps, at)

    def on_binding(self, s: ps.Binding, role: str, at: At) -> None:
        of_role = self.applied[s.direction, role]
        if s.name is None:
            of_role.clear()
        else:
            of_role[s.name] = at

    def on_pfc(self, s: st.PfcMode, role: str, at: At) -> None:
        self.pfc = (s.mode, at)

    def on_watchdog(self, s: st.WatchdogMode, role: str, at: At) -> None:
        role = "device" if role == "device" else "own"
        if s.on is None:
            self.watchdog.pop(role, None)
        else:
            self.watchdog[role] = (s.on, at)

    def on_timer(self, s: st.WatchdogTimer, role: str, at: At) -> None:
        role = "device" if role == "device" else "own"
        if s.value is None:
            self.timers.pop((role, s.what), None)
        else:
            self.timers[role, s.what] = (s.value, at)

    def on_flow_control(self, s: st.FlowControl, role: str, at: At) -> None:
        self.settings.set("link_pause_tx", s.sends, at)
        self.settings.set("link_pause_rx", s.obeys, at)

    def on_lldp(self, s: st.Lldp, role: str, at: At) -> None:
        self.settings.set("dcbx.lldp", s.on, at)

    def on_bundle(self, s: st.BundleId, role: str, at: At) -> None:
        if s.number is None:
            self.settings.reset("lacp")
        elif s.lacp is not None:
            self.settings.set("lacp", s.lacp, at)
        else:
            self.settings.set_cell("lacp", unknown(self.lack.undefined, at))

    def on_bundle_mode(self, s: st.BundleMode, role: str, at: At) -> None:
        inherited = self.settings.get("lacp")
        if role == "own" or inherited is None or inherited.is_unknown:
            self.settings.set("lacp", s.lacp, at)

    def on_frame_mtu(self, s: st.FrameMtu, role: str, at: At) -> None:
        self.mtu["frame"] = (s.value, at)

    def on_ip_mtu(self, s: st.IpMtu, role: str, at: At) -> None:
        self.mtu["ip"] = (s.value, at)

    handlers: ClassVar = {
        MaxPaths: max_paths,
        OtherRouting: elsewhere,
        Connected: connected,
        ps.Binding: on_binding,
        st.InterfaceType: on_type,
        st.PfcMode: on_pfc,
        st.WatchdogMode: on_watchdog,
        st.WatchdogTimer: on_timer,
        st.FlowControl: on_flow_control,
        st.Lldp: on_lldp,
        st.BundleId: on_bundle,
        st.BundleMode: on_bundle_mode,
        st.FrameMtu: on_frame_mtu,
        st.IpMtu: on_ip_mtu,
        st.LosslessClass: elsewhere,
        st.ApplyGroup: elsewhere,
    }


def _covers(where: str, slot: str) -> bool:
    """Whether a profile at this location is for the ports of a card: that of a route processor is for all of a fixed router."""
    rack_and_slot = where.rpartition("/")[0]
    return not slot or rack_and_slot == slot or "RP" in where or where == "all"
