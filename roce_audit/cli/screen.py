"""The terminal: whether it shows colours, how wide it is, which characters it can take."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from dataclasses import replace
from typing import TextIO

from roce_audit.report.options import Options

PIPE_WIDTH = 100
"""Characters a line where nobody says how wide the reader is."""


def on_screen(options: Options, color: str, stream: TextIO) -> Options:
    """The options for a stream: a terminal's layout and colours where it is one, lines as wide as it is.

    `color` is `auto`, `always` (as on a terminal, wherever it goes) or `never`. NO_COLOR counts (https://no-color.org), and a
    dumb terminal is a pipe.
    """
    terminal = color == "always" or (stream.isatty() and os.environ.get("TERM") != "dumb")
    colored = terminal and color != "never" and (color == "always" or not os.environ.get("NO_COLOR"))
    width = shutil.get_terminal_size((PIPE_WIDTH, 40)).columns
    return replace(options, terminal=terminal, color=colored, width=width)


_PLAIN = {"·": "-", "…": "...", "→": "->", "×": "x", "–": "-", "│": "|"}
"""What reports set between words -> the same for an encoding without it."""


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


codecs.register_error("roce-audit", _plainly)


def writable(stream: TextIO) -> TextIO:
    """The stream; what its encoding cannot say is written plainly, or as `?`, instead of ending the program."""
    if stream is sys.stdout and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="roce-audit")
    return stream
