"""Calls that a PowerShell script never makes: it asks first whether a variable still has the value that it would set."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from roce_audit.platforms.windows.calls import DASH, Call, codes_of

_UNLIKE = re.compile(
    rf"\bif[ \t]{{0,9}}\([ \t]{{0,9}}\$(\w{{1,60}})[ \t]{{1,9}}{DASH}ne[ \t]{{1,9}}[\"']?(\w{{1,60}})[\"']?[ \t]{{0,9}}\)"
    r"[ \t]{0,9}(?:\{|$)",
    re.IGNORECASE,
)


def made(calls: Sequence[Call], text: str, first: int, literals: Mapping[str, str]) -> Sequence[Call]:
    """The calls without those that set a variable's value below `if ($variable -ne VALUE)`, where it has that value.

    `$Jumbo = 1514` above `if ($Jumbo -ne 1514) {...}` is the default that the script leaves alone. Other guards are switches that
    whoever runs the script turns: what stands below them is read.
    """
    kept_out = _kept_out(text, first, literals)
    return [
        call for call in calls if kept_out.get(call.line, frozenset()).isdisjoint(map(_variable, call.options.values()))
    ]


def _variable(value: str) -> str:
    return value.strip("\"' \t").removeprefix("$").removeprefix("using:").lower() if "$" in value else ""


def _kept_out(text: str, first: int, literals: Mapping[str, str]) -> Mapping[int, frozenset[str]]:
    """Line -> the variables whose value is not let through there."""
    found: dict[int, frozenset[str]] = defaultdict(frozenset)
    guards: list[tuple[int, str]] = []
    depth = 0
    for number, code, masked in codes_of(text, first):
        guard = _UNLIKE.search(code)
        if guard is not None and literals.get(guard.group(1).lower(), "").strip("\"' \t") == guard.group(2):
            guards.append((depth, guard.group(1).lower()))
        if guards:
            found[number] = frozenset(variable for _, variable in guards)
        depth += masked.count("{") - masked.count("}")
        while guards and depth <= guards[-1][0] and "}" in masked:
            guards.pop()
    return found
