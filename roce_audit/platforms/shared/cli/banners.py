"""Banners between delimiters: their lines are no configuration, whatever they say."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy

_BANNER = lazy(r"banner (?:motd|exec|login) +(?=\S)")
_LONGEST_BANNER = 100


def skip_banner(header: str, text: str, end: int) -> int | None:
    """Where the text goes on after a banner that `header` begins; None for other lines. Any character may delimit it.

    `end` is the end of the header in `text`.
    """
    found = _BANNER.match(header)
    if found is None:
        return None
    opened = end - len(header) + found.end()
    close = text.find(text[opened], opened + 1)
    if close < 0 or text.count("\n", opened, close) > _LONGEST_BANNER:
        return None
    return close + 1


def outside_banners(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first place in `text` where the pattern matches outside a banner."""
    return next((found for found in pattern.finditer(text) if not _in_banner(text, found.start())), None)


def _in_banner(text: str, at: int) -> bool:
    start = max(text.rfind("\nbanner ", 0, at) + 1, 0)
    if not text.startswith("banner ", start):
        return False
    end = text.find("\n", start)
    resume = skip_banner(text[start:end], text, end)
    return resume is not None and resume > at
