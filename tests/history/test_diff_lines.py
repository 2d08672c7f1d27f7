"""What `diff` prints: one line for what one line of a file makes of several, and no consequences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roce_audit.history import rendering
from roce_audit.history.comparing import Difference
from roce_audit.history.record import Recorded

OFF = Recorded("a", "pfc/priority-off", "core2:Ethernet1/1", "error", "fails", "", "PFC is off", "core2.cfg", 18)
ALSO_OFF = replace(OFF, fingerprint="b", id="core2:Ethernet2/1")
FOLLOWS = replace(OFF, fingerprint="c", rule="pfc/priority-mismatch", id="core2 <-> agg1", cause="a")
ELSEWHERE = replace(OFF, fingerprint="d", id="core3:Ethernet1/1", path="core3.cfg")


def lines(*new: Recorded, verbose: bool = False) -> list[str]:
    found = list(rendering.lines(Difference(new, (), (), (), (), (), False), verbose=verbose))
    assert found[-1].startswith(f"{len(new)} new, ")
    return [line.strip().partition("new  ")[2] for line in found[:-1]]


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ((OFF,), ["error[pfc/priority-off] core2:Ethernet1/1: PFC is off  core2.cfg:18"]),
        ((OFF, ALSO_OFF), ["error[pfc/priority-off] core2:Ethernet1/1 and 1 more: PFC is off  core2.cfg:18"]),
        (
            (OFF, FOLLOWS),
            [
                "error[pfc/priority-off] core2:Ethernet1/1: PFC is off  core2.cfg:18",
                "and 1 that follow from these (-v)",
            ],
        ),
        ((FOLLOWS,), ["error[pfc/priority-mismatch] core2 <-> agg1: PFC is off  core2.cfg:18"]),
    ],
    ids=["one", "one line of a file", "a consequence", "a consequence of what failed before"],
)
def test_a_cause_is_told_once(new: tuple[Recorded, ...], told: list[str]) -> None:
    assert lines(*new) == told


def test_what_other_lines_say_is_told_by_itself() -> None:
    assert len(lines(OFF, ELSEWHERE)) == 2


def test_everything_on_demand() -> None:
    assert len(lines(OFF, ALSO_OFF, FOLLOWS, ELSEWHERE, verbose=True)) == 4
