"""Colour for terminals: a handful of styles, or none at all."""

from __future__ import annotations

from typing import Literal

Style = Literal["error", "warning", "info", "unknown", "dim", "bold", "fix"]

_CODES: dict[Style, str] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "unknown": "1;35",
    "dim": "2",
    "bold": "1",
    "fix": "1;32",
}


def paint(text: str, style: Style, color: bool) -> str:
    """The text in a style. `text` must be clean already: only the codes added here reach the terminal."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if color and text else text
