"""How PicOS writes a change: `set` and `delete` in configuration mode, then `commit` (PicOS documentation, the examples of each page)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from roce_audit.platforms.picos.outline import about, bare_words
from roce_audit.platforms.shared.path.repair import PathRepairs, Value
from roce_audit.platforms.shared.path.texts import FlatForm, FlatText, PathText
from roce_audit.text.structured.nodes import Words

_LINE = re.compile(r"[ \t]*(set|delete) +(\S.*)")
_NAMING = frozenset({"hostname", "description", "family"})
_PORT = "interface "


@lru_cache(65_536)
def _read(line: str) -> tuple[int, Words, bool] | None:
    found = _LINE.match(line)
    return (found.start(1), tuple(bare_words(found[2])), found[1] == "delete") if found is not None else None


def _ports(words: Words) -> Sequence[str]:
    _, header, _ = about(list(words))
    return (header.removeprefix(_PORT),) if header.startswith(_PORT) else ()


def _length(words: Words) -> int:
    """How many words name what a statement is about."""
    return len(words) - len(about(list(words))[2]) + (words[:2] == ("class-of-service", "interface"))


def _setting(words: Words) -> Words:
    """Without its value; a code point of a classifier is one of a list, and stays."""
    rest = words[_length(words) :]
    is_entry = words[:2] == ("class-of-service", "classifier") and rest[:1] == ("forwarding-class",)
    return words if len(rest) < 2 or is_entry else words[:-1]


def _said_of(words: Words, other: Words) -> Words | None:
    mine, theirs = about(list(words)), about(list(other))
    if mine[0] != theirs[0] or words[0] != other[0]:
        return None
    return (*other[: _length(other)], *words[_length(words) :])


def _written(words: Words) -> str:
    return " ".join(words)


def _set(words: Words) -> str:
    return f"set {_written(words)}"


def _delete(words: Words) -> str:
    return f"delete {_written(_setting(words))}"


def _text(path: str, lines: Sequence[str]) -> PathText | None:
    return FlatText(path, lines, FlatForm(_read, _set, _delete))


REPAIRS = PathRepairs(
    text=_text,
    ports=_ports,
    renamed=lambda words, similar, port: tuple(port if word == similar else word for word in words),
    said_of=_said_of,
    of_port=lambda port, words: ("interface", "gigabit-ethernet", port, *words),
    setting=_setting,
    set=_set,
    unset=_delete,
    values={
        "hop.queue.share": Value(("weight",)),
    },
    names=lambda words: not _NAMING.isdisjoint(words),
    before=("configure",),
    after=("commit", "exit"),
)
