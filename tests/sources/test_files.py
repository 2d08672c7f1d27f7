"""Walking: each real file once, nothing special opened, always an end."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roce_audit.sources import files

from .conftest import Write


def _paths(*roots: str, **options: object) -> list[str]:
    return [c.path for c in files.walk(roots, **options).files]  # type: ignore[arg-type]


def test_order_and_shown_paths(write: Write, tmp_path: Path) -> None:
    for name in ("b/z.cfg", "b/a.cfg", "a.cfg"):
        write(name, "x")
    assert _paths("./b", "a.cfg", str(tmp_path)) == ["a.cfg", "b/a.cfg", "b/z.cfg"]


def test_paths_outside_the_working_directory_are_absolute(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("in/x.cfg", "")
    write("out.cfg", "")
    monkeypatch.chdir(tmp_path / "in")
    assert _paths("../out.cfg", ".") == [str(tmp_path / "out.cfg"), "x.cfg"]


def test_hidden_things_are_passed_over_unless_named(write: Write) -> None:
    write(".git/config", "")
    write(".hidden.cfg", "")
    write("seen.cfg", "")
    assert _paths(".") == ["seen.cfg"]
    assert _paths(".hidden.cfg") == [".hidden.cfg"]


def test_links(write: Write, tmp_path: Path) -> None:
    write("tree/real.cfg", "x")
    write("tree/.data/held.cfg", "x")
    write("outside.cfg", "secret")
    tree = tmp_path / "tree"
    (tree / "again.cfg").symlink_to("real.cfg")
    (tree / "loop").symlink_to(".")
    (tree / "circle").symlink_to("circle")
    (tree / "leaf.cfg").symlink_to(".data/held.cfg")
    (tree / "out.cfg").symlink_to("../outside.cfg")
    walk = files.walk(["tree"])
    assert [c.path for c in walk.files] == ["tree/leaf.cfg", "tree/real.cfg"]
    assert [path for path, _ in walk.skipped] == ["tree/circle", "tree/out.cfg"]
    (tree / "named.cfg").symlink_to("../outside.cfg")
    assert _paths("tree/named.cfg") == ["tree/named.cfg"]


def test_special_files_are_never_opened(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.cfg", "x")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind("sock")
        walk = files.walk([".", "/dev/null"])
    assert [c.path for c in walk.files] == ["a.cfg"]
    assert dict(walk.skipped).keys() == {"/dev/null", "pipe", "sock"}
    with pytest.raises(OSError, match="no plain file"):
        files.read(files.Candidate("pipe", "pipe"))


def test_templates_and_excluded_files(write: Write) -> None:
    for name in ("leaf.j2", "backup/a.cfg", "backup/deep/b.cfg", "c.cfg"):
        write(name, "x")
    walk = files.walk(["."], exclude=["backup/**"])
    assert ([c.path for c in walk.files], walk.excluded) == (["c.cfg", "leaf.j2"], 2)
    assert ["template" in files.template_by_name(c.path) for c in walk.files] == [False, True]


def test_hidden_files_of_jobs_are_opened(write: Write) -> None:
    for name in (
        ".env",
        "job/.deepspeed_env",
        "job/.dstack.yml",
        ".gitlab-ci.yml",
        ".github/workflows/bench.yml",
        ".bashrc",
        ".git/x.cfg",
    ):
        write(name, "x")
    assert _paths(".") == [".env", "job/.deepspeed_env", "job/.dstack.yml"]


def test_patterns_are_relative_to_the_policy_file(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("repo/backup/a.cfg", "x")
    write("repo/b.cfg", "x")
    monkeypatch.chdir(tmp_path / "repo" / "backup")
    assert _paths("..", exclude=["backup/**"], base=str(tmp_path / "repo")) == [str(tmp_path / "repo" / "b.cfg")]


def test_what_is_missing_or_too_many_is_said(write: Write) -> None:
    for count in range(5):
        write(f"d/{count}.cfg", "x")
    walk = files.walk(["nothing", "d"], limit=3)
    assert len(walk.files) == 3
    assert [(path, word.split(":")[0]) for path, word in walk.unreadable] == [
        ("d", "more than 3 files"),
        ("nothing", "no such file or directory"),
    ]


def test_a_large_file_is_refused_by_its_size(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as file:
        file.truncate(200_000_000)

    with pytest.raises(OSError, match="too large: 200,000,000 bytes"):
        files.read(files.Candidate("big", str(tmp_path / "big")))


def test_names_with_control_characters_are_shown_clean(write: Write) -> None:
    write("a\x1b[31m\nb.cfg", "x")
    assert _paths(".") == ["a\ufffd[31m\ufffdb.cfg"]


_NAMES = st.sampled_from(["a", "b", "c.cfg", ".h"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.tuples(st.lists(_NAMES, min_size=1, max_size=3), st.lists(_NAMES, max_size=3)), max_size=8))
def test_walking_ends_and_gives_each_real_file_once(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[list[str], list[str]]]
) -> None:
    root = tmp_path_factory.mktemp("walk")
    for place, target in entries:
        path = root.joinpath(*place)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if target:
                path.symlink_to(root.joinpath(*target))
            else:
                path.write_text("x")
        except OSError:
            continue
    found = files.walk([str(root), str(root)]).files
    reals = [os.path.realpath(c.real) for c in found]
    assert len(set(reals)) == len(reals)
    assert all(os.path.isfile(real) for real in reals)
