"""Names of devices: what identifies a device, and what only the factory wrote."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import get_args

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.text.document import State

_GENERIC_STEMS = frozenset(
    {
        "config",
        "running-config",
        "startup-config",
        "running",
        "startup",
        "current-configuration",
        "configuration",
        "saved",
        "backup",
        "show-tech",
        "tech-support",
        "bundle",
        "session",
        "log",
        "output",
    }
)
"""Stems of file names that name a kind of file and not a device; each platform has its own besides."""
_EXTENSION = lazy(
    r"\.(?:cfg|conf|config|txt|json|ya?ml|log|out|set|raw|xml|bak|running|startup|intended|candidate)\Z", re.I
)
_DATE = lazy(r"(?<!\d)20\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_.T]?[0-2]\d[-_.:]?[0-5]\d(?:[-_.:]?[0-5]\d)?Z?)?(?!\d)")
"""A day, with or without the time."""
_STATES: tuple[State, ...] = get_args(State)
_STATE_SUFFIX = lazy(rf"[._-](?:{'|'.join(_STATES)})(?:[._-]config)?\Z", re.I)
_STATE_WORD = lazy(rf"(?:\A|[._\- ])({'|'.join(_STATES)})(?:[._\- ]|\Z)", re.I)


def stem(file_name: str) -> str:
    """A file name without extensions and words for a state: `leaf1.startup.cfg` is `leaf1`."""
    name = file_name
    for _ in range(2):
        shorter = _EXTENSION.sub("", name)
        name = shorter or name
    return _STATE_SUFFIX.sub("", name) or name


@cache
def _kinds(every: tuple[Platform, ...]) -> frozenset[str]:
    """Stems of the platforms' files that name no device: kinds of files, and programs whose answers they hold (`mlnx_qos.txt`)."""
    return frozenset(word.lower() for one in every for word in (*one.kinds_of_file, *one.programs))


def fallback(path: str, folder_name: str) -> str:
    """The name of a device after its file: the stem, or the folder where the stem names a kind of file (`config_db`) or a program."""
    found = stem(path.rpartition("/")[2])
    plain = found.lower()
    is_kind = plain in _GENERIC_STEMS or plain in _kinds(platforms.every())
    return folder_name if is_kind and folder_name else found


def of_tasks(path: str) -> str:
    """The name for what a file of tasks sets up: that of its role, else of the file."""
    folders = path.split("/")
    at = folders.index("roles") if "roles" in folders[:-2] else -1
    return folders[at + 1] if at >= 0 else stem(folders[-1])


def qualified(path: str) -> str:
    """A name that says where the file lies, for files whose short names are taken."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/{stem(name)}" if folder else stem(name)


def state_of(path: str, command: str | None) -> State | None:
    """The state that a command, a file name or the folder above it states; None when none does."""
    if command is not None:
        return _state_in(command)
    return next((found for word in path.split("/")[-1:-3:-1] if (found := _state_in(word)) is not None), None)


@lru_cache(maxsize=16_384)
def _state_in(text: str) -> State | None:
    found = _STATE_WORD.search(text)
    return next(s for s in _STATES if s == found.group(1).lower()) if found is not None else None


def undated(path: str) -> str:
    """A path with `*` for each date in it: the same for the files of every night."""
    return _DATE.sub("*", path)
