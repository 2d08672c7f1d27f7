"""Headroom against published tables and against itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.formulas import FUNCTIONS, headroom

G = 10**9
METRES = (1, 3, 5, 10, 30, 50, 100, 300)
SPEEDS = st.sampled_from(sorted(headroom.PEER_RESPONSE_QUANTA))
MTUS = st.integers(64, 10_000)


@pytest.mark.parametrize(
    ("speed_gbps", "mtu_bytes", "kilobytes"),
    [
        (25, 1500, (3.2, 3.3, 3.3, 3.5, 4.1, 4.7, 6.3, 12.5)),
        (400, 1500, (3.7, 4.7, 5.7, 8.2, 18.2, 28.2, 53.2, 153.2)),
        (100, 4160, (8.6, 8.9, 9.1, 9.7, 12.2, 14.7, 21.0, 46.0)),
        (200, 4160, (8.7, 9.2, 9.7, 11.0, 16.0, 21.0, 33.5, 83.5)),
        (400, 4160, (9.0, 10.0, 11.0, 13.5, 23.5, 33.5, 58.5, 158.5)),
        (400, 9216, (19.1, 20.1, 21.1, 23.6, 33.6, 43.6, 68.6, 168.6)),
        (800, 9216, (19.6, 21.6, 23.6, 28.6, 48.6, 68.6, 118.6, 318.6)),
    ],
)
def test_floor_table(speed_gbps: int, mtu_bytes: int, kilobytes: tuple[float, ...]) -> None:
    found = [headroom.floor(speed_gbps * G, m, mtu_bytes, mtu_bytes).total_bytes / 1000 for m in METRES]
    assert found == pytest.approx(kilobytes, abs=0.051)


@pytest.mark.parametrize(
    ("speed_gbps", "mtu_bytes", "kilobytes"),
    [
        (25, 4160, (13.6, 13.7, 13.8, 13.9, 14.5, 15.2, 16.7, 23.0)),
        (100, 4160, (33.8, 34.1, 34.3, 34.9, 37.4, 39.9, 46.2, 71.2)),
        (400, 4160, (66.9, 67.9, 68.9, 71.4, 81.4, 91.4, 116.4, 216.4)),
        (800, 9216, (77.5, 79.5, 81.5, 86.5, 106.5, 126.5, 176.5, 376.5)),
    ],
)
def test_peer_response_table(speed_gbps: int, mtu_bytes: int, kilobytes: tuple[float, ...]) -> None:
    found = [headroom.with_peer_response(speed_gbps * G, m, mtu_bytes, mtu_bytes).total_bytes / 1000 for m in METRES]
    assert found == pytest.approx(kilobytes, abs=0.051)


def test_planning_bound_row() -> None:
    found = [headroom.planning_bound(400 * G, m, 9216, 9216).total_bytes / 1000 for m in METRES]
    assert found == pytest.approx((134.9, 135.9, 136.9, 139.4, 149.4, 159.4, 184.4, 284.4), abs=0.051)


def test_the_terms_of_one_link() -> None:
    terms = headroom.with_peer_response(400 * G, 30, 4160, 4160)
    assert (terms.cable_bytes, terms.lossless_frame_bytes, terms.pfc_frame_bytes) == (15_000, 4198, 84)
    assert terms.peer_response_bytes == 57_920
    assert terms.total_bytes == 15_000 + 2 * 4198 + 84 + 57_920


@given(SPEEDS, st.integers(0, 2000), MTUS, MTUS)
def test_the_terms_add_up_and_the_floor_is_lowest(speed_bps: int, cable_m: int, lossless: int, largest: int) -> None:
    terms = headroom.planning_bound(speed_bps, cable_m, lossless, largest)
    parts = (terms.lossless_frame_bytes, terms.any_frame_bytes, terms.pfc_frame_bytes, terms.peer_response_bytes)
    assert 0 <= terms.total_bytes - (terms.cable_bytes + sum(parts) + terms.own_response_bytes) < 1
    floor = headroom.floor(speed_bps, cable_m, lossless, largest).total_bytes
    response = headroom.with_peer_response(speed_bps, cable_m, lossless, largest).total_bytes
    assert floor < response < terms.total_bytes


@given(SPEEDS, st.integers(0, 2000), MTUS, MTUS)
def test_metres_turn_the_floor_round(speed_bps: int, cable_m: int, lossless: int, largest: int) -> None:
    floor = headroom.floor(speed_bps, cable_m, lossless, largest).total_bytes
    paid = headroom.metres_paid_for(floor, speed_bps, lossless, largest)
    assert cable_m - 1e-6 <= paid < cable_m + 1
    assert headroom.metres_paid_for(floor - 1, speed_bps, lossless, largest) < paid


def test_too_little_for_no_cable_at_all_is_negative() -> None:
    assert headroom.metres_paid_for(8_000, 400 * G, 4160, 4160) < 0


@pytest.mark.parametrize(
    ("speed_gbps", "xoff_bytes"),
    [
        (25, (37_507, 37_707, 39_667, 45_747, 63_027)),
        (100, (56_167, 56_667, 61_567, 76_767, 119_967)),
        (200, (87_267, 88_267, 98_067, 128_467, 214_867)),
        (400, (149_467, 151_467, 171_067, 231_867, 404_667)),
    ],
)
def test_mlx5_table(speed_gbps: int, xoff_bytes: tuple[int, ...]) -> None:
    found = tuple(headroom.mlx5_xoff(speed_gbps * G, m, 9216).total_bytes for m in (5, 7, 30, 100, 300))
    assert found == xoff_bytes


def test_mlx5_example() -> None:
    assert headroom.mlx5_xoff(400 * G, 5, 9000).total_bytes == 148_880


@pytest.mark.parametrize(
    ("speed_gbps", "ns"), [(10, 3430), (25, 1638), (40, 1510), (50, 1505), (100, 2017), (200, 1160), (400, 1158)]
)
def test_peer_response_in_time(speed_gbps: int, ns: int) -> None:
    quanta = headroom.PEER_RESPONSE_QUANTA[speed_gbps * G]
    assert headroom.pause_ns(quanta, speed_gbps * G) == pytest.approx(ns, abs=1)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("headroom_floor_bytes", (0, 5, 4160, 4160)),
        ("headroom_floor_bytes", (G, -1, 4160, 4160)),
        ("headroom_floor_bytes", (G, 5, 0, 4160)),
        ("headroom_with_response_bytes", (123, 5, 4160, 4160)),
        ("headroom_metres", (1, 0, 4160, 4160)),
        ("mlx5_xoff_bytes", (G, -1, 9000)),
        ("pause_ns", (-1, G)),
    ],
)
def test_values_that_mean_nothing_are_refused(name: str, values: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"must|no peer"):
        FUNCTIONS[name].call(*values)
