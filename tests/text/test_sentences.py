"""Lists of names in a sentence."""

from __future__ import annotations

import pytest

from roce_audit.text.sentences import listed, runs


@pytest.mark.parametrize(
    ("number", "spare_one", "said"),
    [
        (2, True, "0, 1"),
        (3, True, "0, 1, 2"),
        (3, False, "0, 1 and 1 more"),
        (4, True, "0, 1 and 2 more"),
        (1202, True, "0, 1 and 1,200 more"),
    ],
)
def test_a_list_is_cut_and_says_how_much_is_left(number: int, spare_one: bool, said: str) -> None:
    assert listed([str(n) for n in range(number)], 2, spare_one=spare_one) == said


def test_runs_of_one_device_stand_close() -> None:
    assert listed(["1-3", "5", "7", "9"], 2, between=",") == "1-3,5 and 2 more"


def test_numbers_in_a_row_are_one() -> None:
    assert runs([4, 2, 0, 1, 1]) == ["0-2", "4"]
    assert runs([]) == []
