"""Runs the commands that the README shows, exactly as written: the blocks after `<!-- run: NAME -->`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"<!-- run: (\w+)(?: exit=(\d+))? -->\n```sh\n(.*?)```", re.S)


def main() -> int:
    """`--run NAME`: run that block and compare its exit code with the one the README promises."""
    wanted = sys.argv[sys.argv.index("--run") + 1]
    readme = Path(__file__).parent.parent / "README.md"
    for name, code, commands in BLOCK.findall(readme.read_text(encoding="utf-8")):
        if name == wanted:
            print(commands)
            done = subprocess.run(["bash", "-c", commands], stdin=subprocess.DEVNULL, check=False)
            if done.returncode != int(code or 0):
                print(f"README block '{name}' ended with {done.returncode}, not {code or 0}")
                return 1
            return 0
    print(f"README has no block '{wanted}'")
    return 1


if __name__ == "__main__":
    sys.exit(main())
