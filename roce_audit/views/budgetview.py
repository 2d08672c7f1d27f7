"""The buffer budget of a switch in words."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.fabric.budget import Budget
from roce_audit.formulas.chipmemory import chip_memory_bytes
from roce_audit.model import Device


def budget_lines(device: Device, found: Budget) -> Iterator[str]:
    """The budget in words; nothing for a switch without lossless groups."""
    printed = found.groups - found.unprinted
    if printed:
        yield f"headroom kept: {_what(found, printed)}{_share(found.kept_bytes, device)}"
        if found.another_bytes:
            together = _share(found.kept_bytes + found.another_bytes, device).replace(", ", ", together ", 1)
            yield f"one lossless priority more on these ports keeps {found.another_bytes:,} B besides{together}"
    if found.unprinted:
        whose = f"{found.unprinted} of {found.groups} lossless groups"
        yield f"headroom of {whose} is unknown: the switch computes it, and no line that was read shows it"


def _what(found: Budget, printed: int) -> str:
    groups = f"{printed} lossless groups on {found.ports} ports"
    if not found.claimed_bytes:
        return f"{found.dedicated_bytes:,} B for {groups}"
    pool = "pools of a size that nothing shows" if found.pool_bytes is None else f"pools of {found.pool_bytes:,} B"
    alone = f"; {found.dedicated_bytes:,} B for single groups" if found.dedicated_bytes else ""
    return f"{groups} may take {found.claimed_bytes:,} B of shared {pool}{alone}"


def _share(taken: int, device: Device) -> str:
    chip = device.asic.value_or_none()
    size = chip_memory_bytes(chip)
    return f", {100 * taken / size:.1f} % of the {size:,} B of {chip}" if size and taken else ""
