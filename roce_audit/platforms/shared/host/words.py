"""Words and numbers as tools print them; what is none of them raises ValueError."""

from __future__ import annotations

import re
from collections.abc import Mapping
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


def not_understood(nic: NicSettings, text: str, at: At) -> None:
    """The reader of a statement that means: here stood something that nobody understood."""
    raise ValueError(text)
