"""What a vendor's own headroom model asks for, beside the physical floor of a finding."""

from __future__ import annotations

import pytest

from roce_audit.calculator.vendorheadroom import LATEST, Switch
from roce_audit.formulas.chipheadroom import asked_for, asked_for_bytes
from roce_audit.formulas.sonicheadroom import Traffic

G100, G400 = 100_000_000_000, 400_000_000_000


@pytest.mark.parametrize(("chip", "asic"), [("spectrum", "spectrum-1"), ("spectrum4", "spectrum-4")])
def test_a_finding_and_the_calculator_ask_for_the_same(chip: str, asic: str) -> None:
    (generated,) = Switch(asic, Traffic(9216, 4178), LATEST).sums(G100, 40)
    assert f" asks for {generated.result.value:,.0f} B" in asked_for(chip, G100, 40, 4178, 9216)
    assert generated.result.value == asked_for_bytes(chip, G100, 40, 4178, 9216)


def test_a_shipped_row_is_that_of_the_next_longer_cable() -> None:
    words = asked_for("tomahawk5", G400, 30, 4178, 9216)
    assert words == "; SONiC ships 446,024 B for 40 m on tomahawk5 (pg_profile_lookup.ini of Dell-Z9864f-O64)"
    assert "839,216 B for 300 m" in asked_for("tomahawk5", G400, 41, 4178, 9216)


@pytest.mark.parametrize(
    ("chip", "speed", "cable"),
    [
        (None, G400, 30),
        ("spectrum4", None, 30),
        ("spectrum4", G400, None),
        ("jericho", G400, 30),  # no table for the family as a whole
        ("spectrum9", G400, 30),
        ("tomahawk5", G400, 301),  # longer than any row
        ("tomahawk5", 123, 5),
    ],
)
def test_nothing_is_said_where_no_model_is_known(chip: str | None, speed: int | None, cable: float | None) -> None:
    assert asked_for(chip, speed, cable, 4178, 9216) == ""
    assert asked_for_bytes(chip, speed, cable, 4178, 9216) == 0
