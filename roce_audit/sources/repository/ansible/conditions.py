"""What variables of a repository decide of the conditions of tasks (`when: enable_roce | default(false)`).

A condition stands without braces. One that certain values decide is written as `true` or `false`. Where a variable is set somewhere and
its value is not certain, its default counts for nothing, and the condition stays open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.jinja.conditions import decided

NEVER = "false and "
"""Stands before a condition that does not hold."""
_ONE = lazy(
    r"^(?P<key> {0,60}(?:- )?when:[ \t]{1,8})(?P<quote>\"?)(?P<asked>[^\n#{}\"]{1,300}?)(?P=quote)[ \t]{0,8}$", re.M
)
_LISTED = lazy(r"^ {0,60}(?:- )?when:[ \t]{0,8}\n(?: {1,80}- [^\n]{1,300}(?:\n|\Z)){1,40}", re.M)
_ITEM = lazy(r"^(?P<key> {1,80}- )(?P<quote>\"?)(?P<asked>[^\n#{}\"]{1,300}?)(?P=quote)[ \t]{0,8}$", re.M)
_QUOTED = lazy(r"'[^'\n]{0,200}'")
_WORD = lazy(r"(?<![\w.])[A-Za-z_]\w{0,60}")
_DEFAULT = lazy(r"\s{0,8}\|\s{0,8}(?:default|d)\([^()\n]{0,60}\)")


def names_in(text: str) -> frozenset[str]:
    """The names in the conditions of a text."""
    asked = (found["asked"] for found in _conditions(text)) if "when:" in text else ()
    return frozenset(name for one in asked for name in _WORD.findall(_QUOTED.sub("", one)))


def _conditions(text: str) -> Iterator[re.Match[str]]:
    yield from _ONE.finditer(text)
    for found in _LISTED.finditer(text):
        yield from _ITEM.finditer(found[0])


def settled(text: str, certain: Mapping[str, Any], set_somewhere: Collection[str]) -> str:
    """The text with its conditions as far as these values decide them."""

    def one(found: re.Match[str]) -> str:
        asked = found["asked"]
        names = {name for name in _WORD.findall(_QUOTED.sub("", asked)) if name in set_somewhere}
        if not names:
            return found[0]
        if any(name not in certain for name in names):
            return f"{found['key']}{found['quote']}{_DEFAULT.sub('', asked)}{found['quote']}"
        holds = decided(asked, certain)
        if holds is not False or " or " in asked or "\\" in asked:
            return found[0] if holds is None else f"{found['key']}{str(holds).lower()}"
        return f'{found["key"]}"{NEVER}{asked}"'  # which it is can still be told

    text = _ONE.sub(one, text)
    return _LISTED.sub(lambda found: _ITEM.sub(one, found[0]), text)
