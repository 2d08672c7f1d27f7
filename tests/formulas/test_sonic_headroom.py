"""SONiC's headroom scripts against the tables that SONiC ships, chip by chip.

Rows are facts of sonic-buildimage, device/mellanox/*/*/pg_profile_lookup.ini at commit 086b03bd: Gbit/s, metres, `xoff`.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from roce_audit.formulas.headroom import cable_round_trip_bytes
from roce_audit.formulas.shippedheadroom import TABLES
from roce_audit.formulas.sonicheadroom import LATEST, Edition, Traffic, spectrum, tofino

G = 10**9
LENGTHS = (5, 40, 300)
Rows = Mapping[int, tuple[int, ...]]

SN5600: Rows = {
    10: (45_056, 46_080, 56_320),
    25: (48_128, 52_224, 76_800),
    40: (57_344, 62_464, 101_376),
    50: (63_488, 69_632, 118_784),
    100: (113_664, 126_976, 225_280),
    200: (131_072, 157_696, 355_328),
    400: (231_424, 283_648, 677_888),
    800: (257_024, 362_496, 1_150_976),
}
SN5640: Rows = {
    10: (20_480, 20_480, 23_552),
    25: (21_504, 22_528, 30_720),
    50: (26_624, 28_672, 46_080),
    100: (44_032, 49_152, 83_968),
    200: (50_176, 60_416, 130_048),
    400: (86_016, 104_448, 243_712),
}
SN4700_C128: Rows = {
    100: (59_392, 66_560, 120_832),
    200: (66_560, 80_896, 188_416),
    400: (115_712, 144_384, 358_400),
}
SN6600: Rows = {
    100: (44_032, 48_128, 84_992),
    200: (48_128, 58_368, 130_048),
    400: (81_920, 101_376, 244_736),
    800: (147_456, 186_368, 473_088),
}


@pytest.mark.parametrize(
    ("generation", "rows", "traffic", "edition", "exact"),
    [
        (4, SN5600, Traffic(9216, 1024, 100), "2024-09", 24),
        (4, SN5600, Traffic(9216, 1024, 100), LATEST, 24),
        (5, SN5640, Traffic(9216, 4096, 50), "2024-09", 18),
        (5, SN5640, Traffic(9216, 4096, 50, shared_headroom=True), LATEST, 18),
        (3, SN4700_C128, Traffic(9216, 1024, 50), "2023-08", 6),
        (6, SN6600, Traffic(9216, 4096, 50), "2024-09", 9),
    ],
)
def test_share_of_the_shipped_rows_that_the_script_gives(
    generation: int, rows: Rows, traffic: Traffic, edition: Edition, exact: int
) -> None:
    found = [
        spectrum(speed * G, metres, generation, traffic, edition).xoff_bytes == xoff
        for speed, by_length in rows.items()
        for metres, xoff in zip(LENGTHS, by_length, strict=True)
    ]
    assert sum(found) == exact


@pytest.mark.parametrize("speed", sorted(SN4700_C128))
def test_shipped_rows_of_the_first_edition_count_bits_in_thousands(speed: int) -> None:
    """The script of 2023 divides the cable by 8,192 bits; its own shipped table by 8,000: up to 2.4 % of it, and rounding."""
    for metres, xoff in zip(LENGTHS, SN4700_C128[speed], strict=True):
        made = spectrum(speed * G, metres, 3, Traffic(9216, 1024, 50), "2023-08")
        assert 0 <= xoff - made.xoff_bytes <= 0.024 * made.cable_bytes * made.occupancy + 1024


def test_every_statement_of_the_latest_script() -> None:
    """Worked out by hand: Spectrum-6, 800G, 40 m, 8 lanes, a gearbox of 100 ns, half of the packets small."""
    made = spectrum(800 * G, 40, 6, Traffic(9216, 4096, 50, lanes=8, gearbox_ns=100))
    assert made.occupancy == pytest.approx(1 + 3 * 2 * 64 / (64 + 4096))
    assert made.cable_bytes == pytest.approx(40_404.04, abs=0.01)
    assert (made.gearbox_bytes, made.peer_response_bytes, made.tile_bytes) == (9765.625, 57_920, 0)
    under_way = 9216 + made.cable_bytes + 2 * 9765.625 + 819.2 + 57_920
    rounded = -(-(4096 + under_way * made.occupancy) // 1024) * 1024
    assert made.addition_bytes == (18 + 2) * 1024
    assert made.xoff_bytes == rounded + 20 * 1024
    assert made.xon_bytes == 2 * 42 * 1024
    assert made.size_bytes == made.xoff_bytes + made.xon_bytes + 9216


def test_a_shared_pool_keeps_only_xon_and_adds_nothing() -> None:
    shared = spectrum(400 * G, 40, 5, Traffic(9216, 4096, 50, shared_headroom=True))
    own = spectrum(400 * G, 40, 5, Traffic(9216, 4096, 50))
    assert (shared.addition_bytes, shared.size_bytes) == (0, 19 * 1024)
    assert (own.addition_bytes, own.xoff_bytes) == (2048, shared.xoff_bytes + 2048)


def test_editions_differ_where_the_script_was_changed() -> None:
    wide = Traffic(9216, 1024, 100, lanes=8)
    assert spectrum(800 * G, 5, 4, wide, "2023-08").xon_bytes == 2 * 19 * 1024 - 1024
    assert spectrum(800 * G, 5, 4, wide, "2024-09").xon_bytes == 2 * 19 * 1024
    assert spectrum(800 * G, 5, 4, wide, "2023-08").tile_bytes == 0
    assert spectrum(800 * G, 5, 4, wide, "2024-09").tile_bytes == 12_000
    assert spectrum(400 * G, 5, 6, wide, "2024-09").addition_bytes == 0


def test_a_speed_the_script_does_not_list_takes_what_the_chip_says() -> None:
    assert spectrum(1600 * G, 5, 6, Traffic()).peer_response_bytes == 3.8 * 1024
    assert spectrum(1 * G, 5, 1, Traffic()).peer_response_bytes == 128


def test_tofino_waits_twice_at_400g() -> None:
    at_200, at_400 = (tofino(speed * G, 40, Traffic()) for speed in (200, 400))
    assert (at_200.peer_response_bytes, at_400.peer_response_bytes) == (453 * 64, 2 * 905 * 64)
    assert at_400.occupancy == 176 / 64
    assert at_400.size_bytes == at_400.xon_bytes


@pytest.mark.parametrize(
    ("asic", "factor"),
    [("tomahawk-4", 254 / 84), ("tomahawk-5", 254 / 84), ("trident-4", 318 / 84), ("teralynx-10", 1)],
)
def test_cells_that_small_packets_fill_explain_the_slopes(asic: str, factor: float) -> None:
    """Bytes a metre at 400G: cell / (64 + 20) times the raw cable on Broadcom's chips, nothing more on Teralynx."""
    rows = TABLES[asic].xoff_bytes[400]
    slope = (rows[300] - rows[5]) / 295
    assert slope / cable_round_trip_bytes(400 * G, 1) == pytest.approx(factor, rel=0.03)


def test_the_next_longer_row_is_taken() -> None:
    assert TABLES["tomahawk-5"].row(400 * G, 6) == (40, 446_024)
    assert TABLES["tomahawk-5"].row(400 * G, 301) is None
    assert TABLES["tomahawk-5"].row(37 * G, 5) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: spectrum(400 * G, 5, 7, Traffic()),
        lambda: spectrum(0, 5, 4, Traffic()),
        lambda: spectrum(400 * G, -1, 4, Traffic()),
        lambda: spectrum(400 * G, 5, 4, Traffic(0)),
        lambda: tofino(400 * G, 5, Traffic(small_packet_percent=101)),
    ],
)
def test_what_no_switch_has_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"must|there is no"):
        call()
