"""Baselines and --changed-since: what is accepted stays accepted, what gets worse does not hide."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.engine.baseline import BaselineError, load, text

FIXTURES = Path(__file__).parents[2] / "fixtures"
HEADROOM = "backend/leaf2/config_db.json"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(FIXTURES / "fabric-faulty", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    return tmp_path / "site"


def edit(file: Path, old: str, new: str) -> None:
    content = file.read_text()
    assert old in content
    file.write_text(content.replace(old, new))


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:  # type: ignore[type-arg]
    capsys.readouterr()
    code = main(["check", "-f", "json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_a_baseline_that_an_editor_saved_with_its_mark(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline", "-o", "accepted.json"])
    file = site / "accepted.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    code, found = report(capsys, "--baseline", "accepted.json")
    assert code == 0
    assert found["summary"]["baselined"] > 0


def open_rules(found: dict) -> set[str]:  # type: ignore[type-arg]
    return {f["rule"] for f in found["findings"] if f["verdict"] == "fails" and not f["baselined"]}


def test_what_was_accepted_does_not_fail(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-f", "concise"]) == 1
    assert main(["baseline"]) == 0
    code, found = report(capsys, "--baseline", "roce-audit-baseline.json")
    assert (code, open_rules(found)) == (0, set())
    assert found["summary"]["baselined"] > 0
    assert found["summary"]["error"] == 0


def test_a_worse_value_is_a_new_fault(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline"])
    edit(site / HEADROOM, '"113664"', '"90000"')
    code, found = report(capsys, "--baseline", "roce-audit-baseline.json")
    assert code == 1
    assert "buffer/headroom-below-floor" in open_rules(found)
    assert "pfc/priority-off" not in open_rules(found)


def test_accepted_and_new_members_are_never_one_finding(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline"])
    edit(site / "backend/leaf1.cfg", "   mtu 9214\n", "   mtu 1500\n")
    _, found = report(capsys, "--baseline", "roce-audit-baseline.json")
    sides = {f["baselined"]: f for f in found["findings"] if f["rule"] == "mtu/below-roce"}
    assert [m["id"] for m in sides[True]["members"]] == ["leaf1:Ethernet3/1"]
    assert "leaf1:Ethernet3/1" not in [m["id"] for m in sides[False]["members"]]


def test_prune_only_takes_out_what_is_fixed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline"])
    file = site / "roce-audit-baseline.json"
    before = load(file).accepted
    edit(site / "backend/spine1.cfg", "priority-flow-control mode off", "priority-flow-control mode on")
    edit(site / "backend/leaf1.cfg", "   mtu 9214\n", "   mtu 1500\n")
    _, found = report(capsys, "--baseline", file.name)
    assert any("baseline --prune" in note for note in found["coverage"]["notes"])
    assert main(["baseline", "--prune"]) == 0
    after = load(file).accepted
    assert after.keys() < before.keys()
    assert not any(entry.rule == "pfc/priority-off" for entry in after.values())


def test_prune_keeps_what_was_not_looked_at(site: Path) -> None:
    main(["baseline"])
    file = site / "roce-audit-baseline.json"
    before = load(file).accepted
    assert main(["baseline", "--prune", "--select", "mtu", "backend"]) == 0
    assert load(file).accepted.keys() == before.keys()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "cannot be read"),
        ("[]", "is no baseline"),
        ('{"schema": "roce-audit/baseline/1", "findings": [{"rule": "a"}]}', "findings.0"),
        ('{"schema": "roce-audit/baseline/1", "findings": [], "more": 1}', "more"),
        ("[" * 100_000, "cannot be read"),
    ],
)
def test_what_is_no_baseline_is_refused(
    content: str, complaint: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "b.json").write_text(content)
    with pytest.raises(BaselineError, match=complaint):
        load(site / "b.json")
    assert main(["check", "--baseline", "b.json"]) == 2
    assert "b.json" in capsys.readouterr().err


def test_the_file_reads_back(site: Path) -> None:
    main(["baseline"])
    file = site / "roce-audit-baseline.json"
    assert text(load(file)) == file.read_text()


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments], check=True)


def test_changed_since_shows_what_touches_the_change(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q", ".")
    git("add", "-A")
    git("commit", "-qm", "site")
    code, found = report(capsys, "--changed-since", "HEAD")
    assert (code, found["findings"]) == (0, [])
    assert found["checks"]["passed"] > 0
    edit(site / HEADROOM, '"113664"', '"90000"')
    code, found = report(capsys, "--changed-since", "HEAD")
    assert code == 1
    assert all(
        any(at["path"] == HEADROOM for at in f["locations"]) for f in found["findings"] if f["severity"] == "error"
    )
    assert "app/traffic-outside-class" not in open_rules(found)
    edit(site / "roce-audit.yaml", "cables:", "# what lies between\ncables:")
    _, found = report(capsys, "--changed-since", "HEAD")
    assert "app/traffic-outside-class" in open_rules(found), "the policy touches everything"


def test_changed_since_says_what_it_lacks(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--changed-since", "HEAD"]) == 2
    assert "no git working tree" in capsys.readouterr().err
    git("init", "-q", ".")
    for revision in ("nope", "--output=x"):
        assert main(["check", f"--changed-since={revision}"]) == 2
        assert "knows no revision" in capsys.readouterr().err
    assert not (site / "x").exists()


def test_what_is_read_is_never_written_over(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (site / HEADROOM).read_bytes()
    for words in (
        ["check", HEADROOM, "-f", f"json={HEADROOM}"],
        ["check", HEADROOM, "--shard", f"1/1={HEADROOM}"],
        ["baseline", HEADROOM, "-o", HEADROOM],
    ):
        assert main(words) == 2, words
        assert "is what is to be read" in capsys.readouterr().err
    assert (site / HEADROOM).read_bytes() == before


def test_the_command_that_judges_with_a_baseline_is_one(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "backend").rename(site / "-odd name")
    assert main(["baseline", "-o", "accepted.json", "--", "-odd name"]) == 0
    command = capsys.readouterr().out.splitlines()[-1].partition("roce-audit ")[2]
    assert main(shlex.split(command)) == 0
