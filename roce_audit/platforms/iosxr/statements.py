"""The statements of IOS XR that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

from typing import Literal, NamedTuple

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.policy.statements import Match
from roce_audit.platforms.shared.ramps import Ramp

Timer = Literal["interval", "shutdown", "restore"]
Size = tuple[int, str]
"""A number as written, and its unit."""


class InterfaceType(NamedTuple):
    """The header of an interface: the speed that its type names in bit/s, None where the type names none."""

    bps: int | None = None


class PfcMode(NamedTuple):
    """`priority-flow-control mode on|off`; None = back to the default."""

    mode: Literal["on", "off", "auto"] | None


class WatchdogMode(NamedTuple):
    """`priority-flow-control watchdog mode on|off`, global or of a port; None = back to what is more general."""

    on: bool | None


class WatchdogTimer(NamedTuple):
    """The interval in ms, or the number of intervals until a stuck queue is shut or restored; None = back to what is more general."""

    what: Timer
    value: int | None


class FlowControl(NamedTuple):
    """`flow-control`: which way 802.3x pause goes."""

    sends: bool
    obeys: bool


class Lldp(NamedTuple):
    """`lldp` of the router, or what a port says of one direction or both."""

    on: bool
    of: Literal["device", "port", "direction"]


class BundleId(NamedTuple):
    """`bundle id N [mode M]`; None = in no bundle. Without a mode the member is static."""

    number: int | None
    lacp: str | None = "static"


class BundleMode(NamedTuple):
    """`lacp mode` of a bundle, which its members inherit."""

    lacp: str


class IpMtu(NamedTuple):
    """`ipv4 mtu` or `ipv6 mtu`: the largest packet of the protocol, bytes."""

    value: int


class FrameMtu(NamedTuple):
    """`mtu` of an interface, which counts the Ethernet header of 14 bytes, and the tags of a subinterface."""

    value: int


class ProfileAt(NamedTuple):
    """The header of a PFC profile: the cards that it is for."""

    where: str


class LosslessClass(NamedTuple):
    """What a PFC profile says of a traffic class. Sizes as (value, unit); None where the router chooses."""

    buffer: Literal["internal", "extended", ""]
    number: int
    pause: Size | None = None
    headroom: Size | None = None
    ecn: Size | None = None
    ecn_max: Size | None = None
    percent: int | None = None
    resume: Size | None = None


class Pause(NamedTuple):
    """`pause` of a policy's class, with thresholds or without."""

    size: Size | None = None
    pause: Size | None = None
    resume: Size | None = None


class EcnMarks(NamedTuple):
    """`random-detect ecn`: what would be dropped early is marked."""


class RandomDetect(NamedTuple):
    """`random-detect`: one curve; None for both ends: the router's own. `of`: what it is for, "" for all packets of the class."""

    low: Size | None = None
    high: Size | None = None
    percent: int | None = None
    of: str = ""


class Ratio(NamedTuple):
    """`bandwidth remaining ratio N`."""

    value: int


class Guarantee(NamedTuple):
    """`bandwidth N UNIT`; percent where it is one of the port's speed."""

    percent: int | None


class Limit(NamedTuple):
    """`queue-limit N UNIT`."""

    size: Size


class Child(NamedTuple):
    """`service-policy X` in the class of a policy."""

    name: str


class ApplyGroup(NamedTuple):
    """`apply-group`: the groups that a port, or every port, takes statements from."""

    names: tuple[str, ...]


def words(text: str) -> tuple[str, ...]:
    """Words with blanks between."""
    return tuple(text.split())


def profile(
    buffer: Literal["internal", "extended", ""],
    number: int,
    pause: int | None = None,
    pause_unit: str = "bytes",
    resume: int | None = None,
    resume_unit: str = "bytes",
    headroom: int | None = None,
    headroom_unit: str = "",
    ecn: int | None = None,
    ecn_unit: str = "bytes",
    high: int | None = None,
    high_unit: str = "bytes",
    percent: int | None = None,
) -> LosslessClass:
    """A line of a PFC profile; raises ValueError for a curve without its lower end."""
    if high is not None and ecn is None:
        raise ValueError("an upper ECN threshold without a lower one")
    if buffer != "extended":  # of the others the model says that they are bytes
        headroom_unit = headroom_unit or "bytes"
    return LosslessClass(
        buffer,
        number,
        _size(pause, pause_unit),
        _size(headroom, headroom_unit),
        _size(ecn, ecn_unit),
        _size(high, high_unit),
        percent,
        _size(resume, resume_unit),
    )


def pause(
    size: int | None = None,
    size_unit: str = "",
    xoff: int | None = None,
    xoff_unit: str = "",
    xon: int | None = None,
    xon_unit: str = "",
) -> Pause:
    """`pause`, with thresholds or without."""
    return Pause(_size(size, size_unit), _size(xoff, xoff_unit), _size(xon, xon_unit))


def curve(low: int, low_unit: str, high: int, high_unit: str, percent: int | None = None, of: str = "") -> RandomDetect:
    """`random-detect` with two thresholds."""
    return RandomDetect((low, low_unit), (high, high_unit), percent, of)


def limit(value: int, unit: str) -> Limit:
    """`queue-limit`."""
    return Limit((value, unit))


def _size(value: int | None, unit: str) -> Size | None:
    return None if value is None else (value, unit)


_POLICING = lazy(
    r"[0-9]{1,10}|rate|percent|burst|peak-rate|peak-burst|per-thousand|per-million|conditional|cir|pir"
    r"|[kmg]?bps|pps|cellsps|[kmg]?bytes|ms|us|packets|cells"
)


def policing(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if not all(_POLICING.fullmatch(word) for word in text.split(" ")):
        raise ValueError(text)
    return text


def lacp_period(text: str) -> str:
    """How often a partner is asked for a message: `short`, `long`, or milliseconds; raises ValueError."""
    if text not in ("short", "long") and not 100 <= int(text) <= 1000:
        raise ValueError(text)
    return "slow" if text == "long" else "fast"


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of a curve, or of `pause`."""
    if isinstance(value, RandomDetect) and value.low is not None and value.high is not None:
        return Ramp("drops", value.low[0], value.high[0], value.low[1], value.high[1])
    if isinstance(value, Pause) and value.pause is not None and value.resume is not None:
        return Ramp("pause", value.resume[0], value.pause[0], value.resume[1], value.pause[1])
    return None


def protocol(names: tuple[str, ...], negated: bool = False) -> Match:
    """`match protocol`: all RoCEv2 packets are UDP, and none of them is anything else; of a range nobody says."""
    if any("-" in one for one in names):
        return Match("other")
    return Match("any" if {"udp", "17"} & set(names) else "never", negated=negated)
