"""Where in a JSON text values stand, as spans: a part of it that is read as a text of its own keeps its lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.patterns import lazy
from roce_audit.text.structured.positions import Path

_DECODER = json.JSONDecoder()
_BLANK = lazy(r"[ \t\r\n]*+")
Span = tuple[int, int]
"""Where a value begins, and behind it."""


def spans(text: str, paths: Iterable[Path]) -> Mapping[Path, Span]:
    """The spans of the values at these paths in a text that is JSON, found in one pass; of members that stand twice, that of the last.
    Paths at which nothing stands are left out.
    """
    below: dict[Path, set[str | int]] = {}
    wanted = set(paths)
    for path in wanted:
        for depth, step in enumerate(path):
            below.setdefault(path[:depth], set()).add(step)
    found: dict[Path, Span] = {(): (_behind_blanks(text, 0), len(text.rstrip()))}
    left: list[Path] = [()]
    while left:
        path = left.pop()
        if path in below:
            inside = {step: span for step, span in _members(text, found[path][0]) if step in below[path]}
            found.update({(*path, step): span for step, span in inside.items()})
            left += [(*path, step) for step in inside]
    return {path: span for path, span in found.items() if path in wanted}


def _members(text: str, at: int) -> Iterator[tuple[str | int, Span]]:
    """The members of the object or list that begins at `at`."""
    is_object, is_list = text.startswith("{", at), text.startswith("[", at)
    position, number = _behind_blanks(text, at + 1), 0
    while (is_object or is_list) and position < len(text) and text[position] not in "}]":
        step: str | int = number
        if is_object:
            step, position = _DECODER.raw_decode(text, position)
            position = _behind_blanks(text, _behind_blanks(text, position) + 1)
        end = _DECODER.raw_decode(text, position)[1]
        yield step, (position, end)
        position = _behind_blanks(text, end)
        position = _behind_blanks(text, position + 1) if text.startswith(",", position) else position
        number += 1


def _behind_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank is not None else at
