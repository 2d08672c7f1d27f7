"""How far a check or a search for fixes is: one line on the terminal that goes away again, nothing where nobody looks."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

_QUIET_SECONDS = 1.0
_EVERY_SECONDS = 0.1
_CLEAR = "\r\x1b[K"


class Teller:
    """Told of each step; what is over within a second is never shown."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._begin = self._next = time.monotonic() + _QUIET_SECONDS
        self._doing = ""
        self._shown = False

    def __call__(self, doing: str, done: int, total: int) -> None:
        """`doing` "" is the end. `total` 0 where nobody knows it."""
        if not doing:
            self._clear()
            return
        now, another = time.monotonic(), doing != self._doing
        self._doing = doing
        if now >= (self._begin if another else self._next):
            self._next = now + _EVERY_SECONDS
            text = f"{doing} {done:,} of {total:,}" if total else doing
            columns = shutil.get_terminal_size().columns
            self._stream.write(f"{_CLEAR}{text[: columns - 1]}")
            self._stream.flush()
            self._shown = True

    def _clear(self) -> None:
        if self._shown:
            self._stream.write(_CLEAR)
            self._stream.flush()
        self._shown = False


def teller(stream: TextIO, quiet: int) -> Teller | None:
    """None where the stream is no terminal, or nobody wants to hear it."""
    return Teller(stream) if stream.isatty() and not quiet else None
