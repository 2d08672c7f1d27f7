"""Headroom that SONiC ships ready-made for chips whose formula is not published: `xoff` by speed and cable length.

Source: sonic-buildimage, device/VENDOR/PLATFORM/SKU/pg_profile_lookup.ini, read at commit 086b03bd. What a vendor counts into
`xoff` differs, so the tables are for comparing, and no requirement.
"""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.records import dataclass

_LENGTHS_M = (5, 40, 300)


@dataclass(frozen=True, slots=True)
class Shipped:
    """One table: the SKU it is shipped for, and `xoff` in bytes by speed (Gbit/s) and cable length (metres)."""

    sku: str
    xoff_bytes: Mapping[int, Mapping[int, int]]

    def row(self, speed_bps: int, cable_m: float) -> tuple[int, int] | None:
        """(length, xoff) of the shortest cable in the table that is not shorter than this one."""
        rows = self.xoff_bytes.get(round(speed_bps / 1e9), {})
        return min(((length, size) for length, size in rows.items() if length >= cable_m), default=None)


def _rows(**by_speed: tuple[int, ...]) -> Mapping[int, Mapping[int, int]]:
    """Rows of the three usual lengths: `g400` is 400 Gbit/s."""
    return {int(speed[1:]): dict(zip(_LENGTHS_M, sizes, strict=False)) for speed, sizes in by_speed.items()}


TABLES: Mapping[str, Shipped] = {
    "tomahawk-2": Shipped(
        "DellEMC-Z9264f-C64",
        _rows(
            g10=(38_064, 39_104, 47_216),
            g25=(52_000, 54_288, 74_464),
            g40=(64_728, 69_472, 101_712),
            g50=(77_168, 81_744, 122_096),
            g100=(136_032, 145_392, 225_680),
        ),
    ),
    "tomahawk-3": Shipped(
        "DellEMC-Z9332f-M-O16C64",
        {
            100: {5: 68_580, 40: 74_422, 300: 117_348, 1000: 233_172, 2000: 398_526},
            400: {5: 178_562, 40: 201_930, 300: 373_888, 1000: 836_676, 2000: 1_498_092},
        },
    ),
    "tomahawk-4": Shipped(
        "DellEMC-Z9664f-O64",
        _rows(
            g10=(75_438, 78_740, 103_378),
            g25=(75_438, 78_740, 103_378),
            g40=(91_694, 98_298, 147_574),
            g50=(91_694, 98_298, 147_574),
            g100=(129_032, 142_240, 240_538),
            g200=(214_122, 240_792, 437_134),
            g400=(371_348, 424_434, 817_372),
        ),
    ),
    "tomahawk-5": Shipped(
        "Dell-Z9864f-O64",
        _rows(
            g10=(91_440, 94_742, 258_572),
            g25=(91_440, 94_742, 258_572),
            g40=(106_934, 113_538, 258_572),
            g50=(106_934, 113_538, 258_572),
            g100=(147_066, 160_274, 258_572),
            g200=(229_362, 255_778, 452_374),
            g400=(393_192, 446_024, 839_216),
            g800=(729_488, 835_406, 1_621_536),
        ),
    ),
    "trident-4": Shipped(
        "DellEMC-S5448f-C48O8",
        _rows(
            g10=(96_036, 100_170, 131_016),
            g25=(96_036, 100_170, 131_016),
            g40=(117_660, 125_929, 187_620),
            g50=(117_660, 125_929, 187_620),
            g100=(165_360, 181_896, 300_962),
            g200=(273_162, 306_234, 552_366),
            g400=(470_004, 536_148, 1_028_412),
        ),
    ),
    "teralynx-10": Shipped(
        "d64p512t_128x400G-2x10G",
        _rows(
            g25=(18_304, 19_840, 29_696),
            g50=(24_064, 26_240, 43_008),
            g100=(40_064, 44_544, 77_824),
            g200=(70_272, 78_848, 145_536),
            g400=(129_920, 147_072, 280_960),
            g800=(247_424, 285_312, 550_528),
        ),
    ),
    "tofino-2": Shipped(
        "newport",
        _rows(
            g10=(16_384, 18_432, 30_720),
            g25=(16_384, 21_504, 53_248),
            g40=(16_384, 23_552, 75_776),
            g50=(16_384, 23_552, 75_776),
            g100=(18_432, 35_840, 165_888),
            g400=(18_432, 35_840, 165_888),
        ),
    ),
    "jericho-3": Shipped(
        "Arista-7280R4-32QF-32DF-64O",
        {
            speed: {30: near, 300: near, 1000: near, 2000: near, 80_000: far}
            for speed, near, far in (
                (40, 176_128, 5_361_664),
                (100, 385_024, 13_352_960),
                (400, 1_441_792, 53_305_344),
                (800, 2_850_816, 106_573_824),
            )
        },
    ),
}
"""Chip -> its table. The chip of the 7280R4 follows from its buffers; SONiC does not name it."""
