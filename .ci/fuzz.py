"""Fuzz: files of the fixtures (or of folders given) torn, crossed and repeated, then recognised, read, joined, judged and reported.

    python .ci/fuzz.py [--seconds S] [--seed N] [FOLDER...]

Ends with 1 at the first text at which the program fails, or takes too long for its size; the text is kept and its path printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import Policy
from roce_audit.report import Options, render

ROOT = Path(__file__).parents[1]
LARGEST = 40_000
"""Bytes of a seed; larger files are cut."""
SECONDS = 20.0
SECONDS_PER_KB = 0.5
"""What a text may take, far above what any takes on an idle machine: a text that hangs takes minutes."""
ODD = (
    b"\x00",
    b"\r",
    b"\xff\xfe",
    b"\x1b[K",
    b"{",
    b"}",
    b'"',
    b"\n" * 50,
    b" " * 200,
    b"9" * 400,
    b"-1",
    "ё".encode(),
    b"<<<<<<< x\n",
)


def torn(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """One text out of one or two."""
    text = bytearray(chance.choice(seeds))
    for _ in range(chance.randint(1, 6)):
        at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        match chance.randrange(6):
            case 0:
                del text[at : min(to, at + 200)]
            case 1:
                text[at:at] = chance.choice(ODD)
            case 2:
                text[at:at] = text[at : min(to, at + 400)] * chance.randint(1, 8)
            case 3:
                other = chance.choice(seeds)
                start = chance.randint(0, len(other))
                text[at:at] = other[start : start + chance.randint(1, 2_000)]
            case 4:
                for i in range(at, min(to, at + 40)):
                    text[i] ^= 1 << chance.randrange(8) if chance.random() < 0.1 else 0
            case 5:
                lines = bytes(text).split(b"\n")
                chance.shuffle(lines)
                text = bytearray(b"\n".join(lines))
    return bytes(text)


def main() -> int:
    """Until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=[str(ROOT / "fixtures")], metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--seed", type=int, default=int(time.time()), metavar="N")
    options = parser.parse_args()
    files = sorted(file for folder in options.folders for file in Path(folder).rglob("*") if file.is_file())
    named = [(file.name, file.read_bytes()[:LARGEST]) for file in files]
    seeds = [text for _, text in named if text]
    chance, end, tried, slowest = random.Random(options.seed), time.monotonic() + options.seconds, 0, 0.0
    print(f"seed {options.seed}, {len(seeds)} files")
    with tempfile.TemporaryDirectory(prefix="roce-audit-fuzz-") as folder:
        while time.monotonic() < end:
            text = torn(seeds, chance)
            file = Path(folder, chance.choice(named)[0])
            file.write_bytes(text)
            begun = time.process_time()
            try:
                report = check(Request((folder,), Policy.empty())).report
                for name in ("text", "json", "sarif"):
                    "".join(render(name, report, Options()))
                problem = "\n".join(report.problems)
            except Exception:
                problem = traceback.format_exc()
            took = time.process_time() - begun
            if took > SECONDS + SECONDS_PER_KB * len(text) / 1000:
                problem = problem or f"took {took:.0f} s for {len(text):,} bytes"
            if problem:
                kept = Path(tempfile.mkdtemp(prefix="roce-audit-fuzz-found-")) / file.name
                kept.write_bytes(text)
                print(f"{kept} (seed {options.seed}, text {tried}):\n{problem}")
                return 1
            file.unlink()
            tried += 1
            slowest = max(slowest, took / (len(text) / 1000 + 1))
    print(f"{tried} texts, no failure; the slowest took {slowest * 1000:.0f} ms a kilobyte")
    return 0


if __name__ == "__main__":
    sys.exit(main())
