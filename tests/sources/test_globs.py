"""Path patterns."""

from __future__ import annotations

import time

import pytest

from roce_audit.sources.globs import covers, matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("configs/*", "configs/leaf1.cfg", True),
        ("configs/*", "configs/old/leaf1.cfg", False),
        ("configs/**", "configs/old/leaf1.cfg", True),
        ("**/*.j2", "a.j2", True),
        ("**/*.j2", "x/y/a.j2", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/y/c", False),
        ("*.cfg", "x/y/leaf.cfg", True),
        ("./configs/*.cfg", "configs/a.cfg", True),
        ("leaf[12].cfg", "leaf3.cfg", False),
        ("**", "anything/at/all", True),
    ],
)
def test_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_a_folder_covers_what_it_holds() -> None:
    assert covers("backup", "x/backup/old/leaf1.cfg")
    assert covers("backup/", "backup/leaf1.cfg")
    assert not covers("backup", "backup2/leaf1.cfg")


def test_many_stars_take_no_long_time() -> None:
    start = time.perf_counter()
    assert not matches("/".join(["**", "*a*a*"] * 30) + "/b", "/".join(["a" * 30] * 60))
    assert time.perf_counter() - start < 2
