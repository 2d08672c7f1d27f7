"""ECN, DCQCN and ETS against published numbers and their own limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.formulas import dcqcn, ecn, ets

POOL_40G_KB = 12_000 - 8 * 32 * 22.4
"""Trident II in the paper: 12 MB, 32 ports, 8 priorities, 22.4 KB headroom each."""


def test_thresholds_of_the_dcqcn_paper() -> None:
    assert ecn.ecn_bound_dynamic(1.0, POOL_40G_KB, 32, 8) == pytest.approx(21.75, abs=0.02)
    assert ecn.pfc_threshold_static(POOL_40G_KB, 32, 8) == pytest.approx(24.47, abs=0.01)


@pytest.mark.parametrize(
    ("pool_bytes", "ports", "bound_bytes", "depth_bytes"),
    [
        (33_329_088, 64, 174_000, 16_700_000),
        (10_875_072, 32, 113_000, 5_400_000),
        (162_539_680, 64, 847_000, 81_000_000),
    ],
)
def test_shipped_switch_pools(pool_bytes: int, ports: int, bound_bytes: int, depth_bytes: int) -> None:
    assert ecn.ecn_bound_dynamic(1, pool_bytes, ports, 2) == pytest.approx(bound_bytes, rel=0.01)
    assert ecn.pfc_start_depth_dynamic(1, pool_bytes, 1) == pytest.approx(depth_bytes, rel=0.01)


@given(st.floats(1 / 64, 8), st.integers(10**6, 10**9), st.integers(1, 128))
def test_more_senders_delay_pfc_up_to_the_whole_pool(alpha: float, pool_bytes: int, senders: int) -> None:
    fewer = ecn.pfc_start_depth_dynamic(alpha, pool_bytes, senders)
    assert fewer < ecn.pfc_start_depth_dynamic(alpha, pool_bytes, senders + 1) < pool_bytes
    # At that depth each group holds exactly what the dynamic threshold allows.
    assert fewer / senders == pytest.approx(alpha * (pool_bytes - fewer))


@given(st.integers(0, 10**7), st.integers(1, 128))
def test_static_thresholds_add_up(xoff_at_bytes: int, senders: int) -> None:
    assert ecn.pfc_start_depth(xoff_at_bytes, senders) == xoff_at_bytes * senders


def test_marking_curve() -> None:
    depths = (0, 150_000, 825_000, 1_500_000, 1_500_001)
    found = [ecn.marking_probability_percent(q, 150_000, 1_500_000, 20) for q in depths]
    assert found == [0, 0, 10, 20, 100]
    assert ecn.marking_probability_percent(10, 10, 10, 50) == 0
    assert ecn.marking_probability_percent(11, 10, 10, 50) == 100


@pytest.mark.parametrize(
    ("senders", "estimate", "exact"), [(2, 0.00093, 0.00078), (10, 0.0078, 0.0060), (64, 0.093, 0.059)]
)
def test_rest_points_of_the_fluid_model(senders: int, estimate: float, exact: float) -> None:
    assert dcqcn.marking_probability_estimate(40e9, senders) == pytest.approx(estimate, rel=0.02)
    rest = dcqcn.rest_point(40e9, senders, 5_000, 200_000, 1)
    assert rest.marking_probability == pytest.approx(exact, rel=0.02)
    assert rest.rate_bps == 40e9 / senders
    assert rest.queue_bytes == pytest.approx(5_000 + rest.marking_probability / 0.01 * 195_000)


def test_gain_of_the_default() -> None:
    assert dcqcn.gain(1019) == pytest.approx(1 / 204.8)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=8).filter(any))
def test_shares_sum_to_the_whole_link(weights: list[int]) -> None:
    assert sum(ets.shares_percent(weights)) == pytest.approx(100)


def test_strict_traffic_comes_first() -> None:
    assert ets.guaranteed_bps(100e9, 20e9, 15, 30) == 40e9


@pytest.mark.parametrize(
    "call",
    [
        lambda: ecn.pfc_start_depth(-1, 1),
        lambda: ecn.pfc_start_depth(1, 0),
        lambda: ecn.pfc_start_depth_dynamic(0, 1, 1),
        lambda: ecn.marking_probability_percent(1, 3, 2, 1),
        lambda: ets.share_percent(3, 2),
        lambda: ets.guaranteed_bps(10, 11, 1, 2),
        lambda: dcqcn.gain(1025),
        lambda: dcqcn.rest_point(0, 1, 1, 2, 1),
        lambda: dcqcn.rest_point(40e9, 1, 3, 2, 1),
    ],
)
def test_values_that_mean_nothing_are_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"must|lie"):
        call()
