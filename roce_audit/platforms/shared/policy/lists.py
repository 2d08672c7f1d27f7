"""Access lists that classify: whether one takes a RoCEv2 packet, by its UDP port, by its DSCP, or by both."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.text.acl import selects_roce, singled_out
from roce_audit.values import At, Cell, Why, unknown

Lines = tuple[str, ...] | None
"""The entries of an access list; None where nothing defines it."""

_MARK = lazy(r" (dscp|precedence) (?:eq )?([a-z0-9-]{1,20})(?= |$)")
_MARKS = range(64)


def takes(lines: Lines, dscp: int | None, undefined: Why, at: At) -> bool | Cell[bool]:
    """Whether the list named at `at` takes a RoCEv2 packet with this DSCP; None: one of which only the UDP port is known."""
    if lines is None:
        return unknown(undefined, at)
    chosen = selects_roce(lines) if dscp is None else _by_mark(lines)[dscp]
    return unknown(Why.NOT_PARSED, at) if chosen is None else chosen


def picks_by_port(lines: Lines, undefined: Why, at: At) -> bool | Cell[bool]:
    """Whether the list takes RoCEv2 by its UDP port alone, and not as a part of everything; else the doubt."""
    return singled_out(lines, undefined, at) if tells_by(lines) == "acl" else False


def tells_by(lines: Lines) -> Literal["never", "dscp", "acl"]:
    """By what the list takes RoCEv2 packets: none at all, those of some DSCPs, or by something else that nobody may know."""
    answers = set(_by_mark(lines)) if lines is not None else set()
    return "never" if answers == {False} else "dscp" if answers == {True, False} else "acl"


@lru_cache(maxsize=256)
def _by_mark(lines: tuple[str, ...]) -> tuple[bool | None, ...]:
    """The answer for each DSCP: whether the list permits every RoCEv2 packet that has it, none (False), or it cannot be told (None)."""
    entries = [_entry(line) for line in lines]
    if all(marks is None for _, marks in entries):
        return (selects_roce(lines),) * len(_MARKS)
    return tuple(
        selects_roce(tuple([text for text, marks in entries if marks is None or mark in marks])) for mark in _MARKS
    )


def _entry(line: str) -> tuple[str, range | None]:
    """An entry without the words that ask for a mark, and the DSCPs that they ask for; None where they ask for none that is known."""
    found = _MARK.search(line)
    if found is None:
        return line, None
    is_dscp, word = found[1] == "dscp", found[2]
    number = int(word) if word.isdecimal() and len(word) <= 2 else DSCP_NAMES.get(word) if is_dscp else None
    if number is None:  # the names of precedences differ
        return line, None
    marks = range(number, number + 1) if is_dscp else range(number * 8, number * 8 + 8)
    return line[: found.start()] + line[found.end() :], marks
