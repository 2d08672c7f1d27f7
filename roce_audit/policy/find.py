"""Where the policy file lies, and how its path is shown."""

from __future__ import annotations

import os
from pathlib import Path

FILE_NAME = "roce-audit.yaml"


def find(start: Path) -> Path | None:
    """The policy file in the folder of `start` or the nearest one above; None where there is none.

    The search ends at the root of the file system and at a folder that holds `.git`: a repository does not take over
    the policy of whatever it was cloned into. Nor does the working directory decide about what is reached from it by `..`.
    """
    folder = Path(os.path.abspath(start))
    if not folder.is_dir():
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        if os.path.isfile(
            candidate / FILE_NAME
        ):  # False as well where nobody may look, which is told of the folder itself
            return candidate / FILE_NAME
        if os.path.exists(candidate / ".git"):
            return None
    return None


def shown(path: Path) -> str:
    """The path as people see it: relative to the working directory where it lies below it, `/`-separated."""
    absolute = Path(os.path.abspath(path))
    try:
        return absolute.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return absolute.as_posix()
