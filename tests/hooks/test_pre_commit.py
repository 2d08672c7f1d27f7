"""The hooks, by the real pre-commit program on a scratch repository. Needs `pre-commit` and a package index: `pytest -m precommit`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.precommit
CONFIG = """repos:
- repo: {repo}
  rev: {rev}
  hooks:
  - id: {hook}
"""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """One for all workers: pre-commit locks it, and installs the hooks once."""
    folder = tmp_path_factory.getbasetemp()
    return (folder if worker_id == "master" else folder.parent) / "pre-commit-home"


@pytest.fixture
def scratch(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A network-as-code repository whose first commit is clean."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(home))
    folder = tmp_path / "network"
    shutil.copytree(ROOT / "fixtures" / "fabric", folder)
    (folder / "templates").mkdir()
    (folder / "templates" / "leaf.j2").write_text("interface {{ port }}\n  mtu {{ mtu }}\n")
    git(folder, "init", "-q", ".")
    return folder


def install(folder: Path, hook: str) -> None:
    rev = run(ROOT, "git", "rev-parse", "HEAD").stdout.strip()
    (folder / ".pre-commit-config.yaml").write_text(CONFIG.format(repo=ROOT, rev=rev, hook=hook))
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    done = run(folder, "pre-commit", "install", "--install-hooks")
    assert done.returncode == 0, done.stdout + done.stderr


def commit(folder: Path, file: str, old: str, new: str) -> subprocess.CompletedProcess[str]:
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    git(folder, "add", "-A")
    return git(folder, "commit", "-m", "change")


def test_a_bad_commit_is_stopped_and_a_good_one_passes(scratch: Path) -> None:
    install(scratch, "roce-audit")
    good = commit(scratch, "backend/leaf1.cfg", "description gpu1", "description gpu-1")
    assert good.returncode == 0, good.stdout + good.stderr
    bad = commit(scratch, "backend/spine1.cfg", "priority-flow-control mode on", "priority-flow-control mode off")
    assert bad.returncode != 0
    assert "pfc/priority-off" in bad.stdout + bad.stderr
    assert "backend/spine1.cfg:" in bad.stdout + bad.stderr


def test_a_commit_of_other_files_passes(scratch: Path) -> None:
    (scratch / "ci.yml").write_text("stages: [test]\n")
    install(scratch, "roce-audit")
    done = commit(scratch, "ci.yml", "test", "build")
    assert done.returncode == 0, done.stdout + done.stderr
    done = commit(scratch, "templates/leaf.j2", "mtu", "mtu  ")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_whole_fabric_is_judged_whatever_changed(scratch: Path) -> None:
    (scratch / "ci.yml").write_text("stages: [test]\n")
    install(scratch, "roce-audit-fabric")
    assert commit(scratch, "ci.yml", "test", "build").returncode == 0
    git(scratch, "commit", "--no-verify", "-qm", "x")
    spine = scratch / "backend" / "spine1.cfg"
    spine.write_text(spine.read_text().replace("priority-flow-control mode on", "priority-flow-control mode off", 1))
    git(scratch, "add", "-A")
    git(scratch, "commit", "--no-verify", "-qm", "broken behind the hook's back")
    done = commit(scratch, "ci.yml", "build", "deploy")
    assert done.returncode != 0
    assert "pfc/priority-off" in done.stdout + done.stderr
