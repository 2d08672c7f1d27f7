"""What holds for every test: none of them is judged by the clock."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: a tenth of the tests waits for devices that do not answer, and for other programs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1
