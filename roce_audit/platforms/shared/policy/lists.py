"""Access lists that classify: whether one takes a RoCEv2 packet, by its UDP port, by its DSCP, or by both."""

from __future__ import annotations

from typing import Literal

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.text.acl import roce_chosen, selects_roce, singled_out
from roce_audit.values import At, Cell, Why

Lines = tuple[str, ...] | None
"""The entries of an access list; None where nothing defines it."""

_MARK = lazy(r" (dscp|precedence) (?:eq )?([a-z0-9-]{1,20})(?= |$)")
_MARKS = range(64)


def takes(lines: Lines, dscp: int | None, undefined: Why, at: At) -> bool | Cell[bool]:
    """Whether the list named at `at` takes a RoCEv2 packet with this DSCP; None: one of which only the UDP port is known."""
    chosen = roce_chosen(lines, undefined, at)
    if dscp is None or lines is None or isinstance(chosen, bool):
        return chosen
    return roce_chosen(_of_mark(lines, dscp), undefined, at)


def picks_by_port(lines: Lines, undefined: Why, at: At) -> bool | Cell[bool]:
    """Whether the list takes RoCEv2 by its UDP port alone, and not as a part of everything; else the doubt."""
    return singled_out(lines, undefined, at) if tells_by(lines) == "acl" else False


def tells_by(lines: Lines) -> Literal["never", "dscp", "acl"]:
    """By what the list takes RoCEv2 packets: none at all, those of some DSCPs, or by something else that nobody may know."""
    if lines is None:
        return "acl"
    marks = _MARKS if any(map(_MARK.search, lines)) else range(1)
    answers = {selects_roce(_of_mark(lines, mark)) for mark in marks}
    return "never" if answers == {False} else "dscp" if answers == {True, False} else "acl"


def _of_mark(lines: tuple[str, ...], dscp: int) -> tuple[str, ...]:
    """The entries that a packet with this DSCP may meet, without the words that ask for it."""
    kept: list[str] = []
    for line in lines:
        found = _MARK.search(line)
        asked = None if found is None else _number(found[2], found[1] == "dscp")
        if found is None or asked is None:
            kept.append(line)
        elif asked == (dscp if found[1] == "dscp" else dscp >> 3):
            kept.append(line[: found.start()] + line[found.end() :])
    return tuple(kept)


def _number(word: str, is_dscp: bool) -> int | None:
    """The number of a DSCP by its digits or name; of a precedence only by its digits, for its names differ."""
    if word.isdecimal():
        return int(word) if len(word) <= 2 else None
    return DSCP_NAMES.get(word) if is_dscp else None
