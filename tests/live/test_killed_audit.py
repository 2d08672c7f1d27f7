"""`kill -9` in the middle of an audit: no earlier run is lost, no lock is left, and nothing that was read is read again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.sources import manifest as manifests
from tests.live.conftest import Start
from tests.live.fake_switch import FakeDevice
from tests.live.test_collect_verb import eos, write

ROOT = Path(__file__).parents[2]
JUDGES_FOR_EVER = """
import sys, time
from pathlib import Path
from roce_audit.cli.main import main
from roce_audit.engine.judging import Judge

def run(judge, subjects):
    Path("judging").touch()
    time.sleep(3600)

Judge.run = run
sys.exit(main(sys.argv[1:]))
"""


def runs(capsys: pytest.CaptureFixture[str]) -> list[int]:
    capsys.readouterr()
    assert main(["history", "-f", "json"]) == 0
    return [run["run"] for run in json.loads(capsys.readouterr().out)["runs"]]


def snapshots(site: Path) -> list[Path]:
    return sorted((site / ".snapshots").iterdir())


def killed(command: list[str], when: Callable[[], bool]) -> None:
    """Start it, wait for the moment, and kill it."""
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not when() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL, "it ended before it was killed"


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Start) -> dict[str, FakeDevice]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    return {name: start(eos("leaf1")) for name in ("leaf1", "leaf2")}


def test_killed_while_it_collects(
    fakes: dict[str, FakeDevice], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["audit", *write(tmp_path, fakes), "--fail-on", "never"]
    assert main(arguments) == 0
    fakes["leaf2"].device.faults.hang_at = "show running-config"
    read = fakes["leaf1"].device.connections + 1

    def half() -> bool:
        return len(snapshots(tmp_path)) == 2 and "leaf1" in manifests.journal(str(snapshots(tmp_path)[1]))

    killed([sys.executable, "-m", "roce_audit", *arguments], half)
    assert runs(capsys) == [1]
    left = manifests.load(str(snapshots(tmp_path)[1]))
    assert left is not None
    assert {n: d.outcome for n, d in left.devices.items()} == {"leaf1": "collected", "leaf2": "pending"}
    assert main(["check", str(snapshots(tmp_path)[1]), "--fail-on", "never"]) == 4, "what is there can be judged"
    fakes["leaf2"].device.faults.hang_at = ""
    assert main([*arguments, "--resume"]) == 0
    assert fakes["leaf1"].device.connections == read, "what was read is not read again"
    assert runs(capsys) == [2, 1]
    assert len(snapshots(tmp_path)) == 2
    assert main([*arguments, "--resume"]) == 0, "nothing to go on with: a new one"
    assert len(snapshots(tmp_path)) == 3


def test_killed_while_it_judges(
    fakes: dict[str, FakeDevice], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["audit", *write(tmp_path, fakes), "--fail-on", "never", "-f", "json=report.json"]
    assert main(arguments) == 0
    report = (tmp_path / "report.json").read_bytes()
    killed([sys.executable, "-c", JUDGES_FOR_EVER, *arguments], (tmp_path / "judging").exists)
    assert runs(capsys) == [1]
    assert (tmp_path / "report.json").read_bytes() == report
    assert main(["audit", str(snapshots(tmp_path)[1]), "--fail-on", "never"]) == 0, "what was collected is all there"
    assert runs(capsys) == [2, 1]
