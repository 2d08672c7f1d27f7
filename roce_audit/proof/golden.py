"""Golden models: an input beside the normalized model it must give, as far as the input decides it.

`python -m roce_audit.proof.golden FOLDER...` writes `golden.txt` for each case folder anew; the change is reviewed as a diff.
With `--full` every cell goes to standard output, defaults too: what a change of the readers is compared by, old against new.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from roce_audit import platforms
from roce_audit.platforms.base import DeviceReading
from roce_audit.promises import kept
from roce_audit.proof.modeltext import decided_cells, every_cell
from roce_audit.sources.devices import load
from roce_audit.text.document import DeviceInput

GOLDEN = "golden.txt"


def cases(root: Path) -> list[Path]:
    """The case folders below `root`: those that hold a golden file, one level below a platform's folder."""
    return sorted(p.parent for p in root.glob(f"*/*/{GOLDEN}"))


def read_case(folder: Path) -> DeviceReading:
    """Read the one device of a case folder. Raises WrongReading."""
    device = load_case(folder)
    return kept(platforms.platform(device.platform).read(device))


def load_case(folder: Path) -> DeviceInput:
    """The one device of a case folder (<platform>/<case>), unread; its paths are relative to the folder."""
    with contextlib.chdir(folder):  # paths are shown relative to the working directory
        inputs = sorted(name for name in os.listdir() if name != GOLDEN)
        loaded = load(inputs if len(inputs) == 1 else ["."], exclude=[GOLDEN])
    if len(loaded.devices) != 1:
        raise ValueError(f"{folder}: {len(loaded.devices)} devices in a case of one")
    return loaded.devices[0]


def main(arguments: list[str]) -> int:
    """Write the golden files of the named case folders; with `--full` print every cell instead."""
    parser = argparse.ArgumentParser(prog="python -m roce_audit.proof.golden", description=__doc__)
    parser.add_argument("--full", action="store_true", help="print every cell to standard output and write nothing")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    given = parser.parse_args(arguments)
    for folder in given.folders:
        reading = read_case(folder)
        if given.full:
            print("\n".join(every_cell(reading)))
            continue
        text = "\n".join(decided_cells(reading)) + "\n"
        (folder / GOLDEN).write_text(text, encoding="utf-8")
        print(f"{folder / GOLDEN}: {text.count(chr(10))} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
