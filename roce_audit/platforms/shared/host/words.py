"""Words and numbers as tools print them; what is none of them raises ValueError."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.values import At


def whole(text: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise ValueError(text)
    number = int(text)
    if not low <= number <= high:
        raise ValueError(f"{number} is outside {low}..{high}")
    return number


def one_of(text: str, words: Mapping[str, Any]) -> Any:
    """What a word means."""
    if text not in words:
        raise ValueError(text)
    return words[text]


def matched(pattern: str, text: str) -> re.Match[str]:
    """The match of the whole text."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(text)
    return found


def integer(low: int, high: int, unit: int = 1) -> Callable[[str], int]:
    """Reads whole numbers within bounds, in this unit."""
    return lambda text: whole(text, low, high) * unit


def choice(words: Mapping[str, Any]) -> Callable[[str], Any]:
    """Reads words by what they mean."""
    return lambda text: one_of(text, words)


def shape(pattern: str) -> Callable[[str], str]:
    """Reads texts of one shape: what its only group holds, or all."""
    return lambda text: (found := matched(pattern, text)).group(found.lastindex or 0)


ON_OFF = choice({"on": True, "off": False})
BIT = choice({"0": False, "1": True})
LARGEST_MTU = 65_575
"""Bytes: what Linux gives a VRF device, 65,535 and an IPv6 header (`IP6_MAX_MTU`); the loopback device has 65,536."""
PLAIN = choice({"": True})
"""Nothing: the statement says it all."""
CMA_TOS = integer(0, 255)
"""The ToS byte that rdma_cm gives to connections that ask for none."""
CMA_MODE = choice({"RoCE v2": "roce-v2", "IB/RoCE v1": "roce-v1", "RoCE v1": "roce-v1"})
"""What rdma_cm speaks unless asked; version 1 has two names in the kernel."""


def not_understood(nic: NicSettings, text: str, at: At) -> None:
    """The reader of a statement that means: here stood something that nobody understood."""
    raise ValueError(text)


FILTERED = r" ?\| ?(?:[ef]?grep|head|tail|less|more|sort) .{1,200}"
"""What people pipe an answer through: it is then a part of the answer, and what it does not show is not known to be missing."""
