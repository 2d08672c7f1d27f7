"""Prompts of systems with views, `[~leaf1-400GE1/0/1]`, before the lines that somebody copied from a terminal."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy

_PROMPT = lazy(r"^[ \t]*+(?:\[[~*]?[^\[\]\s]{1,80}\]|<[^<>\s]{1,80}>) ?(?=\S)", re.M)


def without_prompts(text: str) -> str:
    """The lines without the prompts before them, as many as before."""
    return _PROMPT.sub("", text) if "[" in text or "<" in text else text
