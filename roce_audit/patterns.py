"""Regular expressions that are compiled when they are first used.

Compiling those of the modules that a check of one file imports takes a tenth of its time, and three of four are never used.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = (
    "findall",
    "finditer",
    "flags",
    "fullmatch",
    "groupindex",
    "groups",
    "match",
    "search",
    "split",
    "sub",
    "subn",
)


class LazyPattern:
    """Stands for a pattern; once it is used, the methods of the compiled one are its own."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        found = self.compiled()
        self.__dict__.update((each, getattr(found, each)) for each in _METHODS)
        return self.__dict__[name]


def lazy(text: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, for patterns of modules: what is wrong in one shows when it is first used. Functions of `re` do not take it."""
    return cast("re.Pattern[str]", LazyPattern(text, flags))
