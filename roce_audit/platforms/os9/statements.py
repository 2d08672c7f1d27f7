"""The statements of OS9 that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

import re
from typing import NamedTuple

from roce_audit.platforms.shared.policy.statements import Shape
from roce_audit.platforms.shared.ramps import Ramp


class Dcb(NamedTuple):
    """`dcb enable` for the whole switch."""

    on: bool


class DcbMap(NamedTuple):
    """`dcb-map X` of a port; None = removed."""

    name: str | None


class BufferPolicy(NamedTuple):
    """`dcb-policy buffer-threshold X` of a port; None = removed."""

    name: str | None


class PfcPriorities(NamedTuple):
    """`pfc priority LIST` of a port without a DCB map."""

    priorities: tuple[int, ...]


class PfcMode(NamedTuple):
    """`pfc mode on|off` of a port or of an input policy."""

    on: bool


class FlowControl(NamedTuple):
    """`flowcontrol rx X tx Y`."""

    receive: bool
    send: bool


class Mtu(NamedTuple):
    """`mtu N`, the size of a frame, or `ip mtu N`: what is left for the IP packet; None = back to the default."""

    of_frame: bool
    ip_bytes: int | None = None


class Channel(NamedTuple):
    """`port-channel N mode ...` below `port-channel-protocol LACP`."""

    number: int


class Group(NamedTuple):
    """`priority-group N {bandwidth P | strict-priority} [committed|peak RATE ...] pfc on|off`; share None = strict priority."""

    number: int
    share: int | None
    pfc: bool
    peak_bps: int | None = None


class NoGroup(NamedTuple):
    """`no priority-group N`."""

    number: int


class Groups(NamedTuple):
    """`priority-pgid`: the priority group of each 802.1p priority, from 0 to 7; None = taken back."""

    by_priority: tuple[int, ...] | None


class Thresholds(NamedTuple):
    """`priority N buffer-size B pause-threshold X resume-offset Y`, in KB; None = not said."""

    priorities: tuple[int, ...]
    size: int | None
    pause: int | None
    resume_offset: int | None


class NoThresholds(NamedTuple):
    """`no priority N ...` of a buffer policy."""

    priorities: tuple[int, ...]


class DcbInput(NamedTuple):
    """`dcb-policy input X` of releases before DCB maps; None = removed."""

    name: str | None


class DcbOutput(NamedTuple):
    """`dcb-policy output X` of releases before DCB maps; None = removed."""

    name: str | None


class EtsMode(NamedTuple):
    """`ets mode on|off` of an output policy."""

    on: bool


class GroupPolicy(NamedTuple):
    """`priority-group G qos-policy P` of an output policy."""

    group: str
    policy: str


class Members(NamedTuple):
    """`priority-list` of a named priority group."""

    priorities: tuple[int, ...]


class GroupNumber(NamedTuple):
    """`set-pgid` of a named priority group."""

    number: int


class PolicyIn(NamedTuple):
    """`service-policy input P` of a port; None = removed."""

    name: str | None


class PolicyOut(NamedTuple):
    """`service-policy output P` of a port; None = removed."""

    name: str | None


class Service(NamedTuple):
    """`service-queue N [class-map C] [qos-policy Q]`; "" for what is not named."""

    queue: int
    outward: bool
    classmap: str = ""
    policy: str = ""


class Aggregate(NamedTuple):
    """`policy-aggregate Q`: a QoS policy for all queues."""

    policy: str


class Tagless(NamedTuple):
    """`dot1p-priority N`: the priority of packets that come in."""

    priority: int


class QueueMap(NamedTuple):
    """`service-class dot1p-mapping`: (priority, queue) of those it names; empty = the default."""

    queues: tuple[tuple[int, int], ...]


class QueuesShown(NamedTuple):
    """The queue of each priority as `show qos dot1p-queue-mapping` has it."""

    queues: tuple[int, ...]


class PoolWred(NamedTuple):
    """`service-pool wred ...`: drops or marks by the filling of a pool that queues share."""


class Ecn(NamedTuple):
    """`wred ecn`: packets are marked where they would be dropped."""

    on: bool


class Wred(NamedTuple):
    """`wred green|yellow PROFILE`; "" = removed."""

    colour: str
    profile: str = ""


class Curve(NamedTuple):
    """`threshold min A max B [max-drop-rate P]`, in KB and percent; None = not said."""

    low: int
    high: int
    percent: int | None = None


class PortRole(NamedTuple):
    """`dcbx port-role`: whose DCB settings the port takes."""

    role: str


class PeerLink(NamedTuple):
    """`peer-link port-channel N` of a VLT domain."""

    number: int


_PER_SECOND = {"pps": 0, "kbps": 1_000, "mbps": 1_000_000}
_UNIT = re.compile(r"all|[0-9]{1,3}")
_RATES = re.compile(r"kbps|pps|peak|committed|vlan|[0-9]{1,9}")
_MAPPING = re.compile(r"dot1p([0-7]) ([0-7])")
_EIGHT = re.compile(r"[0-7](?: [0-7]){7}")


def unit(text: str) -> str:
    """A stack unit or port set; raises ValueError for what is none."""
    if _UNIT.fullmatch(text) is None:
        raise ValueError(text)
    return text


def rates(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if not all(_RATES.fullmatch(word) for word in text.split(" ")):
        raise ValueError(text)
    return text


def by_priority(text: str) -> tuple[int, ...]:
    """The numbers of the groups or queues of the priorities 0 to 7; raises ValueError for anything else."""
    if _EIGHT.fullmatch(text) is None:
        raise ValueError(text)
    return tuple(map(int, text.split(" ")))


def queue_mapping(text: str) -> tuple[tuple[int, int], ...]:
    """(priority, queue) of `dot1p0 0 dot1p3 1`; raises ValueError for anything else."""
    found = _MAPPING.findall(text)
    if " ".join(f"dot1p{priority} {queue}" for priority, queue in found) != text:
        raise ValueError(text)
    return tuple((int(priority), int(queue)) for priority, queue in found)


def thresholds(
    priorities: tuple[int, ...],
    size: int | None = None,
    pause: int | None = None,
    resume_offset: int | None = None,
    weight: int | None = None,
) -> Thresholds:
    """`priority N ...` of a buffer policy, in KB, in any order; raises ValueError for one without a threshold."""
    if size is pause is resume_offset is weight is None:
        raise ValueError("no threshold")
    return Thresholds(priorities, size, pause, resume_offset)


def shape(amount: int, unit: str = "mbps") -> Shape:
    """A shaper of so many units, Mbit/s where none is written; packets have no rate in bits."""
    return Shape(amount * _PER_SECOND[unit] or None, True)


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of a WRED profile."""
    return Ramp("marking", value.low, value.high, "KB", "KB") if isinstance(value, Curve) else None
