"""`audit`, `history` and `diff` as people use them."""

from __future__ import annotations

import fcntl
import json
import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.history import notify, rendering
from roce_audit.history.comparing import Difference
from roce_audit.history.record import Recorded, Run

FIXTURES = Path(__file__).parents[2] / "fixtures"
HISTORY = "roce-audit-history.sqlite"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(FIXTURES / "fabric", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    return tmp_path / "site"


def edit(file: Path, old: str, new: str, count: int = -1) -> None:
    content = file.read_text()
    assert old in content
    file.write_text(content.replace(old, new, count))


def break_spine(site: Path) -> None:
    edit(site / "backend/spine1.cfg", "priority-flow-control mode on", "priority-flow-control mode off", 1)


def fix_spine(site: Path) -> None:
    edit(site / "backend/spine1.cfg", "priority-flow-control mode off", "priority-flow-control mode on", 1)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:  # type: ignore[type-arg]
    capsys.readouterr()
    code = main(list(arguments))
    return code, json.loads(capsys.readouterr().out)


def test_runs_are_kept_and_compared(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "-q"]) == 0
    assert "the first one" in capsys.readouterr().err
    break_spine(site)
    assert main(["audit", "-q"]) == 1
    assert "new  error[pfc/priority-off] spine1:Ethernet1/1" in capsys.readouterr().err
    fix_spine(site)
    assert main(["audit", "-q"]) == 0
    assert "fixed  error[pfc/priority-off] spine1:Ethernet1/1" in capsys.readouterr().err
    _, listed = answer(capsys, "history", "-f", "json")
    assert [(run["run"], run["exit_code"]) for run in listed["runs"]] == [(3, 0), (2, 1), (1, 0)]
    _, failing = answer(capsys, "history", "2", "-f", "json")
    assert {f["rule"] for f in failing["findings"]} >= {"pfc/priority-off"}
    _, difference = answer(capsys, "diff", "2", "3", "--history", HISTORY, "-f", "json")
    assert {f["rule"] for f in difference["fixed"]} >= {"pfc/priority-off"}
    assert (difference["new"], difference["lost"]) == ([], [])
    code, difference = answer(capsys, "diff", "1", "2", "--history", HISTORY, "-f", "json")
    assert code == 1
    assert {f["rule"] for f in difference["new"]} >= {"pfc/priority-off"}


