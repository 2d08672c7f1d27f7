"""Markers of the whole suite."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Tests that need other programs say so by a marker, and are skipped where these are missing."""
    config.addinivalue_line("markers", "probe: runs the script of host-probe under dash and busybox, some under strace")
