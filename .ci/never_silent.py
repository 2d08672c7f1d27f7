"""Never a silent pass: the good examples of every platform, damaged line by line; what share of the damage nobody would notice?

    python .ci/never_silent.py [--limit N] [PLATFORM...]

Prints a table, each silent line, and fails where one is silent for a reason that is not listed here.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from roce_audit import platforms
from roce_audit.audit import Request
from roce_audit.policy import FILE_NAME, Policy, load
from roce_audit.proof import examples
from roce_audit.proof.breakage import counted
from roce_audit.proof.mutation import DAMAGE, Mutations, run


def damaged(platform: str, limit: int | None) -> Mutations:
    """The platform's good examples, damaged."""
    with tempfile.TemporaryDirectory(prefix="roce-audit-") as folder:
        for name, text in examples.base(platform).items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        os.chdir(folder)
        policy = load(Path(FILE_NAME)) if Path(FILE_NAME).exists() else Policy.empty()
        done = Mutations(0, 0, 0)
        for kind in DAMAGE:
            one = run(Request((".",), policy), (kind,), limit=limit, seconds=1e9)
            done.tried |= one.tried
            done.unnoticed += one.unnoticed
            done.problems += one.problems
        os.chdir("/")
        return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM")
    parser.add_argument("--limit", type=int, metavar="N", help="so many lines a platform and kind of damage")
    options = parser.parse_args()
    names = options.platforms or [one.name for one in platforms.every() if examples.base(one.name)]
    total: Counter[str] = Counter()
    bad = 0
    print(f"{'platform':<10}" + "".join(f"{kind:>24}" for kind in DAMAGE) + "   silent of damaged lines")
    with ProcessPoolExecutor() as pool:
        for name, done in zip(names, pool.map(damaged, names, [options.limit] * len(names)), strict=True):
            cells = []
            for kind in DAMAGE:
                silent = counted(
                    one.breakage.line
                    for one in done.unnoticed
                    if one.breakage.kind == kind and one.reason != "nothing changes"
                )
                total[f"{kind} silent"] += silent
                total[kind] += done.tried[kind]
                cells.append(f"{silent:>14,} of {done.tried[kind]:>6,}")
            print(f"{name:<10}" + "".join(cells), flush=True)
            for one in done.unnoticed:
                line = one.breakage.line
                print(
                    f"    {one.breakage.kind}, {one.reason}: {line.places[0].path}:{line.places[0].line} {line.text!r} -> {one.breakage.new!r} {one.fields}"
                )
            bad += len(done.problems)
            for problem in done.problems:
                print(f"    internal error: {problem}")
    print("all       " + "".join(f"{total[f'{kind} silent']:>14,} of {total[kind]:>6,}" for kind in DAMAGE))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
