"""Speed as ratios in one run: `python bench/run.py` prints a table; nothing is asserted. README.md explains the rows.

CPU time, the best of several runs: the machine may be busy with others. Linux alone: each state of memory is a fork.
"""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import likefiles
import peers
import stages
import synthetic

from roce_audit import platforms
from roce_audit.audit import Request, check, read_device
from roce_audit.cli.errors import collect_garbage_seldom
from roce_audit.engine.judging import Judge
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.engine.subjects import Subjects
from roce_audit.fabric.join import join
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import Policy
from roce_audit.sources import devices as sources

TIMES = 3
HOOK = 150
"""Files of the repository in which one changed."""
LIKE = 6
"""Files of a fleet that were read before those that are measured."""
FURTHER = 8
"""Further files, each read once: the least time counts, for the first one also pays for memory that a fork shares until then."""


def cpu() -> float:
    """CPU seconds of this process and of its children that ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def best(work: Callable[[], object], times: int = TIMES) -> float:
    """Least CPU time of several runs, seconds."""
    found = []
    for _ in range(times):
        start = cpu()
        work()
        found.append(cpu() - start)
    return min(found)


def apart(work: Callable[[], float]) -> float:
    """The figure that `work` gives in a process which remembers what this one does, and whose own memory is lost."""
    found = []
    for _ in range(TIMES):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.write(writing, str(work()).encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            found.append(float(pipe.read()))
        os.waitpid(child, 0)
    return min(found)


def process(*arguments: str, times: int = 5, cache: Path | None = None) -> float:
    """Least CPU time of a cold process, seconds; `cache` is where it keeps what it makes of rules and grammars."""
    environment = os.environ if cache is None else {**os.environ, "XDG_CACHE_HOME": str(cache)}

    def once() -> None:
        subprocess.run([sys.executable, *arguments], capture_output=True, check=False, env=environment)

    return best(once, times)


def starting(folder: Path) -> Iterator[str]:
    """Cold processes: --version, and one file of 5,000 lines, where the rules and the grammar are kept and where nothing is."""
    base = process("-c", "import argparse")
    version = process("-m", "roce_audit.cli.main", "--version")
    yield f"--version / import argparse        {version / base:6.2f} x   ({version * 1e3:.0f} ms / {base * 1e3:.0f} ms)"
    model = process("-c", "import pydantic\nclass M(pydantic.BaseModel):\n    x: int")
    for platform in ("eos", "nxos"):
        words = ("-m", "roce_audit.cli.main", "check", str(written(folder, platform, 1)))
        first = process(*words, times=1, cache=folder / f"cache of {platform}")
        cold = process(*words, cache=folder / f"cache of {platform}")
        yield (
            f"{platform}, cold / pydantic + model {cold / model:6.2f} x   ({cold * 1e3:.0f} ms / {model * 1e3:.0f} ms; "
            f"the first run, with nothing kept, {first / model:.1f} x)"
        )


def written(folder: Path, platform: str, number: int, edit: str = "") -> Path:
    """The file of the `number`-th device; `edit` stands in its first description."""
    write, name = likefiles.OF[platform]
    path = folder / name.format(name=f"{platform}{number}")
    path.parent.mkdir(exist_ok=True)
    text = write(number)
    path.write_text(text.replace("host", f"{edit}host", 1) if edit else text)
    return path


def files(folder: Path) -> Iterator[str]:
    """One file, read, joined and judged in a process whose modules are loaded, by what the process remembers."""
    rules = load([builtin_folder()])

    def run(path: Path) -> float:
        start = time.process_time()
        judge(read(path))
        return time.process_time() - start

    def read(path: Path) -> list[DeviceReading]:
        readings = [read_device(d) for d in sources.load([str(path)]).devices]
        assert len(readings) == 1, path
        return readings

    def judge(readings: list[DeviceReading]) -> None:
        Judge(rules, Policy.empty()).run(Subjects(join(readings, Policy.empty(), [], {}), ()))

    def reading_alone(path: Path) -> float:
        start = time.process_time()
        read(path)
        return time.process_time() - start

    def limit(path: Path) -> float:
        start = time.process_time()
        data = path.read_bytes()
        data.decode().splitlines()
        hashlib.blake2b(data).digest()
        return time.process_time() - start

    def after(before: Sequence[Path], then: Callable[[Path], float], path: Path) -> Callable[[], float]:
        def measured() -> float:
            for one in before:
                run(one)
            return then(path)

        return measured

    def least(of: Callable[[Path], float], paths: Sequence[Path]) -> Callable[[Path], float]:
        return lambda _: min(map(of, paths))

    first = folder / "first.cfg"
    first.write_text("! Command: show running-config\nhostname first\ninterface Ethernet1/1\n   mtu 9214\n")
    run(first)  # the rule pack is compiled, modules are imported
    for platform in likefiles.OF:
        platforms.platform(platform).load()
        path, edited = written(folder, platform, 1), written(folder / "edited", platform, 1, "x")
        like = [written(folder, platform, number) for number in range(2, 2 + LIKE)]
        further = [written(folder, platform, number) for number in range(2 + LIKE, 2 + LIKE + FURTHER)]
        figures = {
            "fresh": apart(after([], run, path)),
            "fleet": apart(after(like, least(run, further), path)),
            "of it reading": apart(after(like, least(reading_alone, further), path)),
            "again": apart(after([path], run, path)),
            "edit": apart(after([path], run, edited)),
        }
        floor = min(limit(path) for _ in range(9))
        size = path.stat().st_size
        told = ", ".join(f"{name} {seconds * 1e3:.1f}" for name, seconds in figures.items())
        yield f"{platform:8}{size / 1e3:5.0f} kB   ms: {told}   (read + splitlines + hash {floor * 1e3:.2f})"
        yield from peers.rows(platform, path.read_text(), figures)


def memory(folder: Path) -> Iterator[str]:
    """Peak memory of one process against what it reads."""
    root = folder / "site"
    root.mkdir()
    for number in range(1, 25):
        for platform in likefiles.OF:
            written(root, platform, number)
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    words = [
        "check",
        str(root),
        *(word for form in ("text", "json", "html") for word in ("-f", f"{form}={folder / 'report.'}{form}")),
    ]

    def peak() -> float:
        done = subprocess.Popen(
            [sys.executable, "-m", "roce_audit", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(done.pid, 0)
        if os.waitstatus_to_exitcode(status) > 1:
            raise RuntimeError("roce-audit check failed")
        return usage.ru_maxrss / 1024

    start = cpu()
    found = peak()
    yield f"120 devices, {size / 1e6:.0f} MB: peak {found:.0f} MB, {cpu() - start:.1f} CPU s (text, JSON and HTML)"


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
    """One changed file in a repository, all others as context: with an empty store, again, and with one file edited."""
    root = folder / "network"
    root.mkdir()
    for name, text in synthetic.fleet(HOOK, 32, diverse=True).items():
        (root / f"{name}.cfg").write_text(text)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}

    def run(*arguments: str) -> float:
        command = [sys.executable, "-m", "roce_audit", "check", *arguments]
        return best(lambda: subprocess.run(command, capture_output=True, check=False, cwd=root, env=environment), 1)

    words, changed = ("--context", ".", "-f", "text", "leaf7.cfg"), root / "leaf7.cfg"
    run("leaf7.cfg")  # rules and grammars are kept
    time.sleep(3)  # what was written a moment ago is not believed by its times
    empty, again = run(*words), min(run(*words), run(*words))
    seconds = []
    for mtu in ("1500", "1600"):  # another edit each time: the same text again has its answer already
        changed.write_text(changed.read_text().replace("mtu 9214", f"mtu {mtu}", 1))
        seconds.append(run(*words))
    edited = min(seconds)
    yield (
        f"hook, 1 of {HOOK} files: {edited:.2f} s edited, {again:.2f} s unchanged, {empty:.2f} s with an empty store; "
        f"the whole fabric {run('.'):.2f} s, the file alone {run('leaf7.cfg'):.2f} s"
    )


def fleets() -> Iterator[str]:
    """Microseconds per port for read, join, judge and place, on a regular and a diverse fleet."""
    rules = load([builtin_folder()])
    for kind in ("regular", "diverse"):
        texts = synthetic.fleet(30, 64, diverse=kind == "diverse")
        with tempfile.TemporaryDirectory() as name:
            for device, text in texts.items():
                Path(name, f"{device}.cfg").write_text(text)
            loaded = sources.load([name])
            clock = time.process_time
            start = clock()
            readings = [platforms.platform(d.platform).read(d) for d in loaded.devices]
            read = clock() - start
            site, _, seconds = stages.judged(readings, [], rules)
        ports = sum(len(fabric.ports) for fabric in site.fabrics)
        facts = len({id(port.reading.facts) for fabric in site.fabrics for port in fabric.ports})
        us = [f"{name} {one / ports * 1e6:.1f}" for name, one in {"read": read, **seconds}.items()]
        yield f"{kind} fleet, us a port: {', '.join(us)}   ({ports:,} ports, {facts} distinct, {len(rules)} rules)"


def main() -> None:
    """Print every row as soon as it is measured."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a program that is installed is compiled once
    collect_garbage_seldom()  # as the program does
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[1]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "edited").mkdir()
        for part in (starting(folder), files(folder), growing(folder), hook(folder), memory(folder), fleets()):
            for row in part:
                print(row, flush=True)


if __name__ == "__main__":
    main()
