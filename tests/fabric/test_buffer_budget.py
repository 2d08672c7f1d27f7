"""The headroom of all ports of a switch as a budget: what is kept, of what, and what nobody printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.cli.main import main

FIXTURES = Path(__file__).parents[2] / "fixtures"


def shown(capsys: pytest.CaptureFixture[str], device: str) -> list[str]:
    assert main(["show", device, str(FIXTURES / "mixed")]) == 0
    return [
        line.strip() for line in capsys.readouterr().out.splitlines() if line.strip().startswith(("headroom ", "one "))
    ]


def test_what_is_kept_and_what_another_priority_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "leaf2") == [
        "headroom kept: 1,400,000 B for 7 lossless groups on 7 ports, 0.8 % of the 167,772,160 B of spectrum4",
        "one lossless priority more on these ports keeps 1,400,000 B besides, together 1.7 % of the 167,772,160 B of spectrum4",
    ]


def test_headroom_that_the_switch_computes_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "leaf3") == [
        "headroom of 7 of 7 lossless groups is unknown: the switch computes it, and no line that was read shows it"
    ]


def test_a_pool_of_which_nobody_tells_the_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "spine1") == [
        "headroom kept: 4 lossless groups on 4 ports may take 1,600,000 B of shared pools of a size that nothing shows"
    ]
