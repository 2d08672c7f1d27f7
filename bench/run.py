"""Speed as ratios in one run: `python bench/run.py` prints a table; nothing is asserted.

Ratios hold on any machine; milliseconds are printed beside them for orientation. hier_config is a peer, not a dependency:
without it its row says so (`pip install hier_config`).
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import synthetic

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.cli.errors import collect_garbage_seldom
from roce_audit.engine.grouping import Grouping
from roce_audit.engine.judging import Judge
from roce_audit.engine.needs import Needs
from roce_audit.engine.rulepack import builtin_folder, load
from roce_audit.engine.subjects import Subjects
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.join import join
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import read_device
from roce_audit.sources import devices as sources
from roce_audit.sources.lines import SourceLines


def best(work: Callable[[], object], times: int = 7) -> float:
    """Best wall time of several runs, seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def process(*arguments: str) -> float:
    """Best wall time of a cold process, seconds."""

    def once() -> None:
        subprocess.run([sys.executable, *arguments], capture_output=True, check=False)

    return best(once, 9)


def starting(folder: Path) -> Iterator[str]:
    """Cold processes: --version, and one file of 5,000 lines."""
    base = process("-c", "import argparse")
    version = process("-m", "roce_audit.cli.main", "--version")
    yield f"--version / import argparse        {version / base:6.2f} x   ({version * 1e3:.0f} ms / {base * 1e3:.0f} ms)   wanted <= 2"
    model = process("-c", "import pydantic\nclass M(pydantic.BaseModel):\n    x: int")
    cold = process("-m", "roce_audit.cli.main", "check", str(folder / "leaf1.cfg"))
    yield f"one file, cold / pydantic + model  {cold / model:6.2f} x   ({cold * 1e3:.0f} ms / {model * 1e3:.0f} ms)   wanted <= 4"


def warm(folder: Path) -> Iterator[str]:
    """One file again and again in one process: read + join + rules, without a report."""
    path = folder / "leaf1.cfg"
    rules = load([builtin_folder()])

    def run() -> None:
        loaded = sources.load([str(path)])
        readings = [read_device(d) for d in loaded.devices]
        Judge(rules, Policy.empty()).run(Subjects(join(readings, Policy.empty(), [], {}), ()))

    def limit() -> None:
        data = path.read_bytes()
        data.decode().splitlines()
        hashlib.blake2b(data).digest()

    ours, floor = best(run, 60), best(limit, 60)
    yield f"read + splitlines + hash / ours    {floor / ours * 100:6.1f} %   ({floor * 1e3:.2f} ms / {ours * 1e3:.1f} ms)   wanted >= 12 %"
    try:
        import hier_config
    except ImportError:
        yield "hier_config's parse / ours         not installed (pip install hier_config)"
        return
    text = path.read_text()

    def peer() -> None:
        hier_config.get_hconfig(hier_config.Platform.ARISTA_EOS, text)

    theirs = best(peer, 3)
    yield f"hier_config's parse / ours         {theirs / ours:6.1f} x   ({theirs * 1e3:.0f} ms / {ours * 1e3:.1f} ms)   wanted >= 15"


def growing(folder: Path) -> Iterator[str]:
    """Cost against the number of lines: four times the ports must cost about four times as much."""
    costs = []
    for ports in (64, 256):
        path = folder / f"ports{ports}.cfg"
        path.write_text(synthetic.leaf("big", ports, filler=ports * 2))
        costs.append(
            (path.read_text().count("\n"), best(lambda path=path: check(Request((str(path),), Policy.empty())), 3))
        )
    (small, fast), (large, slow) = costs
    yield f"cost per line, {large:,} / {small:,} lines {slow / large / (fast / small):8.2f} x   wanted about 1"


def hook(folder: Path) -> Iterator[str]:
    """One changed file in a repository of 500: the pre-commit hook against a check of everything, and against the reading alone."""
    root = folder / "network"
    root.mkdir()
    for name, text in synthetic.fleet(500, 32, diverse=True).items():
        (root / f"{name}.cfg").write_text(text)
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])

    def run(*arguments: str) -> float:
        command = [sys.executable, "-m", "roce_audit", "check", *arguments]
        return best(lambda: subprocess.run(command, capture_output=True, check=False, cwd=root), 3)

    changed, whole, alone = run("--context", ".", "-f", "text", "leaf7.cfg"), run("."), run("leaf7.cfg")
    yield f"hook, 1 of 500 files / whole fabric {changed / whole:6.2f} x   ({changed:.1f} s / {whole:.1f} s; the file alone {alone:.1f} s)"


def fleets() -> Iterator[str]:
    """Microseconds per port for read, join, judge and place, on a regular and a diverse fleet."""
    rules = load([builtin_folder()])
    for kind in ("regular", "diverse"):
        texts = synthetic.fleet(60, 64, diverse=kind == "diverse")
        with tempfile.TemporaryDirectory() as name:
            for device, text in texts.items():
                Path(name, f"{device}.cfg").write_text(text)
            loaded = sources.load([name])
            clock = time.perf_counter
            start = clock()
            readings = [platforms.platform(d.platform).read(d) for d in loaded.devices]
            read = clock() - start
            start = clock()
            site = join(readings, Policy.empty(), [], {})
            joined = clock() - start
            start = clock()
            judged = Judge(rules, Policy.empty()).run(Subjects(site, ()))
            judging = clock() - start
            start = clock()
            needs = Needs({"eos": platforms.platform("eos").needs})
            none = Suppressions.of(Policy.empty(), (), __import__("datetime").date.today())
            Grouping(judged, none, needs, SourceLines()).findings()
            placing = clock() - start
        ports = sum(len(fabric.ports) for fabric in site.fabrics)
        facts = len({id(port.reading.facts) for fabric in site.fabrics for port in fabric.ports})
        us = [
            f"{name} {seconds / ports * 1e6:.1f}"
            for name, seconds in (("read", read), ("join", joined), ("judge", judging), ("place", placing))
        ]
        yield f"{kind} fleet, us a port: {', '.join(us)}   ({ports:,} ports, {facts} distinct, {len(rules)} rules)"


def main() -> None:
    """Print every row as soon as it is measured."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a program that is installed is compiled once
    collect_garbage_seldom()  # as the program does
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[1]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "leaf1.cfg").write_text(synthetic.leaf())
        for part in (starting(folder), warm(folder), growing(folder), hook(folder), fleets()):
            for row in part:
                print(row, flush=True)


if __name__ == "__main__":
    main()
