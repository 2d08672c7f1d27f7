"""What holds for every test: none of them is judged by the clock."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as below a shell's `&`: else what the tests start ignores it too
    signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.dont_write_bytecode:  # what the tests start would compile the program each time, two hundred times in all
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
gc.set_threshold(
    20_000, 50, 100
)  # a seventh of the time went into looking at what the tests hold; nothing goes in circles
settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: a tenth of the tests waits for devices that do not answer, and for other programs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1
