"""The statements of EOS that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.leaves import number
from roce_audit.platforms.shared.ramps import Ramp


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


class Rewriting(NamedTuple):
    """`qos rewrite dscp`: whether the map from traffic class to DSCP is written into packets at all."""

    on: bool


class QueueMap(NamedTuple):
    """`qos map traffic-class N to tx-queue M`."""

    traffic_classes: tuple[int, ...]
    queue: int


class AllOff(NamedTuple):
    """`priority-flow-control all off`."""


class PfcMode(NamedTuple):
    """`priority-flow-control on` and its opposites."""

    on: bool


class PfcPriority(NamedTuple):
    """`priority-flow-control priority N no-drop|drop`."""

    priority: int
    no_drop: bool


class WatchdogTimeout(NamedTuple):
    """`priority-flow-control pause watchdog default timeout`, in ms: the watchdog of the whole switch."""

    milliseconds: float


class WatchdogTimer(NamedTuple):
    """`priority-flow-control pause watchdog port timer`, in ms; polling None = auto."""

    detect: float
    poll: float | None
    restore: float


class WatchdogWrittenOut(NamedTuple):
    """`no priority-flow-control pause watchdog port timer`: what `show running-config all` says of each port."""


class MmuApply(NamedTuple):
    """`platform trident mmu queue profile P apply`."""

    name: str


class MmuSize(NamedTuple):
    """`ingress headroom|reserved` of an MMU profile; group None = all groups, unit "" = not said."""

    field: Literal["headroom_bytes", "reserved_bytes"]
    amount: int
    unit: str = ""
    group: int | None = None


class MmuThreshold(NamedTuple):
    """`ingress threshold 1/8`: how much of the free buffer a group may take; group None = all groups."""

    alpha: float
    group: int | None = None


class Trust(NamedTuple):
    """`qos trust`; None = back to the default of the port's kind, "none" = `no qos trust`."""

    what: str | None


class ShownMtu(NamedTuple):
    """The IP MTU of `show interfaces`, bytes."""

    value: int


class Unmarked(NamedTuple):
    """A queue that `show qos interfaces` shows without ECN."""

    number: int


class ShownDrops(NamedTuple):
    """A queue that `show qos interfaces` shows with WRED in place of ECN."""

    number: int


class DefaultCos(NamedTuple):
    """`qos cos N`: the CoS of untagged packets."""

    cos: int


class DefaultDscp(NamedTuple):
    """`qos dscp N`: the DSCP of packets whose own is not trusted."""

    dscp: int


class PolicyName(NamedTuple):
    """`service-policy type qos input X`; None = removed."""

    name: str | None


class TrafficPolicy(NamedTuple):
    """`traffic-policy input X`; None = removed."""

    name: str | None


class ProfileName(NamedTuple):
    """`service-profile X`; None = removed."""

    name: str | None


class Profiles(NamedTuple):
    """`profile X [Y ...]` of a port: the interface profiles whose commands it takes; none = removed."""

    names: tuple[str, ...] = ()


def profiles(names: str) -> Profiles:
    """`profile X Y`."""
    return Profiles(tuple(names.split(" ")))


class L2Mtu(NamedTuple):
    """`l2 mtu N`: the largest frame, which holds no larger IP packet; whether it counts the header is not documented."""

    size: int


class DefaultShutdown(NamedTuple):
    """`shutdown` of `interface defaults`: Ethernet ports that say nothing are down."""

    down: bool


class ChannelGroup(NamedTuple):
    """`channel-group N mode ...`."""

    number: int
    lacp: str


class Share(NamedTuple):
    """`bandwidth percent N`; None = removed."""

    percent: int | None


class Shape(NamedTuple):
    """`shape rate` in bit/s or in percent of the speed; both None where the unit is packets. `unit`: whether a unit is written."""

    bps: int | None = None
    percent: int | None = None
    on: bool = True
    unit: bool = True


