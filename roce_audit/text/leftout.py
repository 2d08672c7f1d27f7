"""Marks that people put where they left a part of a configuration out: `<snip>`, `[...]`, `! output omitted`, dots."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.text.memo import of_text

_WORDS = ("...", "nip", "mitted", "runcated", "…", "SNIP", "MITTED")
"""One of these stands in every such mark: looked for first, with either first letter."""
_SAID = r"(?:snip(?:ped)?|omitted|truncated)"
_MARK = lazy(
    r"^[ \t]{0,40}[!#]{0,3}[ \t]{0,4}(?:"
    rf"<{{1,3}} ?(?:[a-z ]{{0,30}}{_SAID}|\.{{3,8}}|…)[ a-z]{{0,30}}>{{1,3}}"
    rf"|\[ ?(?:[a-z ]{{0,30}}{_SAID}|\.{{3,8}}|…)[ a-z]{{0,30}}\]"
    rf"|\( ?(?:[a-z ]{{0,30}}{_SAID}|\.{{3,8}}|…)[ a-z]{{0,30}}\)"
    r"|(?:(?:the )?(?:output|lines?|rest|ports?|interfaces?|config(?:uration)?) (?:is |was |are |were )?)?"
    rf"{_SAID}(?: for [a-z ]{{1,30}})?\.?"
    rf"|[-=*]{{1,12}} ?{_SAID} ?[-=*]{{1,12}}|\.{{3,8}}|…)[ \t]{{0,40}}$",
    re.M | re.I,
)
MARKS_BEGIN = "<[(.…-=!#"
"""With one of these most of them begin."""


@of_text
def left_out_at(text: str) -> int:
    """Where the first mark stands; -1 where there is none. Three dots in the last line end a YAML document, and before the rate of success
    stand those of a `ping` that nobody answers.
    """
    if not any(word in text for word in _WORDS):
        return -1
    behind = ((found.start(), text[found.end() :].lstrip()) for found in _MARK.finditer(text))
    return next((start for start, rest in behind if rest and not rest.startswith("Success rate ")), -1)


def is_mark(line: str) -> bool:
    """Whether a line is such a mark."""
    return _MARK.fullmatch(line) is not None
