"""The order in which a set of strings is gone through differs from process to process; no report may follow it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"


def said(seed: int) -> str:
    """The report on switches of one platform that differ in many settings."""
    command = [sys.executable, "-m", "roce_audit", "check", "os10", "-f", "json", "--no-cache", "-j", "1"]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=FIXTURES, env=environment)
    assert "odd_settings" in done.stdout
    return done.stdout


@pytest.mark.sweep
def test_a_report_is_the_same_with_any_hash_seed() -> None:
    first, *others = (said(seed) for seed in (1, 5, 6))
    assert all(other == first for other in others)
