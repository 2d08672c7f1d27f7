"""Packet memory of switch chips: what all headroom, reservations and shared buffer of a switch together cannot exceed."""

from __future__ import annotations

_MIB = 2**20
MEMORY_BYTES = {
    "trident2": 12 * _MIB,
    "trident2+": 16 * _MIB,
    "trident3": 32 * _MIB,
    "trident4": 132 * _MIB,
    "tomahawk": 16 * _MIB,
    "tomahawk2": 42 * _MIB,
    "tomahawk3": 64 * _MIB,
    "tomahawk4": 114 * _MIB,
    "tomahawk5": 166 * _MIB,
    "spectrum": 16 * _MIB,
    "spectrum2": 42 * _MIB,
    "spectrum3": 64 * _MIB,
    "spectrum4": 160 * _MIB,
}
"""Chip as the readings name it -> bytes on the chip; of a family's members that of the largest. Chips with memory beside them, and
those of which no source gives a figure, are missing."""


def chip_memory_bytes(chip: str | None) -> int:
    """Bytes of packet memory on the chip; 0 where it is not known, or no source tells.

    Figures: J. Warner, Packet Buffers (people.ucsc.edu/~warner/buffer.html); NVIDIA Spectrum product briefs (source: unverified).
    """
    return MEMORY_BYTES.get(chip or "", 0)
