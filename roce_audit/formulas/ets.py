"""ETS arithmetic: what a scheduler's weights mean as shares of the link (IEEE 802.1Q cl. 37)."""

from __future__ import annotations

from collections.abc import Sequence


def share_percent(weight: float, weight_sum: float) -> float:
    """Share of a weighted queue in percent of what strict queues leave (IEEE 802.1Q cl. 37.3)."""
    if weight < 0 or weight_sum <= 0 or weight > weight_sum:
        raise ValueError("a weight lies between 0 and the sum of all weights, which is greater than 0")
    return 100 * weight / weight_sum


def shares_percent(weights: Sequence[float]) -> tuple[float, ...]:
    """Shares of all weighted queues in percent (IEEE 802.1Q cl. 37.3)."""
    return tuple(share_percent(weight, sum(weights)) for weight in weights)


def guaranteed_bps(speed_bps: float, strict_bps: float, weight: float, weight_sum: float) -> float:
    """Rate that a weighted queue surely gets, bit/s: its share of what strict queues leave over (802.1Q cl. 37.3)."""
    if not 0 <= strict_bps <= speed_bps:
        raise ValueError("strict_bps must lie between 0 and speed_bps")
    return (speed_bps - strict_bps) * share_percent(weight, weight_sum) / 100
