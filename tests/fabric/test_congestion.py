"""Congestion control over a fabric: marks that nobody answers, and the pace at which NICs recover."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.policy import load

BASE = Path(platforms.__file__).parent / "linux" / "examples" / "base"


def edited(folder: Path, host: str, pattern: str, value: str) -> None:
    file = folder / host / "sysfs.txt"
    text, count = re.subn(pattern, value, file.read_text())
    assert count
    file.write_text(text)


def severities(folder: Path, rule: str) -> set[str]:
    report = check(Request((str(folder),), policy=load(folder / "roce-audit.yaml"))).report
    return {found.severity for found in report.findings if found.rule == rule and found.verdict == "fails"}


@pytest.fixture
def fabric(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BASE, tmp_path / "fabric"))


def _all_off(folder: Path) -> None:
    for host in ("gpu1", "gpu2"):
        edited(folder, host, r"(ecn/roce_[nr]p/enable/\d):1", r"\1:0")


def test_marks_that_nobody_answers_are_told_where_switches_mark(fabric: Path) -> None:
    _all_off(fabric)
    assert severities(fabric, "dcqcn/off") == {"warning"}
    assert _in_vain(fabric)


def test_nothing_is_said_of_marks_where_nothing_marks(fabric: Path) -> None:
    _all_off(fabric)
    leaf = fabric / "leaf1.cfg"
    leaf.write_text(re.sub(r".*random-detect ecn.*\n", "", leaf.read_text()))
    assert not _in_vain(fabric)


def _in_vain(folder: Path) -> bool:
    """Whether the finding says that what the switches mark changes nothing."""
    report = check(Request((str(folder),), policy=load(folder / "roce-audit.yaml"))).report
    (message,) = {found.message for found in report.findings if found.rule == "dcqcn/off"}
    return "what the switches mark changes nothing" in message


@pytest.mark.parametrize(
    ("rate", "timer", "found"),
    [
        ("5", "300", set()),
        ("10", "600", set()),
        ("5", "599", set()),
        ("5", "900", {"warning"}),
        ("1", "300", {"warning"}),
    ],
)
def test_the_pace_counts_and_neither_the_step_nor_the_timer(
    fabric: Path, rate: str, timer: str, found: set[str]
) -> None:
    # a host whose NICs are all alike is not odd among its own: the pace alone tells

    edited(fabric, "gpu1", r"rpg_ai_rate:\d+", f"rpg_ai_rate:{rate}")
    edited(fabric, "gpu1", r"rpg_time_reset:\d+", f"rpg_time_reset:{timer}")
    assert severities(fabric, "dcqcn/recovers-slower") == found
