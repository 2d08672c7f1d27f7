"""The statements of VRP that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

from typing import Literal, NamedTuple

from roce_audit.platforms.shared.ramps import Ramp

QUEUES = {name: number for number, name in enumerate(("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"))}
"""Per-hop behaviour -> queue (CloudEngine command reference, ip-dscp-inbound)."""


class Members(NamedTuple):
    """`group-member 100GE1/0/1 to 100GE1/0/4` of a port group; ranges as `100GE1/0/1-1/0/4`."""

    ranges: tuple[str, ...]
    taken_back: bool = False


class Nominal(NamedTuple):
    """`interface 100GE1/0/1`: the rate in the name of the interface's type, Gbit/s; None = the type names none."""

    gbps: int | None = None


class PfcEnable(NamedTuple):
    """`dcb pfc enable [PROFILE] [mode auto|manual]`; mode "off" = `undo`."""

    profile: str
    mode: Literal["on", "auto", "off"]


class PfcPriorities(NamedTuple):
    """`priority 3 4` of a PFC profile: they add up; negated without a number: all of them."""

    on: bool
    numbers: tuple[int, ...]


class DeadlockTime(NamedTuple):
    """`priority N deadlock-detect|deadlock-recovery time T`, in units of the interval; None = back to the default."""

    priority: int
    detect: int | None = None
    recovery: int | None = None


class DeadlockInterval(NamedTuple):
    """`dcb pfc deadlock-detect interval MS`."""

    ms: int


class DeadlockTimer(NamedTuple):
    """`dcb pfc deadlock-detect|deadlock-recovery timer MS`, of chips that have one for all priorities."""

    what: Literal["detect", "restore"]
    ms: int


class RecoveryBehaviour(NamedTuple):
    """`dcb pfc deadlock recovery-behavior forwarding|discard slot N`; None = back to the default."""

    slot: str
    action: Literal["forward", "drop"] | None


class HeadroomPool(NamedTuple):
    """`qos buffer headroom-pool size N kbytes|mbytes slot N`; None = removed."""

    slot: str
    size_bytes: int | None


class DscpMapping(NamedTuple):
    """`dcb pfc dscp-mapping enable slot N`: backpressure by internal priority, not by the tag's."""

    slot: str
    on: bool


class Threshold(NamedTuple):
    """`dcb pfc buffer Q xoff|xon ...`: bytes where static, None where dynamic or in cells (`unit`)."""

    queue: int
    xoff: tuple[Literal["static", "dynamic"], int, str] | None = None
    xon: tuple[Literal["static", "dynamic"], int, str] | None = None
    offset_bytes: int | None = None


class QueueBuffer(NamedTuple):
    """`dcb pfc buffer Q hdrm|guaranteed N`, in bytes."""

    queue: int
    what: Literal["headroom_bytes", "reserved_bytes"]
    size_bytes: int


class ShownBuffer(NamedTuple):
    """A threshold or buffer of a queue as `display dcb pfc buffer` shows it; B, K, M: bytes, C: cells, D: dynamic."""

    what: Literal["guaranteed", "hdrm", "offset", "xoff", "xon"]
    queue: int
    value: int
    unit: Literal["B", "K", "M", "C", "D"]


class Running(NamedTuple):
    """Whether `display dcb` shows that PFC runs on the priorities of the port's profile."""

    on: bool


class NoQueueBuffer(NamedTuple):
    """`undo dcb pfc buffer [Q [xoff|hdrm|guaranteed]]`; None = all."""

    queue: int | None = None
    what: str | None = None


class Trust(NamedTuple):
    """`trust dscp|8021p outer|8021p inner`; None = back to the default."""

    mark: Literal["dscp", "pcp"] | None


class Upstream(NamedTuple):
    """`trust upstream DOMAIN|none`; "" = back to the default."""

    domain: str


class PortPriority(NamedTuple):
    """`port priority N`: the priority of packets whose marks are not believed."""

    number: int


class Inbound(NamedTuple):
    """`ip-dscp-inbound|8021p-inbound VALUE phb PHB [COLOUR]`; queue None = back to the default, value None = all."""

    field: Literal["dscp", "pcp"]
    value: int | None
    queue: int | None


class Outbound(NamedTuple):
    """`ip-dscp-outbound PHB COLOUR map DSCP`; dscp None = back to the default."""

    queue: int | None
    colour: str
    dscp: int | None


class Marking(NamedTuple):
    """`qos phb marking dscp enable`: packets leave with the DSCP that the domain gives their class."""

    on: bool


class QueueMode(NamedTuple):
    """`qos pq|drr|lpq Q [to Q] ...`; mode "" = back to the default."""

    mode: Literal["pq", "drr", "lpq", ""]
    queues: tuple[int, ...]


class DrrWeight(NamedTuple):
    """`qos queue Q drr weight W`; None = back to the default."""

    queue: int
    weight: int | None


class QueueWred(NamedTuple):
    """`qos queue Q wred PROFILE`; None = removed."""

    queue: int
    profile: str | None


class QueueEcn(NamedTuple):
    """`qos queue Q ecn`."""

    queue: int
    on: bool


class QueueShape(NamedTuple):
    """`qos queue Q shaping ...`: the peak rate in bit/s; None = a share of the port's; `on` False = removed."""

    queue: int
    bps: int | None
    on: bool = True


class PortShape(NamedTuple):
    """`qos lr cir ...`: bit/s; None = removed."""

    bps: int | None


