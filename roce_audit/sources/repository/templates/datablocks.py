"""Texts that a file of data holds below its keys, on the lines of the file, at the edge."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.patterns import lazy

_BLOCK = lazy(r"^(?P<margin> {0,40})(?:- )?[\w.-]{1,60}: [|>][-+0-9]{0,2}[ \t]*$", re.M)
_UNDER = lazy(r"^(?P<margin> {0,8})[\w.-]{1,60}:[ \t]*\n(?=(?P<inner> {0,12})- (?:header|set):[ \t]*$)", re.M)
"""A key with the lists that NVUE takes below it."""
_FEWEST_LINES = 3


def are_in(text: str) -> bool:
    """Whether it holds texts of several lines below its keys (`CONF: |`)."""
    return ": |" in text and _BLOCK.search(text) is not None


def below_lists(text: str) -> Iterator[str]:
    """The lists that stand below keys as NVUE takes them."""
    lines = text.split("\n")
    for found in _UNDER.finditer(text):
        yield _below(lines, text.count("\n", 0, found.end()), len(found["inner"]), "-")


def below_keys(text: str) -> Iterator[str]:
    """The texts of several lines below keys."""
    lines = text.split("\n")
    for found in _BLOCK.finditer(text) if ": |" in text or ": >" in text else ():
        number = text.count("\n", 0, found.end()) + 1
        first = next((lines[at] for at in range(number, len(lines)) if lines[at].strip()), "")
        margin = len(first) - len(first.lstrip(" "))
        if margin > len(found["margin"]):
            yield _below(lines, number, margin, "")


def _below(lines: list[str], first: int, margin: int, mark: str) -> str:
    """The lines from one on that stand at a margin or further in, moved to the edge; those before are blank."""
    found: list[str] = []
    for line in map(lines.__getitem__, range(first, len(lines))):
        is_outside = len(line) - len(line.lstrip(" ")) < margin
        if line.strip() and (is_outside or (mark and not line[margin:].startswith((mark, " ")))):
            break
        found.append(line[margin:])
    return "\n" * first + "\n".join(found) if sum(1 for line in found if line.strip()) >= _FEWEST_LINES else ""
