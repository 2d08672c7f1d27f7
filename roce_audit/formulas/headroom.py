"""PFC headroom: how many bytes may still arrive after XOFF was sent.

All byte counts are of one ingress priority group. MTUs are layer-2 payload (IP MTU), lengths are one way.
"""

from __future__ import annotations

import math

from roce_audit.records import dataclass

PROPAGATION_NS_PER_M = 5
"""Signal delay of a cable, ns per metre (Gupta, Mazurek, Detecting, Troubleshooting, and Preventing Congestion in Storage
Networks, ch. 7)."""
FRAME_OVERHEAD_BYTES = 38
"""14 layer-2 header, 4 FCS, 8 preamble and start delimiter, 12 inter-packet gap; untagged (IEEE 802.3 cl. 3 and 4)."""
PFC_FRAME_WIRE_BYTES = 84
"""A 64-byte PFC frame with preamble and inter-packet gap (IEEE 802.3 cl. 31, annex 31D)."""
PAUSE_QUANTUM_BITS = 512
"""One pause quantum in bit times (IEEE 802.3 annex 31B)."""
PEER_RESPONSE_QUANTA = {
    10_000_000_000: 67,
    25_000_000_000: 80,
    40_000_000_000: 118,
    50_000_000_000: 147,
    100_000_000_000: 394,
    200_000_000_000: 453,
    400_000_000_000: 905,
    800_000_000_000: 905,
}
"""Speed in bit/s -> quanta in which a peer must have stopped (IEEE 802.3 31B.3.7, as quoted by SONiC,
buffer_headroom_mellanox.lua). For 10G Gupta and Mazurek print 60. The clause for 800G was not seen: SONiC takes as many quanta
as at 400G, which is half the time."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """The terms of a headroom requirement in bytes, and their sum rounded up to whole bytes."""

    cable_bytes: float
    lossless_frame_bytes: int
    any_frame_bytes: int
    pfc_frame_bytes: int
    peer_response_bytes: int
    own_response_bytes: int
    total_bytes: int


def wire_bytes(mtu_bytes: int) -> int:
    """Bytes that an untagged frame with a payload of `mtu_bytes` takes on the wire (IEEE 802.3 cl. 3 and 4)."""
    return mtu_bytes + FRAME_OVERHEAD_BYTES


def cable_round_trip_bytes(speed_bps: int, cable_m: float) -> float:
    """Bytes under way on both directions of a cable: what arrives while XOFF travels (Gupta, Mazurek, ch. 7)."""
    _positive(speed_bps=speed_bps)
    _not_negative(cable_m=cable_m)
    return 2 * cable_m * PROPAGATION_NS_PER_M * speed_bps / 8e9


def peer_response_bytes(speed_bps: int) -> int:
    """Bytes a peer may still send before it obeys XOFF (IEEE 802.3 31B.3.7); ValueError for a speed not listed."""
    if speed_bps not in PEER_RESPONSE_QUANTA:
        raise ValueError(f"no peer response time is known for {speed_bps} bit/s")
    return PEER_RESPONSE_QUANTA[speed_bps] * PAUSE_QUANTUM_BITS // 8


def floor(speed_bps: int, cable_m: float, lossless_mtu_bytes: int, any_mtu_bytes: int) -> Headroom:
    """Least headroom that physics allows: cable, a frame just begun at each end, the PFC frame (802.1Q annex N terms).

    `lossless_mtu_bytes` is the largest packet of the lossless class, `any_mtu_bytes` the largest of any class on the
    port, behind which the PFC frame waits. Below this loss is certain under congestion.
    """
    return _sum(speed_bps, cable_m, lossless_mtu_bytes, any_mtu_bytes, 0, 0)


def with_peer_response(
    speed_bps: int,
    cable_m: float,
    lossless_mtu_bytes: int,
    any_mtu_bytes: int,
    response_bytes: int | None = None,
) -> Headroom:
    """The floor plus what a peer may still send before it stops: `response_bytes` where it was measured or stated, else
    the standard's limit (IEEE 802.3 31B.3.7).
    """
    response = peer_response_bytes(speed_bps) if response_bytes is None else response_bytes
    _not_negative(response_bytes=response)
    return _sum(speed_bps, cable_m, lossless_mtu_bytes, any_mtu_bytes, response, 0)


def planning_bound(speed_bps: int, cable_m: float, lossless_mtu_bytes: int, any_mtu_bytes: int) -> Headroom:
    """Upper planning bound: the peer's response, and as much for the own MAC and PHY (802.1Q annex N)."""
    response = peer_response_bytes(speed_bps)
    return _sum(speed_bps, cable_m, lossless_mtu_bytes, any_mtu_bytes, response, response)