class CarProfile(NamedTuple):
    """`qos car NAME cir ...`: a rate that ports may be held to."""

    name: str


class Policed(NamedTuple):
    """`qos car inbound NAME`; None = removed."""

    profile: str | None


class Limit(NamedTuple):
    """`qos buffer queue Q shared-threshold static N UNIT`: bytes; None = dynamic; `reset`: back to the default."""

    queue: int | None
    size_bytes: int | None = None
    reset: bool = False


CurveName = Literal["ecn", "green", "yellow", "red"]
CurveUnit = Literal["percent", "bytes", "cells"]


class Curve(NamedTuple):
    """`ecn ...` or `color COLOUR ...` of a drop profile: thresholds in percent of the queue, bytes or cells."""

    what: CurveName
    unit: CurveUnit
    low: int
    high: int
    percent: int


class NoCurve(NamedTuple):
    """`undo ecn`, `undo color COLOUR`."""

    what: CurveName


class EtsEnable(NamedTuple):
    """`dcb ets enable PROFILE`; None = removed."""

    profile: str | None


class EtsMembers(NamedTuple):
    """`priority-group G queue Q [to Q] ...`."""

    group: int
    queues: tuple[int, ...]


class EtsWeight(NamedTuple):
    """`priority-group G drr weight W`."""

    group: int
    weight: int


class EcnGlobally(NamedTuple):
    """`qos ecn enable`, which some chips ask for before several queues mark."""

    on: bool


class PfcGlobally(NamedTuple):
    """`dcb pfc global disable`."""

    disabled: bool


class AiEcn(NamedTuple):
    """`ai-ecn enable`."""

    on: bool


class AiQueue(NamedTuple):
    """`assign queue Q` of AI ECN."""

    queue: int
    on: bool


class PolicyLine(NamedTuple):
    """`classifier C behavior B [precedence N]` of a traffic policy: lower precedence is tried first."""

    classifier: str
    behavior: str
    precedence: int | None = None


class PolicyLineRemoved(NamedTuple):
    """`undo classifier C`."""

    classifier: str


class Portswitch(NamedTuple):
    """`portswitch`: a port of Layer 2; negated: of Layer 3."""

    on: bool


class Mtu(NamedTuple):
    """`mtu N`: largest IP packet of a routed port; None = back to the default."""

    size_bytes: int | None


class Jumbo(NamedTuple):
    """`jumboframe enable N`: longest frame; None = back to the default."""

    frame_bytes: int | None


class ShownCurve(NamedTuple):
    """Thresholds of a queue's marking as the switch reckons them, in KB."""

    queue: int
    low_kb: int
    high_kb: int


class Channel(NamedTuple):
    """`eth-trunk N`; None = in none."""

    number: int | None


class Lldp(NamedTuple):
    """`lldp enable|disable`, `lldp admin-status ...`."""

    on: bool


class Dcbx(NamedTuple):
    """`lldp tlv-enable dcbx`."""

    on: bool


class Compliance(NamedTuple):
    """`dcb compliance intel-oui`."""

    intel: bool


def curve(what: CurveName, unit: CurveUnit, **limits: int) -> Curve:
    """A curve from its thresholds. That one is above the other is a rule's to say."""
    if unit == "percent" and max(limits["low"], limits["high"]) > 100:
        raise ValueError("more than the whole queue")
    return Curve(what, unit, limits["low"], limits["high"], limits["percent"])


def shape(queue: int, rate: int, unit: int = 1_000, peak: int | None = None, peak_unit: int = 1_000) -> QueueShape:
    """The peak rate of a queue; without one the committed rate is the peak (units: kbit/s unless said)."""
    return QueueShape(queue, rate * unit if peak is None else peak * peak_unit)


def port_shape(rate: int, unit: int = 1_000) -> PortShape:
    """The shaper of a port."""
    return PortShape(rate * unit)


def size(value: int, unit: int = 1_000) -> int:
    """Bytes of a size in kbytes unless said."""
    return value * unit


_Kind = Literal["static", "dynamic"]


def offset_threshold(
    queue: int, kind: _Kind, value: int, unit: str = "", offset: int | None = None, offset_unit: int = 1_000
) -> Threshold:
    """`xoff static N [UNIT] | dynamic A [xon offset N [UNIT]]`."""
    below = None if offset is None else offset * offset_unit
    return Threshold(queue, _threshold(kind, value, unit), offset_bytes=below)


def two_thresholds(
    queue: int, kind: _Kind, xon: int, xoff_kind: _Kind, xoff: int, xon_unit: str = "", xoff_unit: str = ""
) -> Threshold:
    """`xon static N UNIT xoff static N UNIT`, or both dynamic."""
    if kind != xoff_kind:
        raise ValueError("one threshold static, one dynamic")
    return Threshold(queue, _threshold(kind, xoff, xoff_unit), _threshold(kind, xon, xon_unit))


def _threshold(kind: _Kind, value: int, unit: str) -> tuple[_Kind, int, str]:
    """A threshold; a dynamic one is a step from 0 to 12 and has no unit, a static one is in kbytes unless said."""
    if kind == "dynamic" and (unit or value > 12):
        raise ValueError("not a dynamic threshold")
    return kind, value, unit or "kbytes"


def ramp_of(value: object) -> Ramp | None:
    """The two limits of a curve of a drop profile."""
    if not isinstance(value, Curve):
        return None
    return Ramp("marking" if value.what == "ecn" else "drops", value.low, value.high, value.unit, value.unit)
