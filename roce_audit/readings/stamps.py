"""What a file holds, told by a digest; a file whose size, times and number are as before is not opened for it.

As in git's index, times are believed only when they were old enough: a file that was written a moment ago may be written again
within the same tick of the clock. Digests of 283 MB take 0.3 s, so nothing is gained by asking git for the ids of its blobs.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping

from roce_audit.sources import files
from roce_audit.sources.files import Candidate

Stamp = tuple[int, int, int, int, int]
"""Bytes, time of writing and of change in ns, number of the file, its device."""
_OLD_ENOUGH_NS = 2 * 10**9
_OF_PROCESS: dict[str, tuple[Stamp, str]] = {}
"""What this process found out, of files that were old enough: what looks for an answer and what reads ask for the same digests."""


class Stamps:
    """Digests of files by their paths; `before` is what an earlier run knew: (stamp, digest) by real path."""

    def __init__(self, before: Mapping[str, tuple[Stamp, str]]) -> None:
        self._before = before
        self._now: dict[str, tuple[Stamp, str]] = {}
        self._started = time.time_ns()

    def digest(self, file: Candidate) -> str | None:
        """The digest of what a file holds; None where it cannot be read."""
        path = os.path.abspath(file.real)
        stamp = stamp_of(path)
        if stamp is None:
            return None
        known = (self._before.get(path), _OF_PROCESS.get(path))
        found = next((row[1] for row in known if row is not None and row[0] == stamp), None) or _digest(file)
        if found is not None:
            self._now[path] = stamp, found
            if self._is_old(stamp):
                _OF_PROCESS[path] = stamp, found
        return found

    def is_unchanged(self, file: Candidate) -> bool:
        """Whether a file holds what an earlier run knew of it; to be called after `digest`."""
        path = os.path.abspath(file.real)
        before, now = self._before.get(path), self._now.get(path)
        return before is not None and now is not None and before[1] == now[1]

    def is_still(self, file: Candidate) -> bool:
        """Whether a file holds, after it was read, what it held when its digest was taken."""
        path = os.path.abspath(file.real)
        stamp, digest = self._now[path]
        return stamp_of(path) == stamp and (self._is_old(stamp) or _digest(file) == digest)

    def kept(self) -> dict[str, tuple[Stamp, str]]:
        """What a later run may believe."""
        return {path: row for path, row in self._now.items() if self._is_old(row[0])}

    def _is_old(self, stamp: Stamp) -> bool:
        return max(stamp[1], stamp[2]) < self._started - _OLD_ENOUGH_NS


def stamp_of(path: str) -> Stamp | None:
    """The stamp of a file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev


def _digest(file: Candidate) -> str | None:
    try:
        return hashlib.sha256(files.read(file)).hexdigest()
    except OSError:
        return None
