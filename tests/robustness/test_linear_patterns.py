"""No text makes a pattern slow: eight times the text takes about eight times as long, and never sixty-four times."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.robustness.attacks import Attack, attacks
from tests.robustness.package_patterns import Used, used_patterns

pytestmark = pytest.mark.sweep

SHORT, TIMES = 1_000, 8
MOST = 24.0
"""How much longer the longer text may take; linear is 8, quadratic 64, so a busy machine may be three times too slow."""
CUBIC = 180.0
"""The same of texts so short that small limits do not show yet; cubic is 512."""
TRIES = 6
TICK = 1e-6
"""Seconds; a machine whose clock is coarser than a short text says that it took none."""
QUICK = 2e-3
"""Seconds; the longest text takes a quadratic pattern 30 ms at least, and a time as short as this is too much the clock's own."""


def seconds(used: Used, text: str | bytes) -> float:
    """How long a pattern is busy with a text."""
    method: Callable[[Any], Any] = getattr(used.pattern, used.method)
    begun = time.thread_time()
    found = method(text)
    if used.method == "finditer":
        for _ in found:
            pass
    return time.thread_time() - begun


def growth(used: Used, attack: Attack) -> float:
    """How much longer a long text takes than a short one; first of short texts, so that a cubic pattern ends as well."""
    early = _growth(used, attack, SHORT // TIMES, CUBIC)
    return early if early > CUBIC else _growth(used, attack, SHORT, MOST)


def _growth(used: Used, attack: Attack, length: int, most: float) -> float:
    """The quickest of several tries counts, while it looks bad; what is quick counts as linear."""
    texts: list[Any] = [attack.text(length), attack.text(length * TIMES)]
    if isinstance(used.pattern.pattern, bytes):
        texts = [text.encode() for text in texts]
    short = long = float("inf")
    seconds(used, texts[0])  # the first look at a pattern is slower than those after it
    for _ in range(TRIES):
        short = min(short, seconds(used, texts[0]))
        long = min(long, seconds(used, texts[1]))
        if long < max(short * most, QUICK):
            return TIMES
    return long / max(short, TICK)


def slow(used: Used) -> str:
    """An attack that makes a pattern's time grow faster than the text; empty where there is none."""
    for attack in sorted(attacks(used.pattern)):
        found = growth(used, attack)
        if found > MOST:
            call = f"{used.where} {used.method}({attack.before!r} + {attack.unit!r} * n)"
            return f"{call}: {found:.0f} times as long\n  {used.pattern.pattern!r}"
    return ""


def test_every_pattern_takes_linear_time() -> None:
    assert list(filter(None, map(slow, used_patterns()))) == []


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (re.compile(r"^\s*roce$", re.M), "search"),
        (re.compile(r"^\s*mapping:\s*$\s*^\s*priority ?: ?\d", re.M), "search"),
        (re.compile(rb"^\s*[!#].*$", re.M), "finditer"),
        (re.compile(r"(\S.*?)\s*\Z"), "match"),
        (re.compile(r"\w*key\w*\Z"), "search"),
    ],
)
def test_slow_patterns_are_found(pattern: re.Pattern[Any], method: str) -> None:
    assert slow(Used("example", pattern, method))


def test_quick_patterns_are_none() -> None:
    assert not slow(Used("example", re.compile(r"^[ \t]*+roce$", re.M), "search"))