def test_a_run_against_the_files_of_now(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_spine(site)
    main(["audit", "-q"])
    shutil.rmtree(site / "backend" / "gpu1")
    (site / "backend" / "spine1.cfg").unlink()
    _, difference = answer(capsys, "diff", "last", ".", "--history", HISTORY, "-f", "json")
    assert {f["rule"] for f in difference["lost"]} >= {"pfc/priority-off"}, "a device that is gone is not fixed"
    assert difference["fixed"] == []


def test_two_folders(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, difference = answer(capsys, "diff", ".", str(FIXTURES / "fabric-faulty"), "-f", "json")
    assert code == 1
    assert {f["rule"] for f in difference["new"]} >= {"pfc/priority-off", "mtu/below-roce", "app/traffic-outside-class"}
    code, difference = answer(capsys, "diff", str(FIXTURES / "fabric-faulty"), ".", "-f", "json")
    assert (code, difference["new"]) == (0, [])
    assert {f["rule"] for f in difference["fixed"]} >= {
        "pfc/priority-off",
        "mtu/below-roce",
        "app/traffic-outside-class",
    }


def test_a_git_revision(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["init", "-q", "."],
        ["add", "-A"],
        ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "1"],
    ):
        subprocess.run(["git", *command], check=True)
    break_spine(site)
    code, difference = answer(capsys, "diff", "HEAD", ".", "-f", "json")
    assert code == 1
    (new,) = [f for f in difference["new"] if f["rule"] == "pfc/priority-off"]
    assert new["path"] == "backend/spine1.cfg"
    code, difference = answer(capsys, "diff", ".", "HEAD", "-f", "json")
    assert code == 0
    (fixed,) = [f for f in difference["fixed"] if f["rule"] == "pfc/priority-off"]
    assert fixed["path"] == "backend/spine1.cfg"
    for revision in ("nope", "--upload-pack=x", "HEAD:backend"):
        assert main(["diff", "--", revision, "."]) == 2
        assert "neither a file or folder" in capsys.readouterr().err


def test_a_changed_value_is_neither_new_nor_fixed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(FIXTURES / "fabric-faulty", site.parent / "worse")
    edit(site.parent / "worse/backend/leaf2/config_db.json", '"113664"', '"90000"')
    _, difference = answer(capsys, "diff", str(FIXTURES / "fabric-faulty"), "../worse", "-f", "json")
    assert [f["now"]["rule"] for f in difference["changed"]][:1] == ["buffer/headroom-below-floor"]
    assert difference["new"] == []


def test_a_majority_that_moved_is_a_finding(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = site / "roce-audit.yaml"
    lines = [line for line in policy.read_text().splitlines() if "classes:" not in line and "{name:" not in line]
    policy.write_text("\n".join(lines) + "\n")
    main(["audit", "-q"])
    for file in (site / "storage").iterdir():
        file.write_text(
            file.read_text().replace("pause pfc-cos 4", "pause pfc-cos 5").replace("match cos 4", "match cos 5")
        )
    capsys.readouterr()
    main(["audit", "-f", "json"])
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    moved = [f["message"] for f in found["findings"] if f["rule"] == "input/inferred-policy-moved"]
    assert any("roce.priority@storage of fabric storage was 4 in the last run" in text for text in moved), found[
        "policy"
    ]
    assert "inferred policy moved: roce.priority@storage: 4 -> 5" in captured.err


def test_two_audits_do_not_mix(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "-q"])
    with (site / f"{HISTORY}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(["audit", "-q"]) == 2
        assert "another audit" in capsys.readouterr().err
    assert main(["audit", "-q"]) == 0


def test_a_damaged_history_takes_no_report_away(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "-q"])
    main(["audit", "-q"])
    with closing(sqlite3.connect(HISTORY)) as connection:
        connection.execute("UPDATE runs SET checks = 'x' WHERE number = 2")
        connection.commit()
    break_spine(site)
    capsys.readouterr()
    assert main(["audit", "-q"]) == 1
    said = capsys.readouterr()
    assert "pfc/priority-off" in said.out
    assert "run 2 is damaged and left out: its JSON cannot be read" in said.err
    assert "run 3, since run 1:" in said.err
    for arguments in (["history"], ["history", "2"], ["history", "-f", "html"], ["diff", "2", "3"]):
        assert main(arguments) == (0 if arguments[0] == "history" and "2" not in arguments else 2)
        assert "run 2 is damaged" in capsys.readouterr().err
    with closing(sqlite3.connect(HISTORY)) as connection:
        connection.execute("DROP TABLE findings")
        connection.execute("DROP TABLE runs")
        connection.commit()
    for arguments in (["history", "last"], ["history"], ["diff", "last", "."]):
        assert main(arguments) == 2
        assert "no such table: runs" in capsys.readouterr().err
    assert main(["audit", "-q"]) == 1
    said = capsys.readouterr()
    assert "pfc/priority-off" in said.out
    assert "this run is not kept and not compared: history roce-audit-history.sqlite: no such table" in said.err


def test_without_a_history(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history"]) == 2
    assert "no history here" in capsys.readouterr().err
    assert main(["diff", "1", "."]) == 2
    assert main(["diff", ".", "1"]) == 2


def test_a_device_that_is_there_twice_is_the_same_finding_every_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (FIXTURES / "fabric" / "backend" / "spine1.cfg").read_text()
    for night in ("2026-01-01", "2026-01-02"):
        folder = tmp_path / night
        folder.mkdir()
        (folder / "spine1.cfg").write_text(text)
        (folder / f"spine1-{night}.cfg").write_text(text)
        main(["audit", "-q", night, "--history", "h.sqlite"])
        shutil.rmtree(folder)
    said = capsys.readouterr()
    assert "input/same-device-twice" in said.out
    assert not [line for line in said.err.splitlines() if "same-device-twice" in line]


def test_a_notice_names_the_first_five_and_calls_nobody() -> None:
    names = ["<!channel>", "@all", "a`b", "leaf1:Ethernet1/1 <-> gpu1:ens1", "w", "x", "y"]
    new = tuple(
        Recorded(f"{n}", "mtu/below-roce", name, "error" if n < 4 else "warning", "fails")
        for n, name in reversed(list(enumerate(names)))
    )
    run = Run(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC), "0", "", {}, {}, {})
    text = str(notify.message(run, 1, Difference(new, (), (), (), (), (), False))["text"])
    head, *lines, more = text.split("\n\n")
    assert head == "roce-audit: 7 new, 0 changed, 0 fixed, 0 lost, 0 unchanged"
    assert len(lines) == 5
    assert [line.partition(" ")[0] for line in lines] == ["error"] * 4 + ["warning"]
    assert "error `mtu/below-roce` `leaf1:Ethernet1/1 ↔ gpu1:ens1`" in lines
    assert more == "and 2 more new"
    assert not set("<>@&") & set(text)
    assert text.count("`") == 4 * 5


class _Hook(BaseHTTPRequestHandler):
    got: list[dict] = []  # type: ignore[type-arg]

    def do_POST(self) -> None:
        self.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        pass


def test_a_webhook_hears_of_changes_alone(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = HTTPServer(("127.0.0.1", 0), _Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/secret"
    try:
        for _ in range(2):
            main(["audit", "-q", "--webhook", url])
        assert _Hook.got == []
        break_spine(site)
        main(["audit", "-q", "--webhook", url])
        (notice,) = _Hook.got
        assert notice["counts"]["new"] >= 1
        assert {f["rule"] for f in notice["new"]} >= {"pfc/priority-off"}
        head, *lines = notice["text"].split("\n\n")
        assert head.startswith(f"roce-audit: {len(notice['new'])} new, ")
        assert any(line.startswith("error `pfc/priority-off` `spine1:Ethernet1/") for line in lines)
    finally:
        server.shutdown()
        server.server_close()
    fix_spine(site)
    capsys.readouterr()
    assert main(["audit", "-q", "--webhook", url]) == 0
    words = capsys.readouterr().err
    assert "webhook at 127.0.0.1" in words
    assert "secret" not in words


def test_a_file_that_is_cut_off_is_the_same_finding_every_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (FIXTURES / "fabric" / "backend" / "leaf1.cfg").read_text()
    (tmp_path / "roce-audit.yaml").write_text("profile: base\n")
    for night in ("2026-01-01", "2026-01-02T02-30-00Z"):
        (tmp_path / night).mkdir()
        (tmp_path / night / "leaf1.cfg").write_text(text.rpartition("end\n")[0])
        main(["audit", "-q", night])
    said = capsys.readouterr()
    assert "input/truncated" in said.out
    assert "\n0 new, 0 changed, 0 fixed, 0 no longer judged" in said.err


def test_the_history_of_a_folder_is_found_from_outside(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site.parent)
    (site / "roce-audit.yaml").touch()
    assert main(["audit", "-q", "site"]) == 0
    assert "run 1, the first one, kept in " in capsys.readouterr().err
    assert main(["diff", "last", "site"]) == 0
    monkeypatch.chdir(site / "backend")
    assert main(["history", "last"]) == 0


def test_a_wrong_inventory_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["audit", "-i", "inventry.yaml"]) == 2
    assert "inventry.yaml" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_what_is_of_no_device_is_told_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    item = Recorded("1", "input/same-device-twice", ":fe1", "warning", "fails", path="a/fe1.cfg")
    (line, _) = rendering.lines(Difference((item,), (), (), (), (), (), False))
    assert line.endswith("warning[input/same-device-twice] fe1  a/fe1.cfg")


def test_devices_that_are_gone_are_told(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(site, "../fewer")
    shutil.rmtree("../fewer/backend/leaf2")
    for old, new, fewer in ((".", "../fewer", ["devices", "RoCE ports"]), ("../fewer", ".", [])):
        _, difference = answer(capsys, "diff", old, new, "-f", "json")
        assert [one["what"] for one in difference["fewer"]] == fewer
    main(["diff", ".", "../fewer"])
    assert "fewer devices than before: " in capsys.readouterr().out
