"""Whether a name that a part of a configuration defines and does not apply is applied by any other file of its repository."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from roce_audit.patterns import lazy
from roce_audit.sources.files import STDIN, Candidate

_MOST_CHARACTERS = 200_000
_MOST_FILES = 5_000
_MOST_IN_ALL = 20_000_000
"""Of a larger repository nothing is told: what applies a name may stand behind the end."""
_OPEN = ("{{", "{%", "<%", "$", "%s", "{")
_OPEN_USE = lazy(
    r"(?i)(?:(?:polic|profile|scheduler|service|[-_]map|apply|trust)[\w-]{0,30}[\"']?[ \t:]{1,4}[^\n]{0,160}?"
    r"|\b(?:lines|commands|src|config)[ \t]{0,4}:[ \t]{0,4}[\"']?)(?:\{\{|\{%|\$\{?\w|%s|\{\w)"
)
"""What is applied where a value that stands elsewhere names it, or lines that are made elsewhere."""


class Repository:
    """The files of what was given, looked through when somebody asks."""

    def __init__(self, paths: Sequence[str], files: Sequence[Candidate], text_of: Callable[[Candidate], str]) -> None:
        self._paths = paths
        self._files = files
        self._text_of = text_of

    def leaves_idle(self, name: str, path: str, quote: str) -> bool:
        """Whether no file applies a name that the line `quote` of the file at `path` defines.

        Never of a file that was given by itself, nor of a part of a repository: what applies it may stand beside it. Nor where some file
        applies what it does not name in so many words.
        """
        found = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        if not self._is_whole or path not in self._texts:
            return False
        for one, text in self._texts.items():
            if name in text and any(
                one != path or not _defines(line, quote) for line in text.split("\n") if found.search(line) is not None
            ):
                return False
        return not self._has_open_uses

    @cached_property
    def _is_whole(self) -> bool:
        is_small = len(self._files) <= _MOST_FILES and not any(one.named for one in self._files)
        return is_small and STDIN not in self._paths and not any(map(_lies_in_repository, self._paths))

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        texts: dict[str, str] = {}
        size = 0
        for one in self._files:
            texts[one.path] = text = self._text_of(one)[:_MOST_CHARACTERS]
            size += len(text)
            if size > _MOST_IN_ALL:
                return {}
        return texts

    @cached_property
    def _has_open_uses(self) -> bool:
        return any(
            any(sign in text for sign in _OPEN) and _OPEN_USE.search(text) is not None for text in self._texts.values()
        )


def _defines(line: str, quote: str) -> bool:
    """Whether a line of a file is the one that defines the name, or is as plain as it: that one was read together with it."""
    if " " in quote:
        return quote in " ".join(line.split())
    return not any(sign in line for sign in _OPEN)


def _lies_in_repository(path: str) -> bool:
    """Whether a folder is a part of a larger repository."""
    folder = os.path.realpath(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return folder != os.path.realpath(path)
