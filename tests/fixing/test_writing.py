"""`fix --write`: files under version control are changed, all others refused, and nothing is written by halves."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.fixing import writing

FIXTURES = Path(__file__).parents[2] / "fixtures"
SPINE = "backend/spine1.cfg"
ON, OFF = "priority-flow-control mode on", "priority-flow-control mode off"
Capture = pytest.CaptureFixture[str]


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y", *arguments], check=True, capture_output=True)


def break_(file: Path) -> None:
    text = file.read_text()
    assert ON in text
    file.write_text(text.replace(ON, OFF, 1))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(FIXTURES / "fabric", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    break_(tmp_path / "site" / SPINE)
    git("init", "-q", ".")
    git("add", "-A")
    git("commit", "-qm", "1")
    return tmp_path / "site"


def test_a_committed_file_is_mended_and_the_rest_untouched(site: Path, capsys: Capture) -> None:
    assert main(["check", "-q"]) == 1
    assert main(["fix", "--write"]) == 0
    assert f"wrote {SPINE}" in capsys.readouterr().out
    assert main(["check", "-q"]) == 0
    changed = subprocess.run(["git", "diff", "--name-only"], check=True, capture_output=True, text=True).stdout.split()
    assert changed == [SPINE]
    assert (site / SPINE).read_text() == (FIXTURES / "fabric" / SPINE).read_text()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("below", [True, False])
def test_the_patch_applies_whatever_the_lines_end_in(site: Path, end: str, below: bool, capsys: Capture) -> None:
    file = site / SPINE
    whole = file.read_text()
    text = whole if below else whole.replace(OFF, ON).rpartition(ON)[0] + OFF
    file.write_bytes(text.replace("\n", end).encode())
    assert main(["fix", "--diff", "--select", "pfc"]) in (0, 1)
    patch = capsys.readouterr().out
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True)
    after = file.read_bytes().split(end.encode())
    assert [line for line in text.replace(OFF, ON).encode().split(b"\n") if line not in after] == []
    assert not any(line.endswith(b"\r") for line in after)
    assert (after[-1] == b"") is below


def test_without_write_nothing_is_written(site: Path) -> None:
    before = (site / SPINE).read_bytes()
    assert main(["fix"]) == 0
    assert (site / SPINE).read_bytes() == before


@pytest.mark.parametrize(
    ("how", "why"),
    [("edited", "differs from the last commit"), ("staged", "differs from the last commit"),
     ("new", "is not under version control"), ("ignored", "is not under version control")],
)  # fmt: skip
def test_what_git_could_not_give_back_is_refused(how: str, why: str, site: Path, capsys: Capture) -> None:
    file = site / SPINE
    if how in ("edited", "staged"):
        file.write_text(file.read_text() + "! a remark\n")
    if how == "staged":
        git("add", SPINE)
    if how in ("new", "ignored"):
        git("rm", "-q", "--cached", SPINE)
        git("commit", "-qm", "2")
    if how == "ignored":
        (site / ".git" / "info" / "exclude").write_text("*.cfg\n")
    before = file.read_bytes()
    assert main(["fix", "--write", SPINE, "--context", "."]) == 2
    said = capsys.readouterr().err
    assert f"{SPINE} {why}" in said
    assert "nothing was written" in said
    assert file.read_bytes() == before
    assert main(["fix", "--write", "--allow-dirty", SPINE, "--context", "."]) == 0
    assert OFF not in file.read_text()


def test_one_refused_file_keeps_all_from_being_written(site: Path, capsys: Capture) -> None:
    other = site / "storage" / "tor1.cfg"
    break_(other)
    before = (site / SPINE).read_bytes()
    assert main(["fix", "--write"]) == 2
    assert other.name in capsys.readouterr().err
    assert (site / SPINE).read_bytes() == before


def test_outside_of_version_control(site: Path, capsys: Capture) -> None:
    shutil.rmtree(site / ".git")
    assert main(["fix", "--write"]) == 2
    assert "lies in no git working tree" in capsys.readouterr().err


def test_line_ends_and_the_byte_order_mark_stay(site: Path) -> None:
    file = site / SPINE
    file.write_bytes(b"\xef\xbb\xbf" + file.read_text().replace("\n", "\r\n").encode())
    git("commit", "-qam", "2")
    assert main(["fix", "--write"]) == 0
    content = file.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\n") == content.count(b"\r\n")
    assert OFF.encode() not in content


def test_a_file_that_is_read_with_omissions_is_left_alone(site: Path, capsys: Capture) -> None:
    file = site / SPINE
    file.write_bytes(file.read_bytes().replace(b"\n", b"\x1b[0m\n", 1))
    git("commit", "-qam", "2")
    before = file.read_bytes()
    assert main(["fix", "--write"]) == 2
    assert "characters that are left out" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_link_is_not_followed(site: Path, tmp_path: Path, capsys: Capture) -> None:
    file = site / SPINE
    target = tmp_path / "elsewhere.cfg"
    shutil.move(file, target)
    file.symlink_to(target)
    git("commit", "-qam", "2")
    before = target.read_bytes()
    assert main(["fix", "--write", SPINE, "--context", "."]) == 2
    assert "is a link" in capsys.readouterr().err
    assert target.read_bytes() == before


def test_what_became_too_large_since_it_was_judged_is_not_read(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def grown(paths: list[str]) -> list[str]:
        (site / SPINE).write_bytes(b"x" * 1_000_000)
        return []

    monkeypatch.setattr(writing, "uncommitted", grown)
    assert main(["fix", "--write"]) == 2
    assert f"{SPINE} cannot be read again: too large: 1,000,000 bytes" in capsys.readouterr().err


def test_json_names_what_was_written(site: Path, capsys: Capture) -> None:
    assert main(["fix", "--write", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == [SPINE]
    assert main(["fix", "--write", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == []


def test_allow_dirty_alone(site: Path, capsys: Capture) -> None:
    assert main(["fix", "--allow-dirty"]) == 2
    assert "goes with --write" in capsys.readouterr().err


def test_what_was_written_before_a_file_that_cannot_be_is_said(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    break_(site / "storage/tor1.cfg")
    git("commit", "-qam", "2")
    real = writing.replace_file

    def full(file: Path, pieces: tuple[bytes, ...]) -> None:
        if file.name == "tor1.cfg":
            raise OSError(errno.ENOSPC, "No space left on device", str(file))
        real(file, pieces)

    monkeypatch.setattr(writing, "replace_file", full)
    assert main(["fix", "--write"]) == 2
    said = capsys.readouterr().err
    assert f"storage/tor1.cfg: no space left on device; written before it: {SPINE}" in said
