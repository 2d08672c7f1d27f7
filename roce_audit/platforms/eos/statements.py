"""The statements of EOS in its own terms."""

from __future__ import annotations

from typing import NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


class DscpMap(NamedTuple):
    """`qos map dscp ... to traffic-class N`."""

    code_points: tuple[int, ...]
    traffic_class: int


class CosMap(NamedTuple):
    """`qos map cos ... to traffic-class N`."""

    priorities: tuple[int, ...]
    traffic_class: int


class RewriteDscp(NamedTuple):
    """`qos map traffic-class N to dscp M`: the mark written on leaving, not a classifier."""

    traffic_classes: tuple[int, ...]
    dscp: int


class QueueMap(NamedTuple):
    """`qos map traffic-class N to tx-queue M`."""

    traffic_classes: tuple[int, ...]
    queue: int


class AllOff(NamedTuple):
    """`priority-flow-control all off`."""


class GlobalWatchdog(NamedTuple):
    """One value of `priority-flow-control pause watchdog`; times in seconds."""

    what: str
    value: float | str


class PfcMode(NamedTuple):
    """`priority-flow-control on` and its opposites."""

    on: bool


class PfcPriority(NamedTuple):
    """`priority-flow-control priority N no-drop|drop`."""

    priority: int
    no_drop: bool


class MmuApply(NamedTuple):
    """`platform trident mmu queue profile P apply`."""

    name: str


class MmuSize(NamedTuple):
    """`ingress headroom|reserved` of an MMU profile; group None = all groups, unit None = not said."""

    field: str
    group: int | None
    amount: int
    unit: str | None


class MmuThreshold(NamedTuple):
    """`ingress threshold 1/8`: how much of the free buffer a group may take; group None = all groups."""

    group: int | None
    alpha: float


class PfcState(NamedTuple):
    """The priorities on which PFC is active, from `show priority-flow-control`."""

    priorities: frozenset[int]


class Connected(NamedTuple):
    """The speed at which a port is connected, from `show interfaces status`."""

    bps: int


class PortWatchdog(NamedTuple):
    """`priority-flow-control pause watchdog` of a port."""

    on: bool


class PortWatchdogAction(NamedTuple):
    """`... watchdog port action`."""

    action: str


class PortWatchdogTimer(NamedTuple):
    """`... watchdog port timer`; seconds, polling None = auto."""

    timeout: float
    polling: float | None
    recovery: float


class Trust(NamedTuple):
    """`qos trust`; None = back to the default of the port's kind, "none" = `no qos trust`."""

    what: str | None


class DefaultCos(NamedTuple):
    """`qos cos N`: the CoS of untagged packets."""

    cos: int


class DefaultDscp(NamedTuple):
    """`qos dscp N`: the DSCP of packets whose own is not trusted."""

    dscp: int


class PolicyName(NamedTuple):
    """`service-policy type qos input X`; None = removed."""

    name: str | None


class ProfileName(NamedTuple):
    """`service-profile X`; None = removed."""

    name: str | None


class Mtu(NamedTuple):
    """`mtu N` (largest IP packet); None = back to the default."""

    ip_bytes: int | None


class L2Mtu(NamedTuple):
    """`l2 mtu N` (largest frame)."""

    frame_bytes: int


class FlowControl(NamedTuple):
    """`flowcontrol send|receive on|off|desired`."""

    direction: str
    state: str


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class Speed(NamedTuple):
    """`speed ...` in bit/s; None = automatic."""

    bps: int | None


class Fec(NamedTuple):
    """`error-correction encoding`; None = removed."""

    encoding: str | None


class ChannelGroup(NamedTuple):
    """`channel-group N mode ...`."""

    number: int


class DcbxMode(NamedTuple):
    """`dcbx mode`; None = off."""

    version: str | None


class LldpOff(NamedTuple):
    """`no lldp transmit|receive`."""


class QueueHeader(NamedTuple):
    """`uc-tx-queue N`, `tx-queue N`, `mc-tx-queue N`."""

    kind: str
    number: int


class Strict(NamedTuple):
    """`priority strict` / `no priority`."""

    strict: bool


class Share(NamedTuple):
    """`bandwidth percent N`; None = removed."""

    percent: int | None


class Guaranteed(NamedTuple):
    """`bandwidth guaranteed`: a floor, no share."""


class Shape(NamedTuple):
    """`shape rate` in bit/s or in percent of the speed; both None where the unit is packets, or not said."""

    bps: int | None
    percent: int | None
    on: bool


class EcnCurve(NamedTuple):
    """`random-detect ecn`; None thresholds = removed."""

    curve: tuple[int, str, int, str, int | None, int | None] | None


class WredCurve(NamedTuple):
    """`random-detect drop`."""

    curve: tuple[int, str, int, str, int]


class ClassHeader(NamedTuple):
    """`class X` in a policy."""

    name: str


class SetClass(NamedTuple):
    """`set traffic-class N`."""

    number: int


class SetDscp(NamedTuple):
    """`set dscp N`."""

    dscp: int


class Police(NamedTuple):
    """`police ...`."""


class Match(NamedTuple):
    """One match line of a class-map: kind is dscp, cos, acl, any or other."""

    kind: str
    values: tuple[int, ...]
    name: str = ""
