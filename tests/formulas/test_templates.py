"""Templates: rows by facing and speed, values and ranges, and what is not known."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.formulas.templates import allows, deviation, rows, speaks

G = 10**9
SPEED = "400G: 950000..972800; host 25G..100G: 150000, 153600; fabric: 7"


@pytest.mark.parametrize(
    ("speed", "facing", "value", "fits"),
    [
        (400, None, 950_000, True),
        (400, "host", 972_800, True),
        (400, "host", 972_801, False),
        (100, "host", 153_600, True),
        (25, "host", 151_000, False),
        (100, "fabric", 7, True),
        (100, "fabric", 150_000, False),
    ],
)
def test_the_first_row_that_fits_holds(speed: int, facing: str | None, value: float, fits: bool) -> None:
    assert speaks(SPEED, speed * G, facing)
    assert allows(SPEED, speed * G, facing, value) is fits
    assert bool(deviation("Kmin", "B", SPEED, speed * G, facing, value)) is not fits


def test_what_no_row_speaks_of_is_free() -> None:
    assert not speaks(SPEED, 200 * G, "host")
    assert allows(SPEED, 200 * G, "host", None)
    assert not speaks(None, None, None)
    assert allows(None, None, None, None)


def test_what_is_not_known_is_doubt_only_where_a_row_needs_it() -> None:
    assert allows("5", None, None, 5)
    with pytest.raises(LookupError, match="speed"):
        speaks(SPEED, None, "host")
    with pytest.raises(LookupError, match="leads to"):
        speaks(SPEED, 100 * G, None)
    with pytest.raises(LookupError, match="value"):
        allows("5", None, None, None)
    assert deviation("Kmin", "B", SPEED, None, None, 1) == deviation("Kmin", "B", "5", None, None, None) == ""


def test_a_deviation_names_both() -> None:
    assert deviation("Kmin", "B", SPEED, 400 * G, None, 150_000) == "; Kmin 150,000 B (profile: 950,000 to 972,800 B)"
    assert deviation("share", "", "50, 60", None, None, 40) == "; share 40 (profile: 50 or 60)"


@pytest.mark.parametrize("text", ["", "fast", "400G:", ": 5", "5..4", "400: 5", "spine: 5", "5;", "1,,2", "400G 5"])
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"neither a number|before ':'|ends below"):
        rows(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):  # any other exception fails the test
        assert rows(text)
