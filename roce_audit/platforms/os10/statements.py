"""The statements of OS10 that need thought, in its own terms, and what makes them from their parts."""

from __future__ import annotations

import re
from typing import NamedTuple

from roce_audit.platforms.shared.ramps import Ramp


class TrustMap(NamedTuple):
    """`trust-map dot1p|dscp X`; name None = removed."""

    field: str
    name: str | None = None


class QosMap(NamedTuple):
    """`qos-map traffic-class X` where it is applied; name None = removed."""

    name: str | None


class Breakout(NamedTuple):
    """What a breakout makes of a port, bit/s: the port may be set to less."""

    bps: int


class PfcMode(NamedTuple):
    """`priority-flow-control mode`; None = back to the default."""

    mode: str | None


class PortWred(NamedTuple):
    """`random-detect X` of a port: a WRED profile for all of its queues together."""

    name: str


class PoolWred(NamedTuple):
    """`random-detect pool N X`: a WRED profile for a service pool."""

    name: str


class EcnEverywhere(NamedTuple):
    """`random-detect ecn` under `system qos`: ECN for every profile that a queue uses."""

    on: bool


class ChannelGroup(NamedTuple):
    """`channel-group N [mode ...]`; None = in no channel, or no mode is written."""

    number: int | None
    lacp: str | None = None


class Lldp(NamedTuple):
    """`lldp enable`, or `no lldp transmit|receive` of a port."""

    on: bool


class Dcbx(NamedTuple):
    """`dcbx enable` for the whole switch."""

    on: bool


class DcbxTlv(NamedTuple):
    """`lldp tlv-select dcbxp` of a port."""

    on: bool


class DcbxVersion(NamedTuple):
    """`dcbx version` of a port."""

    version: str


class Discovery(NamedTuple):
    """`discovery-interface X`: the ports between the two switches of a VLT pair."""

    ports: str


class Marked(NamedTuple):
    """A line of a trust map: packets with these marks are put in this qos-group."""

    group: int
    marks: tuple[int, ...]


class Queued(NamedTuple):
    """A line of a qos-map: these qos-groups leave through this queue."""

    queue: int
    groups: tuple[int, ...]
    multicast: bool = False


class Curve(NamedTuple):
    """`random-detect color C ...` of a WRED profile; thresholds in KB."""

    colour: str
    low: int
    high: int
    percent: int


class Weight(NamedTuple):
    """`random-detect weight N` of a WRED profile."""

    weight: int


class Ecn(NamedTuple):
    """`random-detect ecn` of a WRED profile: mark instead of drop."""

    on: bool


class Pause(NamedTuple):
    """`pause`, with buffer, XOFF and XON threshold in KB where they are written."""

    sizes: tuple[int, int, int] | None


class NoPause(NamedTuple):
    """`no pause`."""


class PfcCos(NamedTuple):
    """`pfc-cos LIST`: the priorities of the pause frames; empty = removed."""

    priorities: tuple[int, ...]


class SharedLimit(NamedTuple):
    """`queue-limit thresh-mode ...` of a network-qos class: what it may take of the shared lossless buffer."""

    on: bool


class WredName(NamedTuple):
    """`random-detect X` in a queuing class: the WRED profile of the queue; None = removed."""

    name: str | None


LARGEST_KB = 12_480
"""WRED thresholds end here; the buffers of all models do long before."""
_POLICING = re.compile(r"(?:cir|bc|pir|be) [0-9]{1,9}(?: (?:cir|bc|pir|be) [0-9]{1,9})*")


def policing(text: str) -> str:
    """The words of a policer; raises ValueError for others."""
    if _POLICING.fullmatch(text) is None:
        raise ValueError(text)
    return text


_SELECTION = frozenset({"source-ip", "destination-ip", "protocol", "vlan-id", "l4-destination-port", "l4-source-port"})


def hashed(text: str) -> bool:
    """Whether `load-balancing ip-selection` takes in the source port; raises ValueError for words that are no field."""
    words = text.split(" ")
    if not _SELECTION.issuperset(words):
        raise ValueError(text)
    return "l4-source-port" in words


def pause(size: int | None = None, pause: int = 0, resume: int = 0) -> Pause:
    """`pause`, with thresholds in KB or without; their order is for rules to judge."""
    return Pause(None if size is None else (size, pause, resume))


def ramp_of(value: object) -> Ramp | None:
    """The two thresholds of `random-detect color` and of `pause`."""
    if isinstance(value, Curve):
        return Ramp("marking", value.low, value.high, "KB", "KB")
    if isinstance(value, Pause) and value.sizes is not None:
        return Ramp("pause", value.sizes[2], value.sizes[1], "KB", "KB")
    return None
