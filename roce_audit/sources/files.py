"""Walks the paths that were given and reads files: each real file once, nothing that is not a plain file, within limits."""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import BinaryIO

from roce_audit.records import dataclass
from roce_audit.sources.leftout import LeftOut
from roce_audit.text.decode import LIMIT_BYTES, printable
from roce_audit.text.pathglobs import any_covers
from roce_audit.text.wholefile import read_plain

STDIN = "-"
YAML = (".yml", ".yaml")
"""How the names of files end that are written as YAML."""
MAX_FILES = 500_000
_HIDDEN_AND_READ = frozenset({".env", ".deepspeed_env", ".nccl.conf", ".vscode", ".dstack.yml", ".dstack.yaml"})
"""Hidden files and folders in which repositories keep what their jobs run with; a pipeline of CI runs tests, and no job."""
_TEMPLATES = (".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".erb")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may be read. `path` is shown to people, `real` is opened; both are `-` for standard input."""

    path: str
    real: str
    named: bool = False
    """Named by the user, not found in a folder."""

    @property
    def folder(self) -> str:
        """The folder as shown; empty for the working directory."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Walk:
    """What the paths hold, in the order of the paths as shown."""

    files: tuple[Candidate, ...]
    skipped: tuple[tuple[str, str], ...]
    """Path and why it is no candidate."""
    unreadable: tuple[tuple[str, str], ...]
    excluded: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why -> how many files and folders were found and not opened."""


@dataclass
class _State:
    exclude: Sequence[str]
    base: str
    limit: int
    seen: set[str] = field(default_factory=set)
    files: list[Candidate] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    excluded: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def shown(path: str) -> str:
    """`path` as people see it: relative to the working directory where it lies below it, `/` between the parts."""
    absolute = os.path.abspath(path)
    here = os.getcwd()
    return shown_name(os.path.relpath(absolute, here) if lies_in(absolute, here) else absolute)


def shown_name(text: str) -> str:
    """A name or path as people see it: characters that nobody can read are replaced."""
    clean = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return printable(clean.replace(os.sep, "/")).replace("\n", "\ufffd").replace("\t", "\ufffd")


def misnamed(path: str) -> str:
    """Why a file cannot be opened by the name it is shown by; "" where it can."""
    if "\ufffd" not in path or os.path.lexists(path):
        return ""
    return f"{path}: this name, or that of a folder above, is not UTF-8: rename it, or change into that folder first"


def lies_in(path: str, root: str) -> bool:
    """Whether an absolute path is this file or folder, or lies below it. Links are the caller's business (`os.path.realpath`)."""
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def shown_below(path: str, folder: str) -> bool:
    """The same of paths as shown: what lies outside the working directory has its whole path, a policy the way up to it."""
    return not path.startswith(("/", "../")) if folder == "." else lies_in(path, folder)


def walk(paths: Sequence[str], *, exclude: Sequence[str] = (), base: str = ".", limit: int = MAX_FILES) -> Walk:
    """All candidates below `paths`, each real file once.

    `exclude` holds patterns relative to `base` (the policy file's folder), to the path given, or to the working directory;
    what they cover is counted and never opened. Hidden files and folders are passed over unless they are named, and so is
    what `leftout` says. A link that leads out of the folder it was found in is not followed.
    """
    state = _State(exclude, os.path.abspath(base), limit)
    for path in dict.fromkeys(paths):
        if path == STDIN:
            state.files.append(Candidate(STDIN, STDIN, named=True))
        else:
            _walk_one(path, state)
    return Walk(
        tuple(sorted(state.files, key=lambda c: c.path)),
        tuple(sorted(state.skipped)),
        tuple(sorted(state.unreadable)),
        state.excluded,
        dict(state.left_out),
    )


def _walk_one(path: str, state: _State) -> None:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        state.unreadable.append((shown(path), _reason(error)))
        return
    if not stat.S_ISDIR(mode):
        _offer(path, path, mode, state, named=True)
        return
    links: list[str] = []
    folders: dict[str, _Folder] = {}
    for found, is_link in _entries(path, state):
        if is_link:
            links.append(found)
        elif len(state.files) >= state.limit:
            state.unreadable.append((shown(path), f"more than {state.limit:,} files: the rest was not read"))
            return
        else:
            try:
                mode = os.lstat(found).st_mode
            except OSError as error:  # gone since the folder was listed
                state.unreadable.append((shown(found), _reason(error)))
            else:
                place, name = os.path.split(found)
                folder = folders.get(place)
                if folder is None:
                    folder = folders[place] = _Folder.of(place, path, state.base)
                _take(folder.file(name, found), mode, state)
    inside = os.path.realpath(path)
    for link in links:
        _follow(link, path, inside, state)


def _entries(root: str, state: _State) -> Iterator[tuple[str, bool]]:
    """(path, is it a link) of everything below `root` that is no folder. Links to folders are not entered."""
    folders = [root]
    out = LeftOut(root)
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda e: e.name)
        except OSError as error:
            state.unreadable.append((shown(folder), _reason(error)))
            continue
        below: list[str] = []
        for entry in entries:
            if entry.name.startswith(".") and not entry.name.startswith(".env.") and entry.name not in _HIDDEN_AND_READ:
                continue
            if entry.is_symlink():
                yield entry.path, True
            elif entry.is_dir(follow_symlinks=False):
                why = out.folder(entry.path)
                if why:
                    state.left_out[why] += 1
                else:
                    below.append(entry.path)
            elif why := out.file(entry.path):
                state.left_out[why] += 1
            else:
                yield entry.path, False
        folders.extend(reversed(below))


