"""What is found and not opened: environments, what `.gitignore` names, the program itself; a path that is named is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

import roce_audit
from roce_audit.sources.files import walk
from roce_audit.sources.leftout import ENVIRONMENTS, IGNORED, OURS


def _tree(root: Path, *files: str, ignore: str = "", git: bool = True) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("hostname leaf1\n")
    if git:
        (root / ".git").mkdir()
    if ignore:
        (root / ".gitignore").write_text(ignore)


def _found(root: Path, *paths: str) -> tuple[set[str], dict[str, int]]:
    done = walk([str(root / path) for path in paths or ("",)])
    return {str(Path(file.real).relative_to(root)) for file in done.files}, dict(done.left_out)


def test_environments_are_left_out(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        "leaf1.cfg",
        "venv/a.cfg",
        "x/site-packages/b.cfg",
        "node_modules/c.cfg",
        "mine/pyvenv.cfg",
        "mine/d.cfg",
    )
    assert _found(tmp_path) == ({"leaf1.cfg"}, {ENVIRONMENTS: 4})


def test_what_is_named_is_opened(tmp_path: Path) -> None:
    _tree(tmp_path, "venv/a.cfg", "snapshots/today/b.cfg", "c.bak", ignore="snapshots/\n*.bak\n")
    assert _found(tmp_path, "venv", "snapshots/today", "c.bak") == (
        {"venv/a.cfg", "snapshots/today/b.cfg", "c.bak"},
        {},
    )


@pytest.mark.parametrize(
    ("ignore", "kept"),
    [
        ("old/\n", {"leaf1.cfg", "a.bak", "new/b.cfg"}),
        ("*.bak\n", {"leaf1.cfg", "old/c.cfg", "new/b.cfg"}),
        ("/b.cfg\n", {"leaf1.cfg", "a.bak", "old/c.cfg", "new/b.cfg"}),
        ("*.cfg\n!b.cfg\n", {"a.bak", "new/b.cfg"}),
    ],
)
def test_gitignore(tmp_path: Path, ignore: str, kept: set[str]) -> None:
    _tree(tmp_path, "leaf1.cfg", "a.bak", "old/c.cfg", "new/b.cfg", ignore=ignore)
    found, left = _found(tmp_path)
    assert found == kept
    assert sum(left.values()) == left.get(IGNORED, 0) == 4 - len(kept)


def test_the_nearest_gitignore_wins_and_those_above_the_path_hold(tmp_path: Path) -> None:
    _tree(tmp_path, "site/leaf1.cfg", "site/rack/leaf2.cfg", "site/rack/leaf3.txt", ignore="*.cfg\n*.txt\n")
    (tmp_path / "site" / "rack" / ".gitignore").write_text("!leaf2.cfg\n")
    assert _found(tmp_path, "site") == ({"site/rack/leaf2.cfg"}, {IGNORED: 2})


def test_without_a_work_tree_no_gitignore_holds(tmp_path: Path) -> None:
    _tree(tmp_path, "leaf1.cfg", ignore="*.cfg\n", git=False)
    assert _found(tmp_path) == ({"leaf1.cfg"}, {})


def test_the_program_does_not_judge_its_own_examples() -> None:
    checkout = Path(roce_audit.__file__).parents[1]
    left = walk([str(checkout)]).left_out
    assert left[OURS] >= 1
