"""What holds for every test: none of them is judged by the clock, and none reads or fills the cache of whoever runs it."""

from __future__ import annotations

import compileall
import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as below a shell's `&`: else what the tests start ignores it too
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[1]
os.environ["XDG_CACHE_HOME"] = str(ROOT / ".pytest_cache" / "cache")  # rules and grammars are prepared once for all
if sys.dont_write_bytecode:  # what the tests start would compile the program each time, two hundred times in all
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
gc.set_threshold(
    20_000, 50, 100
)  # a seventh of the time went into looking at what the tests hold; nothing goes in circles
settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program once, before as many processes as there are workers do it all at the same time."""
    if config.getoption("numprocesses", 0):
        compileall.compile_dir(ROOT / "roce_audit", quiet=1, workers=0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes begins first, so that it does not end alone."""
    items.sort(key=lambda item: not any(item.get_closest_marker(name) for name in ("packages", "precommit", "sweep")))


def pytest_collection_finish() -> None:
    """What was collected stays: neither the garbage collector nor a forked process looks at it again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """The end takes nothing apart: pytest looks for garbage five times over, two seconds each on what the tests leave."""
    gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: a tenth of the tests waits for devices that do not answer, and for other programs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1
