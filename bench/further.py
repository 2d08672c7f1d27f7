"""A further file against other programs, on files of one's own: `python bench/further.py FILE...` prints a table and asserts nothing.

The first eight files of a platform are read, joined and judged before; each further one is measured once, in turn with each program on
the same text. The medians of the ratios hold where the machine's speed changes between minutes.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import peers

from roce_audit.cli.errors import collect_garbage_seldom
from roce_audit.engine.judging import Judge
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.engine.subjects import Subjects
from roce_audit.fabric.join import join
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import read_device
from roce_audit.sources import devices as sources

BEFORE = 8
RULES = load([builtin_folder()])


def alone(files: Sequence[str], folder: str) -> dict[str, list[Path]]:
    """Platform -> copies of the files, each in a folder of its own, where no topology lies beside it."""
    found: dict[str, list[Path]] = defaultdict(list)
    for number, file in enumerate(files):
        path = Path(folder, str(number), Path(file).name)
        path.parent.mkdir()
        shutil.copyfile(file, path)
        for device in sources.load([str(path)]).devices:
            found[device.platform].append(path)
    return found


def ours(path: Path) -> tuple[float, float]:
    """CPU seconds of opening and reading, and of the whole with join and rules."""
    start = time.process_time()
    readings = [read_device(device) for device in sources.load([str(path)]).devices]
    read = time.process_time() - start
    Judge(RULES, Policy.empty()).run(Subjects(join(readings, Policy.empty(), [], {}), ()))
    return read, time.process_time() - start


def measured(platform: str, paths: Sequence[Path]) -> None:
    """A row for us and one for each program."""
    for path in paths[:BEFORE]:
        ours(path)
    own: list[tuple[float, float]] = []
    theirs: dict[str, list[float]] = defaultdict(list)
    for path in paths[BEFORE:]:
        own.append(ours(path))
        for name, prepare in peers.PROGRAMS.items():
            parse = _prepared(prepare, platform, path)
            if parse is not None:
                theirs[name].append(peers.once(parse))
    reading, whole = (median(one[n] for one in own) * 1e3 for n in (0, 1))
    print(f"{platform}: {len(own)} further files; {reading:.1f} ms reading, {whole:.1f} ms the whole")
    for name, seconds in theirs.items():
        ratios = [median(other / one[n] for one, other in zip(own, seconds, strict=True)) for n in (0, 1)]
        print(f"  {name:16} {ratios[0]:5.1f} x reading {ratios[1]:5.1f} x the whole   ({median(seconds) * 1e3:.0f} ms)")


def _prepared(
    prepare: Callable[[str, str], Callable[[], object]], platform: str, path: Path
) -> Callable[[], object] | None:
    try:
        return prepare(platform, path.read_text(encoding="utf-8"))
    except ImportError:
        return None


if __name__ == "__main__":
    collect_garbage_seldom()
    with tempfile.TemporaryDirectory() as folder:
        for platform, paths in alone(sys.argv[1:], folder).items():
            if platform in peers.READ and len(paths) > BEFORE:
                measured(platform, paths)
