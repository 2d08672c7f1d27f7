"""The statements of OS10 in its own terms."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Nothing(NamedTuple):
    """Understood, and says nothing to the model."""


class Binding(NamedTuple):
    """`service-policy WAY type T X`; name None = removed."""

    kind: Literal["qos", "network-qos", "queuing"]
    direction: str
    name: str | None


class TrustMap(NamedTuple):
    """`trust-map dot1p|dscp X`; name None = removed."""

    field: str
    name: str | None


class QosMap(NamedTuple):
    """`qos-map traffic-class X` where it is applied; name None = removed."""

    name: str | None


class PfcMode(NamedTuple):
    """`priority-flow-control mode`; None = back to the default."""

    mode: str | None


class FlowControl(NamedTuple):
    """`flowcontrol receive|transmit on|off`; None = back to the default."""

    direction: str
    on: bool | None


class PortWred(NamedTuple):
    """`random-detect X` of a port: a WRED profile for all of its queues together; None = removed."""

    name: str | None


class PoolWred(NamedTuple):
    """`random-detect pool N X`: a WRED profile for a service pool."""

    name: str


class EcnEverywhere(NamedTuple):
    """`random-detect ecn` under `system qos`: ECN for every profile that a queue uses."""

    on: bool


class Mtu(NamedTuple):
    """`mtu N`, the size of a frame; None = back to the default."""

    frame_bytes: int | None


class Shutdown(NamedTuple):
    """`shutdown` / `no shutdown`."""

    down: bool


class Speed(NamedTuple):
    """`speed` in bit/s; None = automatic."""

    bps: int | None


class Fec(NamedTuple):
    """`fec`; None = removed."""

    mode: str | None


class Negotiation(NamedTuple):
    """`negotiation on|off`; None = as the medium wants."""

    on: bool | None


class ChannelGroup(NamedTuple):
    """`channel-group N`; None = in no channel."""

    number: int | None


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


class PortGroup(NamedTuple):
    """The speed that the mode of a port-group gives its ports, bit/s."""

    bps: int


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
    multicast: bool


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


class TrustClass(NamedTuple):
    """`trust dot1p|dscp` in a class of a policy of type qos."""


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


class Limit(NamedTuple):
    """`queue-limit` of a queue; static ones are numbers whose unit is not documented."""

    static: bool
