"""ECN against PFC: how deep an egress queue is when an ingress group begins to pause.

ECN counts bytes of the egress queue, PFC bytes of the ingress group; `senders` equal ingress ports that feed one egress
queue (an incast) tie the two together.
"""

from __future__ import annotations


def pfc_start_depth(xoff_at_bytes: float, senders: int) -> float:
    """Egress queue depth, bytes, at which PFC starts with a static XOFF threshold per ingress group.

    Each sender's group may hold `xoff_at_bytes` before it pauses. Holds for `static_per_port` and for static thresholds
    on `shared_on_chip` buffers. Source: Zhu et al., SIGCOMM 2015, section 4, solved for the egress queue.
    """
    _check(senders=senders)
    if xoff_at_bytes < 0:
        raise ValueError("xoff_at_bytes must not be negative")
    return senders * xoff_at_bytes


def pfc_start_depth_dynamic(alpha: float, pool_bytes: float, senders: int) -> float:
    """Egress queue depth, bytes, at which PFC starts with a dynamic threshold (architecture `shared_on_chip`).

    A group pauses at alpha x (pool - used); with m equal senders that meets m x alpha x pool / (1 + m x alpha).
    `pool_bytes` is the shared pool after headroom. Source: Zhu et al., SIGCOMM 2015, section 4 (alpha = beta / 8).
    """
    _check(senders=senders, alpha=alpha, pool_bytes=pool_bytes)
    return senders * alpha * pool_bytes / (1 + senders * alpha)


def ecn_bound_dynamic(alpha: float, pool_bytes: float, ports: int, lossless_priorities: int) -> float:
    """Largest Kmin, bytes, for which ECN surely marks before PFC starts (architecture `shared_on_chip`).

    The worst case: one ingress port feeds the queues of all ports and lossless priorities. Source: Zhu et al., SIGCOMM
    2015, section 4.
    """
    _check(alpha=alpha, pool_bytes=pool_bytes, ports=ports, lossless_priorities=lossless_priorities)
    return alpha * pool_bytes / (ports * (1 + alpha * lossless_priorities))


def pfc_threshold_static(pool_bytes: float, ports: int, priorities: int) -> float:
    """Largest static XOFF threshold, bytes, that every group of the chip can have at once (architecture
    `shared_on_chip`). Source: Zhu et al., SIGCOMM 2015, section 4.
    """
    _check(pool_bytes=pool_bytes, ports=ports, priorities=priorities)
    return pool_bytes / (ports * priorities)


def marking_probability_percent(
    queue_bytes: float, min_bytes: float, max_bytes: float, max_probability_percent: float
) -> float:
    """Share of packets marked at a queue depth, percent: 0 up to Kmin, Pmax at Kmax, all above (RED, Floyd 1993;
    Zhu et al., SIGCOMM 2015, figure 5).
    """
    if min_bytes > max_bytes:
        raise ValueError("min_bytes must not be above max_bytes")
    if queue_bytes <= min_bytes:
        return 0.0
    if queue_bytes > max_bytes:
        return 100.0
    return max_probability_percent * (queue_bytes - min_bytes) / (max_bytes - min_bytes)


def _check(**values: float) -> None:
    for name, value in values.items():
        if value <= 0:
            raise ValueError(f"{name} must be greater than 0")
