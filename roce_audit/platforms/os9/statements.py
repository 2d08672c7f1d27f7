"""The statements of OS9 in its own terms."""

from __future__ import annotations

from typing import NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


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


class MtuDefault(NamedTuple):
    """`no mtu`, `no ip mtu`."""


class Mtu(NamedTuple):
    """`mtu N`, the size of a frame, or `ip mtu N`."""

    size_bytes: int
    of_frame: bool


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class Speed(NamedTuple):
    """`speed` in bit/s; None = automatic."""

    bps: int | None


class Fec(NamedTuple):
    """`fec enable`, which does not say which code."""

    on: bool


class Channel(NamedTuple):
    """`port-channel N mode ...` below `port-channel-protocol LACP`, or `channel-member` of the channel N."""

    number: int


class Group(NamedTuple):
    """`priority-group N {bandwidth P | strict-priority} [committed|peak RATE ...] pfc on|off`; share None = strict priority."""

    number: int
    share: int | None
    peak_bps: int | None
    pfc: bool


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
    classmap: str
    policy: str
    outward: bool


class Aggregate(NamedTuple):
    """`policy-aggregate Q`: a QoS policy for all queues."""

    policy: str


class Police(NamedTuple):
    """`rate police ...`."""


class NoPolice(NamedTuple):
    """`no rate police` of a port."""


class SetDscp(NamedTuple):
    """`set ip-dscp N`."""

    dscp: int


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


class Share(NamedTuple):
    """`bandwidth-percentage N`."""

    percent: int


class Scheduler(NamedTuple):
    """`scheduler strict|werr`."""

    strict: bool


class Shape(NamedTuple):
    """`rate shape [kbps|pps] RATE`: bit/s, None for packets."""

    bps: int | None
    on: bool


class Ecn(NamedTuple):
    """`wred ecn`: packets are marked where they would be dropped."""

    on: bool


class Wred(NamedTuple):
    """`wred green|yellow PROFILE`; "" = removed."""

    colour: str
    profile: str


class Weight(NamedTuple):
    """`wred weight N`."""

    weight: int


class Curve(NamedTuple):
    """`threshold min A max B [max-drop-rate P]`, in KB and percent; None = not said."""

    low: int
    high: int
    percent: int | None


class PortRole(NamedTuple):
    """`dcbx port-role`: whose DCB settings the port takes."""

    role: str


class DcbxVersion(NamedTuple):
    """`dcbx version`."""

    version: str


class PeerLink(NamedTuple):
    """`peer-link port-channel N` of a VLT domain."""

    number: int
