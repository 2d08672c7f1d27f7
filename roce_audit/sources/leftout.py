"""What is found in a folder and not opened: environments, tools' folders, what `.gitignore` names, the program itself.

A path that the user names is opened whatever it is, and what lies below it as well.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_FOLDERS = frozenset({"__pycache__", "__pypackages__", "buck-out", "node_modules", "site-packages", "venv"})
"""Folders that nobody keeps configurations in (hidden ones are passed over anyway); those that ruff leaves out by default."""
_ENVIRONMENT = "pyvenv.cfg"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_OURS = frozenset({_PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "rules")})
_LARGEST = 1_000_000
"""Bytes of a `.gitignore` that are read."""

ENVIRONMENTS = "of environments and packages"
OURS = "of roce-audit itself"
IGNORED = "named by .gitignore"


class LeftOut:
    """What is left out below one folder that was given."""

    def __init__(self, root: str) -> None:
        self._given = root.rstrip(os.sep)
        self._root = os.path.realpath(root)
        self._specs: dict[str, GitIgnoreSpec | None] = {}

    def folder(self, path: str) -> str:
        """Why a folder is not entered; empty where it is."""
        if os.path.basename(path) in _FOLDERS or os.path.exists(os.path.join(path, _ENVIRONMENT)):
            return ENVIRONMENTS
        real = self._real(path)
        if real in _OURS:
            return OURS
        return IGNORED if self._respects_git and self._is_ignored(real + "/") else ""

    def file(self, path: str) -> str:
        """Why a file is not opened; empty where it is."""
        return IGNORED if self._respects_git and self._is_ignored(self._real(path)) else ""

    def _real(self, path: str) -> str:
        """The path behind a path below the root: no link was followed on the way to it."""
        return self._root + path[len(self._given) :]

    @cached_property
    def _top(self) -> str:
        """The work tree that the root lies in; empty where it lies in none."""
        folder = self._root
        while not os.path.lexists(os.path.join(folder, ".git")):
            above = os.path.dirname(folder)
            if above == folder:
                return ""
            folder = above
        return folder

    @cached_property
    def _respects_git(self) -> bool:
        """False where the root itself is ignored: it was named all the same."""
        if not self._top:
            return False
        steps = os.path.relpath(self._root, self._top).split(os.sep)
        above = [os.path.join(self._top, *steps[: count + 1]) for count in range(len(steps)) if steps != ["."]]
        return not any(self._is_ignored(folder + "/") for folder in above)

    def _is_ignored(self, real: str) -> bool:
        """Whether the nearest `.gitignore` that speaks of a path (a folder ends in `/`) names it."""
        folder = os.path.dirname(real.rstrip("/"))
        while folder == self._top or folder.startswith(self._top.rstrip("/") + "/"):
            spec = self._spec(folder)
            if spec is not None:
                said = spec.check_file(real[len(folder.rstrip("/")) + 1 :].replace(os.sep, "/")).include
                if said is not None:
                    return said
            folder = os.path.dirname(folder)
        return False

    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _read(os.path.join(folder, ".gitignore"))
        return self._specs[folder]


def _read(path: str) -> GitIgnoreSpec | None:
    """The patterns of a `.gitignore`; None where there is none, or none that can be read."""
    if not os.path.isfile(path):
        return None
    from pathspec import GitIgnoreSpec  # only where somebody has such a file

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return GitIgnoreSpec.from_lines(file.read(_LARGEST).splitlines())
    except (OSError, ValueError):
        return None
