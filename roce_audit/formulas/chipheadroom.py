"""What a vendor's own headroom model asks for on a known chip, in words: SONiC's scripts, and the tables shipped with it.

Beside the physical floor this is for comparing: what a vendor counts into headroom differs, and none of it is a requirement.
"""

from __future__ import annotations

from roce_audit.formulas import shippedheadroom, sonicheadroom
from roce_audit.formulas.sonicheadroom import Traffic
from roce_audit.patterns import lazy

_SPECTRUM = lazy(r"spectrum([1-9]?)")
_FAMILY = lazy(r"([a-z]{1,20})([0-9]{1,2})")


def asked_for(
    chip: str | None, speed_bps: int | None, cable_m: float | None, lossless_bytes: int | None, any_bytes: int | None
) -> str:
    """A clause that goes on after another one; empty where chip, speed, length or packets are not known, or no model is.

    `chip` is written as the readings name it (`spectrum4`, `tomahawk5`); packets are in bytes, of the class and of any class.
    """
    found = _asked(chip, speed_bps, cable_m, lossless_bytes, any_bytes)
    return "" if found is None else found[1]


def asked_for_bytes(
    chip: str | None, speed_bps: int | None, cable_m: float | None, lossless_bytes: int | None, any_bytes: int | None
) -> int:
    """What that clause asks for, in bytes; 0 where there is none."""
    found = _asked(chip, speed_bps, cable_m, lossless_bytes, any_bytes)
    return 0 if found is None else found[0]


def _asked(
    chip: str | None, speed_bps: int | None, cable_m: float | None, lossless_bytes: int | None, any_bytes: int | None
) -> tuple[int, str] | None:
    if chip is None or speed_bps is None or cable_m is None or lossless_bytes is None or any_bytes is None:
        return None
    spectrum = _SPECTRUM.fullmatch(chip)
    if spectrum is not None and int(spectrum[1] or 1) in sonicheadroom.SPECTRUM:
        generation = int(spectrum[1] or 1)
        traffic = Traffic(any_bytes, lossless_bytes)
        size = sonicheadroom.spectrum(speed_bps, cable_m, generation, traffic).xoff_bytes
        name = sonicheadroom.SPECTRUM[generation].name
        return (
            size,
            f"; SONiC's script for {name} (buffer_headroom_mellanox.lua, small packets alone) asks for {size:,} B",
        )
    table = shippedheadroom.TABLES.get(_FAMILY.sub(r"\1-\2", chip))
    row = table.row(speed_bps, cable_m) if table is not None else None
    if table is None or row is None:
        return None
    length, size = row
    return size, f"; SONiC ships {size:,} B for {length} m on {chip} (pg_profile_lookup.ini of {table.sku})"
