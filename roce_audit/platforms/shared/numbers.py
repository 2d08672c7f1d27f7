"""Numbers as the statements of several vendors write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PER_HOP_BEHAVIOURS: Mapping[str, int] = (
    {f"cs{i}": 8 * i for i in range(8)}
    | {f"af{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)}
    | {"ef": 46}
)
"""DSCP of the class selectors (RFC 2474), of assured (RFC 2597) and expedited forwarding (RFC 3246)."""
DSCP_NAMES: Mapping[str, int] = {**PER_HOP_BEHAVIOURS, "default": 0}


def within(value: Any, low: int, high: int) -> int:
    """The whole number that `value` writes; raises ValueError for what is none, or lies outside the bounds."""
    number = int(value)
    if not low <= number <= high:
        raise ValueError(f"{number} is outside {low}..{high}")
    return number
