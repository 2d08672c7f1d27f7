"""Headroom as SONiC's scripts generate it, statement by statement: Spectrum and Tofino (architecture `shared_on_chip`).

Sources: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua and buffer_headroom_barefoot.lua; constants of the chips:
sonic-buildimage, platform/mellanox/asic_table.j2 and platform/barefoot/asic_table.j2. Sizes are in bytes.
"""

from __future__ import annotations

import math
from typing import Literal

from roce_audit.formulas.headroom import PAUSE_QUANTUM_BITS, PEER_RESPONSE_QUANTA
from roce_audit.records import dataclass

KIB = 1024
METRES_PER_SECOND = 198_000_000
"""Signal speed on a cable, as the scripts take it."""
SMALL_PACKET_BYTES = 64
Edition = Literal["2023-08", "2024-09", "2026-08"]
"""Month in which the script became what it is; each holds until the next one."""
LATEST: Edition = "2026-08"
_QUANTA = {**PEER_RESPONSE_QUANTA, 1_000_000_000: 2, 100_000_000: 1}
_OTHER_SPEED_RESPONSE = 3.8 * KIB
"""What the chip's table says of the peer's response, taken at a speed that the script does not list."""
_SPECTRUM_6_ACCOUNTING = 18 * KIB
_COMPENSATION = 2 * KIB


@dataclass(frozen=True, slots=True)
class Chip:
    """Constants of one chip: cell, bytes of the pipeline (the profile's `xon`), of MAC and PHY."""

    name: str
    cell_bytes: int
    pipeline_bytes: int
    mac_and_phy_bytes: float = 0.8 * KIB


SPECTRUM = {
    1: Chip("Spectrum", 96, 19 * KIB),
    2: Chip("Spectrum-2", 144, 19 * KIB),
    3: Chip("Spectrum-3", 144, 19 * KIB),
    4: Chip("Spectrum-4", 192, 19 * KIB),
    5: Chip("Spectrum-5", 192, 19 * KIB),
    6: Chip("Spectrum-6", 256, 42 * KIB),
}
TOFINO_2 = Chip("Tofino 2", 176, 18 * KIB)
"""The cell is its table's; pipeline, MAC and PHY are unverified: 18 KiB is the `xon` of the tables shipped for it."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """What the configuration says of lossless traffic (LOSSLESS_TRAFFIC_PATTERN) and of the port."""

    port_mtu_bytes: int = 9100
    lossless_mtu_bytes: int = 1024
    small_packet_percent: float = 100
    """Share of packets of 64 bytes, which fill a cell worst."""
    lanes: int = 4
    gearbox_ns: float = 0
    shared_headroom: bool = False
    """There is a shared headroom pool: the profile's `size` is then `xon` alone."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The terms of a generated profile, and its `xoff`, `xon` and `size`."""

    lossless_frame_bytes: int
    port_mtu_bytes: int
    cable_bytes: float
    gearbox_bytes: float
    mac_and_phy_bytes: float
    peer_response_bytes: float
    tile_bytes: float
    occupancy: float
    """Factor of all terms but the first: cells that small packets leave empty in part."""
    addition_bytes: int
    """Whole KiB that the script adds to the rounded result."""
    xoff_bytes: int
    xon_bytes: int
    size_bytes: int