def metres_paid_for(headroom_bytes: int, speed_bps: int, lossless_mtu_bytes: int, any_mtu_bytes: int) -> float:
    """The floor turned round: the longest cable, metres, that `headroom_bytes` pays for; negative = not even 0 m."""
    _positive(speed_bps=speed_bps)
    left = headroom_bytes - floor(speed_bps, 0, lossless_mtu_bytes, any_mtu_bytes).total_bytes
    return left * 8e9 / (2 * PROPAGATION_NS_PER_M * speed_bps)


def metres_with_response(
    headroom_bytes: int, speed_bps: int, lossless_mtu_bytes: int, any_mtu_bytes: int, response_bytes: int | None = None
) -> float:
    """The longest cable, metres, that `headroom_bytes` pays for when the peer takes its time to stop; negative = none."""
    response = peer_response_bytes(speed_bps) if response_bytes is None else response_bytes
    _not_negative(response_bytes=response)
    return metres_paid_for(headroom_bytes - response, speed_bps, lossless_mtu_bytes, any_mtu_bytes)


def pause_ns(quanta: int, speed_bps: int) -> float:
    """How long `quanta` of pause last, ns (IEEE 802.3 annex 31B: a quantum is 512 bit times)."""
    _positive(speed_bps=speed_bps)
    _not_negative(quanta=quanta)
    return quanta * PAUSE_QUANTUM_BITS * 1e9 / speed_bps


@dataclass(frozen=True, slots=True)
class Mlx5Xoff:
    """Terms of the mlx5 driver's reserve above its XOFF threshold, bytes."""

    delay_bytes: int
    frames_bytes: int
    total_bytes: int


def mlx5_xoff(speed_bps: int, cable_m: float, mtu_bytes: int) -> Mlx5Xoff:
    """Bytes a ConnectX receive buffer keeps free above its XOFF threshold (architecture `static_per_port`).

    The driver's integer arithmetic, with its lower limit of 40 Gbit/s; a length between metres counts as the next
    whole one. The buffer must hold this, the largest MTU (at least 9,216) and a cell. Source: Linux,
    drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c.
    """
    _positive(speed_bps=speed_bps, mtu_bytes=mtu_bytes)
    _not_negative(cable_m=cable_m)
    speed_mbps = max(speed_bps, 40_000_000_000) // 1_000_000
    delay_bytes = (301 + 216 * math.ceil(cable_m) // 100) * speed_mbps // 1000
    frames_bytes = 272 * mtu_bytes // 100
    return Mlx5Xoff(delay_bytes, frames_bytes, delay_bytes + frames_bytes)


def _sum(
    speed_bps: int, cable_m: float, lossless_mtu_bytes: int, any_mtu_bytes: int, response: int, own_response: int
) -> Headroom:
    _positive(lossless_mtu_bytes=lossless_mtu_bytes, any_mtu_bytes=any_mtu_bytes)
    cable = cable_round_trip_bytes(speed_bps, cable_m)
    frames = (wire_bytes(lossless_mtu_bytes), wire_bytes(any_mtu_bytes))
    total = cable + sum(frames) + PFC_FRAME_WIRE_BYTES + response + own_response
    # Rounded to a millionth of a byte first, so that a floating-point residue does not count as a whole byte.
    return Headroom(cable, *frames, PFC_FRAME_WIRE_BYTES, response, own_response, math.ceil(round(total, 6)))


def _positive(**values: float) -> None:
    for name, value in values.items():
        if value <= 0:
            raise ValueError(f"{name} must be greater than 0")


def _not_negative(**values: float) -> None:
    for name, value in values.items():
        if value < 0:
            raise ValueError(f"{name} must not be negative")