def _follow(link: str, root: str, inside: str, state: _State) -> None:
    """A link within the tree counts where its target was not seen on its own; links to folders lead nowhere new."""
    try:
        real = os.path.realpath(link, strict=True)
        mode = os.stat(real).st_mode
    except (OSError, RuntimeError):
        state.skipped.append((shown(link), "a link that leads nowhere or in a circle"))
        return
    if not real.startswith(inside.rstrip(os.sep) + os.sep):
        if real != inside:
            state.skipped.append((shown(link), "a link that leads out of the folder: name its target to have it read"))
    elif not stat.S_ISDIR(mode):
        _offer(link, root, mode, state)


@dataclass(frozen=True, slots=True)
class _Found:
    """A file before anybody asked what it is."""

    path: str
    real: str
    label: str
    """As people see it."""
    names: tuple[str, ...]
    """The path by which patterns may cover it: as people see it, from the path given, and from the policy's folder."""
    named: bool = False


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder, by which the paths of its files are known: to look up each of them takes longer than to list them."""

    real: str
    label: str
    names: tuple[str, ...]

    @staticmethod
    def of(path: str, root: str, base: str) -> _Folder:
        """The folder at `path`, found below `root`."""
        found = _found(path, root, base)
        return _Folder(found.real, found.label, found.names)

    def file(self, name: str, path: str) -> _Found:
        """The file of this name in it, which is no link."""
        label = _below(self.label, shown_name(name))
        names = (label, *[_below(one, name) for one in self.names[1:]])
        return _Found(path, os.path.join(self.real, name), label, names)


def _below(folder: str, name: str) -> str:
    return name if folder == os.curdir else os.path.join(folder, name)


def _found(path: str, root: str, base: str, named: bool = False) -> _Found:
    absolute, label = os.path.abspath(path), shown(path)
    names = (label, *(os.path.relpath(absolute, os.path.abspath(r)) for r in (root, base)))
    return _Found(path, os.path.realpath(path), label, names, named)


def _offer(path: str, root: str, mode: int, state: _State, named: bool = False) -> None:
    _take(_found(path, root, state.base, named), mode, state)


def _take(found: _Found, mode: int, state: _State) -> None:
    if found.real in state.seen:
        return
    state.seen.add(found.real)
    names = (name.replace(os.sep, "/") for name in found.names if not name.startswith(".."))
    if any_covers(state.exclude, names):
        state.excluded += 1
    elif not stat.S_ISREG(mode):
        state.skipped.append((found.label, _special(mode)))
    else:
        state.files.append(Candidate(found.label, found.path, found.named))


def template_by_name(name: str) -> str:
    """The word for a file that is a template by its name; empty for any other."""
    return "a template: check what it renders" if name.endswith(_TEMPLATES) else ""


def _special(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe: give its content on standard input (`-`)"
    return "a socket" if stat.S_ISSOCK(mode) else "a device file"


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def read(candidate: Candidate, limit: int = LIMIT_BYTES) -> bytes:
    """The bytes of a candidate. Raises OSError with a clear word; never reads more than `limit` bytes and one."""
    if candidate.real != STDIN:
        return read_plain(candidate.real, limit)
    data = _typed(sys.stdin.buffer)
    if len(data) > limit:
        raise OSError(0, f"too large: {len(data):,} bytes, the limit is {limit:,}")
    return data


@lru_cache(1)
def _typed(stream: BinaryIO) -> bytes:
    """Standard input, which gives its words once; some verbs judge several times."""
    return stream.read(LIMIT_BYTES + 1)


def exists_beside(path: str, names: Sequence[str]) -> list[str]:
    """Files of these names in the folder of `path` (in `path` itself if it is a folder)."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    return [beside for name in names if os.path.isfile(beside := os.path.join(folder, name))]
