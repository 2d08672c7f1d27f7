"""Path patterns."""

from __future__ import annotations

import pytest

from roce_audit.text.pathglobs import check, covers, matches


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
        ("backup/**", "backup/a/b.cfg", True),
        ("backup/**", "old/backup/a", False),
        ("configs/leaf[1-16].cfg", "configs/leaf12.cfg", True),
        ("configs/leaf[1-16].cfg", "configs/leaf17.cfg", False),
        ("configs/Leaf*", "configs/leaf1", False),
    ],
)
def test_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_a_folder_covers_what_it_holds() -> None:
    assert covers("backup", "x/backup/old/leaf1.cfg")
    assert covers("backup/", "backup/leaf1.cfg")
    assert not covers("backup", "backup2/leaf1.cfg")


def test_many_stars_come_to_an_end() -> None:
    assert not matches("/".join(["**", "*a*a*"] * 25) + "/b", "/".join(["a" * 30] * 60))
    assert not matches("**/" * 60 + "x", "a/" * 500 + "y")


@pytest.mark.parametrize("pattern", ["", "configs/[", "configs/leaf[16-1].cfg", "a/" * 200])
def test_refuses(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        check(pattern)
