"""The terminal: whether it shows colours, how wide it is, which characters it can take."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import TextIO

from roce_audit.report.options import Options

PIPE_WIDTH = 100
"""Characters a line where nobody says how wide the reader is."""


def on_screen(options: Options, color: str, stream: TextIO) -> Options:
    """The options for a stream: colours where they are wanted (`auto`, `always`, `never`), lines as wide as it is."""
    return replace(options, color=_colored(color, stream), width=shutil.get_terminal_size((PIPE_WIDTH, 40)).columns)


def _colored(color: str, stream: TextIO) -> bool:
    """`auto` is yes on a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is a dumb one."""
    if color != "auto":
        return color == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def writable(stream: TextIO) -> TextIO:
    """The stream; what its encoding cannot say is shown as `?` instead of ending the program."""
    if stream is sys.stdout and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")
    return stream
