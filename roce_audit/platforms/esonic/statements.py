"""The statements of Enterprise SONiC in its own terms."""

from __future__ import annotations

from typing import NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


class Entry(NamedTuple):
    """One line of a `qos map`: all these keys lead to one value."""

    keys: tuple[int, ...]
    value: int


class Curve(NamedTuple):
    """What a line says of a colour: `on` (1 or 0), `min` and `max` in bytes, `percent`; the command line says all at once.

    `in bytes` is there where the line was written in bytes.
    """

    colour: str
    given: tuple[tuple[str, int], ...]


class Ecn(NamedTuple):
    """`ecn ...`: the colours that are marked."""

    colours: frozenset[str]


class QueueHeader(NamedTuple):
    """`queue N` of a scheduler policy; None = `port`, the scheduler of the whole port."""

    number: int | None


class Type(NamedTuple):
    """`type strict|dwrr|wrr`."""

    strict: bool


class Weight(NamedTuple):
    """`weight N`."""

    weight: int


class PeakRate(NamedTuple):
    """`pir N`: kbit/s, or packets/s where the meter counts those."""

    rate: float


class MeterType(NamedTuple):
    """`meter-type packets|bytes`."""

    packets: bool


class BufferInit(NamedTuple):
    """`buffer init lossless` and its opposite."""

    on: bool


class BufferPool(NamedTuple):
    """`buffer pool X shared-headroom-size N`, bytes; None = back to the platform's size."""

    name: str
    headroom: int | None


class BufferProfile(NamedTuple):
    """What a line says of a buffer profile; `whole` where it says all of it.

    `pool` is a name; `size`, `static`, `pause`, `resume` and `offset` are bytes, `dynamic` is n in alpha = 2^n.
    """

    whole: bool
    given: tuple[tuple[str, object], ...]


class Roce(NamedTuple):
    """`roce enable`; the lossless priorities, empty where it names none."""

    on: bool
    priorities: frozenset[int]


class PollInterval(NamedTuple):
    """`priority-flow-control watchdog polling-interval N`, ms; None = back to the default."""

    milliseconds: int | None


class CounterPoll(NamedTuple):
    """`priority-flow-control watchdog counter-poll`."""

    on: bool


class Pfc(NamedTuple):
    """`priority-flow-control priority N`; empty with `on` False = all of them."""

    priorities: frozenset[int]
    on: bool


class Asymmetric(NamedTuple):
    """`priority-flow-control asymmetric`."""

    on: bool


class Watchdog(NamedTuple):
    """`priority-flow-control watchdog on [detect-time N]` and `off`; ms."""

    on: bool
    detect: int | None


class WatchdogAction(NamedTuple):
    """`... watchdog action`; None = back to the default."""

    action: str | None


class WatchdogRestore(NamedTuple):
    """`... watchdog restore-time N`, ms; None = removed."""

    milliseconds: int | None


class BindMap(NamedTuple):
    """`qos-map KIND NAME`; kind is the mode of the map's stanza, name None = removed."""

    kind: str
    name: str | None


class BindWred(NamedTuple):
    """`queue N wred-policy NAME`."""

    queue: int
    name: str | None


class BindScheduler(NamedTuple):
    """`scheduler-policy NAME`."""

    name: str | None


class BindGroups(NamedTuple):
    """`buffer priority-group LIST NAME`."""

    groups: tuple[int, ...]
    name: str | None


class BindQueues(NamedTuple):
    """`buffer queue LIST NAME`."""

    queues: tuple[int, ...]
    name: str | None


class DefaultProfile(NamedTuple):
    """`buffer default-lossless-buffer-profile`: the device makes the lossless profile by speed and cable."""

    on: bool


class BindPolicy(NamedTuple):
    """`service-policy type qos in NAME`."""

    name: str | None


class Cable(NamedTuple):
    """`cable-length Nm`; None = back to the default."""

    metres: int | None


class Mtu(NamedTuple):
    """`mtu N`, largest IP packet; None = back to the default."""

    ip_bytes: int | None


class Speed(NamedTuple):
    """`speed N` in bit/s; None = negotiated, or back to the port's own."""

    bps: int | None
    auto: bool


class Fec(NamedTuple):
    """`fec RS|FC|AUTO|none`; None = removed."""

    kind: str | None


class Autoneg(NamedTuple):
    """`autoneg on|off`."""

    on: bool


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class ChannelGroup(NamedTuple):
    """`channel-group N`; None = left."""

    number: int | None


class Dcbx(NamedTuple):
    """`dcbx enable` / `no dcbx enable`."""

    on: bool


class Lldp(NamedTuple):
    """`lldp enable|receive|transmit` and `no lldp ...`; both directions, or one is missing."""

    both: bool


class ClassHeader(NamedTuple):
    """`class X priority N` of a policy-map."""


class SetClass(NamedTuple):
    """`set traffic-class|queue N`: the packet's class is no longer that of its mark."""


class SetDscp(NamedTuple):
    """`set dscp N`."""

    dscp: int


class Police(NamedTuple):
    """`police ...`."""
