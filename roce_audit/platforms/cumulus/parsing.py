"""From the text of a statement to what it says, by the table of the vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from roce_audit.platforms.cumulus.vocabulary import KINDS, UNDEFINED, UNSURE, Kind, Row
from roce_audit.platforms.shared.leaves import number

_ELEMENTS = range(8)
_CLOSE = 0.75
_NEAR = 0.65
"""For words of three letters of which two are swapped."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. `field` is empty for the head of a block; `where` is the number it is about."""

    kind: str
    field: str = ""
    where: int | None = None
    value: object = None
    unread: bool = False
    spoils: tuple[str, ...] = ()


def begins(kind: str, text: str) -> bool:
    """Whether some form of a statement begins with these words."""
    words = text.split(" ")
    return not text or any(
        len(words) <= len(row.words) and all(w in "#=" or w == g for w, g in zip(row.words, words, strict=False))
        for row in KINDS[kind].rows
    )


@lru_cache(maxsize=65_536)
def parse(kind: str, text: str) -> Statement:
    """What a statement of a block of this kind says. Never raises; what is not understood is `unread` and says what it spoils."""
    words = tuple(text.split(" ")) if text else ()
    table = KINDS[kind]
    if not words:
        return Statement(kind)
    if words[0] == UNDEFINED:
        return Statement(kind, UNDEFINED, None, words[-1], False, _everywhere(table.paths))
    row = _row_for(table, words)
    if row is None:
        return Statement(kind, text, None, None, True, _guessed(table, words))
    where: int | None = None
    value: object = None
    understood = len(words) == len(row.words)
    try:
        for given, wanted in zip(words, row.words, strict=False):
            if wanted == "#":
                where = int(str(number(0, row.most)(given)))
            elif wanted == "=":
                value = row.read(given)
    except ValueError:
        understood = False
    if understood:
        return Statement(kind, row.field, where, value)
    return Statement(kind, row.field, where, None, True, _everywhere(row.paths, where))


def _row_for(table: Kind, words: tuple[str, ...]) -> Row | None:
    """The row whose words these are, but for numbers and values; the longest such row that the statement fills, else the
    shortest that it begins."""
    fitting = [row for row in table.rows if all(w in "#=" or w == g for w, g in zip(row.words, words, strict=False))]
    same = [row for row in fitting if len(row.words) == len(words)]
    if same:
        return same[0]
    fitting = [row for row in fitting if row.words[0] == words[0]]
    shorter = [row for row in fitting if len(row.words) < len(words)]
    return max(shorter, key=lambda row: len(row.words), default=min(fitting, key=lambda r: len(r.words), default=None))


def _guessed(table: Kind, words: tuple[str, ...]) -> tuple[str, ...]:
    """What a statement of no known form might set: that to which its first word comes close, else what the kind sets."""
    if words[0] in table.by_word:
        return _everywhere(table.by_word[words[0]])
    near = get_close_matches(words[0], [row.words[0] for row in table.rows], 1, _CLOSE) if len(words[0]) > 3 else ()
    if near:
        return _everywhere(tuple(dict.fromkeys(p for row in table.rows if row.words[0] == near[0] for p in row.paths)))
    return _everywhere(table.paths)


def _everywhere(paths: tuple[str, ...], where: int | None = None) -> tuple[str, ...]:
    """Paths with the number put in; without one, a number that is not understood might be any."""
    found: list[str] = []
    for path in paths:
        if "#" in path and where is None:
            found.append(path.partition(".#")[0])
        elif "*" in path:
            found.extend(path.replace("*", str(n)) for n in _ELEMENTS)
        else:
            found.append(path.replace("#", str(where)))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=16_384)
def concerns_us(kind: str, text: str) -> bool:
    """Whether a statement of a lenient kind is one of its rows, or comes close to one; all statements of other kinds do."""
    table = KINDS[kind]
    words = text.split(" ")
    if not table.lenient or not text or words[0] == UNSURE:
        return True
    seconds: dict[str, list[str]] = {}
    for row in table.rows:
        seconds.setdefault(row.words[0], []).append(row.words[1] if len(row.words) > 1 else "")
    if words[0] in seconds:
        if seconds[words[0]][0] in ("=", "#"):
            return True
        return len(words) > 1 and (words[0] == "qos" or bool(get_close_matches(words[1], seconds[words[0]], 1, _NEAR)))
    first = get_close_matches(words[0], seconds, 1, _CLOSE)
    return bool(first) and len(words) > 1 and words[1] in seconds[first[0]]
