"""The statements of AOS-CX that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.platforms.shared.ramps import Ramp

Leaf = Literal["headroom_bytes", "alpha", "xoff_at_bytes", "xon_offset_bytes"]
_POWERS = frozenset("01234567")
_NAME = re.compile(r"[\w.-]{1,64}")
BYTES_PER_KB = 1024
"""QoS Guide, show qos pool: the 32 MB of an 8325 are printed as 32768 kbytes."""


class Pool(NamedTuple):
    """`qos pool N lossless ...`: percent of the packet memory and KB of headroom; None = the factory default."""

    number: int
    size: float | None
    headroom: int | None
    priorities: tuple[int, ...] = ()


class PoolRemoved(NamedTuple):
    """`no qos pool N`."""

    number: int


class Pfc(NamedTuple):
    """`flow-control priority`: for which priorities pause is obeyed, and for which it is sent; each such line replaces the one before."""

    obeyed: tuple[int, ...] = ()
    sent: tuple[int, ...] = ()


class LinkPause(NamedTuple):
    """`flow-control rx|rxtx`: 802.3x; empty = removed."""

    direction: str


class Trust(NamedTuple):
    """`qos trust`; None = back to what holds for the switch. `priority` is that of all packets where nothing is trusted."""

    mode: str | None
    priority: int | None = None


class ShownTrust(NamedTuple):
    """What `show interface` says that a port trusts."""

    mode: str


class Mapped(NamedTuple):
    """`qos dscp-map|cos-map LIST local-priority P`; None = back to the default."""

    field: Literal["dscp", "cos"]
    marks: tuple[int, ...]
    priority: int | None = None


class Applied(NamedTuple):
    """`apply qos queue-profile A schedule-profile B`, for all ports."""

    queues: str
    schedule: str


class Schedule(NamedTuple):
    """`apply qos schedule-profile B` of a port; None = that of the switch."""

    name: str | None


class Thresholds(NamedTuple):
    """`apply qos threshold-profile T`; None = removed."""

    name: str | None


class Queued(NamedTuple):
    """`map queue Q local-priority LIST`."""

    queue: int
    priorities: tuple[int, ...]


class Unqueued(NamedTuple):
    """`no map queue Q [local-priority LIST]`; without a list, all of them."""

    queue: int
    priorities: tuple[int, ...] = tuple(range(8))


class Served(NamedTuple):
    """`dwrr|wfq queue Q weight W` or `strict queue Q` (no weight), with the rate of its shaper where it has one."""

    queue: int
    weight: int | None = None
    rate: int | None = None
    unit: str = ""


class Unserved(NamedTuple):
    """`no dwrr|wfq|strict queue Q`."""

    queue: int


class Marking(NamedTuple):
    """`queue Q action ecn`: where marking begins and where all packets are marked; `unit` is kbytes or percent."""

    queue: int
    low: int
    high: int
    unit: str


class Dropping(NamedTuple):
    """`queue Q action wred-non-resp COLOUR`: early drops of packets that no transport answers (UDP), RoCE among them."""

    queue: int
    colour: str
    low: int
    high: int
    unit: str
    percent: int | None = None


class Answered(NamedTuple):
    """`queue Q action wred-resp COLOUR`: early drops of packets whose transport answers them (TCP), which RoCE is not."""

    queue: int
    colour: str


class NoAction(NamedTuple):
    """`no queue Q` of a threshold profile."""

    queue: int


class Shape(NamedTuple):
    """`qos shape RATE` of a port, in kbit/s or percent of the link; None = removed."""

    rate: int | None
    unit: str = "kbps"


class Remark(NamedTuple):
    """`qos dscp N` of a port; None = removed."""

    dscp: int | None


class EgressRewrite(NamedTuple):
    """`qos egress-rewrite dscp` of a port."""

    on: bool


class EgressMap(NamedTuple):
    """`qos egress-rewrite-map local-priority LIST dscp N`; None = back to the default."""

    priorities: tuple[int, ...]
    dscp: int | None = None


class EgressTag(NamedTuple):
    """`qos egress-rewrite-map local-priority LIST cos N`: the tag, which says nothing of the DSCP."""

    priorities: tuple[int, ...]
    cos: int


class PolicyIn(NamedTuple):
    """`apply policy X in`; None = removed."""

    name: str | None


class PolicyEntry(NamedTuple):
    """`N class ip X action ...` of a policy: the internal priority and the DSCP that its packets get, and whether it drops some or all."""

    family: str
    name: str
    priority: int | None = None
    dscp: int | None = None
    drops: Literal["", "some", "all"] = ""


def entry(family: str, name: str, actions: str = "") -> PolicyEntry:
    """An entry of a policy; raises ValueError where an action is not understood."""
    priority = dscp = None
    drops: Literal["", "some", "all"] = ""
    words = actions.split(" ") if actions else []
    while words:
        word = words.pop(0)
        if word == "local-priority":
            priority = _upto(7, words.pop(0) if words else "")
        elif word == "dscp":
            named = words.pop(0).lower() if words else ""
            dscp = DSCP_NAMES[named] if named in DSCP_NAMES else _upto(63, named)
        elif word in ("pcp", "ip-precedence", "mirror"):
            _upto(7, words.pop(0) if words else "")
        elif word == "drop" or (word == "cir" and words[:1] == ["kbps"]):
            drops = "all" if word == "drop" else "some"
            words = [] if word == "cir" else words
        elif word != "action":
            raise ValueError(actions)
    return PolicyEntry(family, name, priority, dscp, drops)


def _upto(most: int, text: str) -> int:
    if not (text.isdecimal() and len(text) < 3 and int(text) <= most):
        raise ValueError(text)
    return int(text)


class Mtu(NamedTuple):
    """`mtu` (layer 2), `ip mtu` (layer 3), or what an answer shows to be in force (0); None = back to the default."""

    layer: Literal[0, 2, 3]
    size: int | None = None


class Lag(NamedTuple):
    """`lag N`; None = in none."""

    number: int | None


class Dcbx(NamedTuple):
    """`lldp dcbx`: a version, `off`, or None where a port is back to what holds for the switch."""

    mode: str | None


def dcbx(mode: str = "ieee") -> Dcbx:
    """`lldp dcbx [version V]`; the guide: without a version IEEE."""
    return Dcbx(mode)


class Application(NamedTuple):
    """`dcbx application PROTOCOL NUMBER priority P`: what the switch asks its peers to send with this priority."""

    protocol: str
    number: int
    priority: int


class NoApplications(NamedTuple):
    """`no dcbx application`."""


class SwitchLink(NamedTuple):
    """`inter-switch-link X`: the port or LAG between the two switches of a VSX pair."""

    port: str


class PoolSize(NamedTuple):
    """`show qos pool config`: the KB of a lossless pool, its headroom apart."""

    number: int
    kbytes: int


class Buffer(NamedTuple):
    """`flow-control buffer priority P ...`, or what is shown of it: a leaf of the group behind a priority; None = the default."""

    leaf: Leaf
    priority: int
    value: float | None = None


class Watchdog(NamedTuple):
    """`flow-control watchdog` of a port."""

    on: bool


class WatchdogTimes(NamedTuple):
    """`flow-control watchdog timeout MS resume MS` of the switch."""

    detect: int = 100
    restore: int = 100


class Running(NamedTuple):
    """`show dcbx interface X`: the priorities for which PFC runs."""

    priorities: tuple[int, ...] = ()


def percentage(text: str) -> float | None:
    """Percent of the packet memory as `50`, `50.00` or `factory-default`; raises ValueError for others."""
    if text == "factory-default":
        return None
    whole, dot, rest = text.partition(".")
    if not whole.isdecimal() or len(whole) > 2 or (dot and (not rest.isdecimal() or len(rest) > 2)):
        raise ValueError(text)
    if not 10 <= float(text) <= 90:
        raise ValueError(text)
    return float(text)


def pfc(both: tuple[int, ...] = (), obeyed: tuple[int, ...] = (), sent: tuple[int, ...] = ()) -> Pfc:
    """`flow-control priority` with up to three lists; raises ValueError where there is none, or a priority is in two of them."""
    every = (*both, *obeyed, *sent)
    if not every or len(set(every)) < len(every):
        raise ValueError("no priority, or one that is named twice")
    return Pfc((*both, *obeyed), (*both, *sent))


def alpha(text: str) -> float:
    """The factor of a dynamic threshold: 2 to the power that is written; raises ValueError outside of -7 to 3."""
    if text.removeprefix("-") not in _POWERS or not -7 <= int(text) <= 3:
        raise ValueError(text)
    return float(2.0 ** int(text))


def name(text: str) -> str:
    """A name that identifies and does nothing; raises ValueError for what the device does not take as one."""
    if _NAME.fullmatch(text) is None:
        raise ValueError(text)
    return text


def marking(queue: int, low: int, unit: str, high: int | None = None) -> Marking:
    """A marking curve; one threshold is a step. A device refuses a lower threshold above the upper one, a file need not."""
    return Marking(queue, low, low if high is None else high, unit)


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of a queue in a threshold profile."""
    if not isinstance(value, Marking | Dropping):
        return None
    of: Literal["marking", "drops"] = "marking" if isinstance(value, Marking) else "drops"
    return Ramp(of, value.low, value.high, value.unit, value.unit)
