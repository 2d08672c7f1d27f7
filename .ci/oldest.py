"""Prints a requirement a line for pip: of each package that the program and its tests need, the oldest series that it may have."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_NEED = re.compile(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)")
_JUDGES = {"ruff", "mypy", "types-paramiko"}
"""They read the program and do not run it."""
_NOT_ASKED = {"docs"}
"""Groups that nothing of the program imports."""


def main() -> None:
    """`pip install -r <(python .ci/oldest.py)`"""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [
        project["dependencies"],
        *[needs for name, needs in project["optional-dependencies"].items() if name not in _NOT_ASKED],
    ]
    for need in (need for group in groups for need in group if not need.startswith("roce-audit[")):
        found = _NEED.fullmatch(need)
        if found is None:
            raise SystemExit(f"no lower bound: {need}")
        if found[1] not in _JUDGES:
            print(f"{found[1]}=={found[2]}.*")


if __name__ == "__main__":
    main()
