"""The prompt of Onyx's configuration mode, in text that was copied from a terminal."""

from __future__ import annotations

import re

PROMPT = re.compile(r"^[ \t]*(?:[\w.-]{1,64} )?(?:\[[^\]\n]{1,80}\] )?\(config(?: ([^()\n]{1,80}))?\) ?# ?", re.M)
"""The prompt of the configuration mode, with the block that is open, in text that was copied from a terminal."""


def without_prompts(text: str) -> str:
    """The text with every prompt replaced by the path of the block that it shows as open."""
    if "(config" not in text:
        return text
    return PROMPT.sub(lambda found: f"{found[1]} " if found[1] else "", text)