def spectrum(speed_bps: int, cable_m: float, generation: int, traffic: Traffic, edition: Edition = LATEST) -> Profile:
    """The profile that SONiC generates on Spectrum, generation 1 to 6, at any speed. Raises ValueError."""
    if generation not in SPECTRUM:
        raise ValueError(f"there is no Spectrum-{generation}: 1 to {max(SPECTRUM)}")
    _check(speed_bps, cable_m, traffic)
    chip, first = SPECTRUM[generation], edition == "2023-08"
    worst = _worst_cell(chip.cell_bytes)
    small = traffic.small_packet_percent
    if not first:
        worst, small = math.ceil(worst), _by_bytes(small, traffic.lossless_mtu_bytes)
    tile = speed_bps / 1e9 * 120 / 8 if generation in (4, 5) and not first else 0.0
    cable = _cable(speed_bps, cable_m, 1024 if first else 1000)
    gearbox, peer = _gearbox(speed_bps, traffic.gearbox_ns), _peer(speed_bps)
    under_way = traffic.port_mtu_bytes + cable + 2 * gearbox + chip.mac_and_phy_bytes + peer + tile
    occupancy = (100 - small + small * worst) / 100
    xoff = _in_kib(traffic.lossless_mtu_bytes + under_way * occupancy)
    addition = 0
    if edition == LATEST:
        addition = _SPECTRUM_6_ACCOUNTING if generation == 6 else 0
        only_small = _in_kib(traffic.lossless_mtu_bytes + under_way * worst)
        partly_small = not traffic.shared_headroom and traffic.small_packet_percent != 100
        if partly_small and xoff + addition + _COMPENSATION < only_small:
            addition += _COMPENSATION
    xoff += addition
    wide = traffic.lanes == 8
    xon = _in_kib((chip.pipeline_bytes * 2 - (KIB if first else 0)) if wide else chip.pipeline_bytes)
    size = xon if traffic.shared_headroom else _in_kib(xoff + xon + (traffic.port_mtu_bytes if wide else 0))
    own = (chip.mac_and_phy_bytes, peer, tile, occupancy, addition)
    return Profile(traffic.lossless_mtu_bytes, traffic.port_mtu_bytes, cable, gearbox, *own, xoff, xon, size)


def tofino(speed_bps: int, cable_m: float, traffic: Traffic, chip: Chip = TOFINO_2) -> Profile:
    """The profile that SONiC generates on Tofino: the peer's response counts twice at 400G. Raises ValueError."""
    _check(speed_bps, cable_m, traffic)
    small = traffic.small_packet_percent
    occupancy = (100 - small + small * _worst_cell(chip.cell_bytes)) / 100
    cable, gearbox = _cable(speed_bps, cable_m, 1024), _gearbox(speed_bps, traffic.gearbox_ns)
    peer = _peer(speed_bps) * (2 if speed_bps == 400_000_000_000 else 1)
    under_way = traffic.port_mtu_bytes + cable + 2 * gearbox + chip.mac_and_phy_bytes + peer
    xoff, xon = _in_kib(traffic.lossless_mtu_bytes + under_way * occupancy), _in_kib(chip.pipeline_bytes)
    own = (chip.mac_and_phy_bytes, peer, 0.0, occupancy, 0)
    return Profile(traffic.lossless_mtu_bytes, traffic.port_mtu_bytes, cable, gearbox, *own, xoff, xon, xon)


def _check(speed_bps: int, cable_m: float, traffic: Traffic) -> None:
    if speed_bps <= 0 or min(cable_m, traffic.gearbox_ns) < 0:
        raise ValueError("a speed must be greater than 0, a length and a delay must not be negative")
    if min(traffic.port_mtu_bytes, traffic.lossless_mtu_bytes) <= 0:
        raise ValueError("an MTU must be greater than 0")
    if not 0 <= traffic.small_packet_percent <= 100:
        raise ValueError("small_packet_percent must lie in 0..100")


def _worst_cell(cell_bytes: int) -> float:
    """Bytes of cells per byte of the packets that fill them worst."""
    if cell_bytes > 2 * SMALL_PACKET_BYTES:
        return cell_bytes / SMALL_PACKET_BYTES
    return 2 * cell_bytes / (1 + cell_bytes)


def _by_bytes(small_percent: float, lossless_mtu_bytes: int) -> float:
    """Share of small packets in percent of the bytes, from their share of the packets."""
    mean = (small_percent * SMALL_PACKET_BYTES + (100 - small_percent) * lossless_mtu_bytes) / 100
    return 100 * SMALL_PACKET_BYTES / mean


def _cable(speed_bps: int, cable_m: float, kilo: int) -> float:
    """Bytes on the cable both ways. Until 2024 the Spectrum script divided by 1,024 where bits are counted in 1,000."""
    return 2 * cable_m * speed_bps / METRES_PER_SECOND / 8 * 1000 / kilo


def _gearbox(speed_bps: int, gearbox_ns: float) -> float:
    return speed_bps / 1e6 * gearbox_ns / (8 * 1024)


def _peer(speed_bps: int) -> float:
    quanta = _QUANTA.get(speed_bps)
    return _OTHER_SPEED_RESPONSE if quanta is None else quanta * PAUSE_QUANTUM_BITS / 8


def _in_kib(size: float) -> int:
    return math.ceil(size / KIB) * KIB
