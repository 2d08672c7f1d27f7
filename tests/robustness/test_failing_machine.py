"""What the machine refuses is said with what to do; a report that was made is never lost with it."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any, NoReturn

import pytest

from roce_audit.cli import baseline as baseline_verb
from roce_audit.cli.main import main
from roce_audit.engine.rules import rulepack
from roce_audit.history import store
from roce_audit.history.store import HistoryError

ROOT = Path(__file__).parents[2]
HISTORY = "roce-audit-history.sqlite"
SECRET = "planet9planet9"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "fixtures/fabric/backend", tmp_path / "site/backend")
    monkeypatch.chdir(tmp_path / "site")
    return tmp_path / "site"


def newer(file: Path) -> None:
    assert main(["audit", "-q", "-f", "json=first.json"]) == 0
    with sqlite3.connect(file) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")


def full(*_: object) -> NoReturn:
    raise HistoryError("history: database or disk is full")


@pytest.mark.parametrize("trouble", ["corrupt", "newer", "full"])
def test_the_report_is_there_though_the_history_is_not(
    trouble: str, site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if trouble == "corrupt":
        (site / HISTORY).write_text("no database " * 1_000)
    elif trouble == "newer":
        newer(site / HISTORY)
    else:
        monkeypatch.setattr(store.History, "keep", full)
    capsys.readouterr()
    assert main(["audit", "-q", "-f", "json=report.json"]) == 2
    said = capsys.readouterr().err
    assert "not kept and not compared" in said
    assert "internal error" not in said
    assert json.loads(Path("report.json").read_text())["coverage"]["devices"] > 1


def test_a_locked_history_is_waited_for_and_then_given_up(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "-q", "-f", "json=first.json"]) == 0
    monkeypatch.setattr(store, "LOCKED_MILLISECONDS", 50)
    holder = sqlite3.connect(site / HISTORY, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        assert main(["audit", "-q", "-f", "json=report.json"]) == 2
    finally:
        holder.close()
    assert f"not kept and not compared: history {HISTORY}: database is locked" in capsys.readouterr().err
    assert json.loads(Path("report.json").read_text())["coverage"]["devices"] > 1


def no_space(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_no_fault_of_the_program(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(baseline_verb, "replace_file", no_space)
    assert main(["baseline", "."]) == 2
    assert "no space left on device: free some space" in capsys.readouterr().err


def test_a_cache_that_may_not_be_entered_is_none(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As under `sudo -u`, where HOME is still that of somebody else."""
    Path("roce-audit.yaml").write_text("profile: base\n")
    real = os.stat

    def refused(path: int | str | os.PathLike[str], **more: Any) -> os.stat_result:
        if "not-ours" in os.fspath(path) if not isinstance(path, int) else False:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, **more)

    monkeypatch.setenv("XDG_CACHE_HOME", "/not-ours")
    monkeypatch.setattr(os, "stat", refused)
    assert main(["check", ".", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_a_folder_whose_name_is_no_utf_8_is_judged(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("roce-audit.yaml").write_text("profile: base\n")
    os.rename(site, os.fsencode(site.parent) + b"/n\xfft")
    os.chdir(site.parent)
    assert main(["check", os.fsdecode(b"n\xfft"), "-q"]) == 0
    assert "passed" in capsys.readouterr().out


def test_what_cannot_be_encoded_is_no_slip_of_the_user(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(baseline_verb, "check", lambda _: "\udcff".encode())
    assert main(["baseline", "."]) == 70
    assert "internal error" in capsys.readouterr().err


def test_a_baseline_is_a_file(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    for name in ("pipe", "/dev/zero", "backend"):
        assert main(["check", ".", "--baseline", name]) == 2
        assert f"{name}: is no file" in capsys.readouterr().err


def test_a_folder_of_rules_without_a_rule_is_told(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rules").mkdir()
    Path("roce-audit.yaml").write_text("rules_path: [rules]\n")
    assert main(["check", "."]) == 2
    assert "no rule in this folder" in capsys.readouterr().err


def test_the_rule_that_contributing_shows_is_one(tmp_path: Path) -> None:
    shown = re.search(r"```yaml\n(title:.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S)
    assert shown is not None
    (tmp_path / "ecn").mkdir()
    (tmp_path / "ecn/example.yaml").write_text(shown[1])
    (rule,) = rulepack.load([tmp_path], use_cache=False)
    assert (rule.id, rule.scope) == ("ecn/example", "hop")


def test_no_secret_of_an_unread_line_is_kept(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open("backend/leaf1.cfg", "a") as file:
        file.write(f"priority-flow-control pasword-secret {SECRET}\n")
    main(["check", ".", "-f", "json"])
    assert "input/unread-line" in capsys.readouterr().out
    assert main(["baseline", ".", "-o", "baseline.json"]) == 0
    assert "input/unread-line" in Path("baseline.json").read_text()
    main(["audit", "-q"])
    main(["history", "1", "-f", "json"])
    with open("backend/leaf1.cfg", "a") as file:
        file.write(f"priority-flow-control another-secret {SECRET}\n")
    main(["audit", "-q"])
    said = capsys.readouterr()
    assert "input/unread-line" in said.out
    assert "input/unread-line" in said.err
    kept = Path("baseline.json").read_text() + said.out + said.err
    with sqlite3.connect(HISTORY) as database:
        kept += "".join(database.iterdump())
    assert SECRET not in kept
    assert main(["check", ".", "--baseline", "baseline.json", "--select", "input/unread-line", "-q"]) in (0, 4)


def test_what_needs_the_file_itself_says_that_its_name_is_no_utf_8(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check` never opens it by the name it shows; who must says what to do."""
    Path("roce-audit.yaml").write_text("profile: base\n")
    leaf = Path("backend/leaf1.cfg")
    leaf.write_text(leaf.read_text().replace("mtu 9214", "mtu 1500", 1))
    os.rename(site, os.fsencode(site.parent) + b"/n\xfft")
    os.chdir(site.parent)
    name = os.fsdecode(b"n\xfft")
    assert main(["check", name, "-q", "-f", "json"]) == 1
    said = capsys.readouterr().out
    assert json.loads(said)["policy"]["file"] == "n\ufffdt/roce-audit.yaml"
    assert "not in force" not in said
    assert main(["fix", name]) == 1
    assert "n\ufffdt/backend/leaf1.cfg: this name, or that of a folder above, is not UTF-8" in capsys.readouterr().out
    for words in (["evidence", "mtu/below-roce", name, "-o", "x.tgz"], ["selftest", name]):
        assert main(words) == 2
        assert "is not UTF-8: rename it, or change into that folder first" in capsys.readouterr().err
    os.chdir(b"n\xfft")
    assert main(["evidence", "mtu/below-roce", "-o", "x.tgz"]) == 0


def test_a_folder_that_cannot_be_written_to_is_told_by_the_name_that_was_asked_for(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: object, *_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as closed:
        closed.setattr("tempfile.mkstemp", lambda **named: refused(f"{named['dir']}/.accepted.part"))
        assert main(["baseline", "-o", "accepted.json"]) == 2
    assert f"roce-audit: {site}/accepted.json: permission denied" in capsys.readouterr().err
    with monkeypatch.context() as closed:
        closed.setattr("roce_audit.history.lock.locked", lambda where: refused(f"{site}/{where}.lock"))
        assert main(["audit", "-q"]) == 2
    assert f"not compared: {site}/{HISTORY}.lock: permission denied" in capsys.readouterr().err
