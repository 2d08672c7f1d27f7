"""Where in a JSON text a value stands, as a span: a part of it that is read as a text of its own keeps its lines."""

from __future__ import annotations

import json

from roce_audit.patterns import lazy
from roce_audit.text.structured.positions import Path

_DECODER = json.JSONDecoder()
_BLANK = lazy(r"[ \t\r\n]*+")


def span(text: str, path: Path) -> tuple[int, int]:
    """The span of the value at `path` in a text that is JSON; of members that stand twice, that of the last. Raises KeyError."""
    start = _behind_blanks(text, 0)
    end = len(text.rstrip())
    for step in path:
        start, end = _member(text, start, step)
    return start, end


def _member(text: str, at: int, wanted: str | int) -> tuple[int, int]:
    """The span of one member of the object or list that begins at `at`."""
    is_object, is_list = text.startswith("{", at), text.startswith("[", at)
    found: tuple[int, int] | None = None
    position, number = _behind_blanks(text, at + 1), 0
    while (is_object or is_list) and position < len(text) and text[position] not in "}]":
        key: str | int = number
        if is_object:
            key, position = _DECODER.raw_decode(text, position)
            position = _behind_blanks(text, _behind_blanks(text, position) + 1)
        end = _DECODER.raw_decode(text, position)[1]
        if key == wanted:
            found = position, end
        position = _behind_blanks(text, end)
        position = _behind_blanks(text, position + 1) if text.startswith(",", position) else position
        number += 1
    if found is None:
        raise KeyError(wanted)
    return found


def _behind_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank is not None else at
