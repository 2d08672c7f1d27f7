"""YAML as text for people: words that need quotes get them, device names become patterns, comments stay one line."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from roce_audit.report.words import prose
from roce_audit.text import globs
from roce_audit.text.secrets.redact import redact

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}\Z")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "none"})
_NUMBERED = re.compile(r"(.*?[A-Za-z_.-])[0-9]+\Z", re.S)
_SPECIAL = re.compile(r"[*?\[]")


def key(name: str) -> str:
    """A mapping key, quoted where YAML would not take it for a word."""
    return name if _PLAIN.match(name) and name.lower() not in _WORDS else text(name)


def text(value: str) -> str:
    """A double-quoted scalar."""
    return json.dumps(value, ensure_ascii=False)


def numbers(values: Iterable[int]) -> str:
    """`[3, 4]`."""
    return f"[{', '.join(map(str, sorted(values)))}]"


def comment(words: str, indent: str = "") -> str:
    """One line of comment, without secrets."""
    return f"{indent}# {redact(prose(words))}"


def literal(name: str) -> str:
    """The pattern that matches this name alone."""
    return _SPECIAL.sub(lambda found: f"[{found[0]}]", name)


def patterns(mine: Sequence[str], others: Iterable[str]) -> list[str]:
    """Patterns over device names that cover all of `mine` and none of `others`: `leaf*` where that is safe, else the names."""
    rest = list(others)
    stems: dict[str, list[str]] = defaultdict(list)
    for name in mine:
        found = _NUMBERED.match(name)
        stems[found[1] if found else name].append(name)
    done: list[str] = []
    for stem, names in stems.items():
        glob = f"{literal(stem)}*"
        if len(names) > 1 and len(glob) <= globs.MAX_PATTERN and not any(globs.matches(glob, other) for other in rest):
            done.append(glob)
        else:
            done += map(literal, names)
    return done
