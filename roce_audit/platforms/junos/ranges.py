"""Ranges and wildcards of names: `et-0/0/[0-7]`, `<et-*>`, `member-range et-0/0/0 to et-0/0/7`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from roce_audit.text.structured.nodes import Words

RANGE = "interface-range"
ALL = "all"
"""The name that stands for every interface."""
MOST = 4_096
"""Members of one range."""
_WILD = re.compile(r"<([^<>]{1,200})>\Z")
_SET = re.compile(r"\[([0-9]{1,4}(?:-[0-9]{1,4})?(?:, ?[0-9]{1,4}(?:-[0-9]{1,4})?)*)\]")
_END = re.compile(r"(.*?)([0-9]{1,4})\Z")


def is_wild(word: str) -> bool:
    """Whether a word of a group stands for any name that fits."""
    return _WILD.match(word) is not None


def wild(pattern: str, word: str) -> bool:
    """Whether a name fits the wildcard of a group: `<et-*>`."""
    found = _WILD.match(pattern)
    return found is not None and glob(found[1], word)


def fits(pattern: str, word: str) -> bool:
    """Whether a word of a group is, or stands for, a word of the place where the group is applied."""
    return pattern == word or wild(pattern, word)


def glob(pattern: str, word: str) -> bool:
    """Whether a name fits a pattern with `*`, `?` and sets of characters."""
    return _compiled(pattern).fullmatch(word) is not None


def binds(pattern: str, name: str) -> bool:
    """Whether what is said of `et-*` is said of this interface."""
    return pattern in (name, ALL) or ("*" in pattern and glob(pattern, name))


def binding(patterns: Iterable[str], name: str) -> list[str]:
    """Of these names and patterns those that are said of an interface; the one that fits best comes last."""
    fitting = [each for each in patterns if binds(each, name)]
    return sorted(fitting, key=lambda each: (each == name, each != ALL, len(each.replace("*", ""))))


@lru_cache(4_096)
def _compiled(pattern: str) -> re.Pattern[str]:
    text = ""
    at = 0
    while at < len(pattern):
        if pattern[at] == "[" and "]" in pattern[at:]:
            end = pattern.index("]", at)
            inner = pattern[at + 1 : end].replace(",", "").replace("\\", "").replace("[", "").replace("^", "")
            text += f"[{'^' if inner.startswith('!') else ''}{inner.removeprefix('!')}]" if inner.strip("!") else ""
            at = end
        elif pattern[at] == "*":
            text += "" if text.endswith(".*+") else ".*+" if at == len(pattern) - 1 else ".*?"
        else:
            text += "." if pattern[at] == "?" else re.escape(pattern[at])
        at += 1
    try:
        return re.compile(text)
    except re.error:  # a range of characters that runs backwards
        return re.compile(re.escape(pattern))


def members(words: Words, named: list[str]) -> list[str] | None:
    """The interfaces that a `member` or `member-range` statement names; None where nobody can tell."""
    if words[0] == "member-range":
        return _between(words[1], words[3]) if len(words) == 4 and words[2] == "to" else None
    pattern = words[-1]
    if len(words) != 2:
        return None
    if "*" in pattern or "?" in pattern:
        return [name for name in named if glob(pattern, name)]
    return _spelled(pattern)


def _between(first: str, last: str) -> list[str] | None:
    one, other = _END.match(first), _END.match(last)
    if one is None or other is None or one[1] != other[1] or not 0 <= int(other[2]) - int(one[2]) < MOST:
        return None
    return [f"{one[1]}{number}" for number in range(int(one[2]), int(other[2]) + 1)]


def _spelled(text: str) -> list[str] | None:
    found = _SET.search(text)
    if found is None:
        return None if "[" in text or "]" in text else [text]
    numbers: list[int] = []
    for piece in found[1].replace(" ", "").split(","):
        first, dash, last = piece.partition("-")
        end = int(last) if dash else int(first)
        if not 0 <= end - int(first) < MOST or len(numbers) > MOST:
            return None
        numbers.extend(range(int(first), end + 1))
    rest = _spelled(text[found.end() :]) if "[" in text[found.end() :] else [text[found.end() :]]
    return None if rest is None else [f"{text[: found.start()]}{n}{end}" for n in numbers for end in rest][:MOST]
