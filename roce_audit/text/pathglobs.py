"""Path patterns with `**`, matched folder by folder in polynomial time, whatever the pattern.

Each part of a path is a glob as names have it, with number ranges (`leaf[1-16].cfg`); case counts, as it does in paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from roce_audit.text import globs


@lru_cache(maxsize=4096)
def _segments(pattern: str) -> tuple[re.Pattern[str] | None, ...]:
    """One regular expression a segment; None stands for `**`."""
    if not pattern:
        raise ValueError("an empty pattern matches nothing")
    if len(pattern) > globs.MAX_PATTERN:
        raise ValueError(f"a pattern may have at most {globs.MAX_PATTERN} characters")
    parts = [p for p in pattern.strip("/").split("/") if p not in ("", ".")]
    if "/" not in pattern.rstrip("/"):
        parts.insert(0, "**")
    return tuple(None if p == "**" else globs.glob(p, either_case=False) for p in parts)


def matches(pattern: str, path: str) -> bool:
    """Whether the whole `path` matches. `**` stands for any number of folders; a pattern without `/` matches the name.

    `*`, `?` and `[...]` never match a `/`.
    """
    wanted, parts = _segments(pattern), [p for p in path.split("/") if p]
    reached = {0}
    for part in parts:
        reached = _step(wanted, _through(wanted, reached), part)
        if not reached:
            return False
    return len(wanted) in _through(wanted, reached)


def check(pattern: str) -> None:
    """Raises ValueError, with a sentence for people, where the path pattern is none."""
    _segments(pattern)


def covers(pattern: str, path: str) -> bool:
    """Whether `path` or one of the folders above it matches: what an `exclude:` entry takes away."""
    parts = [p for p in path.split("/") if p]
    return any(matches(pattern, "/".join(parts[:count])) for count in range(1, len(parts) + 1))


def any_covers(patterns: Iterable[str], paths: Iterable[str]) -> bool:
    """Whether any pattern covers any of these names of one file."""
    names = tuple(paths)
    return any(covers(pattern, name) for pattern in patterns for name in names)


def _through(wanted: tuple[re.Pattern[str] | None, ...], reached: set[int]) -> set[int]:
    found = set(reached)
    for at in sorted(reached):
        while at < len(wanted) and wanted[at] is None:
            at += 1
            found.add(at)
    return found


def _step(wanted: tuple[re.Pattern[str] | None, ...], reached: set[int], part: str) -> set[int]:
    found = set()
    for at in reached:
        if at < len(wanted):
            segment = wanted[at]
            if segment is None:
                found.add(at)
            elif segment.match(part):
                found.add(at + 1)
    return found
