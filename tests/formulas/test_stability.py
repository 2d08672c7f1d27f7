"""The fluid model's stability against what the paper reports and its own limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roce_audit.formulas.dcqcn import PAPER, Parameters
from roce_audit.formulas.stability import Curve, growing_modes, longest_stable_delay_us

PAPERS = Curve(5_000, 200_000, 1)
GENTLE = replace(PAPER, additive_increase_bps=10e6)
SENDERS = (2, 10, 20, 40, 64)


@pytest.mark.parametrize(("delay_us", "swinging"), [(4, set()), (50, set()), (85, {10, 20}), (100, {2, 10, 20})])
def test_the_paper_at_40g(delay_us: float, swinging: set[int]) -> None:
    """Few and many senders are stable, those between are not (CoNEXT 2016, section 3)."""
    found = {senders for senders in SENDERS if growing_modes(40e9, senders, PAPERS, delay_us)}
    assert found == swinging


def test_a_smaller_increase_and_a_wider_curve_calm_it() -> None:
    assert [growing_modes(40e9, n, Curve(5_000, 1_000_000, 1), 100, GENTLE) for n in SENDERS] == [0] * len(SENDERS)


def test_steep_curves_at_400g_swing_at_once_and_flat_ones_at_ten_microseconds() -> None:
    assert growing_modes(400e9, 4, Curve(150e3, 1.5e6, 100), 1) == 2
    assert [growing_modes(400e9, n, Curve(950e3, 3e6, 7), 10) for n in (2, 4, 64)] == [2, 0, 0]


def test_the_longest_stable_delay_lies_where_the_verdict_turns() -> None:
    longest = longest_stable_delay_us(40e9, 10, PAPERS)
    assert growing_modes(40e9, 10, PAPERS, longest) == 0
    assert growing_modes(40e9, 10, PAPERS, longest * 1.5) > 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: growing_modes(40e9, 10, PAPERS, 0),
        lambda: growing_modes(40e9, 10, Curve(200e3, 200e3, 1), 10),
        lambda: growing_modes(40e9, 10, PAPERS, 10, replace(PAPER, gain=0)),
        lambda: Parameters(rate_timer_us=0),
        lambda: Parameters(additive_increase_bps=0),
        lambda: Parameters(gain=2),
    ],
)
def test_what_has_no_loop_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"must|never moves|no slope"):
        call()
