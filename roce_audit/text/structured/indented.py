"""Indented lines: what stands in a block is deeper than its head. Lines are counted as indices of a list, from 0."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.patterns import lazy

Comments = tuple[str, ...]
"""Signs of lines that say nothing, whatever their depth."""

_AT_MARGIN = lazy(r"\n[^\s!#]")
_LINE = lazy(r"^([ \t]+)[^\s!#]", re.M)


def without_margin(text: str) -> str:
    """The text without the blanks that every line which says something begins with, as in a page that sets it in; no line moves."""
    if _AT_MARGIN.search(f"\n{text}") is not None:
        return text
    found = set(_LINE.findall(text))
    most, least = max(found, default=""), min(found, default="")
    margin = least[: next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))]
    return f"\n{text}".replace(f"\n{margin}", "\n")[1:] if margin else text


def blanks(line: str) -> str:
    """What a line is indented with."""
    return line[: len(line) - len(line.lstrip())]


def depth(line: str) -> int:
    """How many blanks a line is indented with."""
    return len(line) - len(line.lstrip())


def says(line: str, comments: Comments = ()) -> bool:
    """Whether a line is neither empty nor a comment."""
    text = line.strip()
    return bool(text) and not text.startswith(comments)


def end(lines: Sequence[str], head: int, comments: Comments = ()) -> int:
    """The index behind the block that line `head` heads: behind the line itself where nothing stands below it."""
    own, found = depth(lines[head]), head + 1
    for index in range(head + 1, len(lines)):
        if says(lines[index], comments):
            if depth(lines[index]) <= own:
                break
            found = index + 1
    return found


def around(lines: Sequence[str], at: int, inner: int, comments: Comments = ()) -> list[int]:
    """The heads of the blocks around a line of depth `inner` that stands, or would stand, at `at`; the outermost first."""
    found: list[int] = []
    for index in range(at - 1, -1, -1):
        if inner == 0:
            break
        if says(lines[index], comments) and depth(lines[index]) < inner:
            found.insert(0, index)
            inner = depth(lines[index])
    return found
