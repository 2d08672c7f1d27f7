"""The statements of EOS in EOS's own terms, and what makes each from its parts in the grammar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from roce_audit.platforms.numbers import DSCP_NAMES, within


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


class InterfaceProfiles(NamedTuple):
    """`profile X [Y ...]`: interface profiles."""

    names: tuple[str, ...]


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
    """`shape rate`; bit/s, or None where the unit is a percentage or packets, or the shaper is removed."""

    bps: int | None
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


_RATE = {"kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}


def _all_in(values: tuple[int, ...], high: int) -> tuple[int, ...]:
    return tuple(within(v, 0, high) for v in values)


def _speed(*parts: Any) -> Speed:
    text = str(parts[-1]).lower().partition("-")[0]
    for tail in ("gfull", "ghalf", "full", "half", "g"):
        if text.endswith(tail):
            unit = 1_000_000_000 if tail.startswith("g") else 1_000_000
            return Speed(round(float(text.removesuffix(tail)) * unit))
    raise ValueError(text)


def _shape(amount: Any, unit: Any = None) -> Shape:
    return Shape(int(amount) * _RATE[unit] if unit in _RATE else None, True)


def _ecn(low: Any, low_unit: Any, high: Any, high_unit: Any, *rest: Any) -> EcnCurve:
    options = dict(rest)
    percent, weight = options.get("probability"), options.get("weight")
    return EcnCurve((int(low), str(low_unit), int(high), str(high_unit), percent, weight))


def _wred(*parts: Any) -> WredCurve:
    start = next(i for i, p in enumerate(parts[1:], 1) if not str(p).isdigit()) - 1
    low, low_unit, high, high_unit, percent = parts[start : start + 5]
    return WredCurve((int(low), str(low_unit), int(high), str(high_unit), within(percent, 1, 100)))


RULES: Mapping[str, Callable[..., Any]] = {
    "numbers": lambda *n: tuple(map(int, n)),
    "probability": lambda n: ("probability", within(n, 1, 100)),
    "weight": lambda n: ("weight", within(n, 0, 15)),
    "codepoint": lambda token: within(DSCP_NAMES.get(str(token), token), 0, 63),
    "codepoints": lambda *n: n,
    "words": lambda *_: None,
    "nothing": lambda *_: Nothing(),
    "dscp_map": lambda points, tc, *_: DscpMap(_all_in(points, 63), within(tc, 0, 7)),
    "cos_map": lambda points, tc, *_: CosMap(_all_in(points, 7), within(tc, 0, 7)),
    "rewrite_dscp": lambda classes, dscp: RewriteDscp(_all_in(classes, 7), within(dscp, 0, 63)),
    "queue_map": lambda classes, queue: QueueMap(_all_in(classes, 7), within(queue, 0, 7)),
    "all_off": lambda: AllOff(),
    "global_timeout": lambda n: GlobalWatchdog("detect", float(n)),
    "global_recovery": lambda n: GlobalWatchdog("restore", float(n)),
    "global_polling": lambda n: GlobalWatchdog("poll", float(n)),
    "global_action": lambda a: GlobalWatchdog("action", str(a)),
    "pfc_on": lambda: PfcMode(True),
    "pfc_off": lambda: PfcMode(False),
    "pfc_reset": lambda *_: PfcMode(False),
    "no_drop": lambda n: PfcPriority(within(n, 0, 7), True),
    "drop": lambda n: PfcPriority(within(n, 0, 7), False),
    "drop_reset": lambda _, n: PfcPriority(within(n, 0, 7), False),
    "watchdog_on": lambda: PortWatchdog(True),
    "watchdog_off": lambda *_: PortWatchdog(False),
    "watchdog_action": lambda a: PortWatchdogAction(str(a)),
    "watchdog_timer": lambda t, p, r: PortWatchdogTimer(float(t), None if p is None else float(p), float(r)),
    "polling": lambda n=None: n,
    "trust": lambda what: Trust("pcp" if what == "cos" else "dscp"),
    "trust_reset": lambda negated, *_: Trust("none" if negated == "no" else None),
    "default_cos": lambda n: DefaultCos(within(n, 0, 7)),
    "default_dscp": lambda n: DefaultDscp(within(n, 0, 63)),
    "policy": lambda name: PolicyName(str(name)),
    "policy_none": lambda *_: PolicyName(None),
    "profile_name": lambda name: ProfileName(str(name)),
    "profile_none": lambda *_: ProfileName(None),
    "interface_profiles": lambda *names: InterfaceProfiles(tuple(map(str, names))),
    "mtu": lambda n: Mtu(within(n, 68, 65535)),
    "mtu_default": lambda *_: Mtu(None),
    "l2_mtu": lambda n: L2Mtu(within(n, 68, 65535)),
    "flowcontrol": lambda direction, state: FlowControl(str(direction), str(state)),
    "flowcontrol_off": lambda _, direction, *__: FlowControl(str(direction), "off"),
    "shutdown": lambda: Shutdown(True),
    "no_shutdown": lambda *_: Shutdown(False),
    "speed": _speed,
    "speed_auto": lambda *_: Speed(None),
    "fec": lambda encoding: Fec(str(encoding)),
    "fec_none": lambda *_: Fec(None),
    "channel": lambda n: ChannelGroup(int(n)),
    "dcbx": lambda version: DcbxMode(str(version)),
    "dcbx_off": lambda *_: DcbxMode(None),
    "lldp_off": lambda *_: LldpOff(),
    "queue_header": lambda kind, n: QueueHeader(str(kind), within(n, 0, 11)),
    "strict": lambda: Strict(True),
    "weighted": lambda *_: Strict(False),
    "share": lambda n: Share(within(n, 0, 100)),
    "share_none": lambda *_: Share(None),
    "guaranteed": lambda *_: Guaranteed(),
    "shape": _shape,
    "shape_none": lambda *_: Shape(None, False),
    "ecn": _ecn,
    "ecn_none": lambda *_: EcnCurve(None),
    "wred": _wred,
    "class_header": lambda _, name: ClassHeader(str(name)),
    "set_class": lambda n: SetClass(within(n, 0, 7)),
    "set_dscp": lambda dscp: SetDscp(dscp),
    "police": lambda *_: Police(),
    "match_dscp": lambda points: Match("dscp", points),
    "match_cos": lambda points: Match("cos", _all_in(points, 7)),
    "match_other": lambda *_: Match("other", ()),
    "match_acl": lambda name: Match("acl", (), str(name)),
    "match_any": lambda: Match("any", ()),
}
