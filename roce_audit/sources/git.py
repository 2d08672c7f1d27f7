"""What changed in a git working tree since a revision: asked of git itself, by its plumbing commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from roce_audit.records import dataclass

_SECONDS = 60
_TOLD_TO_HOOKS = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


class GitError(Exception):
    """Git is not there, the folder is no working tree, or the revision does not exist: one line that says which."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Absolute paths. A submodule that differs is one path, that of its folder."""

    present: tuple[str, ...]
    """Files that differ from the revision, or are new and not ignored."""
    gone: tuple[str, ...]
    """Files that the revision had and that are not here any more: deleted, or under another name."""


def changed_since(revision: str, folders: Sequence[str]) -> Changes:
    """What changed in the working trees of these folders, each of which must lie in one. Raises GitError."""
    tops: dict[str, str] = {}
    for folder in folders:
        top = _git(["rev-parse", "--show-toplevel"], folder, f"{folder} lies in no git working tree").rstrip("\n")
        tops.setdefault(top, folder)
    present: list[str] = []
    gone: list[str] = []
    for top, folder in tops.items():
        commit = _commit(revision, folder, f"git knows no revision '{revision}'")
        compare = ["diff", "--name-only", "--no-renames", "-z", commit, "--"]
        complaint = f"git diff {revision} failed"
        differ = _git([*compare[:2], "--diff-filter=d", *compare[2:]], top, complaint)
        deleted = _git([*compare[:2], "--diff-filter=D", *compare[2:]], top, complaint)
        new = _git(["ls-files", "--others", "--exclude-standard", "-z"], top, "git ls-files failed")
        present += [os.path.join(top, name) for name in _names(differ + new)]
        gone += [os.path.join(top, name) for name in _names(deleted) if not os.path.lexists(os.path.join(top, name))]
    return Changes(tuple(present), tuple(gone))


def uncommitted(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Of these files, those that version control could not give back as they are, each with the reason."""
    for path in paths:
        folder, name = os.path.split(os.path.abspath(path))
        ask = ["--no-optional-locks", "--literal-pathspecs", "status", "--porcelain", "-z", "--ignored", "--", name]
        try:
            state = _git(ask, folder, "lies in no git working tree")
        except GitError as error:
            yield path, str(error)
            continue
        if state.startswith(("??", "!!")):
            yield path, "is not under version control"
        elif state:
            yield path, "differs from the last commit"


def _names(listed: str) -> Iterable[str]:
    return dict.fromkeys(name for name in listed.split("\0") if name)


def _commit(revision: str, folder: str, unknown: str) -> str:
    """The commit that a revision names. Raises GitError with what may be the reason that it is not there."""
    if revision.startswith("-"):
        raise GitError(unknown)
    try:
        return _git(["rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], folder, unknown).strip()
    except GitError:
        if not _git(["rev-list", "--all", "--max-count=1"], folder, unknown).strip():
            raise GitError(f"{unknown}: there is no commit yet") from None
        if _git(["rev-parse", "--is-shallow-repository"], folder, unknown).strip() == "true":
            words = "this clone is shallow; fetch the revision, or all of the history (fetch-depth: 0)"
            raise GitError(f"{unknown}: {words}") from None
        raise


def _git(arguments: Sequence[str], folder: str, complaint: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            # a hook of git is told of the repository that it runs in; the folder says which one is meant
            env={name: value for name, value in os.environ.items() if name not in _TOLD_TO_HOOKS},
        )
    except FileNotFoundError:
        raise GitError("this needs git, and there is none on PATH") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {_SECONDS} s") from None
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(complaint + (f" ({words[-1]})" if words else ""))
    return done.stdout.decode("utf-8", "surrogateescape")


def checkout(revision: str, folder: str, into: str) -> None:
    """Write the files that `folder` had at a revision below `into`: plain files alone, no links. Raises GitError."""
    unknown = f"neither a file or folder, nor a recorded run, nor a git revision here: '{revision}'"
    commit = _commit(revision, folder, unknown)
    command = ["git", "-C", folder, "archive", "--format=tar", commit, "."]
    with tempfile.TemporaryFile() as archive:
        done = subprocess.run(command, stdout=archive, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            words = done.stderr.decode("utf-8", "replace").strip()
            raise GitError(f"git archive {revision}: {words}")
        archive.seek(0)
        with tarfile.open(fileobj=archive, mode="r:") as tar:
            for member in tar:
                inside = Path(member.name)
                content = tar.extractfile(member) if member.isreg() else None
                if content is None or inside.is_absolute() or ".." in inside.parts:
                    continue
                target = Path(into) / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as file:
                    shutil.copyfileobj(content, file)