class EcnCurve(NamedTuple):
    """`random-detect ecn`: thresholds in their units, Pmax and the weight of the average."""

    low: int
    low_unit: str
    high: int
    high_unit: str
    percent: int | None = None
    weight: int | None = None


class WredCurve(NamedTuple):
    """`random-detect drop`: thresholds in their units, and the probability at the upper one."""

    low: int
    low_unit: str
    high: int
    high_unit: str
    percent: int


_POLICING = lazy(r"[a-z][a-z-]*|af[1-4][1-3]|cs[0-7]|[0-9]{1,9}(?:\.[0-9]{1,6})?")
_SECONDS = lazy(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_SPEED = lazy(r"([0-9]+(?:\.[0-9]+)?)([gG]?(?:full|half)|[gG](?:-[0-9])?)")
_ALPHA = lazy(r"([0-9]{1,9})|([0-9]{1,4})/([0-9]{1,4})")
_SHAPERS = {"kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}
_MOST_SECONDS = 999_999_999.0


def policing(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if not all(_POLICING.fullmatch(word) for word in text.split(" ")):
        raise ValueError(text)
    return text


def listed(most: int) -> Callable[[str], tuple[int, ...]]:
    """Reader of whole numbers from 0 to `most` with blanks between."""
    single = number(0, most)

    def read(text: str) -> tuple[int, ...]:
        return tuple(int(str(single(word))) for word in text.split(" "))

    return read


def seconds(low: float = 0.0, high: float = _MOST_SECONDS) -> Callable[[str], float]:
    """Reader of seconds, in ms; ms written by mistake lie outside the bounds, and EOS refuses them."""

    def read(text: str) -> float:
        if _SECONDS.fullmatch(text) is None or not low <= float(text) <= high:
            raise ValueError(f"not {low} to {high} seconds: {text}")
        return float(text) * 1000

    return read


def port_polling(text: str) -> float | None:
    """The polling interval of a port's watchdog in ms, 5 at least; None for `auto`.

    aristanetworks/avd, qos_profiles.schema.yml, polling_interval: three decimals, "0.005 or 60"; the least is that of the switch's own.
    """
    return None if text == "auto" else seconds(0.005, 60)(text)


def speed(text: str) -> int:
    """A forced speed (`100g`, `10000full`, `400g-8`) in bit/s; raises ValueError for what is none."""
    found = _SPEED.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return round(float(found[1]) * (1_000_000_000 if found[2][0] in "gG" else 1_000_000))


def alpha(text: str) -> float:
    """A share of the free buffer: `8`, or `1/8`; raises ValueError beyond 128 or 1/128."""
    found = _ALPHA.fullmatch(text)
    if found is None:
        raise ValueError(text)
    above, below = int(found[1] or found[2]), int(found[3] or 1)
    if not (1 <= above <= 128 and 1 <= below <= 128):
        raise ValueError(text)
    return above / below


def shape(amount: int, unit: str = "") -> Shape:
    """A shaper of so many units; raises ValueError for more than 100 percent."""
    if unit == "percent":
        return Shape(percent=int(str(number(0, 100)(str(amount)))))
    if not unit:
        return Shape(amount * _SHAPERS["kbps"], unit=False)
    return Shape(amount * _SHAPERS[unit] if unit in _SHAPERS else None)


_HASHED = frozenset(
    {
        "destination-ip",
        "destination-port",
        "flow-label",
        "ingress-interface",
        "protocol",
        "source-ip",
        "source-port",
        "vlan",
    }
)


def hashed(text: str) -> bool:
    """Whether the source port is among the fields of `ip load-sharing trident fields ip`; raises ValueError for an unknown field."""
    words = text.split(" ")
    if not _HASHED.issuperset(words):
        raise ValueError(text)
    return "source-port" in words


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of `random-detect`."""
    if not isinstance(value, EcnCurve | WredCurve):
        return None
    of: Literal["marking", "drops"] = "marking" if isinstance(value, EcnCurve) else "drops"
    return Ramp(of, value.low, value.high, value.low_unit, value.high_unit)
