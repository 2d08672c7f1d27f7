"""What changed in a git working tree since a revision: asked of git itself, by its plumbing commands."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

_SECONDS = 60


class GitError(Exception):
    """Git is not there, the folder is no working tree, or the revision does not exist: one line that says which."""


def changed_since(revision: str, folder: str) -> tuple[str, ...]:
    """Absolute paths of files that differ from `revision` or are new and not ignored; deleted ones are not there to be read."""
    top = _git(["rev-parse", "--show-toplevel"], folder, f"{folder} lies in no git working tree").rstrip("\n")
    unknown = f"git knows no revision '{revision}'"
    if revision.startswith("-"):
        raise GitError(unknown)
    commit = _git(["rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], folder, unknown).strip()
    differ = _git(["diff", "--name-only", "--diff-filter=d", "-z", commit, "--"], top, f"git diff {revision} failed")
    new = _git(["ls-files", "--others", "--exclude-standard", "-z"], top, "git ls-files failed")
    names = [name for name in (differ + new).split("\0") if name]
    return tuple(os.path.join(top, name) for name in dict.fromkeys(names))


def _git(arguments: Sequence[str], folder: str, complaint: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise GitError("--changed-since needs git, and there is none on PATH") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {_SECONDS} s") from None
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(complaint + (f" ({words[-1]})" if words else ""))
    return done.stdout.decode("utf-8", "surrogateescape")
