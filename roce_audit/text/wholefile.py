"""Files that nobody ever sees half-written: written beside the place first, then moved into it."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, pieces: Iterable[bytes], *, private: bool = False) -> None:
    """Write a file, or leave the old one and raise OSError. Links are followed.

    The file keeps its mode and a new one gets the usual one; a private one is its owner's alone.
    """
    path = Path(os.path.realpath(file))
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".part", dir=path.parent)
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
