"""What the store and the processes save: `python bench/store.py [SWITCHES]` prints CPU and wall seconds; nothing is asserted.

A repository of so many synthetic EOS switches (default 500), checked as a pre-commit hook does: one file, all others as context.
"""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import synthetic


def timed(what: str, root: Path, *options: str) -> None:
    """Run `check` once, cold, and print what it took and a digest of what it said."""
    command = [sys.executable, "-m", "roce_audit", "check", *options, "-f", "concise"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    said = subprocess.run(command, capture_output=True, check=False, cwd=root).stdout
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what:<34} CPU {cpu:7.1f} s   wall {wall:7.1f} s   {hashlib.sha256(said).hexdigest()[:8]}", flush=True)


def main() -> None:
    """Print every row as soon as it is measured."""
    switches = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = str(Path(name, "cache"))
        root = Path(name, "network")
        root.mkdir()
        for device, text in synthetic.fleet(switches, 32, diverse=True).items():
            (root / f"{device}.cfg").write_text(text)
        time.sleep(3)  # what was written a moment ago is not believed by its times
        hook = ("--context", ".", "leaf7.cfg")
        timed("rules and grammars", root, "leaf7.cfg")
        timed("whole, one process, no store", root, ".", "-j", "1", "--no-cache")
        timed("hook, one process, no store", root, *hook, "-j", "1", "--no-cache")
        timed("hook, all cores, empty store", root, *hook)
        timed("hook again", root, *hook)
        changed = root / "leaf7.cfg"
        changed.write_text(changed.read_text().replace("mtu 9214", "mtu 1500", 1))
        timed("hook, one file changed", root, *hook)
        timed("the same without the store", root, *hook, "-j", "1", "--no-cache")


if __name__ == "__main__":
    main()
