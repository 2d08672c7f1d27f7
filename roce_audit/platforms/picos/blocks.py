"""The blocks of PicOS (`show running-config`, `pica_startup.boot`) as its lines.

A block is `words {`, a value `word: value`: the form of XORP, from which the system comes (XORP User Manual, Configuration Syntax).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from roce_audit.patterns import lazy
from roce_audit.text.structured import braces

_BLOCK = lazy(r"^(?:interface|class-of-service|system|vlans|protocols|l3-interface|firewall|ip) \{[ \t]*$", re.M)
_SET = lazy(r"^[ \t]*(?:[\w.@-]{1,80}[#>] ?)?(?:set|delete) \S", re.M)


def is_blocks(text: str) -> bool:
    """Whether a text is in blocks."""
    return _BLOCK.search(text) is not None and _SET.search(text) is None


@lru_cache(maxsize=64)
def _read(text: str) -> braces.Braces:
    return braces.read(text)


def damage(text: str) -> str:
    """What shows that a text in blocks is not whole, as one clause; "" where nothing does."""
    return _read(text).wrong


def lines_of(text: str, first_line: int) -> Iterator[tuple[int, list[str], bool]]:
    """Each value and each block as the words that `set` would have, with its line, and whether more stands below it.

    A text of several words keeps its quotes.
    """
    for full, node in _read(text).root.walk():
        words = list(full)
        if node.words and not node.is_block:
            at = len(words) - len(node.words)
            words[at] = words[at].removesuffix(":")
        yield first_line - 1 + node.line, [f'"{word}"' if " " in word else word for word in words], bool(node.below)
