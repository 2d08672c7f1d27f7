"""Files that only save time: written whole or not at all, ignored when damaged, never trusted with more than data.

What depends on the program alone is named by all that it is made of, and may have been made when the package was built. A user's
own cache counts where that user alone can write it. What lies beside the modules needs no such look: whoever can write there can
change the modules.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from roce_audit.text.wholefile import read_plain, replace_file

READY = Path(__file__).resolve().parents[1] / "_ready"
"""Where an installed package keeps what was made when it was built."""
_DIGEST = hashlib.sha256().digest_size
MOST_BYTES = 1 << 30
"""Of one file, and of all files of a store together: the one that was used longest ago goes first."""


def cache_file(name: str) -> Path | None:
    """Where the user's cache keeps a file of this name; None where there is no such place."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    except RuntimeError:
        return None
    return home / "roce-audit" / name


def read_own(file: Path) -> bytes:
    """What a file holds that this user alone can write. Raises OSError."""
    return read_plain(file, MOST_BYTES, own=True)


def read_sealed(file: Path) -> bytes:
    """What `write_sealed` wrote, when this user alone can write the file and it is undamaged. Raises OSError or ValueError."""
    return _unsealed(read_own(file), file)


def read_ready(name: str) -> bytes:
    """What was kept under this name when the package was built, else by an earlier run. Raises OSError or ValueError."""
    with suppress(OSError, ValueError):
        return _unsealed(read_plain(READY / name, MOST_BYTES), READY / name)
    file = cache_file(name)
    if file is None:
        raise FileNotFoundError(name)
    return read_sealed(file)


def _unsealed(content: bytes, file: Path) -> bytes:
    digest, payload = content[:_DIGEST], content[_DIGEST:]
    if hashlib.sha256(payload).digest() != digest:
        raise ValueError(f"{file} is damaged")
    return payload


def sealed(content: bytes) -> bytes:
    """Content with its digest before it."""
    return hashlib.sha256(content).digest() + content


def write_whole(file: Path, *pieces: bytes) -> None:
    """Write the file or leave the old one; a run without a cache is only slower. Nobody else can look into its folder."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if stat.S_IMODE(file.parent.stat().st_mode) & 0o077:
            file.parent.chmod(0o700)
        if file.is_symlink():
            file.unlink()  # where it leads is nobody's cache
        replace_file(file, pieces, private=True)
    except OSError:
        return


def make_room(pattern: str, most_bytes: int) -> None:
    """Remove the files of these names that were used longest ago, until the others have no more bytes than that."""
    place = cache_file(pattern)
    with suppress(OSError):
        found = [] if place is None else list(place.parent.glob(pattern))
        sizes = sorted(((f.stat().st_mtime_ns, f.stat().st_size, f) for f in found), reverse=True)
        for number, (_, _, file) in enumerate(sizes):
            if sum(size for _, size, _ in sizes[: number + 1]) > most_bytes:
                file.unlink()


def write_sealed(file: Path, content: bytes) -> None:
    """Write content that must not reach its reader damaged."""
    write_whole(file, sealed(content))
