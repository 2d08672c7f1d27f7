"""Vendors' own headroom beside the physical floor: SONiC's scripts and shipped tables, the driver of ConnectX."""

from __future__ import annotations

import math
from collections.abc import Iterator

from roce_audit.calculator.sums import Sum, Term, gigabit
from roce_audit.formulas import headroom as formulas
from roce_audit.formulas import shippedheadroom, sonicheadroom
from roce_audit.formulas.sonicheadroom import LATEST, Edition, Profile, Traffic
from roce_audit.records import dataclass

__all__ = ["ASICS", "LATEST", "Edition", "Switch", "Traffic", "mlx5"]

_LONGEST_M = 120_000
_SPECTRUM = {f"spectrum-{number}": number for number in sonicheadroom.SPECTRUM}
_TOFINO = "tofino-2"
ASICS = (*_SPECTRUM, *sorted(shippedheadroom.TABLES))
"""Chips whose formula or shipped table is known, as `--asic` names them."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch chip, what runs through it, and which edition of SONiC's script it has."""

    asic: str
    traffic: Traffic
    edition: Edition

    @property
    def has_formula(self) -> bool:
        """SONiC computes its profiles by a script; of other chips only tables are shipped."""
        return self.asic in _SPECTRUM or self.asic == _TOFINO

    def sums(self, speed_bps: int, cable_m: float) -> Iterator[Sum]:
        """The generated profile, and the shipped row."""
        if self.has_formula:
            yield self._generated(self._profile(speed_bps, cable_m))
        table = shippedheadroom.TABLES.get(self.asic)
        row = None if table is None else table.row(speed_bps, cable_m)
        if table is not None and row is not None:
            metre = formulas.cable_round_trip_bytes(speed_bps, 1)
            terms = (Term("length of the row", row[0], "m", f"raw cable is {metre:,.0f} B a metre"),)
            yield Sum(
                f"what SONiC ships for {self.asic} at {gigabit(speed_bps)}",
                terms,
                Term("xoff of the row", row[1], "B", "what it counts in is the vendor's affair"),
                f"sonic-buildimage, pg_profile_lookup.ini of {table.sku}",
                None if self.asic == "jericho-3" else "shared_on_chip",
            )

    def notes(self, speed_bps: int, cable_m: float) -> Iterator[str]:
        """What to know of these numbers."""
        table = shippedheadroom.TABLES.get(self.asic)
        if table is not None and table.row(speed_bps, cable_m) is None:
            yield f"the table shipped for {self.asic} has no row for {gigabit(speed_bps)} and {cable_m:g} m or more"
        if self.asic == _TOFINO:
            yield "of Tofino 2 the cell is known, its pipeline, MAC and PHY are unverified"
        if self.asic in _SPECTRUM and speed_bps == 800_000_000_000:
            yield "SONiC takes the peer's response of 400G at 800G, half the time: plan more"

    def metres(self, have_bytes: int, speed_bps: int) -> Sum:
        """The script turned round: the longest cable, whole metres, whose `xoff` is not above what there is."""
        low, high = -1, _LONGEST_M
        while low < high:
            middle = (low + high + 1) // 2
            if self._profile(speed_bps, max(middle, 0)).xoff_bytes <= have_bytes and middle >= 0:
                low = middle
            else:
                high = middle - 1
        least = self._profile(speed_bps, 0).xoff_bytes
        terms = (Term("headroom you have", have_bytes, "B"), Term("what it asks for 0 m", -least, "B"))
        how = "it does not even pay for 0 m" if low < 0 else "whole metres, as the script rounds to KiB"
        return Sum(
            f"what it pays for by SONiC's formula for {self.asic}",
            terms,
            Term("of cable", low, "m", how),
            f"{self._script}, turned round",
            "shared_on_chip",
        )

    def _profile(self, speed_bps: int, cable_m: float) -> Profile:
        if self.asic in _SPECTRUM:
            return sonicheadroom.spectrum(speed_bps, cable_m, _SPECTRUM[self.asic], self.traffic, self.edition)
        return sonicheadroom.tofino(speed_bps, cable_m, self.traffic)

    @property
    def _script(self) -> str:
        if self.asic in _SPECTRUM:
            return f"sonic-swss, cfgmgr/buffer_headroom_mellanox.lua as of {self.edition}"
        return "sonic-swss, cfgmgr/buffer_headroom_barefoot.lua"

    def _generated(self, found: Profile) -> Sum:
        times = f"x {found.occupancy:.4g}"
        terms = [
            Term("lossless frame", found.lossless_frame_bytes, "B"),
            Term("port MTU", found.port_mtu_bytes, "B", f"{times} for cells that small packets fill badly"),
            Term("cable", found.cable_bytes, "B", times),
            Term("gearbox, both ways", 2 * found.gearbox_bytes, "B", times),
            Term("MAC and PHY", found.mac_and_phy_bytes, "B", times),
            Term("the peer's response", found.peer_response_bytes, "B", times),
            Term("on the tile", found.tile_bytes, "B", times),
            Term("addition of the script", found.addition_bytes, "B"),
        ]
        always = {"lossless frame", "port MTU", "cable"}
        small = f"{self.traffic.small_packet_percent:g} % small packets"
        return Sum(
            f"what SONiC generates on {self.asic} ({small})",
            tuple(term for term in terms if term.value or term.name in always),
            Term(
                "xoff of the profile",
                found.xoff_bytes,
                "B",
                f"in whole KiB; xon {found.xon_bytes:,} B, size {found.size_bytes:,} B",
            ),
            self._script,
            "shared_on_chip",
        )


def mlx5(speed_bps: int, cable_m: float, mtu: int) -> Sum:
    """What a ConnectX keeps free in its receive buffer."""
    found = formulas.mlx5_xoff(speed_bps, cable_m, mtu)
    terms = (
        Term("delay", found.delay_bytes, "B", f"(301 + 2.16 x {math.ceil(cable_m)} m) x Mbit/s / 1000"),
        Term("frames", found.frames_bytes, "B", f"2.72 x {mtu:,} B"),
    )
    return Sum(
        "what a ConnectX keeps free above XOFF",
        terms,
        Term("reserve of the receive buffer", found.total_bytes, "B", "the buffer also holds the largest frame"),
        "Linux, drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c",
        "static_per_port",
    )
