"""One audit at a time: a lock that goes with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path


class Busy(Exception):
    """Another audit with the same history is running."""


@contextmanager
def locked(history: str) -> Iterator[None]:
    """Hold the lock of a history. Raises Busy where another process holds it."""
    file = _file(history)
    handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Busy(f"another audit with this history is running (it holds {file})") from None
        yield
    finally:
        os.close(handle)


def _file(history: str) -> Path:
    if "://" not in history:
        path = Path(history).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.with_name(path.name + ".lock")
    name = sha256(history.encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"roce-audit-{os.getuid()}-{name}.lock"
