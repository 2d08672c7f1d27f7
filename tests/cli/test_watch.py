"""`check --watch`: a report now and after each change, through what is wrong meanwhile, until it is interrupted."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
SPINE = "backend/spine1.cfg"
ON, OFF = "priority-flow-control mode on", "priority-flow-control mode off"


class Watching:
    """A running `check --watch`, its lines one by one."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "roce_audit", "check", "--watch", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def until(self, words: str) -> str:
        """The next line that holds these words."""
        while True:
            line = self._lines.get(timeout=120)
            if words in line:
                return line

    def until_idle(self) -> None:
        """Until it sleeps each time one looks: it neither runs nor waits for a processor or a disk."""
        seen = ""
        while not seen.endswith("SSSSS"):
            time.sleep(0.05)
            seen += Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0]

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    shutil.copytree(FIXTURES / "fabric", tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def watching(site: Path) -> Iterator[Watching]:
    found = Watching(site, "-f", "json=report.json", "-f", "concise")
    yield found
    found.process.kill()
    found.process.wait()


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_each_change_is_judged(site: Path, watching: Watching) -> None:
    # the first report is on its way: the watch began before it
    while not (site / "report.json").exists():
        assert watching.process.poll() is None
        time.sleep(0.02)
    replace(site / SPINE, ON, OFF)
    assert f"{SPINE} changed" in watching.until("changed")
    assert "[pfc/priority-off]" in watching.until(SPINE)
    policy = site / "roce-audit.yaml"
    written = policy.read_text()
    policy.write_text("clases: []\n")
    watching.until("roce-audit.yaml changed")
    assert "clases" in watching.until("roce-audit: ")
    policy.write_text(written)
    watching.until("roce-audit.yaml changed")
    assert "[pfc/priority-off]" in watching.until(SPINE)
    watching.until_idle()  # the report is out; the check that printed it ends
    assert watching.end() == 1, "the exit code of the last check"
