"""Globs and number ranges over device names, port names, descriptions and parts of paths, in linear time.

`*` any text, `?` one character, `[45]` or `[!a-c]` one character of a set as in a shell. Brackets that hold ranges or a
list with a number of two or more digits are numbers: `[1-16,20]` is 1..16 or 20, as a whole number (16 is not found
inside 161). In port names `33-36` without brackets is a range of numbers too; in device names, where `rack-1-2` is a
name, it is not.
Letters match in either case: no two devices or ports differ in case alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

from roce_audit.patterns import lazy

MAX_PATTERN = 256
"""Longest pattern, characters; longer ones raise ValueError."""

_MAX_DIGITS = 9
_NUMBERS = lazy(r"(?=[0-9]+[-,])[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*")
_RANGE = lazy(r"([0-9]+)-([0-9]+)")
_TWO_DIGITS = lazy(r"[0-9]{2}")


def matches(pattern: str, text: str) -> bool:
    """True when the glob covers the whole text. For device names, roles, descriptions, rule ids and tags."""
    return glob(pattern).match(text) is not None


def matches_port(pattern: str, port: str) -> bool:
    """True when the glob, in which `33-36` is a range of numbers, covers the whole port name."""
    return glob(pattern, port=True).match(port) is not None


def split_port(pattern: str) -> tuple[str, str]:
    """Device and port half of `device:port`, split at the first colon (port names may hold colons).

    Raises ValueError where there is no colon or a half is empty.
    """
    device, colon, port = pattern.partition(":")
    if not colon or not device or not port:
        raise ValueError(f"'{pattern}' is not of the form device:port")
    return device, port


def check(pattern: str, *, port: bool = False) -> None:
    """Raises ValueError, with a sentence for people, where the pattern is none."""
    glob(pattern, port=port)


def glob(pattern: str, *, port: bool = False, either_case: bool = True) -> re.Pattern[str]:
    """The glob as an expression for `match`, which covers the whole text. Raises ValueError where the pattern is none."""
    return _glob(pattern, port, either_case)


@lru_cache(maxsize=4096)
def _glob(pattern: str, port: bool, either_case: bool) -> re.Pattern[str]:
    if not pattern:
        raise ValueError("an empty pattern matches nothing")
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"a pattern may have at most {MAX_PATTERN} characters")
    first, *rest = _between_stars(pattern, port)
    if not rest:
        expression = first + r"\Z"
    else:
        # The leftmost place of each piece is the right one (a later start never ends earlier), so an atomic group may
        # forget the alternatives: no backtracking over pieces.
        middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece)
        expression = first + middle + (f".*{rest[-1]}" if rest[-1] else ".*") + r"\Z"
    return re.compile(expression, re.DOTALL | (re.IGNORECASE if either_case else 0))


def _between_stars(pattern: str, port: bool) -> list[str]:
    """The pieces between the stars, as regular expressions without repetition of unbounded text."""
    pieces = [""]
    i = 0
    while i < len(pattern):
        letter = pattern[i]
        if letter == "*":
            pieces.append("")
            i += 1
        elif letter == "?":
            pieces[-1] += "."
            i += 1
        elif letter == "[":
            piece, i = _bracket(pattern, i)
            pieces[-1] += piece
        elif port and letter in "0123456789" and (found := _RANGE.match(pattern, i)):
            pieces[-1] += _numbers(found[0])
            i = found.end()
        else:
            pieces[-1] += re.escape(letter)
            i += 1
    return pieces


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    end = pattern.find("]", start + 2)
    if end < 0:
        raise ValueError(f"'{pattern}' has a '[' without ']'")
    inside = pattern[start + 1 : end]
    if _NUMBERS.fullmatch(inside) and _TWO_DIGITS.search(inside):
        return _numbers(inside), end + 1
    negated = inside[0] in "!^"
    letters = inside[1:] if negated else inside
    if not letters:
        raise ValueError(f"'{pattern}' has an empty set of characters")
    members = ""
    i = 0
    while i < len(letters):
        if letters[i + 1 : i + 2] == "-" and i + 2 < len(letters):
            if letters[i] > letters[i + 2]:
                raise ValueError(f"the range {letters[i : i + 3]} in '{pattern}' goes down")
            members += re.escape(letters[i]) + "-" + re.escape(letters[i + 2])
            i += 3
        else:
            members += re.escape(letters[i])
            i += 1
    return f"[{'^' if negated else ''}{members}]", end + 1


def _numbers(words: str) -> str:
    """A regular expression for a whole number out of `1-16,20`."""
    choices: list[str] = []
    for word in words.split(","):
        low, _, high = word.partition("-")
        high = high or low
        if max(len(low), len(high)) > _MAX_DIGITS:
            raise ValueError(f"the number range {word} has more than {_MAX_DIGITS} digits")
        if int(low) > int(high):
            raise ValueError(f"the number range {word} goes down")
        choices += _range(int(low), int(high))
    return f"(?<![0-9])0*(?:{'|'.join(choices)})(?![0-9])"


def _range(low: int, high: int) -> list[str]:
    """Expressions for the decimal numbers low..high: at most two a digit, each a fixed head and free digits."""
    choices = ["0"] if low == 0 else []
    low = max(low, 1)
    while low <= high:
        # the longest run of free digits that starts at low and stays below high
        free = 1
        while low % (free * 10) == 0 and low + free * 10 - 1 <= high:
            free *= 10
        head = low // free
        last = min(head - head % 10 + 9, (high + 1) // free - 1)
        tail = f"[0-9]{{{len(str(free)) - 1}}}" if free > 1 else ""
        front = str(head // 10) if head >= 10 else ""
        choices.append(f"{front}[{head % 10}-{last % 10}]{tail}")
        low = (last + 1) * free
    return choices
