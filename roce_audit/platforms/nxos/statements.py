"""The statements of NX-OS that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

from typing import Literal, NamedTuple

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.ramps import Ramp


class Watchdog(NamedTuple):
    """`priority-flow-control watch-dog-interval on|off`, global or of a port."""

    on: bool


class WatchdogTimer(NamedTuple):
    """`watch-dog interval` in ms; the shutdown and restore values are multiples of it."""

    what: Literal["interval", "shutdown", "restore"]
    value: int


class ShownMtu(NamedTuple):
    """The MTU of `show interface`, bytes."""

    value: int


class ShownQueue(NamedTuple):
    """How `show queuing interface` shows an egress queue: its share in percent, None where it is served first."""

    number: int
    percent: int | None = None


class ShownDrops(NamedTuple):
    """An egress queue whose curve drops, as `show policy-map interface` shows it."""

    number: int


class ShownBuffer(NamedTuple):
    """The ingress buffer of a no-drop group as `show queuing interface` shows it, in bytes."""

    number: int
    size: int
    pause: int
    resume: int


class NoBuffer(NamedTuple):
    """A group of which that answer shows no ingress buffer."""

    number: int


class Lldp(NamedTuple):
    """`feature lldp`, `no lldp transmit|receive`."""

    on: bool


class SwitchportsDown(NamedTuple):
    """`system default switchport shutdown`."""

    down: bool


class SwitchportDefault(NamedTuple):
    """`system default switchport`: ports that say nothing are switchports."""

    on: bool


class PfcMode(NamedTuple):
    """`priority-flow-control mode`; None = back to the default."""

    mode: str | None


class Inherit(NamedTuple):
    """`inherit port-profile X`, or its `no` form, which may name none: then all are taken away."""

    name: str = ""
    is_taken_back: bool = False


class Enabled(NamedTuple):
    """`state enabled` of a port profile: without it the profile is in force nowhere."""

    on: bool


class ChannelGroup(NamedTuple):
    """`channel-group N [mode ...]`; None = in no channel. Without a mode the channel is static (Interfaces Configuration Guide)."""

    number: int | None
    lacp: str = "static"


class Pause(NamedTuple):
    """`pause pfc-cos N[,M] [receive]`."""

    priorities: tuple[int, ...]
    receive_only: bool = False


class PauseUnnamed(NamedTuple):
    """`pause no-drop`: no-drop, but the priority is not said. Thresholds in bytes: buffer, pause, resume."""

    thresholds: tuple[int, int, int] | None


class NoPause(NamedTuple):
    """`no pause`."""


class Congestion(NamedTuple):
    """`congestion-control random-detect [ecn]` of a network-qos class."""

    ecn: bool = False


class Wred(NamedTuple):
    """`random-detect`; thresholds as (value, unit), None where a preset or the default decides."""

    low: tuple[int, str] | None
    high: tuple[int, str] | None
    percent: int | None
    weight: int | None
    ecn: bool


class NoWred(NamedTuple):
    """`no random-detect`, `no afd`."""


class Afd(NamedTuple):
    """`afd queue-desired N UNIT [ecn]`: approximate fair drop."""

    ecn: bool = False


class Limit(NamedTuple):
    """`queue-limit`; None = dynamic."""

    value: int | None
    unit: str = "packets"


class Thresholds(NamedTuple):
    """`pause buffer-size B pause-threshold X resume-threshold Y`, in bytes; None = removed."""

    sizes: tuple[int, int, int] | None


_POLICING = lazy(
    r"[0-9]{1,9}|cir|pir|bc|be|percent|[kmg]?bps|pps|[km]?bytes|ms|us|conform|exceed|violate|transmit|drop|set-[a-z-]+-transmit"
)
_RELEASE = lazy(r"[0-9][0-9A-Za-z.()]{1,40}")


def policing(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if not all(_POLICING.fullmatch(word) for word in text.split(" ")):
        raise ValueError(text)
    return text


_LOAD_SHARING = lazy(
    r"(?:destination|source-destination|port|gre|gtpu|ipv6-flowlabel|ttl|udf|offset|length|symmetric|resilient|concatenation"
    r"|universal-id|rotate|inner|all|greheader|[0-9]{1,10})\Z"
)


class Hashed(NamedTuple):
    """What `ip load-sharing address` hashes."""

    ports: bool
    """It takes in what differs between two flows of a pair of hosts."""
    seed: int | None
    """`universal-id`; the switch chooses one where none is given."""


class LoadSharing(NamedTuple):
    """`ip load-sharing address ...`."""

    said: Hashed


def hashed(text: str) -> Hashed:
    """What the words behind `ip load-sharing address` say; raises ValueError.

    Syntax: Cisco Nexus 9000 Series NX-OS Interfaces Configuration Guide 10.3(x), Configuring ECMP Load Balancing.
    """
    words = text.split(" ")
    if not all(_LOAD_SHARING.match(word) for word in words):
        raise ValueError(text)
    seed = words[words.index("universal-id") + 1 :][:1] if "universal-id" in words else []
    return Hashed("port source-destination" in text or "udf" in words, int(seed[0]) if seed else None)


def release(text: str) -> str:
    """The number of a release; raises ValueError for what is none."""
    if _RELEASE.fullmatch(text) is None:
        raise ValueError(text)
    return text


def bitmap(text: str) -> frozenset[int]:
    """The priorities of a bitmap in hexadecimal digits."""
    bits = int(text, 16)
    if not 0 <= bits <= 0xFF:
        raise ValueError(text)
    return frozenset(i for i in range(8) if bits & 1 << i)


def pause_unnamed(size: int | None = None, pause: int = 0, resume: int = 0) -> PauseUnnamed:
    """`pause [no-drop]`, with thresholds in bytes or without; their order is for rules to judge."""
    return PauseUnnamed(None if size is None else (size, pause, resume))


def thresholds(size: int, pause: int, resume: int) -> Thresholds:
    """`pause buffer-size ...` of a queuing class, in bytes."""
    return Thresholds((size, pause, resume))


def wred(
    low: int | None = None,
    low_unit: str = "",
    high: int | None = None,
    high_unit: str = "",
    percent: int | None = None,
    weight: int | None = None,
    preset: str = "",
    ecn: bool = False,
) -> Wred:
    """`random-detect` from its options; raises ValueError for one threshold alone, or beside a preset."""
    if low is None or high is None:
        if low is not high:
            raise ValueError("only one threshold")
        return Wred(None, None, percent, weight, ecn)
    if preset:
        raise ValueError("thresholds beside a preset")
    return Wred((low, low_unit), (high, high_unit), percent, weight, ecn)


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of `random-detect` and of `pause`."""
    if isinstance(value, Wred) and value.low is not None and value.high is not None:
        return Ramp("marking" if value.ecn else "drops", value.low[0], value.high[0], value.low[1], value.high[1])
    sizes = value.sizes if isinstance(value, Thresholds) else None
    sizes = value.thresholds if isinstance(value, PauseUnnamed) else sizes
    return None if sizes is None else Ramp("pause", sizes[2], sizes[1], "bytes", "bytes")
