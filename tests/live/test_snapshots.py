"""Snapshots: valid whenever the program dies, gone on with, and honest when they are judged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.sources import manifest as manifests
from roce_audit.sources.live.snapshot import SnapshotError, prune
from tests.live import samples
from tests.live.conftest import Collect, Start, target
from tests.live.fake_switch import Faults

ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures/fabric/backend"


def inventory(folder: Path, ports: dict[str, int], platform: str = "eos") -> Path:
    lines = ["defaults: {user: audit, password: 'env:FAKE_PASSWORD'}", "groups:", f"  all: {{platform: {platform}}}"]
    lines += ["devices:", *(f"  {n}: {{address: 127.0.0.1, port: {p}, groups: all}}" for n, p in ports.items())]
    path = folder / "inventory.yaml"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_killed_and_resumed(start: Start, tmp_path: Path) -> None:
    fakes = {f"leaf{n}": start(samples.device("nxos", lines=60)) for n in range(12)}
    for name in list(fakes)[::3]:
        fakes[name].device.faults.hang_at = "show module"
    source = inventory(tmp_path, {name: fake.port for name, fake in fakes.items()}, "nxos")
    (tmp_path / "known_hosts").write_text("".join(f.known_hosts() for f in fakes.values()))
    command = [sys.executable, "-m", "roce_audit", "collect", "-i", str(source), "-o", str(tmp_path / "snapshot")]
    command += ["--known-hosts", str(tmp_path / "known_hosts"), "--ssh-config", "none", "-j", "6", "--retries", "0"]
    command += ["--timeout", "20"]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while len(manifests.journal(str(tmp_path / "snapshot"))) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    before = manifests.load(str(tmp_path / "snapshot"))
    assert before is not None
    read = {name for name, device in before.devices.items() if device.reached}
    assert before.finished == ""
    assert 4 <= len(read) < 12
    assert set(before.unreached()) == set(fakes) - read
    asked = {name: fakes[name].device.connections for name in read}
    for fake in fakes.values():
        fake.device.faults.hang_at = ""
    done = subprocess.run([*command, "--resume"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    after = manifests.load(str(tmp_path / "snapshot"))
    assert after is not None
    assert after.finished
    assert all(device.reached for device in after.devices.values())
    assert {name: fakes[name].device.connections for name in read} == asked, "what was read is not read again"
    for name, fake in fakes.items():
        for file, record in after.devices[name].files.items():
            assert (tmp_path / "snapshot" / name / file).read_bytes() == fake.device.answers[record.command]
    assert not list((tmp_path / "snapshot").glob(".incoming*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_a_valid_snapshot(number: int, start: Start, tmp_path: Path) -> None:
    good, hanging = start(samples.device("nxos")), start(samples.device("nxos", Faults(hang_at="show version")))
    source = inventory(tmp_path, {"leaf1": good.port, "leaf2": hanging.port}, "nxos")
    (tmp_path / "known_hosts").write_text(good.known_hosts() + hanging.known_hosts())
    command = [sys.executable, "-m", "roce_audit", "collect", "-i", str(source), "-o", str(tmp_path / "snapshot")]
    command += ["--known-hosts", str(tmp_path / "known_hosts"), "--ssh-config", "none"]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not manifests.journal(str(tmp_path / "snapshot")) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "--resume" in said
    found = manifests.load(str(tmp_path / "snapshot"))
    assert found is not None
    assert {n: d.outcome for n, d in found.devices.items()} == {"leaf1": "collected", "leaf2": "interrupted"}


def test_a_folder_that_is_not_ours_is_left_alone(start: Start, gather: Collect, tmp_path: Path) -> None:
    fake = start(samples.device("nxos"))
    (tmp_path / "snapshot").mkdir()
    (tmp_path / "snapshot/thesis.txt").write_text("x")
    with pytest.raises(SnapshotError, match="not empty"):
        gather([target("leaf1", fake, "nxos")], [fake])
    (tmp_path / "snapshot/thesis.txt").unlink()
    gather([target("leaf1", fake, "nxos")], [fake])
    with pytest.raises(SnapshotError, match="--resume"):
        gather([target("leaf1", fake, "nxos")], [fake])


def written(folder: Path, outcomes: dict[str, tuple[str, str]], *, cut: str = "") -> None:
    """A snapshot of the fixture fabric with these outcomes for some devices."""
    devices = {}
    folder.mkdir()
    for source in sorted(FABRIC.iterdir()):
        name = source.stem if source.is_file() else source.name
        if name in ("topology",):
            shutil.copy(source, folder / source.name)
            continue
        (folder / name).mkdir()
        files = {}
        for file in [source] if source.is_file() else sorted(source.iterdir()):
            kept = folder / name / ("show_running-config.txt" if file.suffix == ".cfg" else file.name)
            shutil.copy(file, kept)
            size = kept.stat().st_size
            row = {"command": "", "bytes": size, "truncated": name == cut, "exit_status": None, "refused": ""}
            files[kept.name] = row
        outcome, reason = outcomes.get(name, ("collected", ""))
        devices[name] = {"platform": "", "address": name, "outcome": outcome, "reason": reason}
        devices[name] |= {"attempts": 1, "seconds": 1.0, "files": files}
    for name, (outcome, reason) in outcomes.items():
        row = {"platform": "eos", "address": name, "outcome": outcome, "reason": reason, "files": {}}
        devices.setdefault(name, row | {"attempts": 3, "seconds": 9.0})
    content = {"schema": manifests.SCHEMA, "tool": {"version": "1"}, "started": "t", "finished": "t"}
    (folder / "snapshot.json").write_text(json.dumps(content | {"redacted": True, "devices": devices}))


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:  # type: ignore[type-arg]
    capsys.readouterr()
    code = main(["check", *arguments, "-f", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_missing_devices_are_said_and_decide_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "snapshot", {"leaf9": ("unreachable", "Connection refused")})
    code, found = report(capsys, "snapshot")
    assert (code, found["coverage"]["unreached"]) == (4, ["leaf9: unreachable: Connection refused"])
    assert found["coverage"]["unrecognised"] == []
    for allowed, expected in (("1", 0), ("0", 4), ("50%", 0), ("1%", 4)):
        assert report(capsys, "snapshot", "--max-unreachable", allowed)[0] == expected
    assert main(["check", "snapshot", "--max-unreachable", "many"]) == 2
    (tmp_path / "roce-audit.yaml").write_text("maintenance: [leaf9]\n")
    code, found = report(capsys, "snapshot")
    assert (code, found["coverage"]["unreached"]) == (0, [])
    assert any("leaf9 is in maintenance" in note for note in found["coverage"]["notes"])


def test_a_cut_answer_is_complete_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "whole", {})
    written(tmp_path / "cut", {"leaf1": ("truncated", "the device ended the session")}, cut="leaf1")
    _, whole = report(capsys, "whole")
    code, cut = report(capsys, "cut")
    assert code in (1, 4)
    assert cut["coverage"]["unreached"] == ["leaf1: truncated: the device ended the session"]
    assert any(f["rule"] == "input/truncated" and "leaf1" in f["locations"][0]["path"] for f in cut["findings"])
    assert cut["checks"]["undetermined"] > whole["checks"]["undetermined"]
    path = tmp_path / "whole/leaf1/show_running-config.txt"
    path.write_text(path.read_text()[:-200])
    _, later = report(capsys, "whole")
    assert any("was changed or cut since" in f["message"] for f in later["findings"])


@pytest.mark.parametrize("content", ["[]", "{}", '{"PORT": {', "[" * 100_000, '{"schema": "x"}', "hostname leaf1"])
def test_other_files_of_that_name_are_no_manifest(content: str, tmp_path: Path) -> None:
    (tmp_path / "snapshot.json").write_text(content)
    assert manifests.load(str(tmp_path)) is None


DAMAGES: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[:500],
    "cut at once": lambda text: text[:5],
    "empty": lambda text: "",
    "zeros": lambda text: "\0" * len(text),
    "of another form": lambda text: text.replace(manifests.SCHEMA, "roce-audit/snapshot/9"),
    "without its form": lambda text: text.replace('"schema"', '"skema"').replace(
        '"version"', '"name": "roce-audit", "v"'
    ),
    "without devices": lambda text: text.replace('"devices"', '"device5"'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_manifest_is_told_and_nothing_passes(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "snapshot", {"leaf9": ("unreachable", "Connection refused")})
    path = tmp_path / "snapshot/snapshot.json"
    path.write_text(DAMAGES[damage](path.read_text()))
    code, found = report(capsys, "snapshot", "--max-unreachable", "50%")
    assert code == 4
    assert [f["locations"][0]["path"] for f in found["findings"] if f["rule"] == "input/snapshot-damaged"] == [
        "snapshot/snapshot.json"
    ]
    assert found["coverage"]["unrecognised"] == []
    with pytest.raises(manifests.Damaged):
        manifests.load("snapshot")
    assert prune(str(tmp_path), 0) == []


def test_one_record_that_cannot_be_read_is_a_device_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "snapshot", {"leaf8": ("fine", ""), "leaf9": ("unreachable", "Connection refused")})
    code, found = report(capsys, "snapshot")
    assert (code, found["coverage"]["unreached"]) == (
        4,
        ["leaf8: its record in snapshot.json cannot be read", "leaf9: unreachable: Connection refused"],
    )


def test_what_was_collected_and_is_gone_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "snapshot", {})
    assert report(capsys, "snapshot")[0] == 0
    (tmp_path / "snapshot/leaf2").rename(tmp_path / "kept")
    code, found = report(capsys, "snapshot")
    gone = ["leaf2: collected, but its files are not in snapshot/leaf2 any more"]
    assert (code, found["coverage"]["unreached"]) == (4, gone)
    (tmp_path / "kept").rename(tmp_path / "snapshot/leaf2")
    (tmp_path / "snapshot/gpu1/ip_-j_route_show.json").unlink()
    code, found = report(capsys, "snapshot")
    told = [f["locations"][0]["path"] for f in found["findings"] if f["rule"] == "input/snapshot-damaged"]
    assert (code, told) == (4, ["snapshot/gpu1/ip_-j_route_show.json"])


def test_only_our_dated_snapshots_are_pruned(tmp_path: Path) -> None:
    for name in ("2026-01-01T00-00-00Z", "2026-01-02T00-00-00Z", "2026-01-03T00-00-00Z", "mine"):
        written(tmp_path / name, {})
    (tmp_path / "2026-01-01T00-00-01Z").mkdir()
    assert prune(str(tmp_path), 1) == ["2026-01-01T00-00-00Z", "2026-01-02T00-00-00Z"]
    assert {p.name for p in tmp_path.iterdir()} >= {"2026-01-01T00-00-01Z", "2026-01-03T00-00-00Z", "mine"}
