"""Files read with a limit; and files that nobody ever sees half-written: written beside the place first, then moved into it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_PIECE = 2**20
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Not blocking: a file may have become a pipe since it was looked at."""


def read_plain(path: str | Path, limit: int, *, own: bool = False) -> bytes:
    """The bytes of a plain file of at most `limit` bytes. Raises OSError with a clear word.

    Nothing is waited for: a pipe is no plain file, and neither is a device. `own`: nor is a file that others can write, or a link.
    """
    handle = os.open(path, _FLAGS | (getattr(os, "O_NOFOLLOW", 0) if own else 0))
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "no plain file")
        if own and (found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
            raise PermissionError(f"{path} can be written by others")
        size = found.st_size
        data = b"" if size > limit else file.read(size + 1)
        more = data if len(data) > size else b""  # it grew, or is one of the kernel's, which have no size
        while more and len(data) <= limit:
            more = file.read(min(_PIECE, limit + 1 - len(data)))
            data += more
    size = max(size, len(data))
    if size > limit:
        raise OSError(0, f"too large: {size:,} bytes, the limit is {limit:,}")
    return data


def replace_file(file: Path, pieces: Iterable[bytes], *, private: bool = False) -> None:
    """Write a file, or leave the old one and raise OSError. Links are followed; a device or a pipe is not put aside for a file.

    The file keeps its mode and a new one gets the usual one; a private one is its owner's alone.
    """
    import tempfile  # a check of one file writes none

    path = Path(os.path.realpath(file))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    if path.exists() and not path.is_file():
        raise PermissionError(errno.EPERM, "no plain file", str(path))
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".part", dir=path.parent)
    except OSError as error:  # nobody knows the file beside it
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with open(handle, "wb") as stream:
            stream.writelines(pieces)
        if not private:
            os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(path: Path) -> int:
    with suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
