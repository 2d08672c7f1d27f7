"""Conditions of scripts, as far as they can be told without running anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

_TEST = re.compile(r"(?:\[\[?|test)\s+(.*?)\s*\]{0,2}")
_THERE = re.compile(r"-[defrswx]\s+[\"']?/(?:sys|proc|usr|s?bin|opt)/[^\s\"']{1,200}[\"']?")
_ROOT = re.compile(r"[\"']?(?:\$EUID|\$UID|\$\{EUID\}|\$\(id -u\))[\"']?\s+(-eq|-ne|==?|!=)\s+[\"']?0[\"']?")
_HAS = re.compile(r"(?:command\s+-v|which|type(?:\s+-\w+)?|hash)\s+\S+.*")
_EQUAL = re.compile(r"([^\s=!<>]{1,300})\s+(==?|!=|-eq|-ne)\s+([^\s=!<>]{1,300})")
_ORDERED = re.compile(r"[\"']?([0-9]{1,9})[\"']?\s+-(lt|le|gt|ge)\s+[\"']?([0-9]{1,9})[\"']?")
_EMPTY = re.compile(r"(-z|-n)\s+([^\s]{1,300})")
_OPEN = re.compile(r"[$`]")
_ANY = re.compile(r"[*?]")
"""In a value: the names of NICs or devices that a loop goes through, which a pattern may match or not."""
_CONSTANT = {"true": True, ":": True, "false": False}
_LONGEST = 400


@dataclass(frozen=True)
class Answer:
    """What is known of a condition."""

    holds: bool | None
    """None: it may go either way."""
    then: Mapping[str, str] = field(default_factory=dict)
    """What variables of a hook are where it holds: such a script is run for every NIC in turn."""
    otherwise: Mapping[str, str] = field(default_factory=dict)


def is_test(text: str) -> bool:
    """Whether a command is there for its answer alone."""
    plain = text.removeprefix("!").strip()
    if len(plain) > _LONGEST:
        return False
    return (
        plain in _CONSTANT
        or _TEST.fullmatch(plain) is not None
        or re.match(r"grep\s|command\s+-v|which\s|\(\(", plain) is not None
    )


def asks_for_a_tool(text: str) -> bool:
    """Whether a condition asks if a program is there: `command -v dcb`."""
    return _HAS.fullmatch(text.strip()) is not None


def asked(text: str, raw: str, each_nic: frozenset[str]) -> Answer:
    """The answer to a condition: `text` with the values of variables, `raw` as written.

    `each_nic` are the variables that hold one NIC after the other. That a tool or a device is there, and that root
    runs the script, is assumed: the script was put there for that.
    """
    text, raw = text.strip(), raw.strip()
    if text.startswith("!"):
        found = asked(text[1:], raw.removeprefix("!"), each_nic)
        return Answer(None if found.holds is None else not found.holds, found.otherwise, found.then)
    if text in _CONSTANT:
        return Answer(_CONSTANT[text])
    if _HAS.fullmatch(text):
        return Answer(True)
    test, written = _TEST.fullmatch(text), _TEST.fullmatch(raw)
    if test is None or written is None:
        return Answer(None)
    inner = test.group(1)
    if inner.startswith("!"):
        return asked(f"! [ {inner[1:].strip()} ]", f"! [ {written.group(1)[1:].strip()} ]", each_nic)
    root = _ROOT.fullmatch(inner)
    if root is not None:
        return Answer(root.group(1) in ("-eq", "=", "=="))
    if _THERE.fullmatch(inner):
        return Answer(True)
    empty = _EMPTY.fullmatch(inner)
    if empty is not None:
        text = empty.group(2).strip("\"'")
        return Answer(None if _OPEN.search(text) else (not text) == (empty.group(1) == "-z"))
    return _compared(inner, written.group(1), each_nic)


def _compared(text: str, raw: str, each_nic: frozenset[str]) -> Answer:
    ordered = _ORDERED.fullmatch(text)
    if ordered is not None:
        left, right = int(ordered.group(1)), int(ordered.group(3))
        return Answer(
            {"lt": left < right, "le": left <= right, "gt": left > right, "ge": left >= right}[ordered.group(2)]
        )
    pair, written = _EQUAL.fullmatch(text), _EQUAL.fullmatch(raw)
    if pair is None or written is None:
        return Answer(None)
    first, second = (re.sub(r"[\"']", "", side) for side in (pair.group(1), pair.group(3)))
    equal = pair.group(2) in ("=", "==", "-eq")
    name = re.sub(r"[\"'${}]", "", written.group(1))
    if name in each_nic and first == "*" and not _OPEN.search(second):
        bound = {name: second}
        return Answer(True, bound, {}) if equal else Answer(True, {}, bound)
    if _OPEN.search(first) or _OPEN.search(second) or _ANY.search(first):
        return Answer(None)
    return Answer(fnmatchcase(first, second) == equal)


def chosen(word: str, raw: str, patterns: str, each_nic: frozenset[str]) -> Answer:
    """Whether `case WORD in PATTERNS)` is taken."""
    choices = [choice.strip(" \"'") for choice in patterns.split("|")]
    name = re.sub(r"[\"'${}]", "", raw)
    word = word.strip("\"'")
    if name in each_nic and word == "*":
        return Answer(None if "*" in choices else True, {name: "|".join(choices)})
    if _OPEN.search(word) or _ANY.search(word) or any(_OPEN.search(choice) for choice in choices):
        return Answer(True if "*" in choices else None)
    return Answer(any(fnmatchcase(word, choice) for choice in choices))
