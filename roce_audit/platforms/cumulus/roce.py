"""What `nv set qos roce` stands for, mode by mode."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.records import dataclass

_ROCE = "NVIDIA Cumulus Linux User Guide 5.15, RDMA over Converged Ethernet: default RoCE configuration"

IDENTITY = {dscp: dscp // 8 for dscp in range(64)}
"""DSCP 0-7 to switch priority 0, 8-15 to 1, and so on."""


@dataclass(frozen=True, slots=True)
class Curve:
    """An ECN curve: bytes, bytes, percent."""

    min_bytes: int
    max_bytes: int
    probability: int


@dataclass(frozen=True, slots=True)
class Macro:
    """All that one RoCE mode sets."""

    priorities: frozenset[int]
    """Switch priorities with PFC in both directions and a lossless pool."""
    dscp: Mapping[int, int]
    queues: tuple[int, ...]
    """Traffic class of each switch priority."""
    shares: tuple[int | None, ...]
    """DWRR percent of each traffic class; None = strict."""
    curves: Mapping[int, Curve]
    source: str = _ROCE


PLAIN_CURVE = Curve(150_000, 1_500_000, 100)
_PLAIN = {
    "dscp": IDENTITY,
    "queues": (0, 0, 0, 3, 0, 0, 6, 0),
    "shares": (50, 0, 0, 50, 0, 0, None, 0),
    "curves": {0: PLAIN_CURVE, 3: PLAIN_CURVE},
}
_MULTI_DSCP = dict.fromkeys(range(64), 0) | {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3} | dict.fromkeys(range(11, 41), 4)
_MULTI_CURVE = Curve(163 * 1024, 234 * 1024, 5)
_LOSSLESS = Macro(frozenset({3}), **_PLAIN)  # type: ignore[arg-type]

MACROS: Mapping[str, Macro] = {
    "lossless": _LOSSLESS,
    "lossless-single-ipool": _LOSSLESS,
    "lossy": Macro(frozenset(), **_PLAIN),  # type: ignore[arg-type]
    "lossy-multi-tc": Macro(
        frozenset(),
        _MULTI_DSCP,
        tuple(range(8)),
        (4, 8, 18, 22, 22, 22, 4, 0),
        dict.fromkeys((1, 2, 3), _MULTI_CURVE),
    ),
}
