"""`--changed-since` in repositories that are not as simple as one would like."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from roce_audit.cli.main import main

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]
LEAF = "backend/leaf1.cfg"


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run([*command, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    shutil.copytree(ROOT / "fixtures" / "fabric-faulty", folder)
    git(folder, "init", "-q", ".")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "site")
    return folder


HERE = {"mtu/below-roce", "pfc/priority-mismatch"}
"""What concerns the leaf: its own fault, and the link whose other end, in a file that nobody touched, is the cause."""


def edit(folder: Path) -> None:
    file = folder / LEAF
    file.write_text(file.read_text().replace("description gpu1", "description gpu-1"))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(repository(tmp_path / "site"))
    return tmp_path / "site"


def failing(capsys: Capture, *arguments: str) -> set[str]:
    main(["check", "-f", "json", "--changed-since", "HEAD", *arguments])
    found = json.loads(capsys.readouterr().out)["findings"]
    return {f["rule"] for f in found if f["verdict"] == "fails" and f["because_of"] is None}


def test_a_file_under_a_new_name_is_a_change(site: Path, capsys: Capture) -> None:
    git(site, "mv", LEAF, "backend/leaf-one.cfg")
    assert failing(capsys) == HERE


def test_a_new_file_is_a_change_and_an_ignored_one_is_not(site: Path, capsys: Capture) -> None:
    text = (site / LEAF).read_text().replace("hostname leaf1", "hostname leaf9")
    (site / "backend" / "a new leaf.cfg").write_text(text)
    assert "mtu/below-roce" in failing(capsys)
    (site / ".gitignore").write_text("*new*\n")
    assert failing(capsys) == set()


def test_a_deleted_file_is_told(site: Path, capsys: Capture) -> None:
    (site / LEAF).unlink()
    assert main(["check", "-f", "json", "--changed-since", "HEAD"]) == 0
    out = capsys.readouterr()
    assert json.loads(out.out)["findings"] == []
    assert out.err == f"roce-audit: gone since HEAD, so nothing is judged of it: {LEAF}\n"


@pytest.mark.parametrize("name", ["topology.yaml", "roce-audit.yaml"])
def test_without_its_topology_or_policy_everything_is_shown(name: str, site: Path, capsys: Capture) -> None:
    (file,) = site.rglob(name)
    file.unlink()
    assert len(failing(capsys)) > 2


def test_every_path_has_its_own_repository(site: Path, tmp_path: Path, capsys: Capture) -> None:
    other = repository(tmp_path / "other")
    edit(other)
    assert "mtu/below-roce" in failing(capsys, ".", str(other))
    (tmp_path / "loose").mkdir()
    assert main(["check", "--changed-since", "HEAD", ".", str(tmp_path / "loose")]) == 2
    assert "lies in no git working tree" in capsys.readouterr().err


def test_a_submodule_that_differs_is_shown_whole(site: Path, tmp_path: Path, capsys: Capture) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", ".")
    git(outer, "submodule", "add", "-q", str(site), "net")
    git(outer, "commit", "-qm", "with the network")
    os.chdir(outer)
    assert failing(capsys) == set()
    edit(outer / "net")
    assert "mtu/below-roce" in failing(capsys)


def test_a_hook_of_another_repository_is_not_believed(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    other = repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    edit(site)
    assert failing(capsys) == HERE


def test_why_a_revision_is_not_there(site: Path, tmp_path: Path, capsys: Capture) -> None:
    git(site, "commit", "-qm", "second", "--allow-empty")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{site}", "shallow")
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q", ".")
    for folder, revision, words in (
        ("shallow", "HEAD~1", "fetch-depth: 0"),
        ("empty", "HEAD", "there is no commit yet"),
        ("site", "nope", "git knows no revision 'nope'"),
    ):
        assert main(["check", str(tmp_path / folder), "--changed-since", revision]) == 2
        assert words in capsys.readouterr().err


PLAN, AS_PLANNED, BROKEN = (
    "topology.yaml",
    "[leaf1:Ethernet33/1, spine1:Ethernet1/1]",
    "[leaf1:Ethernet33/1, tor1:Ethernet1/1]",
)


@pytest.mark.parametrize("context", [(), ("--context", ".")], ids=["policy found upward", "as the hook asks"])
def test_a_file_that_touches_everything_shows_everything_where_it_is_named(
    context: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A commit of the plan alone, as pre-commit hands it on: which cable leads where concerns both ends."""
    shutil.copytree(ROOT / "fixtures" / "fabric", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    assert main(["check", PLAN, *context, "-q"]) == 0
    plan = Path(PLAN).read_text()
    assert AS_PLANNED in plan
    Path(PLAN).write_text(plan.replace(AS_PLANNED, BROKEN))
    assert main(["check", PLAN, *context, "-f", "concise"]) == 1
    assert "leaf1:Ethernet33/1 <-> tor1:Ethernet1/1" in capsys.readouterr().out
    assert main(["check", "frontend/fe1.cfg", *context, "-q"]) == 0


def test_a_severity_of_the_policy_shows_where_the_policy_is_named(site: Path, capsys: Capture) -> None:
    shutil.rmtree(site)
    shutil.copytree(ROOT / "fixtures" / "fabric-faulty", site)
    os.chdir(site)
    assert main(["check", "roce-audit.yaml", "--select", "ecn", "-q"]) == 0
    with open("roce-audit.yaml", "a") as file:
        file.write("rules:\n  ecn/off-on-lossless-queue: {severity: error}\n")
    assert main(["check", "roce-audit.yaml", "--select", "ecn", "-q"]) == 1
