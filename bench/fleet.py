"""One `check` of a whole fleet as users run it: `python bench/fleet.py FOLDER [-j N] [--states cold,again,edit]`; nothing is asserted.

Text, JSON and HTML are written. CPU seconds are those of all processes, memory is the largest sum over them at one time: of what each
holds alone and its share of what several hold (PSS of Linux). The store of readings is a folder of its own, empty at first; `edit`
appends a description to one switch. `--executor` and other options of `check` stand behind `--`.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
_SECONDS = 0.25
"""Between two looks at the memory."""
_PSS = re.compile(r"^Pss:\s+(\d+)", re.M)


def held(process: int) -> float:
    """What a process and its children hold, MB."""
    found = 0.0
    waiting = [process]
    while waiting:
        one = waiting.pop()
        try:
            found += int(_PSS.search(Path(f"/proc/{one}/smaps_rollup").read_text()).group(1)) / 1024  # type: ignore[union-attr]
            for task in os.listdir(f"/proc/{one}/task"):
                waiting += map(int, Path(f"/proc/{one}/task/{task}/children").read_text().split())
        except (OSError, AttributeError):
            continue
    return found


class Peak(threading.Thread):
    """The most that a process and its children held."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._over = threading.Event()
        self.megabytes = 0.0

    def run(self) -> None:
        """Look until told to stop."""
        while not self._over.wait(_SECONDS):
            self.megabytes = max(self.megabytes, held(self._process))

    def stop(self) -> None:
        """No more looks."""
        self._over.set()
        self.join()


def measured(name: str, words: list[str], reports: Path, cache: Path) -> None:
    """Run once, and print a row."""
    formats = [word for form in ("text", "json", "html") for word in ("-f", f"{form}={reports / 'report.'}{form}")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.Popen(
        [sys.executable, "-P", "-m", "roce_audit", "check", *words, *formats],
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    peak = Peak(done.pid)
    peak.start()
    code = done.wait()
    peak.stop()
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    sizes = ", ".join(f"{one.suffix[1:]} {one.stat().st_size / 1e6:.1f} MB" for one in sorted(reports.iterdir()))
    print(
        f"{name:<6} CPU {cpu:7.1f} s  wall {wall:7.1f} s  peak {peak.megabytes:6.0f} MB  exit {code}  {sizes}",
        flush=True,
    )


def main() -> None:
    """A row for each state of the store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-j", "--jobs", default="2")
    parser.add_argument("--states", default="cold,again,edit")
    parser.add_argument("more", nargs="*", metavar="OPTION")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        reports, cache = Path(name, "reports"), Path(name, "cache")
        reports.mkdir()
        switch = min(options.folder.rglob("*.cfg"))
        text = switch.read_text()
        try:
            for state in options.states.split(","):
                if state == "edit":
                    switch.write_text(re.sub(r"(?m)^(\s+description .*)$", r"\1 edited", text, count=1))
                measured(state, [str(options.folder), "-j", options.jobs, *options.more], reports, cache)
        finally:
            switch.write_text(text)


if __name__ == "__main__":
    main()
