"""Never a silent pass: the good examples of every platform, damaged line by line; what share of the damage would nobody notice?

    python .ci/never_silent.py [--lines N] [PLATFORM...]

Prints a table and every silent line with its class. Ends with 1 where a line is silent for a reason that is not listed here.
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
from roce_audit.proof.mutation import DAMAGE, Mutations, Unnoticed, run

SHOWN = "an answer of a device or tool, which nobody writes by hand: another answer says the same, or no rule asks"
JUSTIFIED = {
    "nic.gids": f"{SHOWN} (one entry of the GID table; the one that is used is judged)",
    "nic.dcqcn": f"{SHOWN} (one of some twenty parameters; those that rules relate are judged)",
    "nic.next_boot": f"{SHOWN} (one parameter of the firmware's memory; what runs now is judged)",
    "nic.driver": f"{SHOWN} (the driver of a NIC that carries no RoCE)",
    "nic.firmware": SHOWN,
    "nic.driver_version": SHOWN,
    "nic.model_name": SHOWN,
    "nic.roce_dscp": SHOWN,
    "nic.cnp_priority": SHOWN,
    "nic.fec_running": SHOWN,
    "nic.roce": f"{SHOWN} (RoCE that is switched off leaves no GID of it)",
    "autoneg": SHOWN,
    "fec": SHOWN,
    "speed_bps": SHOWN,
    "nic.persisted": f"{SHOWN} (the path before a line of a boot file, as `grep` prints it)",
    "admin_up": "a port that carries no RoCE, or a NIC whose link is seen to be up elsewhere",
    "os_version": "the release that a header names; the forms of a release are told by their statements",
}
"""Field -> why damage to its line may be silent."""


def damaged(platform: str, lines: int | None) -> Mutations:
    """The platform's good examples, damaged in each way."""
    with tempfile.TemporaryDirectory(prefix="roce-audit-") as folder:
        for name, text in examples.base(platform).items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        os.chdir(folder)
        policy = load(Path(FILE_NAME)) if Path(FILE_NAME).exists() else Policy.empty()
        done = Mutations(0, 0, 0)
        for kind in DAMAGE:
            one = run(Request((".",), policy), (kind,), limit=lines, seconds=1e9)
            done.tried |= one.tried
            done.unnoticed += one.unnoticed
            done.problems += one.problems
        os.chdir("/")
        return done


def why(one: Unnoticed) -> str:
    """The class of a silent line; "" where none is listed."""
    if one.reason == "nothing changes":
        return "nothing is read from the line that another one does not say"
    reasons = [JUSTIFIED.get(field, "") for field in one.fields]
    return reasons[0] if all(reasons) else ""


def main() -> int:
    """The table, the silent lines, and whether all of them are justified."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM")
    parser.add_argument("--lines", type=int, metavar="N", help="so many lines a platform and kind of damage")
    options = parser.parse_args()
    names = options.platforms or [one.name for one in platforms.every() if examples.base(one.name)]
    total: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    wrong: list[str] = []
    print("silent of damaged lines\n" + f"{'platform':<10}" + "".join(f"{kind:>18}" for kind in DAMAGE))
    with ProcessPoolExecutor() as pool:
        for name, done in zip(names, pool.map(damaged, names, [options.lines] * len(names)), strict=True):
            cells = []
            for kind in DAMAGE:
                silent = done.missed(kind, "no rule", "not asked there")
                total[f"{kind} silent"] += silent
                total[kind] += done.tried[kind]
                cells.append(f"{silent:>10,} / {done.tried[kind]:>5,}")
            print(f"{name:<10}" + "".join(cells), flush=True)
            for one in done.unnoticed:
                classes[why(one) or "not justified"] += counted([one.breakage.line])
                if not why(one):
                    at = one.breakage.line.places[0]
                    what = f"{at.path}:{at.line} {one.breakage.line.text!r} -> {one.breakage.new!r}"
                    wrong.append(f"{name}: {one.breakage.kind}, {one.reason}: {what} {', '.join(one.fields)}")
            wrong += [f"{name}: internal error: {problem}" for problem in done.problems]
    print("all       " + "".join(f"{total[f'{kind} silent']:>10,} / {total[kind]:>5,}" for kind in DAMAGE))
    for reason, number in classes.most_common():
        print(f"{number:>7,}  {reason}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
