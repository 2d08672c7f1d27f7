"""Versions against lists of least versions."""

from __future__ import annotations

import pytest

from roce_audit.formulas.versions import meets, parts

MORI = "ionic >= 1.117.5-a-45; bnxt_en 231 bad; bnxt_en 235 >= 235.2.86.0"


@pytest.mark.parametrize(
    ("driver", "version", "expected"),
    [
        ("ionic", "1.117.5-a-45", True),
        ("ionic", "1.117.5-a-9", False),
        ("ionic", "1.117.1-a-63", False),
        ("ionic", "1.118.0", True),
        ("bnxt_en", "231.0.153.0/pkg 231.1.162.1", False),
        ("bnxt_en", "235.2.80.1/pkg 235.2.86.4", True),
        ("bnxt_en", "235.2.85.9", False),
        ("bnxt_en", "230.9.1.1", True),  # nobody said anything of that branch
        ("mlx5_core", "16.27.1016", True),
    ],
)
def test_meets(driver: str, version: str, expected: bool) -> None:
    assert meets(version, driver, MORI) is expected


def test_numbers_count_whatever_stands_between_them() -> None:
    assert parts("1.117.5-a-45") == (1, 117, 5, 45)
    assert not parts("none")


@pytest.mark.parametrize("floors", ["ionic", "ionic > 1", "ionic 1 worse", ">= 3"])
def test_a_list_of_another_form_is_refused(floors: str) -> None:
    with pytest.raises(ValueError, match="neither"):
        meets("1", "ionic", floors)
