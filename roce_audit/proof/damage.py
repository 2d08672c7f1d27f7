"""Damage as it happens to files: a slip of the keyboard, a letter of another alphabet, a conflict nobody settled, half a file."""

from __future__ import annotations

import re

from roce_audit.proof.breakage import Breakage, Kind, Relevant

_WORD = re.compile(r"[A-Za-z]{4,}")
_ALIKE = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "c": "\u0441", "p": "\u0440", "i": "\u0456"})
"""Latin letters -> Cyrillic ones that look the same."""


def misspelt(line: Relevant, text: str) -> Breakage | None:
    """Two letters swapped in the line's first longer word; None where it has none."""
    lines, at = text.split("\n"), line.places[0].line - 1
    for found in _WORD.finditer(lines[at]):
        for i in range(found.start() + 1, found.end() - 1):
            one, other = lines[at][i], lines[at][i + 1]
            if one != other:
                return _with(line, "misspelt", lines, at, f"{lines[at][:i]}{other}{one}{lines[at][i + 2 :]}")
    return None


def foreign_letter(line: Relevant, text: str) -> Breakage | None:
    """A letter of the line's first longer word replaced by one that looks the same; None where there is none."""
    lines, at = text.split("\n"), line.places[0].line - 1
    for found in _WORD.finditer(lines[at]):
        for i in range(found.start(), found.end()):
            other = lines[at][i].translate(_ALIKE)
            if other != lines[at][i]:
                return _with(line, "foreign letter", lines, at, lines[at][:i] + other + lines[at][i + 1 :])
    return None


def conflict(line: Relevant, text: str) -> Breakage:
    """The marks of a merge that was not finished around the line."""
    lines, at = text.split("\n"), line.places[0].line - 1
    marked = ["<<<<<<< HEAD", lines[at], "=======", lines[at], ">>>>>>> main"]
    return Breakage(line, "conflict", "\n".join([*lines[:at], *marked, *lines[at + 1 :]]))


def cut(line: Relevant, text: str) -> Breakage:
    """The file ends in the middle of the line."""
    lines, at = text.split("\n"), line.places[0].line - 1
    return Breakage(line, "cut", "\n".join([*lines[:at], lines[at][: (len(lines[at]) + 1) // 2]]))


def _with(line: Relevant, kind: Kind, lines: list[str], at: int, new: str) -> Breakage:
    lines[at] = new
    return Breakage(line, kind, "\n".join(lines), new.strip())
